"""The lab's examples, run by the program under test."""

import os
import pathlib
import re
import subprocess

import pytest

PROGRAM = os.environ.get("CONFORMANCE_SERVER")
ENDPOINT = os.environ.get("CONFORMANCE_ENDPOINT")
EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "lab/examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.yaml"))


def pytest_collection_modifyitems(items):
    if not PROGRAM:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="an endpoint is tested, not a program"))


def lab(*arguments):
    """Runs `hashrange lab` to its end and returns what it prints."""
    done = subprocess.run([PROGRAM, "lab", *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def small_copy(name, folder, seconds):
    """Returns the path of an example with a tenth of its data, and a short traffic at the declared rates: nothing is throttled."""
    text = (EXAMPLES / f"{name}.yaml").read_text()
    text = re.sub(r"^(    count: )(\d+)$", lambda match: match[1] + str(max(5, int(match[2]) // 10)), text, flags=re.M)
    text, changed = re.subn(r"^traffic: .*$", f"traffic: [{{for: {seconds}s, rate: 1}}]", text, flags=re.M)
    assert changed == 1
    file = folder / f"{name}.yaml"
    file.write_text(text)
    return file
