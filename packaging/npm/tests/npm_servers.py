"""Servers that the launcher of the package `hashrange` starts."""

import contextlib
import json
import os
import re
import signal
import time
import urllib.request

LAUNCHER = "node_modules/hashrange/bin/hashrange.js"
TIMEOUT_S = 60


def read_endpoint(process):
    """Returns the endpoint in the first line of a server's output."""
    return re.search(r"listens on (http://[^,\s]+)", process.stdout.readline())[1]


def info(endpoint):
    with urllib.request.urlopen(f"{endpoint}/_hashrange/", timeout=TIMEOUT_S) as answer:
        return json.load(answer)


def wait_for_end(pid):
    """Waits until a process has ended; one that nobody has waited for yet has."""
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        try:
            with open(f"/proc/{pid}/stat") as file:
                if re.search(r"\) [ZX] ", file.read()):
                    return
        except (FileNotFoundError, ProcessLookupError):
            return
        assert time.monotonic() < deadline, f"process {pid} still runs"
        time.sleep(0.02)


@contextlib.contextmanager
def servers_of(project):
    """Gives a function that starts a command in the project. What still runs at the end is killed."""
    begun = []

    def start(*command, **options):
        begun.append(project.start(*command, start_new_session=True, **options))
        return begun[-1]

    try:
        yield start
    finally:
        for process in begun:
            with contextlib.suppress(ProcessLookupError):  # a server may have outlived its launcher
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
