#!/usr/bin/python3
"""What `lab explain` expects of the lab's examples, held against whole runs.

    conformance/lab/expected.py [--server PATH]    prints the table of docs/lab-reference.md

A row has the figures of all patterns in all layouts of one example: requests, read and write units of a call,
and bytes of vectors where there are any."""

import argparse
import json
import pathlib
import subprocess

import figures


def figures_of(program, name):
    """Returns (where, expected, measured) of each figure of an example."""
    path = figures.EXAMPLES / f"{name}.yaml"

    def output(*arguments):
        return json.loads(subprocess.run([program, "lab", *arguments, "--json"], stdout=subprocess.PIPE, text=True,
                                         check=True).stdout)

    explained = output("explain", path)["layouts"]
    runs = output("run", path, "--no-confirm")["layouts"]
    for plan, run in zip(explained, runs):
        for expected, measured in zip(plan["patterns"], run["patterns"]):
            where = f"{expected['name']}, {plan['name']}"
            yield f"requests of {where}", expected["expected_requests_a_call"], measured["requests_a_call"]
            for direction in ("read", "write"):
                units = sum(key["units_a_call"] for key in expected["expected"] if key["direction"] == direction)
                yield f"{direction} units of {where}", units, measured[f"{direction}_units_a_call"]["mean"]
            for name, what in figures.VECTOR_BYTES:
                if name in measured:
                    yield f"bytes of vectors {what} of {where}", expected[f"expected_{name}"], measured[name]


def deviation(expected, measured):
    return abs(expected - measured) / measured if measured else abs(expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", default=figures.REPOSITORY / "build/release/hashrange", type=pathlib.Path)
    program = parser.parse_args().server
    print("| example | figures | within 1 % | within 5 % | within 10 % | the farthest |\n|---|---|---|---|---|---|")
    for name in figures.names():
        rows = [(deviation(expected, measured), where) for where, expected, measured in figures_of(program, name)]
        within = [str(sum(share <= limit for share, _ in rows)) for limit in (0.01, 0.05, 0.1)]
        share, where = max(rows)
        print(f"| {name} | {len(rows)} | {' | '.join(within)} | {share:.1%} ({where}) |".replace("%", " %"))


if __name__ == "__main__":
    main()
