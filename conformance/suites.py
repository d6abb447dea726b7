"""Used by all runners of test suites: Node.js and its packages, the counts of tests, the line of a suite."""

import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as xml
from concurrent.futures import ThreadPoolExecutor

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent


class CannotStart(Exception):
    """The suites cannot be started; the text says why."""


def path_with_node():
    """Returns PATH, with the Node.js in build/node first if there is one."""
    own_node = REPOSITORY / "build/node/bin"
    return f"{own_node}{os.pathsep}{os.environ['PATH']}" if own_node.is_dir() else os.environ["PATH"]


def install_node_modules(folder):
    """Installs the packages of the folder's lock file, unless exactly these are installed already."""
    path = path_with_node()
    check_node(path)
    stamp = folder / "node_modules/.conformance-lock"
    lock, installed = folder / "package-lock.json", folder / "node_modules/.package-lock.json"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    if not stamp.exists() and installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return  # a person has run `npm ci`
    print(f"{folder.relative_to(REPOSITORY)}: installing node_modules", flush=True)
    done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, env=dict(os.environ, PATH=path),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise CannotStart(f"npm ci failed:\n{done.stdout}")
    stamp.write_text(wanted)


def check_node(path):
    node = shutil.which("node", path=path)
    version = subprocess.run([node, "--version"], capture_output=True, text=True).stdout.strip() if node else "none"
    if version == "none" or int(version.lstrip("v").split(".")[0]) < 20:
        raise CannotStart(f"Node.js 20 or newer is needed on PATH or in build/node/bin, found {version}")


# ---- the counts ----

def count_vitest(results):
    if not results.exists():
        return 0, 0, 0
    counts = json.loads(results.read_text())
    broken_files = sum(1 for file in counts["testResults"] if file["status"] == "failed" and not file["assertionResults"])
    return (counts["numPassedTests"], counts["numFailedTests"] + broken_files,
            counts["numPendingTests"] + counts["numTodoTests"])


def skipped_of_vitest(results):
    """Returns a line for each skipped test, as pytest prints it."""
    files = json.loads(results.read_text())["testResults"] if results.exists() else []
    tests = [test for file in files for test in file["assertionResults"]]
    return "".join(f"SKIPPED {test['fullName'].strip()}\n" for test in tests if test["status"] in ("pending", "skipped", "todo"))


def count_pytest(results):
    if not results.exists():
        return 0, 0, 0
    suite = xml.parse(results).getroot().find("testsuite")
    total, failed, skipped = (int(suite.get(name)) for name in ("tests", "failures", "skipped"))
    failed += int(suite.get("errors"))
    return total - failed - skipped, failed, skipped


def no_silent_failure(counts, status):
    passed, failed, skipped = counts
    nothing_ran = passed + failed + skipped == 0
    return (passed, 1, skipped) if failed == 0 and (status != 0 or nothing_ran) else counts


# ---- running them ----

printing = threading.Lock()


def run_suite(name, command, count, logs, *, shows_all=False, **options):
    """Runs a command, whose last word gets the name of the file of results behind it, and prints the line of the suite; before it,
    what the command printed if a test failed, or the reasons of skipped tests. Returns (passed, failed, skipped)."""
    start = time.monotonic()
    log, results = logs / f"{name}.log", logs / f"{name}.results"
    with open(log, "wb") as output:
        status = run_process([*command[:-1], f"{command[-1]}={results}"], stdout=output, stderr=subprocess.STDOUT, **options)
    counts = no_silent_failure(count(results), status)
    text = log.read_text(errors="replace")
    if not counts[1] and not shows_all:
        text = "".join(line for line in text.splitlines(keepends=True) if line.startswith("SKIPPED "))
        text += skipped_of_vitest(results) if count is count_vitest else ""
    return finish(name, counts, time.monotonic() - start, f"log {log}", text)


def finish(name, counts, seconds, note, text=""):
    """Prints the text, and the line of a suite. Returns its counts."""
    with printing:
        sys.stdout.write(text)
        print("{}: {} passed, {} failed, {} skipped ({:.1f} s), {}".format(name, *counts, seconds, note), flush=True)
    return counts


def report(runner, results):
    """Prints the last line of a runner. Returns its status."""
    passed, failed, skipped = (sum(column) for column in zip(*results))
    print(f"{runner}: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


running = set()


def run_suites(run, names, at_once=2):
    """Calls run(name) for each suite, for `at_once` of them at a time. Returns the counts of the suites in the order of the names.
    If one call raises, or this process is told to end, the processes of the suites are ended, too."""
    with ThreadPoolExecutor(at_once) as pool:
        suites = [pool.submit(run, name) for name in names]
        try:
            return [suite.result() for suite in suites]
        except BaseException:
            for suite in suites:
                suite.cancel()
            for process in list(running):
                os.killpg(process.pid, signal.SIGTERM)
            raise


def run_process(command, **options):
    """Runs a command in a process group of its own. Returns its status."""
    process = subprocess.Popen(command, start_new_session=True, **options)
    running.add(process)
    try:
        return process.wait()
    finally:
        running.discard(process)
