"""The server as a child process: it listens on a free port, is ready when it says so, and ends with this process at the latest."""

import json
import os
import random
import select
import subprocess
import time

import hashrange

from .account import Account
from .begun import Begun
from .server_log import ServerLog

START_TIMEOUT_S = 10
STOP_TIMEOUT_S = 3
SEED, TEST = 0, 1  # the numbers of the accounts of a run


class Server:
    """A server and two accounts of it: `seed`, which is filled once, and `account`, for the tests."""

    def __init__(self, endpoint, token=None, region=None, process=None, log=None):
        self.endpoint = endpoint
        self._process = process
        self._log = log
        # A server that was already running may have accounts of other runs.
        run = 100_000 if process else random.randrange(100_000, 1_000_000)
        seed, test = (f"{run}{number:06}" for number in (SEED, TEST))
        self.begun = Begun(endpoint, token)
        self.seed = Account(endpoint, token, seed, seed, region, self.begun)
        self.account = Account(endpoint, token, test, seed, region, self.begun)

    @property
    def is_own(self):
        """Whether the server was started here, and ends with stop()."""
        return self._process is not None

    def stop(self):
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def start(binary=None, args=(), region=None, token=None):
    """Starts `binary`, or the program that hashrange.binary() finds, with `args` in addition to the plugin's arguments. Returns a
    Server. With a `token`, its control API needs the token. Raises RuntimeError when there is no such program, or when the program
    ends or does not get ready in time; the error's text has what the program wrote to stderr."""
    if isinstance(args, str):
        raise TypeError(f"hashrange: start() takes a list of texts as `args`, not {args!r}.")
    program = find_binary(binary)
    own = ["--port", "0", f"--exit-with-parent={os.getpid()}"]
    environment = {**os.environ, "HASHRANGE_TOKEN": token or ""}  # other users could see an argument; "" means no token
    ready, ready_end = os.pipe()
    log = ServerLog()
    with os.fdopen(ready, "rb", buffering=0) as ready_line:
        try:
            process = subprocess.Popen(
                [program, "serve", *own, "--ready-fd", str(ready_end), *args],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log.file, pass_fds=[ready_end],
                env=environment)
        except OSError as problem:
            log.close()
            raise RuntimeError(f"hashrange: {program} did not start: {problem}") from None
        finally:
            os.close(ready_end)
        line = read_line(ready_line)
    if line.endswith(b"\n"):
        return Server(json.loads(line)["endpoint"], token, region, process, log)
    problem = why_not_ready(process)
    log.close()
    raise RuntimeError(f"hashrange: {program} {problem}.{log.tail()}")


def find_binary(path=None):
    """Returns the program at `path`; without a path, the one that hashrange.binary() finds."""
    return hashrange.program(path, "the option hashrange_binary") if path else hashrange.binary()


def read_line(pipe):
    """Returns the ready line; only a part of it if the server closed the pipe or wrote nothing for too long."""
    line, deadline = b"", time.monotonic() + START_TIMEOUT_S
    while not line.endswith(b"\n") and select.select([pipe], [], [], max(0, deadline - time.monotonic()))[0]:
        part = pipe.read(4096)
        if not part:
            break
        line += part
    return line


def why_not_ready(process):
    try:
        return f"ended with {process.wait(1)} before it was ready"
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return f"was not ready within {START_TIMEOUT_S} s"
