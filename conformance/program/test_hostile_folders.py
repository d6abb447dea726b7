"""Folders that another user has prepared: nothing that the program makes is written through a link, and what it makes is of its user alone."""

import contextlib
import json
import os
import stat
import subprocess

import pytest

from conftest import PROGRAM, run

OTHER_USER = 4242
CREATE = {"TableName": "app", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}],
          "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}]}
SEED = {"definition": CREATE, "table": "app", "data": json.dumps({"k": "a", "evil": "\n/bin/touch owned\n"})}
LAB_START = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "lab_start", "arguments": {}}}) + "\n"

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may be two users")


@pytest.fixture
def server(serve, tmp_path):
    started = serve("--data", str(tmp_path / "data"))
    assert run("ctl", "post", "seed", json.dumps(SEED), "--endpoint", started.endpoint)[0] == 0
    assert run("ctl", "measure", "start", "m", "--endpoint", started.endpoint)[0] == 0
    return started


@pytest.fixture
def shell_start(tmp_path):
    """A file of the developer, which a shell executes."""
    file = tmp_path / "home/.bashrc"
    file.parent.mkdir()
    file.write_text("# mine\n")
    return file


def lab_run(short, *arguments):
    return "lab", "run", str(short), "--no-confirm", "--layout", "order first", *arguments


def commands(server, short, folder):
    """The commands that make files, each with what it would write into the folder."""
    at = ("--endpoint", server.endpoint)
    copy = ("copy", "--from", server.endpoint, "--to")
    return [
        ("ctl", "dump", f"{folder}/dump", *at),
        ("ctl", "post", "dump", json.dumps({"path": str(folder), "overwrite": True}), *at),
        ("ctl", "backup", f"{folder}/backup", *at),
        (*copy, f"{folder}/copy"),
        (*copy, f"{folder}/../copy", "--state", f"{folder}/state"),
        ("ctl", "measure", "report", "m", "--html", f"{folder}/report.html", *at),
        ("ctl", "measure", "stop", "m", "--output", f"{folder}/m.json", *at),
        lab_run(short, "--html", f"{folder}/lab.html"),
        lab_run(short, "--json", f"{folder}/lab.json"),
        lab_run(short, "--requests", f"{folder}/requests.json"),
        ("lab", "init", f"{folder}/lab.yaml"),
        ("mcp", "--reports", f"{folder}/reports"),
        ("serve", "--port", "0", "--data", f"{folder}/data"),
    ]


def plant(folder, target, *names):
    """Puts links of the other user to the target into the folder."""
    for name in names:
        path = folder / name
        if path.parent != folder and not path.parent.exists():
            path.parent.mkdir()
            os.chown(path.parent, OTHER_USER, OTHER_USER)
        path.symlink_to(target)
        os.lchown(path, OTHER_USER, OTHER_USER)


def content(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def call(command, **more):
    if "mcp" in command:
        more["input"] = LAB_START
    return subprocess.run([PROGRAM, *command], capture_output=True, text=True, timeout=60, **more)


def refusal(command):
    """Runs a command that refuses to write, and returns its sentence."""
    done = call(command)
    assert done.returncode in (1, 2), (command, done)
    assert done.stderr.startswith("hashrange: ") and done.stderr.count("\n") == 1, (command, done.stderr)
    return done.stderr


@needs_root
@pytest.mark.parametrize("owner, mode, why", [(0, 0o777, "other users may write to the folder"),
                                              (OTHER_USER, 0o755, "belongs to another user"),
                                              (OTHER_USER, 0o1777, "belongs to another user")])
def test_a_folder_that_others_can_change_is_refused(server, short, shell_start, tmp_path, owner, mode, why):
    folder = tmp_path / "hostile"
    folder.mkdir()
    names = ["dump", "backup", "copy", "state", "state.new", "report.html", "m.json", "lab.html", "lab.json", "requests.json", "lab.yaml",
             "reports", "data", "hashrange-dump.json.partial", "app/items.json.partial", "app/table.json.partial"]
    for planted in ([], names):
        plant(folder, shell_start, *planted)
        os.chown(folder, owner, owner)
        folder.chmod(mode)
        before = content(folder)
        for command in commands(server, short, folder):
            sentence = refusal(command)
            if not planted:
                assert why in sentence, sentence
        assert content(folder) == before
    assert shell_start.read_text() == "# mine\n"


@needs_root
def test_in_a_sticky_folder_nothing_of_others_is_used(server, short, shell_start, tmp_path):
    folder = tmp_path / "sticky"
    folder.mkdir()
    folder.chmod(0o1777)
    # Links in the place of the folders and files themselves, then in a folder of the other user.
    names = ["dump", "backup", "copy", "state.new", "report.html", "m.json", "lab.html", "lab.json", "requests.json", "lab.yaml", "reports",
             "data", "hashrange-dump.json.partial"]
    plant(folder, shell_start.parent / "new", *names)
    for command in commands(server, short, folder):
        refusal(command)
    for name in names:
        (folder / name).unlink()
    for name in ("dump", "backup", "copy", "app", "reports", "data"):
        plant(folder, shell_start, f"{name}/items.json.partial")
    (folder / "copy/items.json.partial").unlink()  # a copy takes an empty folder only
    places = {f"{folder}/{name}" for name in ("dump", "backup", "copy", "reports", "data")} | {json.dumps({"path": str(folder), "overwrite": True})}
    into_folders = [command for command in commands(server, short, folder) if places & set(command)]
    assert len(into_folders) == 6
    for command in into_folders:
        assert "belongs to another user" in refusal(command)
    assert content(shell_start.parent) == [".bashrc"] and shell_start.read_text() == "# mine\n"


# The other user makes and removes links all the time.
ATTACK = """
import itertools, os, sys
folder, target = sys.argv[1:]
print(flush=True)
for name in itertools.cycle(["dump", "dump/app", "dump/app/items.json.partial", "dump/hashrange-dump.json.partial", "page.html", "copy", "state", "state.new"]):
    try: os.symlink(target, os.path.join(folder, name))
    except OSError: pass
    try: os.unlink(os.path.join(folder, name))
    except OSError: pass
"""


@needs_root
def test_a_race_is_not_won(server, short, shell_start, tmp_path):
    folder = tmp_path / "sticky"
    folder.mkdir()
    folder.chmod(0o1777)
    for parent in (tmp_path, *tmp_path.parents):
        if not parent.stat().st_mode & stat.S_IXOTH:
            parent.chmod(parent.stat().st_mode | stat.S_IXOTH)
    attacker = subprocess.Popen(["/usr/bin/python3", "-I", "-c", ATTACK, str(folder), str(shell_start)], stdout=subprocess.PIPE,
                                user=OTHER_USER, group=OTHER_USER, extra_groups=[])
    try:
        attacker.stdout.readline()
        done = 0
        for _ in range(15):
            done += call(("ctl", "dump", f"{folder}/dump", "--endpoint", server.endpoint)).returncode == 0
            done += call(("ctl", "measure", "report", "m", "--html", f"{folder}/page.html", "--endpoint", server.endpoint)).returncode == 0
            done += call(("copy", "--from", server.endpoint, "--to", f"{folder}/copy", "--state", f"{folder}/state")).returncode == 0
            for made in ("dump", "copy"):
                with contextlib.suppress(OSError):
                    subprocess.run(["rm", "-rf", folder / made], check=False, timeout=60)
        assert attacker.poll() is None
    finally:
        attacker.kill()
        attacker.communicate()
    assert content(shell_start.parent) == [".bashrc"] and shell_start.read_text() == "# mine\n"


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_what_is_made_is_of_its_user_alone(serve, short, tmp_path, umask):
    folder = tmp_path / "made"
    server = serve("--data", str(tmp_path / "served"), umask=umask)
    assert call(("ctl", "post", "seed", json.dumps(SEED), "--endpoint", server.endpoint)).returncode == 0
    assert call(("ctl", "measure", "start", "m", "--endpoint", server.endpoint)).returncode == 0
    folder.mkdir(mode=0o700)
    for command in commands(server, short, folder)[:-1]:
        done = call(command, umask=umask)
        assert done.returncode == 0, (command, done.stderr)
    refused = call(("copy", "--from", server.endpoint, "--to", f"{folder}/half", "--write-units", "1", "--tables", "none"), umask=umask)
    assert refused.returncode != 0
    server.stop()
    found = [*folder.rglob("*"), folder, *(tmp_path / "served").rglob("*"), tmp_path / "served", *(tmp_path / "copy").rglob("*")]
    assert len(found) > 25
    for path in found:
        assert stat.filemode(path.lstat().st_mode) == ("drwx------" if path.is_dir() else "-rw-------"), path


def test_streams_are_written_to(short, tmp_path):
    page = tmp_path / "page.html"
    assert call(lab_run(short, "--html", str(page))).returncode == 0
    done = call(lab_run(short, "--html", "/dev/stdout", "--json", "/dev/null"))
    assert done.returncode == 0 and page.read_text() in done.stdout
    done = call(lab_run(short, "--requests", "/dev/stderr"))
    assert done.returncode == 0 and json.loads(done.stderr.splitlines()[0])["layout"] == "order first"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with open(tmp_path / "copy.html", "w") as copy, subprocess.Popen(["cat", pipe], stdout=copy):
        assert call(lab_run(short, "--html", str(pipe))).returncode == 0
    assert (tmp_path / "copy.html").read_text() == page.read_text()


def test_what_cannot_be_a_place_is_named(server, tmp_path):
    data = tmp_path / "data"
    for place in (data, data / "below", f"{data}/../data/"):
        assert refusal(("ctl", "backup", str(place), "--endpoint", server.endpoint)) == (
            f"hashrange: {os.path.normpath(place)} is in the data directory of this server, {data}: name a directory outside of it.\n")
    assert sorted(path.name for path in data.iterdir() if path.is_dir()) == []
    copy = ("copy", "--from", server.endpoint, "--to", str(tmp_path / "new"))
    rest = ": the state of a copy is kept in a file, which --state names\n"
    assert refusal((*copy, "--state", str(tmp_path))) == f"hashrange: {tmp_path} is a folder{rest}"
    assert refusal((*copy, "--state", "/dev/null")) == f"hashrange: /dev/null is no regular file{rest}"
    assert refusal((*copy, "--state", str(tmp_path), "--resume")) == f"hashrange: {tmp_path} is a folder{rest}"
    (tmp_path / "file").write_text("")
    assert refusal(("mcp", "--reports", str(tmp_path / "file"))) == f"hashrange: --reports: {tmp_path}/file: it cannot be written: Not a directory\n"
    assert refusal(("copy", "--bogus")) == "hashrange: unknown argument: --bogus (see hashrange copy --help)\n"
    assert not (tmp_path / "new").exists()
