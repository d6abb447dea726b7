"""Adding an index to a table with items, and deleting it, as a migration script does with boto3."""

import time

import boto3
import pytest
from boto3.dynamodb.conditions import Key
from conftest import IS_AWS, answer, connection, expect_answer, failure, page, unique_name, validation

ITEMS = [{"PK": "USER#1", "email": "a@example.com", "age": 30}, {"PK": "USER#2", "email": "b@example.com", "age": 20},
         {"PK": "ORDER#1", "total": 5}]


@pytest.fixture(scope="module")
def table():
    table = boto3.resource("dynamodb", **connection()).create_table(
        TableName=unique_name("indexes"), BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}], KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}])
    table.wait_until_exists()
    with table.batch_writer() as batch:
        for item in ITEMS:
            batch.put_item(Item=item)
    yield table
    table.delete()


def until_settled(table):
    """Returns the table's indexes by name, once the table and all of them are ACTIVE."""
    deadline = time.monotonic() + (1200 if IS_AWS else 10)
    while True:
        table.reload()
        indexes = {index["IndexName"]: index for index in table.global_secondary_indexes or []}
        if {table.table_status, *(index["IndexStatus"] for index in indexes.values())} == {"ACTIVE"}:
            return indexes
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_an_index_is_added_filled_and_deleted(table):
    key = [{"AttributeName": "email", "KeyType": "HASH"}]
    table.update(AttributeDefinitions=[{"AttributeName": "email", "AttributeType": "S"}], GlobalSecondaryIndexUpdates=[
        {"Create": {"IndexName": "byEmail", "KeySchema": key, "Projection": {"ProjectionType": "ALL"}}}])
    indexes = until_settled(table)
    assert indexes["byEmail"]["KeySchema"] == key and "Backfilling" not in indexes["byEmail"]
    expect_answer(page(ITEMS[1:2]), table.query, IndexName="byEmail", KeyConditionExpression=Key("email").eq("b@example.com"))
    expect_answer({"Count": 2, "ScannedCount": 2}, table.scan, IndexName="byEmail", Select="COUNT")

    update = {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "byEmail"}}]}
    assert answer(table.meta.client.update_table(TableName=table.name, **update))["TableDescription"]["TableStatus"] == "UPDATING"
    assert until_settled(table) == {}
    assert table.attribute_definitions == [{"AttributeName": "PK", "AttributeType": "S"}]
    assert failure(table.scan, IndexName="byEmail") == validation("The table does not have the specified index: byEmail")
