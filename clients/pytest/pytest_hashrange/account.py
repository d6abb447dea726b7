"""One account of a server, with the methods that tests use on its tables and on the server."""

import datetime
import os
import urllib.parse

from .arguments import given, mapping, refuse, text, time_of
from .boto3_version import import_boto3
from .control import control, end
from .measured import measure
from .pattern import name_calls, pattern


class Account:
    """`seed` is the id of the account that fork() copies; `begun` records the calls that start something."""

    def __init__(self, endpoint, token, id, seed, region=None, begun=None):
        self._begun = begun
        self.endpoint = endpoint
        self.token = token
        self.id = id
        self.seed = seed
        self.region = region or os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"
        self.clock = Clock(self)
        self.faults = Faults(self)
        self.requests = Requests(self)

    def connection(self):
        """Returns the arguments with which boto3 connects as this account: `boto3.client("dynamodb", **hashrange.connection())`."""
        return {"endpoint_url": self.endpoint, "region_name": self.region,
                "aws_access_key_id": self.id, "aws_secret_access_key": "hashrange"}

    def environment(self):
        """Returns the same as environment variables for SDKs. Variables that would take precedence are None. boto3 reads
        the endpoint from the environment from version 1.28 on."""
        return {"AWS_ENDPOINT_URL_DYNAMODB": self.endpoint, "AWS_ENDPOINT_URL_DYNAMODB_STREAMS": self.endpoint,
                "AWS_REGION": self.region, "AWS_DEFAULT_REGION": self.region,
                "AWS_ACCESS_KEY_ID": self.id, "AWS_SECRET_ACCESS_KEY": "hashrange",
                "AWS_SESSION_TOKEN": None, "AWS_PROFILE": None}

    def client(self, service="dynamodb", **options):
        """Returns a boto3 client of this account: client(), client("dynamodbstreams"), client(config=Config(…))."""
        return name_calls(import_boto3().client(service, **{**self.connection(), **options}))

    def resource(self, **options):
        """Returns a boto3 resource of this account: resource().Table("app")."""
        resource = import_boto3().resource("dynamodb", **{**self.connection(), **options})
        name_calls(resource.meta.client)
        return resource

    def control(self, method, path, body=None):
        """Makes a call of the control API that has no method here: control("GET", "metrics")."""
        text("control", "method", method)
        text("control", "path", path, may_be_empty=True)
        if body is not None:
            mapping("control", "body", body)
        answer = control(self.endpoint, self.token, method, path, body)
        if self._begun is not None:
            self._begun.note(self, method, path, body, answer)
        return answer

    def fork(self):
        """Replaces the account's tables by those of the seed account, and ends the simulations of this account."""
        if self._begun is not None:
            self._begun.end_of(self.id)
        self.faults.clear()
        self.control("POST", "fork", {"from": self.seed, "to": self.id})

    def reset(self, table=None):
        """Deletes all tables of the account, or only the items of one table."""
        if table is not None:
            text("reset", "table", table)
        self.control("POST", "reset", given(account=self.id, table=table))

    def snapshot(self, name):
        """Saves the account's tables as they are now, for restore(name). The name has a-z, A-Z, 0-9, "-", "_" and "."."""
        self.control("POST", "snapshots", {"name": f"{self.id}-{text('snapshot', 'name', name)}", "account": self.id})

    def restore(self, name):
        self.control("POST", f"snapshots/{self.id}-{text('restore', 'name', name)}/restore")

    def hold(self, table, key, timeout=None):
        """Holds an item as a transaction under way would: writes to it conflict until the end of a `with` block,
        release(), the end of the test, the next fork, or the end of `timeout`: hold("app", {"PK": {"S": "USER#1"}}, "5s")."""
        body = given(table=text("hold", "table", table), key=mapping("hold", "key", key), account=self.id, region=self.region,
                     timeout=None if timeout is None else time_of("hold", "timeout", timeout))
        return Hold(self, self.control("POST", "holds", body)["id"])

    def measure(self, name, tables=None, region=None, separators=None, window=None, type_attribute=None):
        """Begins a measurement of the account, or of some of its tables: measure("checkout", tables=["app"]). Returns it, with
        read(), report(), check(), compare() and stop(). It ends with a `with` block, or with the test."""
        return measure(self, name, tables=tables, region=region, separators=separators, type_attribute=type_attribute,
                       window=None if window is None else time_of("measure", "window", window))

    def pattern(self, name, *clients):
        """Names the access pattern of the calls that are made in a `with` block, for measurements. Clients that were not made by
        client() or resource() are given to it: `with hashrange.pattern("orders of a customer", client):`."""
        return pattern(name, *clients)


class Hold:
    def __init__(self, account, id):
        self.id = id
        self._account = account

    def release(self):
        end(self._account, f"holds/{self.id}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release()


class Clock:
    """The server's clock, which all its accounts share. Each method returns the state of the clock."""

    def __init__(self, account):
        self._account = account

    def now(self):
        return self._account.control("GET", "clock")

    def freeze(self, at=True):
        """Stops the clock now, or at an instant: a datetime, "2026-01-31T12:00:00Z", or epoch seconds."""
        if isinstance(at, datetime.datetime):
            at = at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        if not isinstance(at, (str, int, float)):
            raise refuse("clock.freeze", "at", 'a datetime, "2026-01-31T12:00:00Z" or epoch seconds', at)
        return self._set(frozen=at)

    def advance(self, time):
        """Moves the clock forward by "2d" or a timedelta, and deletes the items that have expired by then."""
        return self._set(advance=time_of("clock.advance", "time", time))

    def scale(self, factor):
        if isinstance(factor, bool) or not isinstance(factor, (int, float)):
            raise refuse("clock.scale", "factor", "a number", factor)
        return self._set(scale=factor)

    def real(self):
        return self._set(mode="real")

    def _set(self, **change):
        return self._account.control("POST", "clock", change)


class Faults:
    """Rules {match, do} of docs/control-api.md, for requests of this account."""

    def __init__(self, account):
        self._account = account

    def add(self, *rules):
        """Adds rules. Returns them with their ids. The rules end with the test."""
        return self._account.control("POST", "faults", {"rules": [self._own(rule) for rule in rules]})["rules"]

    def _own(self, rule):
        match = mapping("faults.add", "match", mapping("faults.add", "rule", rule).get("match", {}))
        if match.get("account", self._account.id) != self._account.id:
            raise TypeError(f'hashrange: faults.add() is about account {self._account.id}; control("POST", "faults", …) about any.')
        return {**rule, "match": {**match, "account": self._account.id}}

    def list(self):
        rules = self._account.control("GET", "faults")["rules"]
        return [rule for rule in rules if rule.get("match", {}).get("account") == self._account.id]

    def clear(self):
        for rule in self.list():
            end(self._account, f"faults/{rule['id']}")


class Requests:
    """The requests that the server has received."""

    def __init__(self, account):
        self._account = account

    def record(self, limit=None):
        """Records requests from now on: the last `limit` requests of all accounts."""
        self._account.control("POST", "requests", given(enabled=True, limit=limit))
        self.clear()  # requests of this account may have been recorded before

    def stop(self):
        """Stops recording for all accounts."""
        self._account.control("POST", "requests", {"enabled": False})

    def list(self, table=None, operation=None, region=None, since=None):
        """Returns the requests of this account, or only those of a table, operation or Region, or those after the id `since`."""
        only = {"table": table, "operation": operation, "region": region}
        for name, value in only.items():
            if value is not None:
                text("requests.list", name, value)
        query = urllib.parse.urlencode(given(account=self._account.id, **only, since=since))
        return self._account.control("GET", f"requests?{query}")["requests"]

    def clear(self):
        """Forgets the requests of this account."""
        self._account.control("DELETE", f"requests?account={self._account.id}")
