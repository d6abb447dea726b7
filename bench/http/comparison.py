"""The workloads: compares the server's figures with those of the ceiling and the peers."""

import contextlib

import comparison_table as table
import loading
import peers
import wrk
from comparison_table import ceiling, ours
from servers import Server
from workloads import NAMES, WORKLOADS

CUSTOMERS = 2_500
QUICK_CUSTOMERS = 250
REQUESTS = 10_000


def run(options):
    customers = QUICK_CUSTOMERS if options.quick else CUSTOMERS
    results = []
    with contextlib.ExitStack() as running:
        servers = {ours(threads): running.enter_context(Server.hashrange(threads)) for threads in options.threads}
        for server in servers.values():
            loading.create_and_fill(server, customers)
        if options.module:
            servers["module"] = running.enter_context(Server.module(options.module))
            loading.create_and_fill(servers["module"], customers)
        if options.peers:
            servers.update(peers.start_all(running, lambda server: loading.create_and_fill(server, customers)))
        print(table.heading())
        for name in options.only or NAMES:
            results.append(compare(name, servers, customers, options))
            print(table.rows(results[-1]), flush=True)
    print(table.summary(results))
    return results


def compare(name, servers, customers, options):
    """Runs one workload on all servers, and on ceilings with answers as long as Hashrange's."""
    workload = WORKLOADS[name]
    bodies = workload.bodies(customers, REQUESTS)
    answer_bytes = {each: len(server.answer(workload.operation, bodies[0])[1]) for each, server in servers.items()}
    with contextlib.ExitStack() as running:
        in_turn = {}
        for threads in options.threads:
            size = answer_bytes[ceiling(threads)] = answer_bytes[ours(threads)]
            in_turn[ours(threads)] = servers[ours(threads)]
            in_turn[ceiling(threads)] = running.enter_context(Server.ceiling(threads, size))
        in_turn.update(servers)
        load = running.enter_context(wrk.Load(workload.operation, bodies))
        rounds = wrk.alternate({each: (server, load) for each, server in in_turn.items()}, options)
    figures = {each: {"answer_bytes": answer_bytes[each], **wrk.median(rounds[each])} for each in rounds}
    own = [each(threads) for threads in options.threads for each in (ours, ceiling)]
    return {"workload": name, "threads": options.threads, "servers": figures,
            "ceiling": ceiling_ratios(figures, rounds, options.threads),
            "peers": peer_ratios(figures, rounds, options.threads),
            "failures": sum(figures[each]["failures"] for each in own), "rounds": rounds}


def ceiling_ratios(figures, rounds, thread_counts):
    """Returns, for each number of threads, Hashrange's ratio to the ceiling in requests per second
    and in processor time; and which of the ceilings is higher."""
    ratios = {threads: {"requests": wrk.median_ratio(rounds[ours(threads)], rounds[ceiling(threads)], "requests_per_s"),
                        "cpu": wrk.median_ratio(rounds[ceiling(threads)], rounds[ours(threads)], "cpu_us_per_request")}
              for threads in thread_counts}
    return {"by_threads": ratios,
            "higher": max(thread_counts, key=lambda threads: figures[ceiling(threads)]["requests_per_s"])}


def peer_ratios(figures, rounds, thread_counts):
    """Returns Hashrange's requests per second, with the better number of threads, divided by the
    peer's; None if the peer had failures."""
    best = max((ours(threads) for threads in thread_counts), key=lambda each: figures[each]["requests_per_s"])
    own = {each(threads) for threads in thread_counts for each in (ours, ceiling)}
    return {each: None if figures[each]["failures"] else wrk.median_ratio(rounds[best], rounds[each], "requests_per_s")
            for each in figures if each not in own}

