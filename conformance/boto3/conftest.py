"""Connections, tables and answers for the suites through boto3."""

import json
import os
import pathlib
import random
import time
import uuid
from decimal import Decimal

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

ENDPOINT = os.environ.get("CONFORMANCE_ENDPOINT")
if not ENDPOINT:
    raise RuntimeError("CONFORMANCE_ENDPOINT is not set: start the suites with conformance/run")
REGION = os.environ.get("AWS_REGION", "us-east-1")
IS_AWS = ".amazonaws.com" in ENDPOINT
INDEX_DELAY_S = 20
APPLICATIONS = pathlib.Path(__file__).resolve().parent.parent / "apps"


def connection(**options):
    """Returns how to connect: on AWS with the credentials of the environment, on other servers as a random account."""
    config = Config(retries={"max_attempts": 3 if IS_AWS else 0}, **options)
    settings = {"endpoint_url": ENDPOINT, "region_name": REGION, "config": config}
    if not IS_AWS:
        settings.update(aws_access_key_id=str(random.randrange(10**11, 10**12)), aws_secret_access_key="secret")
    return settings


def unique_name(stem="table"):
    return f"conformance-{stem}-{uuid.uuid4().hex[:12]}"


def answer(response):
    """Returns the answer's body: everything but the SDK's own metadata."""
    return {name: value for name, value in response.items() if name != "ResponseMetadata"}


def failure(call, **request):
    """Returns the error that a call answers: (code, message, status), and the other members of its body."""
    with pytest.raises(ClientError) as caught:
        call(**request)
    response = caught.value.response
    error = response["Error"]
    seen = {"code": error["Code"], "message": error["Message"], "status": response["ResponseMetadata"]["HTTPStatusCode"]}
    return {**seen, **{name: response[name] for name in ("Item", "CancellationReasons") if name in response}}


def validation(message):
    return {"code": "ValidationException", "message": message, "status": 400}


CONDITION_FAILED = {"code": "ConditionalCheckFailedException", "message": "The conditional request failed", "status": 400}


def cancelled(*reasons):
    """cancelled("None", "ConditionalCheckFailed"), or whole reasons in place of codes."""
    texts = {"ConditionalCheckFailed": {"Message": "The conditional request failed"}}
    whole = [{"Code": reason, **texts.get(reason, {})} if isinstance(reason, str) else reason for reason in reasons]
    codes = ", ".join(reason["Code"] for reason in whole)
    return {"code": "TransactionCanceledException", "status": 400, "CancellationReasons": whole,
            "message": f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]"}


def page(items, last=None):
    """Returns the page of a Query or Scan whose filter dropped no item."""
    read = {"Items": items, "Count": len(items), "ScannedCount": len(items)}
    return read if last is None else {**read, "LastEvaluatedKey": last}


def expect_answer(expected, call, **request):
    """Asserts the answer of a call: at once, or on AWS after some time, because global indexes follow their table later."""
    deadline = time.monotonic() + (INDEX_DELAY_S if IS_AWS else 0)
    while True:
        actual = answer(call(**request))
        if actual == expected or time.monotonic() >= deadline:
            break
        time.sleep(0.2)
    assert actual == expected


class Application:
    """One of the five applications: its table, its first items, and their names for expected answers."""

    def __init__(self, name):
        loaded = json.loads((APPLICATIONS / f"{name}.json").read_text(), parse_float=Decimal, parse_int=Decimal)
        self.items = loaded["items"]
        self.definition = loaded["table"]
        self.resource = boto3.resource("dynamodb", **connection())
        self.client = self.resource.meta.client
        self.table = self.resource.create_table(TableName=unique_name(name), **self.definition)
        self.name = self.table.name
        self.table.wait_until_exists()

    def fill(self):
        with self.table.batch_writer() as batch:
            for item in self.items:
                batch.put_item(Item=item)
        return self

    def at(self, *addresses):
        """Returns the items as first stored, in the order of the names; a name is `PK SK`."""
        by_address = {f"{item['PK']} {item['SK']}": item for item in self.items}
        return [by_address[address] for address in addresses]

    def key(self, address, index=None):
        """Returns the paging key of such an item in the table or an index."""
        names = ["PK", "SK"]
        for each in self.definition["GlobalSecondaryIndexes"]:
            if each["IndexName"] == index:
                names += [element["AttributeName"] for element in each["KeySchema"]]
        return {name: self.at(address)[0][name] for name in names}

    def get(self, partition, sort):
        return answer(self.table.get_item(Key={"PK": partition, "SK": sort}, ConsistentRead=True))


@pytest.fixture(scope="module")
def application(request):
    """The application that the test module's APPLICATION names, with its first items."""
    app = Application(request.module.APPLICATION).fill()
    yield app
    app.table.delete()
