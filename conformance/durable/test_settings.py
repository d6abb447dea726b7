"""kill -9 at random moments: what a table keeps beside its items is as a client has set it.

The calls are plain HTTP, because the installed boto3 does not know all of these operations.
"""

import http.client
import json
import os
import random
import threading
import time
import urllib.error
import urllib.request

from kept_server import KeptServer

ROUNDS = max(4, int(os.environ.get("DURABLE_ROUNDS", "40")) // 4)
TABLE = {"TableName": "app"}
INDEX = {**TABLE, "IndexName": "by-kind"}
DESTINATION = {**TABLE, "StreamArn": "arn:aws:kinesis:us-east-1:111122223333:stream/changes"}
RESOURCE = {"ResourceArn": "arn:aws:dynamodb:us-east-1:111122223333:table/app"}
HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Date": "20261101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=111122223333/20261101/us-east-1/dynamodb/aws4_request, "
                     "SignedHeaders=host, Signature=0",
}


def call(server, operation, body):
    """Returns the answer. Raises HTTPError for an answer that is an error, and another OSError when no answer comes."""
    headers = {**HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
    request = urllib.request.Request(server.endpoint, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


# Each setting has a value of its own kind; None: it is off, or there is none.

def set_recovery(server, days):
    specification = {"PointInTimeRecoveryEnabled": days is not None}
    if days is not None:
        specification["RecoveryPeriodInDays"] = days
    call(server, "UpdateContinuousBackups", {**TABLE, "PointInTimeRecoverySpecification": specification})


def read_recovery(server):
    description = call(server, "DescribeContinuousBackups", TABLE)["ContinuousBackupsDescription"]
    return description["PointInTimeRecoveryDescription"].get("RecoveryPeriodInDays")


def set_policy(server, text):
    if text is None:
        call(server, "DeleteResourcePolicy", RESOURCE)
    else:
        call(server, "PutResourcePolicy", {**RESOURCE, "Policy": text})


def read_policy(server):
    try:
        return call(server, "GetResourcePolicy", RESOURCE)["Policy"]
    except urllib.error.HTTPError as error:
        assert json.load(error)["__type"].endswith("#PolicyNotFoundException")
        return None


def set_insights(server, mode, of=TABLE):
    action = {"ContributorInsightsAction": "DISABLE"} if mode is None else {
        "ContributorInsightsAction": "ENABLE", "ContributorInsightsMode": mode}
    call(server, "UpdateContributorInsights", {**of, **action})


def read_insights(server, of=TABLE):
    description = call(server, "DescribeContributorInsights", of)
    return description["ContributorInsightsMode"] if description["ContributorInsightsStatus"] == "ENABLED" else None


def set_destination(server, precision):
    before = read_destination(server)
    if precision == before:
        return
    if precision is None:
        call(server, "DisableKinesisStreamingDestination", DESTINATION)
        return
    verb = "Enable" if before is None else "Update"
    call(server, f"{verb}KinesisStreamingDestination", {
        **DESTINATION, f"{verb}KinesisStreamingConfiguration": {"ApproximateCreationDateTimePrecision": precision}})


def read_destination(server):
    destinations = call(server, "DescribeKinesisStreamingDestination", TABLE)["KinesisDataStreamDestinations"]
    active = [each for each in destinations if each["DestinationStatus"] == "ACTIVE"]
    return active[0]["ApproximateCreationDateTimePrecision"] if active else None


def some_policy():
    statement = {"Effect": "Allow", "Principal": {"AWS": f"{random.randrange(10**12):012}"},
                 "Action": "dynamodb:GetItem", "Resource": "*"}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


def some_mode():
    return random.choice(["ACCESSED_AND_THROTTLED_KEYS", "THROTTLED_KEYS"])


SETTINGS = {
    "recovery": (set_recovery, read_recovery, lambda: random.randint(1, 35)),
    "policy": (set_policy, read_policy, some_policy),
    "insights": (set_insights, read_insights, some_mode),
    "insights of an index": (lambda server, mode: set_insights(server, mode, INDEX),
                             lambda server: read_insights(server, INDEX), some_mode),
    "destination": (set_destination, read_destination, lambda: random.choice(["MILLISECOND", "MICROSECOND"])),
}


class Setter(threading.Thread):
    """Changes one setting, call after call, until the server is killed. Any other end is `unexpected`."""

    def __init__(self, server, name, value):
        super().__init__()
        self.server = server
        self.set, _, self.next_value = SETTINGS[name]
        self.may_be = [value]  # the value that was acknowledged last, and that of a call whose answer never came
        self.acknowledged = 0
        self.unexpected = None

    def run(self):
        try:
            while True:
                value = self.next_value() if random.random() < 0.8 else None
                self.may_be = [self.may_be[0], value]
                self.set(self.server, value)
                self.may_be = [value]
                self.acknowledged += 1
        except urllib.error.HTTPError as error:
            self.unexpected = error.read()
        except (OSError, http.client.HTTPException) as error:
            self.unexpected = None if self.server.is_killed else repr(error)


def test_settings_survive(tmp_path):
    server = KeptServer(tmp_path / "data", "--kinesis-dir", str(tmp_path / "kinesis"))
    server.start()
    index = {"IndexName": INDEX["IndexName"], "KeySchema": [{"AttributeName": "kind", "KeyType": "HASH"}],
             "Projection": {"ProjectionType": "ALL"}}
    server.client().create_table(**TABLE, BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
                                 AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "kind")],
                                 GlobalSecondaryIndexes=[index])
    values = dict.fromkeys(SETTINGS)
    acknowledged = 0
    for _ in range(ROUNDS):
        setters = {name: Setter(server, name, value) for name, value in values.items()}
        for setter in setters.values():
            setter.start()
        time.sleep(random.uniform(0.02, 0.3))
        server.kill()
        for setter in setters.values():
            setter.join()
            assert setter.unexpected is None, setter.unexpected
        acknowledged += sum(setter.acknowledged for setter in setters.values())
        server.start()
        values = {name: read(server) for name, (_, read, _) in SETTINGS.items()}
        for name, setter in setters.items():
            assert values[name] in setter.may_be, name
    server.stop()
    assert acknowledged > 0
    print(f"{ROUNDS} rounds, {acknowledged} acknowledged calls")
