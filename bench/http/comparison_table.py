"""The figures of comparison.py as text."""

FIGURES = f"{'requests/s':>10} {'p50 µs':>8} {'p99 µs':>8} {'CPU µs':>8} {'cores':>6} {'failures':>8}"


def heading():
    return f"{'':18} {'':20} {'answer':>8} {FIGURES} | Hashrange: requests/s, CPU"


def rows(result):
    return "\n".join(row(result, server) for server in result["servers"])


def row(result, server):
    figures = result["servers"][server]
    return (f"{result['workload']:18} {server:20} {figures['answer_bytes']:6,} B {figures['requests_per_s']:10,.0f} "
            f"{figures['p50_us']:8,.0f} {figures['p99_us']:8,.0f} {figures['cpu_us_per_request']:8,.1f} "
            f"{figures['server_cores']:6.2f} {figures['failures']:8} | {ratios_to(result, server)}")


def ratios_to(result, server):
    if server in result["peers"]:
        ratio = result["peers"][server]
        return "-" if ratio is None else f"{ratio:.1f}"
    for threads, ratio in result["ceiling"]["by_threads"].items():
        if server == ceiling(threads):
            return f"{ratio['requests']:.2f}, {ratio['cpu']:.2f}"
    return ""


def summary(results):
    """One row for each workload, with the ratios that the yardsticks use."""
    peers = list(results[0]["peers"])
    thread_counts = results[0]["threads"]
    lines = ["", f"{'Hashrange against':18} {'the ceiling, CPU':>17} {cpu_heading(thread_counts)} "
             + " ".join(f"{peer:>16}" for peer in peers)]
    for result in results:
        higher = result["ceiling"]["higher"]
        ratio = result["ceiling"]["by_threads"][higher]
        against = " ".join(f"{'-' if each is None else f'{each:.1f}':>16}" for each in result["peers"].values())
        lines.append(f"{result['workload']:18} {ratio['requests']:11.2f}, {ratio['cpu']:4.2f} "
                     f"{cpu_growth(result):>{len(cpu_heading(thread_counts))}} {against}")
    return "\n".join(lines)


def cpu_heading(thread_counts):
    return f"CPU, {thread_counts[-1]} threads against {thread_counts[0]}" if len(thread_counts) > 1 else ""


def cpu_growth(result):
    if len(result["threads"]) < 2:
        return ""
    fewer, more = (result["servers"][ours(result["threads"][each])]["cpu_us_per_request"] for each in (0, -1))
    return f"{more / fewer:.2f}"


def ours(threads):
    return f"Hashrange, {threads} thread{'s'[:threads > 1]}"


def ceiling(threads):
    return f"ceiling, {threads} thread{'s'[:threads > 1]}"
