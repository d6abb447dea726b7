"""A table of an account of its own for each file; nothing here makes sense against AWS itself."""

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
    """The name of an ACTIVE table with the key `pk`, of the account that calls make when none is named."""
    name = f"conformance-wire-{uuid.uuid4().hex[:12]}"
    assert wire.call("CreateTable", {"TableName": name, **PLAIN}).status == 200
    for _ in range(600):
        if wire.call("DescribeTable", {"TableName": name}).json["Table"]["TableStatus"] == "ACTIVE":
            break
    yield name
    wire.call("DeleteTable", {"TableName": name})
