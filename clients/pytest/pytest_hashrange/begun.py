"""Ends what a test has started: lists the calls of the control API that start something, each with the call that ends it."""

import contextlib
import json
import typing

from .control import ControlError, control


class Begun:
    """The things that were started with the accounts of one server, and that must still end."""

    def __init__(self, endpoint, token):
        self._server = (endpoint, token)
        self._begun = {}  # text of an ending -> Start
        self._held = {}  # the same, for the things that continue after the test

    def note(self, account, method, path, body, answer):
        """Remembers what a successful call has started."""
        if method == "DELETE" and path in AGAIN:
            self._forget(path, body or {})
        if method == "POST" and path in ENDINGS:
            body = body or {}
            for ending in ENDINGS[path](body, answer, account):
                before = self._begun.pop(json.dumps(ending), None)  # so that the latest is the last in the dict
                again = AGAIN[path](body, answer, before and before.again) if path in AGAIN else []
                owner = None if path in OBSERVING else body.get("account")
                self._begun[json.dumps(ending)] = Start(path, ending, again, owner)

    def _forget(self, path, scope):
        """Forgets a thing that the test has ended itself: it is not started again."""
        for text, start in list(self._begun.items()):
            if start.path == path and all(start.ending[2].get(name) == value for name, value in scope.items()):
                del self._begun[text]

    @contextlib.contextmanager
    def ends_here(self):
        """Ends with the block what is started within it."""
        outer, held = self._begun, self._held
        self._begun, self._held = {}, {**held, **outer}
        try:
            yield
        finally:
            inner, self._begun = self._begun, outer
            try:
                self._end(inner)
            finally:
                self._held = held

    def end_all(self):
        begun, self._begun = self._begun, {}
        self._end(begun)

    def end_of(self, account):
        """Ends the things that were started for one account only."""
        chosen = {text: each for text, each in self._begun.items() if each.account == account}
        for text in chosen:
            del self._begun[text]
        self._end(chosen)

    def _end(self, begun):
        """Ends the things in reverse order of their start, and starts again what they replaced. A thing that has ended by
        itself is no error; the first other error is raised when the rest has ended."""
        problems = []
        for call in [call for text in reversed(list(begun)) for call in self._endings_of(text, begun[text])]:
            try:
                control(*self._server, *call)
            except ControlError as problem:
                if problem.status != 404:
                    problems.append(problem)
        if problems:
            raise problems[0]

    def _endings_of(self, text, start):
        is_rule = start.path in RULES
        same = {key: other for key, other in self._held.items() if other.path == start.path}
        replaced = replaced_rules(start.ending[2], same.values()) if is_rule else [same[text]] if text in same else []
        again = [call for other in replaced for call in other.again]
        return [start.ending, *again] if is_rule or not again else again


class Start(typing.NamedTuple):
    """A thing that was started: the path of its call, the calls that end it and those that start it once more (each method,
    path, body), and the account with whose fork it ends, or None."""

    path: str
    ending: tuple
    again: list
    account: str


SCOPE = ("account", "region", "table")


def covers(scope, other):
    return all(name not in scope or scope[name] == other.get(name) for name in SCOPE)


def overlap(scope, other):
    return all(name not in scope or name not in other or scope[name] == other[name] for name in SCOPE)


def replaced_rules(scope, rules):
    """A rule replaces the earlier rules whose tables are all in its scope. When one of these is started again, it is the
    latest: so the held rules that were later, and are about some of its tables, are started again after it. Others go on:
    a model of partitions would begin anew."""
    replaced = []
    for rule in rules:
        own = rule.ending[2]
        if covers(scope, own) or any(overlap(earlier.ending[2], own) for earlier in replaced):
            replaced.append(rule)
    return replaced


def status(body, *_):
    return [] if body["status"] == "ACTIVE" else [("POST", "status", {**body, "status": "ACTIVE"})]


def rule_of(path):
    def endings(body, *_):
        return [("DELETE", path, {name: body[name] for name in ("account", "region", "table") if name in body})]

    return endings


def consistency(body, *_):
    place = {"account": body.get("account", "000000000000"), "region": body.get("region", "us-east-1"), "table": body["table"]}
    return [("DELETE", "consistency", place)]


def requests(body, _, account):
    # The recorder itself stays on: another worker may use it.
    return [("DELETE", f"requests?account={account.id}", None)] if body.get("enabled", True) else []


# path of a POST -> (its body, its answer, the calling account) -> the calls that end it
ENDINGS = {
    "clock": lambda *_: [("POST", "clock", {"mode": "real"})],
    "consistency": consistency,
    "faults": lambda _, answer, __: [("DELETE", f"faults/{rule['id']}", None) for rule in answer["rules"]],
    "holds": lambda _, answer, __: [("DELETE", f"holds/{answer['id']}", None)],
    "measurements": lambda _, answer, __: [("DELETE", f"measurements/{answer['name']}", None)],
    "partitions": rule_of("partitions"),
    "requests": requests,
    "status": status,
    "throughput": rule_of("throughput"),
}

# A new rule of these also replaces the rules about some of its tables.
RULES = ["partitions", "throughput"]

# These only observe: a fork does not end them.
OBSERVING = ["measurements"]


def clock_again(body, answer, before):
    """A frozen clock is set back to its time. For another clock, all calls since it was real are made again."""
    if answer["mode"] == "frozen":
        return [("POST", "clock", {"frozen": answer["now"]})]
    asked = [] if "mode" in body else before or [("POST", "clock", {"mode": "real"})]
    return [*asked, ("POST", "clock", body)]


# Only one of each of these exists at a time, so that of a test replaces that of the session, until the test ends.
# path of a POST -> (its body, its answer, the calls so far or None) -> the calls that start it once more
AGAIN = {
    "clock": clock_again,
    "consistency": lambda body, *_: [("POST", "consistency", body)],
    "partitions": lambda body, *_: [("POST", "partitions", body)],
    "status": lambda body, *_: [("POST", "status", body)],
    "throughput": lambda body, *_: [("POST", "throughput", body)],
}
