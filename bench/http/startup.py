"""From the start of the process to its first answered request."""

import statistics

from servers import Server

STARTS = 20
QUICK_STARTS = 3


def run(options):
    starts = QUICK_STARTS if options.quick else STARTS
    seconds = {"hashrange": [], "ceiling": []}
    for _ in range(starts):
        for name, times in seconds.items():
            server = Server.hashrange(threads=1) if name == "hashrange" else Server.ceiling(threads=1, size_bytes=64)
            try:
                times.append(server.wait_for_answer())
            finally:
                server.stop()
    print(f"start to first answer, {starts} starts each, alternating")
    for name, times in seconds.items():
        print(f"{name:10} median {statistics.median(times) * 1e3:6.2f} ms, slowest {max(times) * 1e3:6.2f} ms")
    return [{"server": name, "median_ms": statistics.median(times) * 1e3, "starts_ms": [each * 1e3 for each in times]}
            for name, times in seconds.items()]
