"""One account of a server: the tables a test sees, and what it may do with them and with the server."""

import datetime
import os
import urllib.parse

from .control import ControlError, control


class Account:
    """`seed` is the id of the account that fork() copies."""

    def __init__(self, endpoint, token, id, seed, region=None):
        self.endpoint = endpoint
        self.token = token
        self.id = id
        self.seed = seed
        self.region = region or os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"
        self.clock = Clock(self)
        self.faults = Faults(self)
        self.requests = Requests(self)

    def connection(self):
        """How boto3 connects as this account: `boto3.client("dynamodb", **hashrange.connection())`."""
        return {"endpoint_url": self.endpoint, "region_name": self.region,
                "aws_access_key_id": self.id, "aws_secret_access_key": "hashrange"}

    def environment(self):
        """The same as the variables that SDKs read. Those that would win over them are None. An endpoint is read from
        the environment by boto3 1.28 and newer."""
        return {"AWS_ENDPOINT_URL_DYNAMODB": self.endpoint, "AWS_ENDPOINT_URL_DYNAMODB_STREAMS": self.endpoint,
                "AWS_REGION": self.region, "AWS_DEFAULT_REGION": self.region,
                "AWS_ACCESS_KEY_ID": self.id, "AWS_SECRET_ACCESS_KEY": "hashrange",
                "AWS_SESSION_TOKEN": None, "AWS_PROFILE": None}

    def client(self, service="dynamodb", **options):
        """A boto3 client of this account: client(), client("dynamodbstreams"), client(config=Config(…))."""
        import boto3

        return boto3.client(service, **{**self.connection(), **options})

    def resource(self, **options):
        """A boto3 resource of this account: resource().Table("app")."""
        import boto3

        return boto3.resource("dynamodb", **{**self.connection(), **options})

    def control(self, method, path, body=None):
        """A call of the control API that has no method here: control("POST", "throughput", {"enforce": True})."""
        return control(self.endpoint, self.token, method, path, body)

    def fork(self):
        """Replaces the account's tables by those of the seed account, and takes back its faults."""
        self.faults.clear()
        self.control("POST", "fork", {"from": self.seed, "to": self.id})

    def reset(self, table=None):
        """Deletes all tables of the account, or the items of one."""
        self.control("POST", "reset", {"account": self.id, "table": table})

    def snapshot(self, name):
        """Keeps the account's tables as they are now under a name of a-z, A-Z, 0-9, "-", "_" and ".", for restore(name)."""
        self.control("POST", "snapshots", {"name": f"{self.id}-{name}", "account": self.id})

    def restore(self, name):
        self.control("POST", f"snapshots/{self.id}-{name}/restore")

    def hold(self, table, key, timeout=None):
        """Holds an item as a transaction under way would: writes of it conflict until the end of a `with` block,
        release(), the next fork, or `timeout`. `key` is DynamoDB JSON: hold("app", {"PK": {"S": "USER#1"}}, "5s")."""
        body = {"table": table, "key": key, "timeout": timeout, "account": self.id, "region": self.region}
        return Hold(self, self.control("POST", "holds", body)["id"])


def end(account, path):
    """Deletes what may have ended by itself."""
    try:
        account.control("DELETE", path)
    except ControlError as problem:
        if problem.status != 404:
            raise


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
    """The server's clock: all of its accounts live by it. Each method answers its state."""

    def __init__(self, account):
        self._account = account

    def now(self):
        return self._account.control("GET", "clock")

    def freeze(self, at=True):
        """Stops the clock now, or at an instant: a datetime, "2026-01-31T12:00:00Z", or epoch seconds."""
        if isinstance(at, datetime.datetime):
            at = at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        return self._set(frozen=at)

    def advance(self, time):
        """Moves it by "2d", "500ms" or a timedelta, and deletes what has expired by then."""
        if isinstance(time, datetime.timedelta):
            time = round(time.total_seconds() * 1000)
        return self._set(advance=time)

    def scale(self, factor):
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
        """Returns the rules with their ids."""
        own = [{**rule, "match": {**rule.get("match", {}), "account": self._account.id}} for rule in rules]
        return self._account.control("POST", "faults", {"rules": own})["rules"]

    def list(self):
        rules = self._account.control("GET", "faults")["rules"]
        return [rule for rule in rules if rule.get("match", {}).get("account") == self._account.id]

    def clear(self):
        for rule in self.list():
            end(self._account, f"faults/{rule['id']}")


class Requests:
    """What the server was asked."""

    def __init__(self, account):
        self._account = account

    def record(self, limit=None):
        """From now on the server keeps the last `limit` requests."""
        self._account.control("POST", "requests", {"enabled": True, "limit": limit})

    def stop(self):
        self._account.control("POST", "requests", {"enabled": False})

    def list(self, **only):
        """Those of this account, or only of one table=…, operation=…."""
        query = urllib.parse.urlencode({"account": self._account.id, **only})
        return self._account.control("GET", f"requests?{query}")["requests"]

    def clear(self):
        """Forgets those of this account."""
        self._account.control("DELETE", f"requests?account={self._account.id}")
