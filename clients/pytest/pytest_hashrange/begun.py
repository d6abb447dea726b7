"""What a test starts ends with it: the calls of the control API that start something, each with the call that ends it."""

import contextlib
import json

from .control import ControlError, control


class Begun:
    """What was started with the accounts of one server, and is still to end."""

    def __init__(self, endpoint, token):
        self._server = (endpoint, token)
        self._endings = {}  # text of an ending -> (the account that it is of or None, the ending: method, path, body)

    def note(self, account, method, path, body, answer):
        """Remembers what a call that was answered has started."""
        if method == "POST" and path in ENDINGS:
            body = body or {}
            for ending in ENDINGS[path](body, answer, account):
                self._endings[json.dumps(ending)] = (body.get("account"), ending)

    @contextlib.contextmanager
    def ends_here(self):
        """What is started within the block ends with it."""
        outer, self._endings = self._endings, {}
        try:
            yield
        finally:
            inner, self._endings = self._endings, outer
            self._end(inner)

    def end_all(self):
        begun, self._endings = self._endings, {}
        self._end(begun)

    def end_of(self, account):
        """Ends what was started for one account only."""
        chosen = {text: each for text, each in self._endings.items() if each[0] == account}
        for text in chosen:
            del self._endings[text]
        self._end(chosen)

    def _end(self, begun):
        """The last first. What has ended by itself is fine; the first other problem is raised when the rest has ended."""
        problems = []
        for _, ending in reversed(list(begun.values())):
            try:
                control(*self._server, *ending)
            except ControlError as problem:
                if problem.status != 404:
                    problems.append(problem)
        if problems:
            raise problems[0]


def status(body, *_):
    return [] if body["status"] == "ACTIVE" else [("POST", "status", {**body, "status": "ACTIVE"})]


def throughput(body, *_):
    scope = {name: value for name, value in body.items() if name != "enforce"}
    return [("DELETE", "throughput", scope)] if body["enforce"] else []


def consistency(body, *_):
    place = {"account": body.get("account", "000000000000"), "region": body.get("region", "us-east-1"), "table": body["table"]}
    return [("DELETE", "consistency", place)]


def requests(body, _, account):
    # The recorder itself stays on: another worker may be reading what it records.
    return [("DELETE", f"requests?account={account.id}", None)] if body.get("enabled", True) else []


# path of a POST -> (its body, its answer, the account that asked) -> what ends it
ENDINGS = {
    "clock": lambda *_: [("POST", "clock", {"mode": "real"})],
    "consistency": consistency,
    "faults": lambda _, answer, __: [("DELETE", f"faults/{rule['id']}", None) for rule in answer["rules"]],
    "holds": lambda _, answer, __: [("DELETE", f"holds/{answer['id']}", None)],
    "requests": requests,
    "status": status,
    "throughput": throughput,
}
