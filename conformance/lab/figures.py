#!/usr/bin/python3
"""The key figures of the lab's examples, and verdicts that were held against experts, which are in lab/examples/figures.json and verdicts.json.

    conformance/lab/figures.py [--server PATH]    writes the files anew, by build/release/hashrange or another program

A change of the files is a change of behaviour: look at the difference before you commit it."""

import argparse
import functools
import json
import pathlib
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = REPOSITORY / "lab/examples"
FIGURES = EXAMPLES / "figures.json"
VERDICTS = EXAMPLES / "verdicts.json"
OPTIONS = ("--no-confirm",)
VECTOR_BYTES = (("vector_bytes_searched_a_call", "searched"), ("vector_bytes_written_a_call", "written"))
# The examples whose layouts experts ranked by hand.
RANKED = ("chat", "devices", "leaderboard", "organisation", "saas", "shop", "timeline")


def names():
    return sorted(path.stem for path in EXAMPLES.glob("*.yaml"))


@functools.cache
def report_of(program, name):
    """Returns what a run of an example reports, as data."""
    done = subprocess.run([program, "lab", "run", EXAMPLES / f"{name}.yaml", *OPTIONS, "--json"],
                          stdout=subprocess.PIPE, text=True, check=True, timeout=300)
    return json.loads(done.stdout)


def run_example(program, name):
    """Returns the key figures of an example, by layout."""
    return {layout["name"]: of_layout(layout) for layout in report_of(program, name)["layouts"]}


def verdict_of(program, name):
    """Returns the layout that is taken, and all that the verdict says in sentences."""
    verdict = report_of(program, name)["verdict"]
    return {name: verdict[name] for name in ("layout", "headline", "reasons")}


def of_layout(layout):
    limit, largest = layout["first_limit"], layout["largest_collection"]
    return {
        "month_usd": rounded(layout["month"]["usd"]),
        "first_limit": limit and {"multiple": rounded(limit["multiple_of_declared"]),
                                  **{name: limit[name] for name in ("what", "table", "index", "key", "direction")}},
        "requests": layout["requests"],
        "throttled_share": rounded(layout["throttled_share"]),
        "failed_share": rounded(layout["failed_share"]),
        "items_loaded": layout["items_loaded"],
        "bytes_loaded": layout["bytes_loaded"],
        "table_bytes": layout["table_bytes"],
        "index_bytes": layout["index_bytes"],
        "largest_collection_bytes": largest and largest["size_bytes"],
        "severe_findings": layout["severe_findings"],
        "patterns": {pattern["name"]: of_pattern(pattern) for pattern in layout["patterns"]},
    }


def of_pattern(pattern):
    """Returns a text of one line: how the pattern is served, calls, and what a call takes."""
    read, write = (pattern[units] and rounded(pattern[units]["mean"]) for units in ("read_units_a_call", "write_units_a_call"))
    vectors = "".join(f", {rounded(pattern[name])} bytes of vectors {what}" for name, what in VECTOR_BYTES if name in pattern)
    return (f"{pattern['service']}: {pattern['calls']} calls, {pattern['failed_conditions']} failed conditions; "
            f"a call {rounded(pattern['requests_a_call'])} requests, {read} read units, {write} write units{vectors}")


def rounded(number):
    """The last digits of a sum depend on the machine's library."""
    return number if number is None else float(f"{number:.6g}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default=REPOSITORY / "build/release/hashrange")
    program = parser.parse_args().server
    for file, examples, figures_of in ((FIGURES, names(), run_example), (VERDICTS, RANKED, verdict_of)):
        figures = {name: figures_of(program, name) for name in examples}
        file.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
