"""How the program starts: what it refuses, what it loads first, and how it is ended meanwhile."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from conftest import PROGRAM, run

SEED_ITEMS = 1_000_000  # a second's work or so
ENDS_WITHIN_S = 60
TRIES = 5

DEFINITION = {"TableName": "app", "BillingMode": "PAY_PER_REQUEST",
              "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
              "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}]}


@pytest.fixture(scope="module")
def large_seed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seed")
    (folder / "app.table.json").write_text(json.dumps(DEFINITION))
    (folder / "app.csv").write_text("PK,text\n" + "".join(f"{n},{n}\n" for n in range(SEED_ITEMS)))
    return str(folder)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def loading(seed, *arguments):
    """A server that has begun to read its seed, and is stopped there until SIGCONT; and its port."""
    for _ in range(TRIES):
        port = free_port()  # and may be taken again at once
        process = subprocess.Popen([PROGRAM, "--host", "127.0.0.1", "--port", str(port), "--seed", seed, *arguments],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            if is_stopped_in(process, seed):
                yield process, port
                return
        finally:
            process.kill()
            process.communicate()
    pytest.fail("no server was met while it loads")


def is_stopped_in(process, seed):
    deadline = time.monotonic() + ENDS_WITHIN_S
    while process.poll() is None and time.monotonic() < deadline:
        if has_open(process.pid, seed):
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
            return has_open(process.pid, seed)
        time.sleep(0.002)
    return False


def has_open(pid, folder):
    links = []
    with contextlib.suppress(OSError):
        for descriptor in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                links.append(os.readlink(f"/proc/{pid}/fd/{descriptor}"))
    return any(link.startswith(folder) and link.endswith(".csv") for link in links)


def connects(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_while_it_loads(large_seed, number):
    with loading(large_seed) as (server, _):
        server.send_signal(number)
        server.send_signal(signal.SIGCONT)
        out, err = server.communicate(timeout=ENDS_WITHIN_S)
        assert (server.returncode, out, err) == (0, "", "")


def test_the_end_of_its_parent_ends_it_while_it_loads(large_seed):
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with parent, loading(large_seed, f"--exit-with-parent={parent.pid}") as (server, _):
        parent.communicate()
        server.send_signal(signal.SIGCONT)
        out, err = server.communicate(timeout=ENDS_WITHIN_S)
        assert (server.returncode, out, err) == (0, "", "")


def test_nobody_gets_through_before_all_is_loaded(large_seed):
    with loading(large_seed) as (server, port):
        assert not connects(port)
        server.send_signal(signal.SIGCONT)
        deadline = time.monotonic() + ENDS_WITHIN_S
        while not connects(port):
            assert server.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        assert "listens on" in server.stdout.readline()
        answer = json.loads(run("ctl", "--port", str(port), "snapshots")[1] or "{}")
        assert answer == {"snapshots": []}
        code, out, _ = run("ctl", "--port", str(port), "snapshot", "all")
        assert (code, json.loads(out)["items"]) == (0, SEED_ITEMS)
        server.terminate()
        assert server.wait(ENDS_WITHIN_S) == 0


def test_a_port_that_is_taken_is_told_before_anything_is_loaded(serve):
    port = str(serve().ready["port"])
    code, out, err = run("--port", port, "--seed", "/no/such/seed")
    assert (code, out) == (1, "")
    assert err == f"hashrange: port {port} on 127.0.0.1 is taken by another program (choose one with --port)\n"


def test_a_seed_that_is_wrong_is_told():
    code, out, err = run("--port", "0", "--seed", "/no/such/seed")
    assert (code, out) == (1, "")
    assert err.startswith("hashrange: --seed: ") and err.count("\n") == 1


@pytest.mark.parametrize("option", ["--seed", "--control-token", "--host"])
def test_an_option_that_is_empty_is_a_wrong_command_line(option):
    for arguments in ([option, ""], [f"{option}="]):
        code, out, err = run("--port", "0", *arguments)
        assert (code, out, err) == (2, "", f"hashrange: {option} is empty (see hashrange --help)\n")
