"""Measures the longest time that a request waits while the server is busy: bench/probe.cc gets
one small item at a steady rate during that time."""

import concurrent.futures
import contextlib
import http.client
import json
import re
import subprocess
import time

import shop
from loading import header_options
from servers import RELEASE, ServerFailed, headers_of

INTERVAL_US = 1_000
SEGMENTS = 4
TABLE = "probe"
KEY = {"PK": shop.text("PROBE")}
GET_ITEM = shop.compact({"TableName": TABLE, "Key": KEY})
LAST_KEY = re.compile(rb'"LastEvaluatedKey":(\{.*?\}\})')
SETTLED_CORES = 0.1
SETTLING_S = 0.5


def prepare(server):
    """Creates the table that the probe reads. Returns the size of the answer in bytes."""
    server.call("CreateTable", {"TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
                                "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
                                "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}]})
    server.call("PutItem", {"TableName": TABLE, "Item": KEY})
    return len(server.call("GetItem", GET_ITEM))


@contextlib.contextmanager
def probing(server):
    """Yields a dictionary that gets the probe's results at the end."""
    command = [RELEASE / "bench/probe", "--port", str(server.port), "--interval-us", str(INTERVAL_US),
               "--body", GET_ITEM, *header_options("GetItem")]
    findings = {}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as probe:
        started = time.perf_counter()
        yield findings
        findings["seconds"] = time.perf_counter() - started
        findings.update(json.loads(probe.communicate()[0]))


def scan(server, table):
    """Reads a whole table in parallel segments. Returns the sizes of each segment's pages."""
    with concurrent.futures.ThreadPoolExecutor(SEGMENTS) as pool:
        return list(pool.map(lambda segment: scan_segment(server, table, segment), range(SEGMENTS)))


def scan_segment(server, table, segment):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    request = {"TableName": table, "Segment": segment, "TotalSegments": SEGMENTS}
    sizes = []
    while True:
        page = post(connection, "/", request)
        sizes.append(len(page))
        last = LAST_KEY.search(page[-400:]) or LAST_KEY.search(page[:400])
        if not last:
            return sizes
        request["ExclusiveStartKey"] = json.loads(last[1])


def read_pages(ceiling, sizes_of_segments):
    """Gets as many answers of the ceiling as a scan had pages, on as many connections."""
    def read(sizes):
        connection = http.client.HTTPConnection("127.0.0.1", ceiling.port, timeout=60)
        for _ in sizes:
            post(connection, "/page", {"TableName": shop.TABLE})
    with concurrent.futures.ThreadPoolExecutor(SEGMENTS) as pool:
        list(pool.map(read, sizes_of_segments))


def post(connection, path, request, operation="Scan"):
    connection.request("POST", path, shop.compact(request).encode(), headers_of(operation))
    answer = connection.getresponse()
    content = answer.read()
    if answer.status != 200:
        raise ServerFailed(f"{operation} answered {answer.status}: {content[:500].decode(errors='replace')}")
    return content


def wait_until_settled(server):
    """Waits until the server uses little processor time apart from answering the probe."""
    used_s = SETTLING_S
    while used_s > SETTLED_CORES * SETTLING_S:
        before = server.cpu_s()
        time.sleep(SETTLING_S)
        used_s = server.cpu_s() - before
