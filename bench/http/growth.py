"""Compares the cost of a request in a large table and in a small one, with random keys over HTTP."""

import contextlib

import shop
import wrk
from workloads import WORKLOADS

NAMES = ["GetItem", "PutItem", "Query"]
TEMPLATES = 200


def measure(small, large, options):
    """`small` and `large` are (server, customers). They are measured in turn, like the workloads."""
    sizes = {"small": small, "large": large}
    among = " against ".join(f"{customers * shop.ITEMS:,}" for _, customers in (large, small))
    for name in NAMES:
        workload = WORKLOADS[name]
        templates = workload.templates(TEMPLATES)
        with contextlib.ExitStack() as files:
            loads = {size: (server, files.enter_context(wrk.Load(workload.operation, templates, customers)))
                     for size, (server, customers) in sizes.items()}
            rounds = wrk.alternate(loads, options)
        figures = {size: wrk.median(each) for size, each in rounds.items()}
        failures = sum(each["failures"] for each in figures.values())
        ratios = {"time": wrk.median_ratio(rounds["small"], rounds["large"], "requests_per_s"),
                  "CPU": wrk.median_ratio(rounds["large"], rounds["small"], "cpu_us_per_request")}
        for what, ratio in ratios.items():
            yield {"what": f"{name} among {among} items: {what}", "unit": "times", "hashrange": ratio,
                   "failures": failures, "figures": figures}
