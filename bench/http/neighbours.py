"""Measures how long a GetItem waits while other connections scan, and without them. bench/probe.cc gets one
item at a steady rate, while each of the other connections scans one page after another of a table of small
items, with a filter that no item passes, so that a page is much work and a short answer. vector_searches.py
measures the same beside searches among vectors."""

import contextlib
import http.client
import statistics
import threading
import time

import item_collections
import pauses
from pauses import post
from servers import Server

SCANNERS = 4
ITEMS = 50_000
QUICK_ITEMS = 2_000
SCAN = {"TableName": item_collections.TABLE, "FilterExpression": "#v < :zero",
        "ExpressionAttributeNames": {"#v": "value"}, "ExpressionAttributeValues": {":zero": {"N": "0"}}}
FIGURES = ["median_ms", "p99_ms", "longest_ms"]


class Neighbour:
    """A request that the other connections repeat, and what the table of figures calls those connections and one request."""
    def __init__(self, operation, request, connections, unit):
        self.operation = operation
        self.request = request
        self.connections = connections
        self.unit = unit


SCANNING = Neighbour("Scan", SCAN, "scanning connections", "a page, ms")


def run(options):
    results = []
    for threads in options.threads:
        with Server.hashrange(threads) as server:
            server.call("CreateTable", item_collections.DEFINITION)
            item_collections.load(server, "SMALL", QUICK_ITEMS if options.quick else ITEMS)
            pauses.prepare(server)
            rounds = alternate(server, SCANNING, (0, SCANNERS), options)
        results.append({"threads": threads, "rounds": rounds, **summary(rounds)})
        print(report(results[-1], SCANNING), flush=True)
    return results


def alternate(server, neighbour, counts, options):
    """Returns {connections: [figures of each round]} for each of these numbers of connections, which are measured in turn."""
    rounds = {connections: [] for connections in counts}
    for _ in range(options.rounds):
        for connections, figures in rounds.items():
            figures.append(measure(server, neighbour, connections, options.seconds))
    return rounds


def measure(server, neighbour, connections, seconds):
    with busy(server, neighbour, connections) as requests, pauses.probing(server) as findings:
        time.sleep(seconds)
    took_s = [each for times in requests for each in times]
    request_ms = 1000 * statistics.median(took_s) / connections if took_s else 0
    return {**{name: findings[name] for name in FIGURES}, "request_ms": request_ms, "failures": findings["failures"]}


@contextlib.contextmanager
def busy(server, neighbour, connections):
    """Yields a list for each connection, to which it adds the seconds that its requests took."""
    is_over = threading.Event()
    requests = [[] for _ in range(connections)]
    threads = [threading.Thread(target=repeat_until, args=(server, neighbour, is_over, each)) for each in requests]
    for thread in threads:
        thread.start()
    try:
        yield requests
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def repeat_until(server, neighbour, is_over, times):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    while not is_over.is_set():
        started = time.perf_counter()
        post(connection, "/", neighbour.request, neighbour.operation)
        times.append(time.perf_counter() - started)


def summary(rounds):
    figures = {connections: {name: statistics.median(each[name] for each in measured)
                             for name in [*FIGURES, "request_ms"]} for connections, measured in rounds.items()}
    return {"figures": figures, "failures": sum(each["failures"] for each in sum(rounds.values(), []))}


def report(result, neighbour):
    lines = [f"server threads: {result['threads']}",
             f"{'GetItem beside':26} {'median ms':>10} {'p99 ms':>10} {'longest ms':>10} {neighbour.unit:>12} failures"]
    for connections, each in result["figures"].items():
        lines.append(f"{f'{connections} {neighbour.connections}':26} {each['median_ms']:10.2f} {each['p99_ms']:10.2f} "
                     f"{each['longest_ms']:10.2f} {each['request_ms']:12.2f} {result['failures']:8}")
    return "\n".join(lines)
