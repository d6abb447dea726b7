"""`npx hashrange` where npm has installed no program: the WebAssembly module serves. Linux stands for the other systems."""

import json
import os
import re
import signal
import time

import pytest
from machines import ITEM, TABLE, dynamodb
from npm_project import OWN_CARRIER, REPOSITORY, VERSION
from npm_servers import LAUNCHER, TIMEOUT_S, info, read_endpoint, servers_of, wait_for_end

NOTE = (f"hashrange: the package {OWN_CARRIER}, which has the program, is not installed, so the WebAssembly module runs. Install hashrange with its optional "
        "packages (without --omit=optional and --no-optional); if a package-lock.json of another platform left the program out, remove it and node_modules, "
        "and install again.\n")


@pytest.fixture(scope="module")
def project(new_project):
    """A project in which npm has left the program out. Tests do not change it."""
    made = new_project("hashrange", "--omit=optional")
    assert not made.path("@hashrange").exists()
    return made


@pytest.fixture
def begin(project):
    with servers_of(project) as start:
        yield start


def end(server, name=signal.SIGTERM):
    """Ends a server by a signal. Returns (exit code, what it has written to stderr)."""
    server.send_signal(name)
    _, errors = server.communicate(timeout=TIMEOUT_S)
    return server.returncode, errors


@pytest.mark.parametrize("words", [["--os=darwin", "--cpu=arm64"], ["--os=win32", "--cpu=x64"], ["--no-optional"]])
def test_npm_installs_no_program_for_other_systems(new_project, words):
    other = new_project("hashrange", *words)
    assert not other.path("@hashrange").exists()
    assert other.run("npx", "hashrange", "--version") == (f"Hashrange {VERSION}\n", NOTE)


def test_npx_serves(begin):
    npx = begin("npx", "hashrange", "serve", "--port", "0")
    endpoint = read_endpoint(npx)
    assert info(endpoint)["version"] == VERSION
    dynamodb("CreateTable", TABLE, endpoint=endpoint)
    dynamodb("PutItem", {"TableName": "app", "Item": ITEM}, endpoint=endpoint)
    assert dynamodb("GetItem", {"TableName": "app", "Key": {"PK": ITEM["PK"]}}, endpoint=endpoint) == {"Item": ITEM}
    npx.terminate()
    assert npx.wait(TIMEOUT_S) in (0, -signal.SIGTERM)


@pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_0(begin, name):
    server = begin("node", LAUNCHER, "serve", "--port", "0")
    port = read_endpoint(server).rpartition(":")[2]
    assert end(server, name) == (0, NOTE)
    again = begin("node", LAUNCHER, "--port", port)  # the word serve may be left out
    assert again.stdout.readline() == f"Hashrange {VERSION} listens on http://127.0.0.1:{port}, http://[::1]:{port}\n"


def test_a_port_that_is_taken_is_told(begin, project):
    port = read_endpoint(begin("node", LAUNCHER, "--port", "0")).rpartition(":")[2]
    out, errors = project.run("node", LAUNCHER, "serve", "--port", port, status=1)
    assert out == ""
    assert re.fullmatch(rf"{re.escape(NOTE)}hashrange: port {port} on 127\.0\.0\.1 is taken by another program .*\n", errors)


@pytest.mark.parametrize("platform, arch", [("darwin", "arm64"), ("win32", "x64"), ("linux", "riscv64")])
def test_on_a_platform_without_a_program_nothing_is_missed(begin, tmp_path, platform, arch):
    fake = tmp_path / "platform.cjs"
    fake.write_text(f"Object.defineProperties(process, {{ platform: {{ value: '{platform}' }}, arch: {{ value: '{arch}' }} }})\n")
    server = begin("node", "--require", str(fake), LAUNCHER, "serve", "--port", "0")
    read_endpoint(server)
    assert end(server) == (0, "")


def test_a_module_that_is_named_serves_in_place_of_the_program(installed):
    with servers_of(installed) as start:
        module = str(installed.path("hashrange") / "hashrange.wasm")
        server = start("node", LAUNCHER, "serve", "--port", "0", env={"HASHRANGE_MODULE": module})
        read_endpoint(server)
        with open(f"/proc/{server.pid}/task/{server.pid}/children") as children:
            assert children.read() == ""  # no program was started
        assert end(server) == (0, "")


def test_a_program_that_is_named_comes_first(project):
    own = os.path.abspath(f"{REPOSITORY}/packaging/npm/tests/own_program")
    assert project.run("npx", "hashrange", "--version", env={"HASHRANGE_BINARY": own}) == ("a program of one's own\n", "")


def test_a_descriptor_gets_the_ready_line(begin):
    reader, writer = os.pipe()
    server = begin("node", LAUNCHER, "serve", "--port", "0", "--ready-fd", str(writer), pass_fds=[writer])
    os.close(writer)
    with os.fdopen(reader) as ready:
        said = json.loads(ready.read())
    endpoint = read_endpoint(server)
    assert said == {"endpoint": endpoint, "port": int(endpoint.rpartition(":")[2]), "pid": server.pid}


def test_a_server_ends_with_its_parent_when_asked(begin):
    shell = begin("bash", "-c", f"node {LAUNCHER} serve --port 0 --exit-with-parent & echo $!; wait")
    pid = int(shell.stdout.readline())
    read_endpoint(shell)
    shell.kill()
    wait_for_end(pid)


def test_a_server_ends_with_npx(begin):
    """npx passes the signal on to the shell that it has started."""
    npx = begin("npx", "hashrange", "serve", "--port", "0")
    endpoint = read_endpoint(npx)
    npx.terminate()
    npx.wait(TIMEOUT_S)
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        try:
            info(endpoint)
        except OSError:
            return
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("words, sentence", [
    (["serve", "--port", "99999"], "--port: Value 99999 not in range 0 to 65535 (see hashrange --help)"),
    (["bogus"], "unknown argument: bogus (see hashrange --help)"),
    (["serve", "--sync", "1s"], "--sync: the module does not write each change: it writes all tables some seconds after a change, and at its end "
                                "(see hashrange --help)"),
    (["lab", "import", "x.json"], "hashrange lab import needs the program, which is for Linux: run it in a container (docs/install.md)"),
    (["ctl", "requests", "--follow"], "hashrange ctl requests needs the program, which is for Linux: run it in a container (docs/install.md); here there are "
                                      "hashrange ctl get PATH, hashrange ctl post PATH [JSON] or hashrange ctl delete PATH [JSON]"),
])
def test_what_it_does_not_do_is_told(project, words, sentence):
    assert project.run("node", LAUNCHER, *words, status=2) == ("", f"{NOTE}hashrange: {sentence}\n")


def test_options_without_an_effect_are_warned_of(begin):
    server = begin("node", LAUNCHER, "serve", "--port", "0", "--threads", "4")
    read_endpoint(server)
    code, errors = end(server)
    assert code == 0
    assert re.fullmatch(r"[-\d]+ [:.\d]+ warning --threads: it has no effect, as the module has one thread\n", errors.removeprefix(NOTE))


def test_ctl_makes_plain_calls(begin, project):
    endpoint = read_endpoint(begin("node", LAUNCHER, "serve", "--port", "0", "--control-token", "a token of 16 letters"))
    port = endpoint.rpartition(":")[2]

    def ctl(*words, status=0):
        out, errors = project.run("node", LAUNCHER, "ctl", *words, "--port", port, "--token", "a token of 16 letters", status=status)
        return out or errors.removeprefix(NOTE)

    assert json.loads(ctl("post", "clock", '{"frozen":"2026-01-31T12:00:00Z"}'))["mode"] == "frozen"
    assert json.loads(ctl("get", "faults")) == {"rules": []}
    assert ctl("post", "reset") == '{"tables":0}\n'
    assert re.fullmatch(r"hashrange: GET nothing: .*\n", ctl("get", "nothing", status=1))
    assert ctl("post", "clock", "{", status=2).startswith("hashrange: it is no JSON: ")


class TestData:
    """--data: what clients/js/tests/vitest/serve-data.test.mjs does not see."""

    def serve(self, begin, folder, *words):
        server = begin("node", LAUNCHER, "serve", "--port", "0", "--data", str(folder), *words)
        endpoint = read_endpoint(server)
        assert re.fullmatch(rf"Loaded \d tables? with \d items? from {folder} in [\d.]+ s\n", server.stdout.readline())
        return server, endpoint

    def items(self, endpoint):
        return dynamodb("Scan", {"TableName": "app"}, endpoint=endpoint)["Items"]

    @pytest.mark.parametrize("name", [signal.SIGINT, signal.SIGTERM])
    def test_tables_stay_when_a_signal_ends_it(self, begin, tmp_path, name):
        folder = tmp_path / "data"
        server, endpoint = self.serve(begin, folder)
        dynamodb("CreateTable", TABLE, endpoint=endpoint)
        dynamodb("PutItem", {"TableName": "app", "Item": ITEM}, endpoint=endpoint)
        assert end(server, name) == (0, NOTE)
        assert os.listdir(folder) == ["hashrange-module.jsonl"]
        assert os.stat(folder).st_mode & 0o777 == 0o700 and os.stat(folder / "hashrange-module.jsonl").st_mode & 0o777 == 0o600
        assert self.items(self.serve(begin, folder)[1]) == [ITEM]

    def test_what_was_written_stays_when_it_is_killed(self, begin, tmp_path):
        server, endpoint = self.serve(begin, tmp_path)
        dynamodb("CreateTable", TABLE, endpoint=endpoint)
        dynamodb("PutItem", {"TableName": "app", "Item": ITEM}, endpoint=endpoint)
        file = tmp_path / "hashrange-module.jsonl"
        deadline = time.monotonic() + TIMEOUT_S
        while not (file.exists() and "USER#1" in file.read_text()):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        server.kill()
        server.wait()
        assert self.items(self.serve(begin, tmp_path)[1]) == [ITEM]

    def test_a_second_server_is_refused(self, begin, project, tmp_path):
        server, _ = self.serve(begin, tmp_path)
        refused = project.run("node", LAUNCHER, "serve", "--port", "0", "--data", str(tmp_path), status=1)
        assert refused == ("", f"{NOTE}hashrange: {tmp_path} is used by the process {server.pid}; if that is another program, remove the file "
                               "hashrange-module.lock\n")

    def test_directories_of_the_program_and_of_the_module_are_apart(self, installed, project, begin, tmp_path):
        of_program, of_module = tmp_path / "program", tmp_path / "module"
        with servers_of(installed) as start:
            program = start("node", LAUNCHER, "serve", "--port", "0", "--data", str(of_program))
            read_endpoint(program)
            program.terminate()
            assert program.wait(TIMEOUT_S) == 0
        server, endpoint = self.serve(begin, of_module)
        dynamodb("CreateTable", TABLE, endpoint=endpoint)
        assert end(server) == (0, NOTE)
        assert project.run("node", LAUNCHER, "serve", "--port", "0", "--data", str(of_program), status=1) == (
            "", f"{NOTE}hashrange: {of_program} is a data directory of the program, which the module does not read: name another directory\n")
        assert installed.run("node", LAUNCHER, "serve", "--port", "0", "--data", str(of_module), status=1) == (
            "", f"hashrange: {of_module} is not a data directory of Hashrange, or an unfinished one: it has files, but no file HASHRANGE\n")

    def test_a_port_that_is_taken_leaves_the_directory_free(self, begin, project, tmp_path):
        port = read_endpoint(begin("node", LAUNCHER, "--port", "0")).rpartition(":")[2]
        project.run("node", LAUNCHER, "serve", "--port", port, "--data", str(tmp_path), status=1)
        assert os.listdir(tmp_path) == []
