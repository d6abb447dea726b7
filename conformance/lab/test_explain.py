"""The units that `explain` prints are those that a run is charged.

Explain computes the units of gets and writes, and measures those of queries and scans, of a sample of calls before any traffic. The mean of a
short run lies between the least and the greatest that it prints, give or take a twentieth for what is rare, and for queries a step of half a
unit for each request. Where each call takes the same, the figure that it computes is exactly what each call of the run was charged."""

import json
import re

import pytest

from conftest import NAMES, lab, small_copy

SPREAD = re.compile(r"(?:([\d,.]+) to ([\d,.]+), mean )?([\d,.]+) (read|write) units? \((computed|measured)")


def number(text):
    return float(text.replace(",", ""))


def explained(text, patterns, layouts):
    """Returns {(pattern, layout): {"read" or "write": (least, greatest, is computed)}} of the text that explain prints."""
    text = " ".join(text.split())
    spreads, at = {}, 0
    for pattern in patterns:
        at = text.index(f"{pattern}, ", at)
        for layout in layouts:
            at = text.index(f"{layout}: ", at)
            sentence = re.split(r" (?:GetItem|Query|Scan|PutItem|UpdateItem|DeleteItem|\w+Items?) ", text[at:at + 400])[0]
            spreads[pattern, layout] = {kind: (number(least or mean), number(greatest or mean), how == "computed")
                                        for least, greatest, mean, kind, how in SPREAD.findall(sentence)}
    return spreads


@pytest.mark.parametrize("name", NAMES)
def test_the_units_that_explain_prints_are_charged(name, tmp_path):
    small = small_copy(name, tmp_path, 4)
    report = json.loads(lab("run", small, "--no-confirm", "--json"))
    layouts = [layout["name"] for layout in report["layouts"]]
    patterns = [pattern["name"] for pattern in report["layouts"][0]["patterns"]]
    spreads = explained(lab("explain", small), patterns, layouts)
    wrong, figures, exact = [], 0, 0
    for layout in report["layouts"]:
        for pattern in layout["patterns"]:
            for kind in ("read", "write") if pattern["succeeded"] else ():
                charged = pattern[f"{kind}_units_a_call"]
                least, greatest, is_computed = spreads[pattern["name"], layout["name"]].get(kind, (0, 0, True))
                step = 0 if is_computed else 0.5 * pattern["requests_a_call"]
                holds = least * 0.95 - step <= charged["mean"] <= greatest * 1.05 + step
                if not holds:
                    wrong.append(f"{layout['name']}, {pattern['name']}: {kind} units {charged}, explained {least} to {greatest}")
                figures += 1
                exact += is_computed and charged["mean"] == charged["max"] == least == greatest
    assert wrong == []
    assert exact > figures / 3
