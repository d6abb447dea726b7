"""How the program starts: what it refuses, what it loads first, and how it is stopped while it loads."""

import contextlib
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time

import pytest

from conftest import PROGRAM, run, run_on_terminal

SEED_ITEMS = 2_000_000  # takes about a second to load, and 300 MB
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
    """A server that has begun to read its seed, and is paused until SIGCONT; and its port."""
    for _ in range(TRIES):
        port = free_port()  # another process may take it at once
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


def test_connections_are_refused_before_all_is_loaded(large_seed):
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


def loaded(folder, *arguments, ready_fd=None):
    """Returns stdout and stderr of a server that loads the folder, and is stopped when it listens."""
    server = subprocess.Popen([PROGRAM, "--port", "0", "--seed", str(folder), "--ready-fd", str(ready_fd or 2), *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        (server.stdout if ready_fd == 1 else server.stderr).readline()
        server.terminate()
        return server.communicate(timeout=ENDS_WITHIN_S)
    finally:
        server.kill()
        server.wait()


@pytest.fixture
def small_seed(tmp_path):
    definition = {name: value for name, value in DEFINITION.items() if name != "TableName"}
    (tmp_path / "app.table.json").write_text(json.dumps(definition))
    (tmp_path / "app.json").write_text(json.dumps([{"PK": "a"}, {"PK": "b"}], indent=2))
    return tmp_path


def test_a_line_tells_what_was_loaded(small_seed):
    out, _ = loaded(small_seed)
    assert re.fullmatch(rf"Hashrange \S+ listens on .+\nConsole: http://127\.0\.0\.1:\d+/_hashrange/console\nSeeded 1 table with 2 items from {re.escape(str(small_seed))} in [\d.]+ s\n", out)
    out, err = loaded(small_seed, ready_fd=1)  # stdout is only for the program that reads the ready line
    assert out == "" and err.startswith("Seeded 1 table with 2 items from ")


def test_a_part_of_a_scan_is_warned_of(small_seed):
    (small_seed / "app.json").write_text('{"Items":[{"PK":{"S":"a"}}],"Count":1,"LastEvaluatedKey":{"PK":{"S":"a"}}}')
    out, err = loaded(small_seed, ready_fd=1)
    assert "app.json: it is only a part of a table" in err and "Seeded 1 table with 1 item from " in err


def test_a_seed_has_an_account_and_a_region(serve, small_seed):
    server = serve("--seed", str(small_seed), "--seed-account", "111122223333", "--seed-region", "eu-west-1")
    items = run("ctl", "dump", "--table", "app", "--account", "111122223333", "--region", "eu-west-1", "--endpoint", server.endpoint)[1]
    assert items.count("\n") == 2
    assert run("ctl", "dump", "--table", "app", "--endpoint", server.endpoint)[0] == 1


def test_a_terminal_sees_how_far_a_seed_is(large_seed):
    code, out = run_on_terminal("--port", "0", "--seed", large_seed, until=lambda sent: "Seeded" in sent)
    assert code == 0
    assert re.search(r"\rSeeding: [\d,]+ items read\x1b\[K", out)
    assert re.search(r"\r\x1b\[KHashrange \S+ listens on .+\nConsole: .+\nSeeded 1 table with 2,000,000 items from \S+ in [\d.]+ s\n", out)


def limited(megabytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    return limit


# A thread that starts takes 64 MB of addresses for a moment: with a limit of 100 MB, a start may fail before the seed does.
def test_a_seed_that_runs_out_of_memory_is_reported(large_seed):
    done = subprocess.run([PROGRAM, "--port", "0", "--seed", large_seed], capture_output=True, text=True, timeout=ENDS_WITHIN_S,
                          preexec_fn=limited(150))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "hashrange: --seed: there is not enough memory for it: nothing was loaded\n"


def test_a_server_lives_on_when_a_seed_runs_out_of_memory(large_seed, small_seed):
    server = subprocess.Popen([PROGRAM, "--port", "0", "--ready-fd", "1"], stdout=subprocess.PIPE, preexec_fn=limited(200))
    try:
        endpoint = json.loads(server.stdout.readline())["endpoint"]
        for _ in range(2):
            code, out, err = run("ctl", "seed", large_seed, "--endpoint", endpoint)
            assert (code, out, err) == (1, "", "hashrange: there is not enough memory for it: nothing was loaded.\n")
            assert json.loads(run("ctl", "info", "--endpoint", endpoint)[1])["tables"] == 0
        assert json.loads(run("ctl", "seed", str(small_seed), "--endpoint", endpoint)[1]) == {"tables": {"app": 2}}
    finally:
        server.terminate()
        assert server.wait(ENDS_WITHIN_S) == 0


def test_a_port_that_is_taken_is_reported_before_anything_is_loaded(serve):
    port = str(serve().ready["port"])
    code, out, err = run("--port", port, "--seed", "/no/such/seed")
    assert (code, out) == (1, "")
    assert err == f"hashrange: port {port} on 127.0.0.1 is taken by another program (choose one with --port)\n"


def test_a_seed_that_is_wrong_is_reported():
    code, out, err = run("--port", "0", "--seed", "/no/such/seed")
    assert (code, out) == (1, "")
    assert err.startswith("hashrange: --seed: ") and err.count("\n") == 1


@pytest.mark.parametrize("option", ["--seed", "--control-token", "--host"])
def test_an_option_that_is_empty_is_a_wrong_command_line(option):
    for arguments in ([option, ""], [f"{option}="]):
        code, out, err = run("--port", "0", *arguments)
        assert (code, out, err) == (2, "", f"hashrange: {option} is empty (see hashrange --help)\n")
