"""One run of wrk against one server."""

import json
import pathlib
import resource
import statistics
import subprocess
import tempfile

from servers import headers_of

FIGURES = ["requests_per_s", "p50_us", "p99_us", "cpu_us_per_request", "server_cores", "wrk_cores"]
SCRIPT = pathlib.Path(__file__).resolve().parent / "requests.lua"


class Load:
    """The requests of one workload; templates (shop.py) are completed with numbers below
    `modulus`. Use as `with Load("GetItem", bodies) as load:`."""

    def __init__(self, operation, bodies, modulus=1):
        self.file = tempfile.NamedTemporaryFile("w", suffix=".bodies")
        self.file.write("\n".join(bodies) + "\n")
        self.file.flush()
        headers = [f"{name}={value}" for name, value in headers_of(operation).items()]
        self.arguments = [self.file.name, str(modulus), *headers]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def measure(self, server, options, seconds=None):
        """The figures of one run: rates per second, times in microseconds. All zero, and a
        failure, when the server does not take connections."""
        command = ["wrk", f"-t{options.wrk_threads}", f"-c{options.connections}", f"-d{seconds or options.seconds}s",
                   "--timeout", "10s", "-s", SCRIPT, f"http://127.0.0.1:{server.port}", "--", *self.arguments]
        server_before, wrk_before = server.cpu_s(), children_cpu_s()
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        server_cpu_s, wrk_cpu_s = server.cpu_s() - server_before, children_cpu_s() - wrk_before
        if done.returncode:
            return {**dict.fromkeys(FIGURES, 0), "failures": 1}
        counts = json.loads(done.stdout.splitlines()[-1])
        requests, elapsed_s = counts["requests"], counts["duration_us"] / 1e6
        return {
            "requests_per_s": requests / elapsed_s,
            "p50_us": counts["p50_us"],
            "p99_us": counts["p99_us"],
            "cpu_us_per_request": server_cpu_s * 1e6 / max(requests, 1),
            "server_cores": server_cpu_s / elapsed_s,
            "wrk_cores": wrk_cpu_s / elapsed_s,
            "failures": counts["not_2xx"] + counts["socket_errors"],
        }


def children_cpu_s():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def alternate(loads, options):
    """Takes {name: (server, load)} and returns {name: the figures of its rounds}. In each round
    every server is measured in turn, while the others are idle."""
    if not options.quick:
        for server, load in loads.values():
            load.measure(server, options, server.warm_up_s)
    rounds = {name: [] for name in loads}
    for _ in range(options.rounds):
        for name, (server, load) in loads.items():
            rounds[name].append(load.measure(server, options))
    return rounds


def median(rounds):
    """The median of each figure; failures are added up."""
    figures = {name: statistics.median(each[name] for each in rounds) for name in rounds[0]}
    return {**figures, "failures": sum(each["failures"] for each in rounds)}


def median_ratio(above, below, figure):
    """The median of the rounds' ratios."""
    return statistics.median(a[figure] / b[figure] if b[figure] else 0 for a, b in zip(above, below))
