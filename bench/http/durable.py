"""Data on the disk: writes in each mode of --sync, compared with writes in memory; starts; bytes on the disk.

Every server runs with the same number of threads. The flushes that the disk makes a second, one after another, are
measured in the same run: with --sync always, no connection gets more answers than that.
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import loading
import peers
import shop
import wrk
from servers import RELEASE, Server
from workloads import WORKLOADS

CUSTOMERS = 2_500
QUICK_CUSTOMERS = 250
REQUESTS = 10_000
LARGE_CUSTOMERS = 25_000  # 1,000,000 items
MODES = ["never", "100ms", "always"]
# Each write changes its item: the PutItem of the other workloads mostly puts what is stored, which is not written.
NAMES = ["GetItem", "PutItem-index", "UpdateItem", "TransactWriteItems"]
CONNECTIONS = [16, 64]
FLUSH_S = 1
MEMORY = "in memory"


def run(options):
    results = []
    with tempfile.TemporaryDirectory(dir=RELEASE) as folder:
        folder = pathlib.Path(folder)
        print(f"the disk makes {flushes_per_s(folder, options):,.0f} flushes of 500 bytes a second, one after another\n")
        results += measure_writes(folder, options)
        results += measure_start(folder, options)
    return results


def flushes_per_s(folder, options):
    """Appends of 500 bytes to one file, each flushed before the next."""
    descriptor = os.open(folder / "flushes", os.O_CREAT | os.O_WRONLY)
    try:
        begin, count = time.perf_counter(), 0
        while time.perf_counter() - begin < (0.1 if options.quick else FLUSH_S):
            os.write(descriptor, b"x" * 500)
            os.fdatasync(descriptor)
            count += 1
        return count / (time.perf_counter() - begin)
    finally:
        os.close(descriptor)


# ---- writes ----

def measure_writes(folder, options):
    customers = QUICK_CUSTOMERS if options.quick else CUSTOMERS
    threads = options.threads[-1]
    results = []
    with contextlib.ExitStack() as running:
        servers = {MEMORY: running.enter_context(Server.hashrange(threads))}
        for mode in MODES:
            servers[mode] = running.enter_context(Server.hashrange(threads, "--data", folder / mode, "--sync", mode))
        for server in servers.values():
            loading.create_and_fill(server, customers)
        if options.peers:
            servers.update(peers.start_all(running, lambda server: loading.create_and_fill(server, customers), folder / "peers"))
        print(f"{'':20} {'':>11} " + " ".join(f"{name:>22}" for name in servers))
        for name in options.only or NAMES:
            for connections in CONNECTIONS:
                options.connections = connections
                results.append(measure_one(name, servers, customers, options))
                print(row(results[-1]), flush=True)
    return results


def measure_one(name, servers, customers, options):
    workload = WORKLOADS[name]
    with wrk.Load(workload.operation, workload.bodies(customers, REQUESTS)) as load:
        rounds = wrk.alternate({each: (server, load) for each, server in servers.items()}, options)
    figures = {each: wrk.median(rounds[each]) for each in rounds}
    ratios = {each: wrk.median_ratio(rounds[each], rounds[MEMORY], "requests_per_s") for each in rounds}
    return {"workload": name, "connections": options.connections, "servers": figures, "ratios": ratios,
            "failures": sum(figures[each]["failures"] for each in [MEMORY, *MODES])}


def row(result):
    cells = [f"{result['servers'][each]['requests_per_s']:12,.0f}/s ({result['ratios'][each]:5.2f})" for each in result["servers"]]
    return f"{result['workload']:20} {result['connections']:3} clients " + " ".join(f"{cell:>22}" for cell in cells)


# ---- starts, and bytes on the disk ----

def measure_start(folder, options):
    """The time to the first answer with 1,000,000 items of 500 bytes, with one index; and the bytes of the directory,
    divided by those of the items as DynamoDB counts them."""
    data = folder / "large"
    customers = QUICK_CUSTOMERS if options.quick else LARGE_CUSTOMERS
    threads = options.threads[-1]
    with Server.hashrange(threads, "--data", data, "--sync", "never") as server:
        filled = loading.create_and_fill(server, customers)
        item_bytes = table_bytes(server)
    written = folder_bytes(data)
    starts_s = []
    for _ in range(1 if options.quick else 3):
        server = Server.hashrange(threads, "--data", data, start_timeout_s=120)
        starts_s.append(server.wait_for_answer())
        server.stop()
    began = time.perf_counter()
    subprocess.run([RELEASE / "hashrange", "compact", data], check=True, stdout=subprocess.DEVNULL)
    compact_s = time.perf_counter() - began
    compacted = folder_bytes(data)
    shutil.rmtree(data)
    items = customers * 40
    print(f"\n{items:,} items: filled in {filled['seconds']:.1f} s; start {min(starts_s):.2f} to {max(starts_s):.2f} s, "
          f"{items / min(starts_s):,.0f} items/s\n"
          f"on the disk: {written / 1e6:,.0f} MB, {written / item_bytes:.2f} of the items; compacted in {compact_s:.1f} s to "
          f"{compacted / 1e6:,.0f} MB, {compacted / item_bytes:.2f}")
    return [{"items": items, "item_bytes": item_bytes, "starts_s": starts_s, "disk_bytes": written,
             "compacted_bytes": compacted}]


def table_bytes(server):
    description = json.loads(server.call("DescribeTable", {"TableName": shop.TABLE}))
    return description["Table"]["TableSizeBytes"]


def folder_bytes(folder):
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
