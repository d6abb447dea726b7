"""The program as a process, which these tests start themselves."""

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import termios

import pytest

PROGRAM = os.environ.get("CONFORMANCE_SERVER")
ORDERS = pathlib.Path(__file__).resolve().parent.parent.parent / "lab/examples/orders.yaml"


def pytest_collection_modifyitems(items):
    if not PROGRAM:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="an endpoint is tested, not a program"))


class Server:
    """A server that has written its ready line; `options` are those of the process."""

    def __init__(self, *arguments, **options):
        reader, writer = os.pipe()
        self.process = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--ready-fd", str(writer), *arguments],
                                        pass_fds=[writer], stdout=subprocess.PIPE, text=True, **options)
        os.close(writer)
        with os.fdopen(reader) as ready:
            self.ready = json.loads(ready.read())  # reads until the server has closed the descriptor
        self.endpoint = self.ready["endpoint"]

    def stop(self):
        """Returns what the server wrote to stderr, if that is a pipe."""
        self.process.terminate()
        return self.process.communicate(timeout=60)[1]


@pytest.fixture
def serve():
    servers = []

    def start(*arguments, **options):
        servers.append(Server(*arguments, **options))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def short(tmp_path):
    """An example of a lab with few items and little traffic."""
    text = re.sub(r"^traffic: .*$", "traffic: [{for: 10s, rate: 1}]", ORDERS.read_text(), flags=re.M)
    file = tmp_path / "short.yaml"
    file.write_text(text.replace("count: 2000\n", "count: 50\n"))
    return file


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
