"""A measurement that runs: what the calls to an account's tables cost since `hashrange.measure()` began it."""

import json
import os
import pathlib
import re

from .arguments import given, mapping, refuse, text
from .control import end

UPDATE = "HASHRANGE_UPDATE_BASELINE"


def measure(account, name, **scope):
    """Begins a measurement of an account. Returns it. On the server, its name begins with the account's id."""
    if not re.fullmatch(r"[\w.-]+", text("measure", "name", name), re.ASCII):
        raise refuse("measure", "name", 'a text of a-z, A-Z, 0-9, "-", "_" and "."', name)
    own = f"{account.id}-{name}"
    account.control("POST", "measurements", given(name=own, account=account.id, **scope))
    return Measured(account, name, f"measurements/{own}")


class Measured:
    """Ends with a `with` block, with stop(), or with the test."""

    def __init__(self, account, name, path):
        self.name = name
        self._account = account
        self._path = path

    def read(self):
        """Returns what was measured so far."""
        return self._named(self._account.control("GET", self._path))

    def stop(self):
        """Ends the measurement. Returns what was measured."""
        return self._named(self._account.control("DELETE", self._path))

    def report(self, format="text", against=None, **options):
        """Returns a report: a text, or with the format "json" a dict. `against` is a list of other measurements."""
        body = given(format=text("report", "format", format), against=against, options=options or None)
        return self._account.control("POST", f"{self._path}/report", body)

    def check(self, budgets, **options):
        """Raises an AssertionError that lists what exceeds the budgets: a dict, or the path of a JSON file. Returns the answer."""
        __tracebackhide__ = True
        budgets = mapping("check", "budgets", read_json(budgets) if is_path(budgets) else budgets)
        answer = self._account.control("POST", f"{self._path}/check", given(budgets=budgets, options=options or None))
        require(answer, "violations", f"{self.name} exceeds its budgets")
        return answer

    def compare(self, baseline, update=None, **options):
        """Raises an AssertionError that lists what got worse than in the baseline: a measurement, or the path of a JSON file.
        With update=True, or HASHRANGE_UPDATE_BASELINE=1, the file is written, and nothing is compared. Returns the answer."""
        __tracebackhide__ = True
        if update is None:
            update = os.environ.get(UPDATE) == "1"
        if is_path(baseline):
            if update:
                pathlib.Path(baseline).write_text(json.dumps(baseline_of(self.read()), indent=1, ensure_ascii=False) + "\n", "utf-8")
                return None
            baseline = read_json(baseline, f" To write it: {UPDATE}=1.")
        body = given(against=mapping("compare", "baseline", baseline), options=options or None)
        answer = self._account.control("POST", f"{self._path}/compare", body)
        require(answer, "regressions", f"{self.name} is worse than its baseline")
        return answer

    def _named(self, measurement):
        """Returns the measurement with the name that the test gave, without the account, which differs from run to run."""
        return {**measurement, "name": self.name}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self._account, self._path)


def baseline_of(measurement):
    """Returns a measurement without its longest parts, which a comparison does not read: what differs between any two runs."""
    resources = [without(each, "heat", "heat_over_time") for each in measurement["resources"]]
    return {**without(measurement, "server_time", "time", "partitions"), "resources": resources}


def without(members, *names):
    return {name: value for name, value in members.items() if name not in names}


def is_path(value):
    return isinstance(value, (str, os.PathLike))


def read_json(path, advice=""):
    """Returns what a JSON file contains. Its path is relative to the current folder."""
    file = pathlib.Path(path).absolute()
    try:
        return json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise FileNotFoundError(f"hashrange: there is no file {file}.{advice}") from None
    except ValueError as problem:
        raise ValueError(f"hashrange: {file} is no JSON: {problem}") from None


def require(answer, kind, summary):
    """Raises an AssertionError with one line for each problem, unless the answer says that there is none."""
    __tracebackhide__ = True
    if not answer["passed"]:
        raise AssertionError("\n  ".join([f"hashrange: {summary}:", *(each["sentence"] for each in answer[kind])]))
