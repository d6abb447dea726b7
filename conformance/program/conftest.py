"""The program as a process, which these tests start themselves."""

import contextlib
import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import termios

import pytest

PROGRAM = os.environ.get("CONFORMANCE_SERVER")


def pytest_collection_modifyitems(items):
    if not PROGRAM:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="an endpoint is tested, not a program"))


class Server:
    """A server that has written its ready line."""

    def __init__(self, *arguments):
        reader, writer = os.pipe()
        self.process = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--ready-fd", str(writer), *arguments],
                                        pass_fds=[writer], stdout=subprocess.PIPE, text=True)
        os.close(writer)
        with os.fdopen(reader) as ready:
            self.ready = json.loads(ready.read())  # reads until the server has closed the descriptor
        self.endpoint = self.ready["endpoint"]

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=60)


@pytest.fixture
def serve():
    servers = []

    def start(*arguments):
        servers.append(Server(*arguments))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def run(*arguments, **environment):
    """Runs the program to its end. Returns its exit code, stdout and stderr."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def run_on_terminal(*arguments, columns=100, until=None):
    """Runs the program with a terminal as stdout and stderr. Returns its exit code and its output.
    `until` is called with the output again and again; when it returns true, the program is interrupted."""
    mine, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=its, stderr=its)
    os.close(its)
    sent = b""
    with contextlib.suppress(OSError):  # EIO: the program has closed the terminal
        while part := os.read(mine, 65536):
            sent += part
            if until and until(sent.decode()):
                process.send_signal(signal.SIGINT)
                until = None
    os.close(mine)
    return process.wait(timeout=120), sent.decode().replace("\r\n", "\n")
