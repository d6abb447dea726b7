"""The workloads, the server's figures beside the ceiling's."""

import statistics

import wrk
from servers import Server
from workloads import NAMES, WORKLOADS, Shop

CUSTOMERS = 5_000
SAMPLES = 20
WARM_UP_S = 1


def run(options):
    shop = Shop(CUSTOMERS // 10 if options.quick else CUSTOMERS)
    results = []
    for threads in options.threads:
        print(heading(threads))
        with Server.hashrange(threads) as server:
            shop.load(server)
            for name in options.only or NAMES:
                result = compare(server, shop, name, threads, options)
                results.append(result)
                print(row(result), flush=True)
        print()
    return results


def compare(server, shop, name, threads, options):
    """One workload, in alternating rounds: one server is loaded while the other idles."""
    operation, _ = WORKLOADS[name]
    bodies = shop.bodies(name)
    answer_bytes = round(statistics.median(len(server.call(operation, body)) for body in bodies[:SAMPLES]))
    ours, theirs = [], []
    with Server.ceiling(threads, answer_bytes) as ceiling, wrk.Load(operation, bodies) as load:
        for each in (server, ceiling):
            load.measure(each, options, WARM_UP_S)
        for _ in range(options.rounds):
            ours.append(load.measure(server, options))
            theirs.append(load.measure(ceiling, options))
    ratios = [a["requests_per_s"] / b["requests_per_s"] for a, b in zip(ours, theirs)]
    hashrange, ceiling = wrk.median(ours), wrk.median(theirs)
    return {"workload": name, "threads": threads, "answer_bytes": answer_bytes, "ratio": statistics.median(ratios),
            "hashrange": hashrange, "ceiling": ceiling, "failures": hashrange["failures"] + ceiling["failures"],
            "rounds": {"hashrange": ours, "ceiling": theirs}}


def heading(threads):
    return (f"server threads: {threads}\n"
            f"{'':18} {'answer':>7} | {'requests/s':>10} {'ceiling':>9} {'ratio':>6} | {'p50 µs':>7} {'ceiling':>7} "
            f"| {'p99 µs':>7} {'ceiling':>7} | {'CPU µs':>7} {'ceiling':>7} | {'busy':>5} | failures")


def row(result):
    a, b = result["hashrange"], result["ceiling"]
    busy = a["server_cores"] / result["threads"]
    return (f"{result['workload']:18} {result['answer_bytes']:5} B | {a['requests_per_s']:10,.0f} "
            f"{b['requests_per_s']:9,.0f} {result['ratio']:6.2f} | {a['p50_us']:7.0f} {b['p50_us']:7.0f} "
            f"| {a['p99_us']:7.0f} {b['p99_us']:7.0f} | {a['cpu_us_per_request']:7.1f} {b['cpu_us_per_request']:7.1f} "
            f"| {busy:5.0%} | {result['failures']}")
