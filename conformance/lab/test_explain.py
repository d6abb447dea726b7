"""The units that `explain` prints are those that a run is charged.

Where a call always takes the same, explain prints one figure, and each call of the run takes exactly that. Else it prints the least, the
greatest and the mean of a sample, and the mean of the run lies between the least and the greatest."""

import json
import re

from conftest import lab

SPREAD = re.compile(r"(?:([\d,.]+) to ([\d,.]+), mean )?([\d,.]+) (read|write) units? \((computed|measured)")


def number(text):
    return float(text.replace(",", ""))


def explained(text, patterns, layouts):
    """Returns {(pattern, layout): {"read" or "write": (least, greatest)}} of the text that explain prints."""
    text = " ".join(text.split())
    spreads, at = {}, 0
    for pattern in patterns:
        at = text.index(f"{pattern}, ", at)
        for layout in layouts:
            at = text.index(f"{layout}: ", at)
            sentence = re.split(r" (?:GetItem|Query|Scan|PutItem|UpdateItem|DeleteItem|\w+Items?) ", text[at:at + 400])[0]
            spreads[pattern, layout] = {kind: (number(least or mean), number(greatest or mean))
                                        for least, greatest, mean, kind, _ in SPREAD.findall(sentence)}
    return spreads


def test_the_units_that_explain_prints_are_charged(small):
    report = json.loads(lab("run", small, "--no-confirm", "--json"))
    layouts = [layout["name"] for layout in report["layouts"]]
    patterns = [pattern["name"] for pattern in report["layouts"][0]["patterns"]]
    spreads = explained(lab("explain", small), patterns, layouts)
    compared = 0
    for layout in report["layouts"]:
        for pattern in layout["patterns"]:
            if not pattern["succeeded"]:
                continue
            for kind in ("read", "write"):
                charged = pattern[f"{kind}_units_a_call"]
                least, greatest = spreads[pattern["name"], layout["name"]].get(kind, (0, 0))
                where = f"{layout['name']}, {pattern['name']}: {kind} units {charged}, explained {least} to {greatest}"
                if least == greatest:
                    assert charged["mean"] == charged["max"] == least, where
                else:
                    assert least * 0.995 <= charged["mean"] <= greatest * 1.005, where
                compared += 1
    assert compared > 40
