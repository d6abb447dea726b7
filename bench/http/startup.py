"""Measures the time from the start of the process to its first answered request."""

import statistics

from servers import Server

STARTS = 20
QUICK_STARTS = 3


def measure(threads, options):
    starts = QUICK_STARTS if options.quick else STARTS
    times_ms = {"hashrange": [], "ceiling": []}
    for _ in range(starts):
        times_ms["hashrange"].append(start(Server.hashrange(threads)))
        times_ms["ceiling"].append(start(Server.ceiling(threads, answer_bytes=64)))
    medians = {name: statistics.median(times) for name, times in times_ms.items()}
    yield {"what": f"start to first answer, median of {starts}", "unit": "ms", **medians, "starts_ms": times_ms}


def start(server):
    try:
        return server.wait_for_answer() * 1e3
    finally:
        server.stop()
