#!/usr/bin/python3
"""The key figures of the lab's examples, which are in lab/examples/figures.json.

    conformance/lab/figures.py [--server PATH]    writes the file anew, by build/release/hashrange or another program

A change of the figures is a change of behaviour: look at the difference before you commit it."""

import argparse
import json
import pathlib
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = REPOSITORY / "lab/examples"
FIGURES = EXAMPLES / "figures.json"
OPTIONS = ("--no-confirm",)


def names():
    return sorted(path.stem for path in EXAMPLES.glob("*.yaml"))


def run_example(program, name):
    """Returns the key figures of an example, by layout."""
    done = subprocess.run([program, "lab", "run", EXAMPLES / f"{name}.yaml", *OPTIONS, "--json"],
                          stdout=subprocess.PIPE, text=True, check=True, timeout=300)
    return {layout["name"]: of_layout(layout) for layout in json.loads(done.stdout)["layouts"]}


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
    return (f"{pattern['service']}: {pattern['calls']} calls, {pattern['failed_conditions']} failed conditions; "
            f"a call {rounded(pattern['requests_a_call'])} requests, {read} read units, {write} write units")


def rounded(number):
    """The last digits of a sum depend on the machine's library."""
    return number if number is None else float(f"{number:.6g}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default=REPOSITORY / "build/release/hashrange")
    program = parser.parse_args().server
    figures = {name: run_example(program, name) for name in names()}
    FIGURES.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
