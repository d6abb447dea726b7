"""Measures how long a GetItem waits while other connections scan, and without them. bench/probe.cc gets one
item at a steady rate, while each of the other connections scans one page after another of a table of small
items, with a filter that no item passes, so that a page is much work and a short answer."""

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


def run(options):
    results = []
    for threads in options.threads:
        with Server.hashrange(threads) as server:
            server.call("CreateTable", item_collections.DEFINITION)
            item_collections.load(server, "SMALL", QUICK_ITEMS if options.quick else ITEMS)
            pauses.prepare(server)
            rounds = {scanners: [] for scanners in (0, SCANNERS)}
            for _ in range(options.rounds):
                for scanners, figures in rounds.items():
                    figures.append(measure(server, scanners, options.seconds))
        results.append({"threads": threads, "rounds": rounds, **summary(rounds)})
        print(report(results[-1]), flush=True)
    return results


def measure(server, scanners, seconds):
    with scanning(server, scanners) as pages, pauses.probing(server) as findings:
        time.sleep(seconds)
    took_s = [each for page_times in pages for each in page_times]
    page_ms = 1000 * statistics.median(took_s) / scanners if took_s else 0
    return {**{name: findings[name] for name in FIGURES}, "page_ms": page_ms, "failures": findings["failures"]}


@contextlib.contextmanager
def scanning(server, scanners):
    """Yields a list to which each connection adds the seconds that its pages took."""
    is_over = threading.Event()
    pages = [[] for _ in range(scanners)]
    threads = [threading.Thread(target=scan_until, args=(server, is_over, each)) for each in pages]
    for thread in threads:
        thread.start()
    try:
        yield pages
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def scan_until(server, is_over, page_times):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    while not is_over.is_set():
        started = time.perf_counter()
        post(connection, "/", SCAN)
        page_times.append(time.perf_counter() - started)


def summary(rounds):
    figures = {scanners: {name: statistics.median(each[name] for each in measured)
                          for name in [*FIGURES, "page_ms"]} for scanners, measured in rounds.items()}
    return {"figures": figures, "failures": sum(each["failures"] for each in sum(rounds.values(), []))}


def report(result):
    lines = [f"server threads: {result['threads']}",
             f"{'GetItem beside':26} {'median ms':>10} {'p99 ms':>10} {'longest ms':>10} {'a page, ms':>10} failures"]
    for scanners, each in result["figures"].items():
        lines.append(f"{f'{scanners} scanning connections':26} {each['median_ms']:10.2f} {each['p99_ms']:10.2f} "
                     f"{each['longest_ms']:10.2f} {each['page_ms']:10.2f} {result['failures']:8}")
    return "\n".join(lines)
