"""One run of wrk against one server."""

import json
import pathlib
import resource
import statistics
import subprocess
import tempfile

from servers import headers_of

SCRIPT = pathlib.Path(__file__).resolve().parent / "requests.lua"


class Load:
    """The prepared requests of one workload. Use as `with Load("GetItem", bodies) as load:`."""

    def __init__(self, operation, bodies):
        self.file = tempfile.NamedTemporaryFile("w", suffix=".bodies")
        self.file.write("\n".join(bodies) + "\n")
        self.file.flush()
        self.headers = [f"{name}={value}" for name, value in headers_of(operation).items()]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def measure(self, server, options, seconds=None):
        """The figures of one run: rates per second, times in microseconds."""
        command = ["wrk", f"-t{options.wrk_threads}", f"-c{options.connections}", f"-d{seconds or options.seconds}s",
                   "--timeout", "10s", "-s", SCRIPT, f"http://127.0.0.1:{server.port}", "--",
                   self.file.name, *self.headers]
        server_before, wrk_before = server.cpu_s(), children_cpu_s()
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        server_cpu_s, wrk_cpu_s = server.cpu_s() - server_before, children_cpu_s() - wrk_before
        counts = json.loads(output.splitlines()[-1])
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


def median(rounds):
    """The median of each figure; failures are added up."""
    figures = {name: statistics.median(each[name] for each in rounds) for name in rounds[0]}
    return {**figures, "failures": sum(each["failures"] for each in rounds)}
