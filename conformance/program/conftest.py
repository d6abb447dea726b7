"""The program itself, as a process: started by these tests, not by conformance/run."""

import json
import os
import subprocess

import pytest

PROGRAM = os.environ.get("CONFORMANCE_SERVER")


def pytest_collection_modifyitems(items):
    if not PROGRAM:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="an endpoint is tested, not a program"))


class Server:
    """A server that has told where it listens."""

    def __init__(self, *arguments):
        reader, writer = os.pipe()
        self.process = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--ready-fd", str(writer), *arguments],
                                        pass_fds=[writer], stdout=subprocess.PIPE, text=True)
        os.close(writer)
        with os.fdopen(reader) as ready:
            self.ready = json.loads(ready.read())  # to the end: the server has closed it
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
    """A finished run of the program: its exit code, stdout and stderr."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr
