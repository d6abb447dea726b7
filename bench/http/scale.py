"""Measures start-up, memory, growth from a small table to a very large one, and pauses: one row for
each figure, with the ceiling's figure if there is one."""

import statistics
import time

import growth
import loading
import memory
import pauses
import shop
import startup
from servers import Server

SMALL_ITEMS = 10_000


def run(options):
    print(f"{'':76} {'Hashrange':>12} {'ceiling':>12}")
    results = []
    for threads in options.threads:
        for row in measure(threads, options):
            results.append({"threads": threads, **row})
            print(line(results[-1]), flush=True)
    return results


def measure(threads, options):
    yield from startup.measure(threads, options)
    yield from memory.measure(threads, options)
    yield from grow(threads, options)


def grow(threads, options):
    """Fills a large table, compares it with a small one, scans it, and deletes it."""
    small_customers, customers = SMALL_ITEMS // shop.ITEMS, options.items // shop.ITEMS
    found = {}
    with Server.hashrange(threads) as small, Server.hashrange(threads) as large:
        loading.create_and_fill(small, small_customers)
        answer_bytes = pauses.prepare(large)
        large.call("CreateTable", shop.DEFINITION)
        with pauses.probing(large) as found["loaded"]:
            found["loaded"]["load"] = loading.fill(large, customers)
        yield from growth.measure((small, small_customers), (large, customers), options)
        with pauses.probing(large) as found["scanned"]:
            pages = pauses.scan(large, shop.TABLE)
        with pauses.probing(large) as found["deleted"]:
            large.call("DeleteTable", {"TableName": shop.TABLE})
            pauses.wait_until_settled(large)
    theirs = ceiling_pauses(threads, answer_bytes, pages, customers, found)
    for act, findings in found.items():
        yield {"what": f"longest pause while {customers * shop.ITEMS:,} items are {act}", "unit": "ms",
               "hashrange": findings["longest_ms"], "ceiling": theirs[act]["longest_ms"],
               "failures": findings["failures"] + theirs[act]["failures"],
               "probe": {"hashrange": findings, "ceiling": theirs[act]}}


def ceiling_pauses(threads, answer_bytes, pages, customers, found):
    """Returns the probe's results for the ceiling, with the same requests for the same time."""
    page_bytes = round(statistics.mean(size for sizes in pages for size in sizes))
    acts = {"loaded": lambda: loading.fill(ceiling, customers),
            "scanned": lambda: pauses.read_pages(ceiling, pages),
            "deleted": lambda: time.sleep(found["deleted"]["seconds"])}
    theirs = {}
    with Server.ceiling(threads, answer_bytes, page_bytes) as ceiling:
        for name, act in acts.items():
            with pauses.probing(ceiling) as theirs[name]:
                end = time.perf_counter() + found[name]["seconds"]
                while time.perf_counter() < end:
                    act()
    return theirs


def line(row):
    what = f"{row['what']}, {row['threads']} thread{'s'[:row['threads'] > 1]}"
    cells = [f"{row[name]:.2f} {row['unit']}" if name in row else "" for name in ("hashrange", "ceiling")]
    return f"{what:76} {cells[0]:>12} {cells[1]:>12}"
