"""Each file has a table in its own account. These tests do not run against AWS."""

import uuid

import pytest
import wire

PLAIN = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
         "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST"}


def pytest_collection_modifyitems(items):
    if wire.IS_AWS:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="raw requests are not signed"))


@pytest.fixture(scope="module")
def table():
    """The name of an ACTIVE table with the key `pk`, in the account that calls use by default."""
    name = f"conformance-wire-{uuid.uuid4().hex[:12]}"
    assert wire.call("CreateTable", {"TableName": name, **PLAIN}).status == 200
    for _ in range(600):
        if wire.call("DescribeTable", {"TableName": name}).json["Table"]["TableStatus"] == "ACTIVE":
            break
    yield name
    wire.call("DeleteTable", {"TableName": name})
