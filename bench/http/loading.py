"""Fills a server with the shop (shop.py), using bench/load.cc."""

import json
import subprocess
import tempfile

import shop
from servers import RELEASE, ServerFailed, headers_of

CONNECTIONS = 8


def create_and_fill(server, customers):
    server.call("CreateTable", shop.DEFINITION)
    return fill(server, customers)


def fill(server, customers, connections=CONNECTIONS):
    """Puts the items of that many customers. Returns the figures of load.cc: the number of requests,
    the seconds, and the time of the slowest answer."""
    with tempfile.NamedTemporaryFile("w", suffix=".bodies") as file:
        file.write("\n".join(shop.batches()) + "\n")
        file.flush()
        command = [RELEASE / "bench/load", "--port", server.port, "--bodies", file.name, "--from", 0, "--to", customers,
                   "--modulus", customers, "--connections", connections, *header_options("BatchWriteItem")]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise ServerFailed(done.stderr.strip())
    return json.loads(done.stdout)


def header_options(operation):
    return [word for name, value in headers_of(operation).items() for word in ("--header", f"{name}: {value}")]
