"""`npx hashrange` and `import { binary } from 'hashrange'`, as npm installs them."""

import json
import os
import pathlib
import re
import signal
import subprocess
import time

import pytest
from npm_project import CARRIERS, DIST, OWN_CARRIER, REPOSITORY, VERSION
from npm_servers import LAUNCHER, TIMEOUT_S, info, read_endpoint, servers_of, wait_for_end
from suites import install_node_modules


@pytest.fixture
def begin(installed):
    with servers_of(installed) as start:
        yield start


def test_npm_installs_only_what_this_machine_needs(installed):
    assert [f"@hashrange/{name}" for name in os.listdir(installed.path("@hashrange"))] == [OWN_CARRIER]
    installed.run("npm", "ls", "--all")


def test_npx_runs_it_where_it_is_not_installed(new_project):
    assert new_project().run("npx", "--yes", "hashrange", "--version")[0] == f"Hashrange {VERSION}\n"


def test_npx_serves_until_it_is_ended(begin):
    npx = begin("npx", "hashrange", "serve", "--port", "0")
    server = info(read_endpoint(npx))
    assert server["version"] == VERSION
    npx.terminate()
    # npx itself ends with the signal if its shell does not become the launcher: dash stays, bash does not.
    assert npx.wait(TIMEOUT_S) in (0, -signal.SIGTERM)
    wait_for_end(server["pid"])


def test_npx_serves_until_ctrl_c(begin):
    npx = begin("npx", "hashrange", "serve", "--port", "0")
    server = info(read_endpoint(npx))
    os.killpg(npx.pid, signal.SIGINT)
    assert npx.wait(TIMEOUT_S) in (0, -signal.SIGINT)
    wait_for_end(server["pid"])


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_reaches_the_server(begin, name):
    launcher = begin("node", LAUNCHER, "--port", "0")
    server = info(read_endpoint(launcher))
    launcher.send_signal(getattr(signal, name))
    expected = -signal.SIGHUP if name == "SIGHUP" else 0  # the program does not handle SIGHUP
    assert launcher.wait(TIMEOUT_S) == expected
    wait_for_end(server["pid"])


def test_ctrl_c_in_a_terminal_ends_both_with_the_code_of_the_server(begin):
    launcher = begin("node", LAUNCHER, "serve", "--port", "0")
    server = info(read_endpoint(launcher))
    os.killpg(launcher.pid, signal.SIGINT)
    assert launcher.wait(TIMEOUT_S) == 0
    wait_for_end(server["pid"])


def test_a_server_ends_with_a_launcher_that_is_killed(begin):
    launcher = begin("node", LAUNCHER, "serve", "--port", "0")
    server = info(read_endpoint(launcher))
    launcher.kill()
    wait_for_end(server["pid"])


def test_a_server_ends_with_the_parent_of_the_launcher_when_asked(begin):
    shell = begin("bash", "-c", f"node {LAUNCHER} serve --port 0 --exit-with-parent & wait")
    server = info(read_endpoint(shell))
    shell.kill()
    wait_for_end(server["pid"])


def as_of_npx(script):
    """Returns the variables that npx gives to a program, which gives them to those that it starts itself."""
    return {"npm_lifecycle_event": "npx", "npm_lifecycle_script": script}


def test_a_server_ends_with_a_launcher_that_is_killed_below_npx(begin):
    launcher = begin("node", LAUNCHER, "serve", "--port", "0", env=as_of_npx("vitest"))
    server = info(read_endpoint(launcher))
    launcher.kill()
    wait_for_end(server["pid"])


def test_no_server_stays_when_npx_ends_before_the_launcher_begins(begin):
    late = f"sleep 0.5; exec node {LAUNCHER} serve --port 0 2>&1"
    shell = begin("bash", "-c", f"(({late}) &); cat", env=as_of_npx("'hashrange'"), stdin=subprocess.PIPE)
    assert shell.stdout.readline() == "hashrange: the process that was to use the server has ended.\n"


def test_a_server_below_npx_does_not_end_with_the_parent_of_a_launcher_that_npx_has_not_started(begin):
    """A test runner may start a server with a program that ends before the server does."""
    shell = begin("bash", "-c", f"(node {LAUNCHER} serve --port 0 &); cat", env=as_of_npx("vitest"), stdin=subprocess.PIPE)
    server = info(read_endpoint(shell))
    time.sleep(1.2)  # the launcher looks for its parent every 0.5 s
    assert os.path.exists(f"/proc/{server['pid']}")


def test_a_script_of_a_package_ends_with_npm(installed, begin):
    sample = json.loads(re.search(r"^```json\n(.*?)^```$", (REPOSITORY / "packaging/npm/hashrange/README.md").read_text(), re.M | re.S)[1])
    manifest = installed.folder / "package.json"
    before = manifest.read_text()
    manifest.write_text(json.dumps({**json.loads(before), **sample}))
    try:
        npm = begin("npm", "run", "--silent", "serve", "--", "--port", "0")
        server = info(read_endpoint(npm))
        npm.terminate()
        wait_for_end(server["pid"])
    finally:
        manifest.write_text(before)


@pytest.mark.parametrize("option", [["--ready-fd", "{fd}"], ["--ready-fd={fd}"]])
def test_a_descriptor_is_passed_on(begin, option):
    reader, writer = os.pipe()
    launcher = begin("node", LAUNCHER, "serve", "--port", "0", *(word.format(fd=writer) for word in option), pass_fds=[writer])
    os.close(writer)
    with os.fdopen(reader) as ready:
        said = ready.read()  # to the end: neither process keeps the descriptor open
    assert json.loads(said)["endpoint"] == read_endpoint(launcher)


@pytest.mark.parametrize("words, status", [
    (["--version"], 0), (["serve", "--help"], 0), (["serve", "--port", "99999"], 2), (["ctl", "info", "--port", "1"], 1),
    *[(["serve", "--port", "0", "--ready-fd", fd], 2) for fd in ("3", "77", "none")]])
def test_the_output_and_the_exit_code_are_those_of_the_program(installed, words, status):
    program = str(installed.path(OWN_CARRIER) / "bin/hashrange")
    assert installed.run("node", LAUNCHER, *words, status=status) == installed.run(program, *words, status=status)


def test_standard_input_is_inherited(installed):
    done = subprocess.run(["node", LAUNCHER, "/dev/stdin"], cwd=installed.folder, env={**installed.environment, "HASHRANGE_BINARY": "/bin/cat"},
                          input="text", capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "text")


@pytest.mark.parametrize("program, code", [("/nowhere/hashrange", "ENOENT"), ("/etc/passwd", "EACCES"), ("/etc/passwd/hashrange", "ENOTDIR"),
                                           ("/" + 300 * "x", "ENAMETOOLONG")])
def test_a_program_that_cannot_be_run_is_told(installed, program, code):
    assert installed.run("node", LAUNCHER, "serve", status=1, env={"HASHRANGE_BINARY": program}) == ("", f"hashrange: {program} cannot be run ({code}).\n")


def test_a_program_that_links_to_itself_is_told(installed, tmp_path):
    program = tmp_path / "hashrange"
    program.symlink_to(program)
    assert installed.run("node", LAUNCHER, "serve", status=1, env={"HASHRANGE_BINARY": str(program)}) == ("", f"hashrange: {program} cannot be run (ELOOP).\n")


# The beginnings of programs: of another Linux, of macOS, of Windows, and what a program of Linux begins with and nothing else.
@pytest.mark.parametrize("head", [b"\x7fELF\2\1\1" + bytes(9) + b"\2\0\xf3\0" + bytes(44), b"\xcf\xfa\xed\xfe\7\0\0\1", b"MZ\x90\0\3\0", b"\x7fELF"])
def test_a_program_of_another_machine_is_told(installed, tmp_path, head):
    program = tmp_path / "hashrange"
    program.write_bytes(head)
    program.chmod(0o755)
    if emulated(head):
        pytest.skip("this machine has an emulator for such programs")
    assert told_of(installed, program) == f"hashrange: {program} is a program for another machine.\n"


def test_the_program_of_the_other_architecture_is_told(installed):
    other = next((DIST / "bin" / arch / "hashrange" for name, arch in CARRIERS.items() if name != OWN_CARRIER), None)
    if other is None or emulated(b"\x7fELF"):
        pytest.skip("there is no such program, or an emulator runs it")
    assert told_of(installed, other) == f"hashrange: {other} is a program for another machine.\n"


def emulated(head):
    kinds = pathlib.Path("/proc/sys/fs/binfmt_misc")
    return kinds.is_dir() and any(f"magic {head[:2].hex()}" in kind.read_text() for kind in kinds.iterdir() if kind.name != "register")


def told_of(installed, program):
    out, err = installed.run("node", LAUNCHER, "--version", status=1, env={"HASHRANGE_BINARY": str(program)})
    assert out == ""
    return err


@pytest.mark.parametrize("text, out", [("#!/bin/sh\necho one\n", "one\n"), ("echo two\n", "two\n")])
def test_a_script_is_run(installed, tmp_path, text, out):
    program = tmp_path / "hashrange"
    program.write_text(text)
    program.chmod(0o755)
    assert installed.run("node", LAUNCHER, env={"HASHRANGE_BINARY": str(program)}) == (out, "")


AGAIN = "hashrange: HASHRANGE_BINARY names {}, which starts this command again, and no server.\n"


def test_a_launcher_does_not_start_itself_for_ever(installed, tmp_path):
    program = "node_modules/.bin/hashrange"
    assert told_of_again(installed, program) == AGAIN.format(installed.path(".bin/hashrange"))
    script = tmp_path / "hashrange"
    script.write_text("#!/bin/sh\nexec node_modules/.bin/hashrange\n")
    script.chmod(0o755)
    assert told_of_again(installed, script) == AGAIN.format(script)


def told_of_again(installed, program):
    """Runs the launcher for at most some seconds, because without the sentence it would not end."""
    done = installed.start("timeout", "--kill-after", "1", "20", "npx", "hashrange", "--version", env={"HASHRANGE_BINARY": str(program)})
    out, err = done.communicate(timeout=TIMEOUT_S)
    assert (done.returncode, out) == (1, "")
    return err


def test_the_name_of_a_program_is_a_path(installed):
    """npx puts the launcher first on PATH."""
    assert told_of_again(installed, "hashrange") == f"hashrange: {installed.folder}/hashrange cannot be run (ENOENT).\n"
    assert installed.run("npx", "hashrange", "--version", env={"HASHRANGE_BINARY": f"node_modules/{OWN_CARRIER}/bin/hashrange"})[0] == f"Hashrange {VERSION}\n"


def test_a_script_may_start_the_program_of_the_package(installed, tmp_path):
    script = tmp_path / "hashrange"
    script.write_text('#!/bin/sh\nunset HASHRANGE_BINARY\nexec npx hashrange "$@"\n')
    script.chmod(0o755)
    assert installed.run("npx", "hashrange", "--version", env={"HASHRANGE_BINARY": str(script)})[0] == f"Hashrange {VERSION}\n"


def test_a_program_that_a_signal_ends_ends_the_launcher_the_same_way(begin):
    launcher = begin("node", LAUNCHER, "-c", "kill -9 $$", env={"HASHRANGE_BINARY": "/bin/sh"})
    assert launcher.wait(TIMEOUT_S) == -signal.SIGKILL


def test_the_path_of_the_program_is_exported(installed):
    expected = f"{installed.path(OWN_CARRIER)}/bin/hashrange {OWN_CARRIER}\n"
    imports = "import { binary, carrier } from 'hashrange'; console.log(binary, carrier)"
    assert installed.run("node", "--input-type=module", "-e", imports)[0] == expected
    assert installed.run("node", "-e", "const { binary, carrier } = require('hashrange'); console.log(binary, carrier)")[0] == expected
    assert installed.run("node", "-p", "require('hashrange').module")[0] == f"{installed.path('hashrange')}/hashrange.wasm\n"


def test_the_types_are_those_of_the_exports(installed, tsc):
    (installed.folder / "uses.mts").write_text("""
        import { binary, carrier, module } from 'hashrange'
        const path: string | undefined = binary; const name: string = carrier; const wasm: string = module
        // @ts-expect-error
        const always: string = binary
        export default [path, name, always, wasm]""")
    options = {"strict": True, "noEmit": True, "module": "nodenext", "types": []}
    (installed.folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": ["uses.mts"]}))
    installed.run("node", tsc)


@pytest.fixture
def tsc():
    install_node_modules(REPOSITORY / "clients/js")
    return str(REPOSITORY / "clients/js/node_modules/typescript/bin/tsc")


def test_every_package_can_be_had_from_the_registry(registry, new_project):
    project = new_project("hashrange", "@hashrange/testing")
    project.run("npm", "ls", "--all")
    assert {"hashrange", "@hashrange/testing", *CARRIERS} <= set(registry.asked)
