"""A server in a test run: it reports where it listens, and ends with the run, however the run ends."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request

import pytest

from conftest import PROGRAM, run

GONE_WITHIN_S = 20

# Starts a server that ends with this process, prints the server's pid, and keeps running.
PARENT = """
import os, subprocess, sys, time
reader, writer = os.pipe()
server = subprocess.Popen([sys.argv[1], "--port", "0", "--exit-with-parent", "--ready-fd", str(writer)],
                          pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
os.close(writer)
os.read(reader, 4096)
print(server.pid, flush=True)
time.sleep(float(sys.argv[2]))
"""


# Adopts the processes that its children leave, as the systemd of a session or the first process of a container does. Its child
# starts a server that begins to run only when the child has ended. Prints in the end whether the server has ended.
ADOPTER = """
import ctypes, os, sys, time
assert ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) == 0  # PR_SET_CHILD_SUBREAPER
starter = os.fork()
if starter == 0:
    starter = os.getpid()
    if os.fork() == 0:
        while os.getppid() == starter:
            time.sleep(0.001)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execv(sys.argv[1], [sys.argv[1], "--port", "0", f"--exit-with-parent={starter}"])
    os._exit(0)
os.waitpid(starter, 0)
deadline = time.monotonic() + float(sys.argv[2])
while time.monotonic() < deadline and os.waitpid(-1, os.WNOHANG)[0] == 0:
    time.sleep(0.02)
try:
    os.waitpid(-1, os.WNOHANG)
    print("runs")
except ChildProcessError:
    print("gone")
"""


def runs(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def is_gone(pid, within_s=GONE_WITHIN_S):
    deadline = time.monotonic() + within_s
    while runs(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not runs(pid)


def parent(stays_s):
    process = subprocess.Popen([sys.executable, "-c", PARENT, PROGRAM, str(stays_s)], stdout=subprocess.PIPE, text=True)
    return process, int(process.stdout.readline())


def test_the_ready_line_is_written_to_the_descriptor(serve):
    server = serve()
    port = server.ready["port"]
    assert server.ready == {"endpoint": f"http://127.0.0.1:{port}", "port": port, "pid": server.process.pid}
    assert server.process.stdout.readline().rstrip("\n").split(" listens on ")[1].split(", ")[0] == server.endpoint
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(server.endpoint) as answer:
        assert answer.read().startswith(b"healthy: ")


def test_stdout_may_be_the_descriptor():
    server = subprocess.Popen([PROGRAM, "--port", "0", "--ready-fd", "1"], stdout=subprocess.PIPE, text=True)
    try:
        lines = server.stdout.read().splitlines()  # reads to the end of the stream, while the server runs
        assert len(lines) == 1
        endpoint = json.loads(lines[0])["endpoint"]
        assert run("healthcheck", "--port", endpoint.rpartition(":")[2])[0] == 0
    finally:
        server.terminate()
        server.wait(10)


@pytest.mark.parametrize("descriptor", ["99", "-1", "x"])
def test_a_descriptor_that_is_none_is_a_wrong_command_line(descriptor):
    code, out, err = run("--port", "0", "--ready-fd", descriptor)
    assert (code, out) == (2, "")
    assert err.startswith("hashrange: ") and err.count("\n") == 1


def test_a_descriptor_that_only_reads_is_none_either():
    with open(os.devnull) as stdin:
        done = subprocess.run([PROGRAM, "--port", "0", "--ready-fd", "0"], stdin=stdin, capture_output=True, text=True,
                              timeout=60)
    assert (done.returncode, done.stdout) == (2, "")


def test_a_starter_that_does_not_listen_any_more_is_gone():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([PROGRAM, "--port", "0", "--ready-fd", str(writer)], pass_fds=[writer], capture_output=True,
                          text=True, timeout=60)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "hashrange: nobody reads what --ready-fd says\n")


def test_it_ends_with_a_parent_that_is_killed():
    process, server = parent(60)
    assert runs(server)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert is_gone(server)


def test_it_ends_with_a_parent_that_ends():
    process, server = parent(0)
    process.wait()
    assert is_gone(server)


def test_it_ends_with_the_named_process_even_if_another_has_adopted_it():
    adopter = subprocess.run([sys.executable, "-c", ADOPTER, PROGRAM, str(GONE_WITHIN_S)], capture_output=True, text=True, timeout=30)
    assert (adopter.stdout, adopter.stderr) == ("gone\n", "")


def test_it_ends_with_a_named_process_that_is_not_its_parent(serve):
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    server = serve(f"--exit-with-parent={other.pid}")
    assert not is_gone(server.process.pid, within_s=0.3)
    other.communicate()
    assert server.process.wait(GONE_WITHIN_S) == 0


def test_it_stays_when_only_the_thread_ends_that_started_it(serve):
    started = []
    thread = threading.Thread(target=lambda: started.append(serve("--exit-with-parent")))
    thread.start()
    thread.join()
    assert not is_gone(started[0].process.pid, within_s=0.5)


def test_it_stays_without_the_option():
    process, server = parent(60)
    try:
        free = subprocess.run(
            [sys.executable, "-c", PARENT.replace('"--exit-with-parent", ', ""), PROGRAM, "0"],
            capture_output=True, text=True)
        other = int(free.stdout)
        assert not is_gone(other, within_s=0.5)
        os.kill(other, signal.SIGTERM)
        assert is_gone(other)
    finally:
        process.kill()
        process.wait()
        assert is_gone(server)
