"""Time to live and tags through boto3."""

import time

import boto3
import pytest
from conftest import IS_AWS, answer, connection, failure, unique_name, validation


@pytest.fixture(scope="module")
def table():
    made = boto3.resource("dynamodb", **connection()).create_table(
        TableName=unique_name("settings"), BillingMode="PAY_PER_REQUEST", Tags=[{"Key": "team", "Value": "orders"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}], KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}])
    made.wait_until_exists()
    yield made
    made.delete()


def keys_of(table):
    return sorted(item["pk"] for item in table.scan(ConsistentRead=True)["Items"])


def tags_of(table):
    pages = table.meta.client.get_paginator("list_tags_of_resource").paginate(ResourceArn=table.table_arn)
    return {tag["Key"]: tag["Value"] for page in pages for tag in page["Tags"]}


def expect_tags(table, expected):
    """On AWS, tags appear some seconds later."""
    deadline = time.monotonic() + (20 if IS_AWS else 0)
    while tags_of(table) != expected and time.monotonic() < deadline:
        time.sleep(0.5)
    assert tags_of(table) == expected


def test_time_to_live_is_described(table):
    client, name = table.meta.client, table.name
    assert answer(client.describe_time_to_live(TableName=name)) == {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}}
    specification = {"Enabled": True, "AttributeName": "expires"}
    assert answer(client.update_time_to_live(TableName=name, TimeToLiveSpecification=specification)) == {"TimeToLiveSpecification": specification}
    assert answer(client.describe_time_to_live(TableName=name)) == {
        "TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}}
    assert failure(client.update_time_to_live, TableName=name, TimeToLiveSpecification=specification) == validation("TimeToLive is already enabled")


@pytest.mark.skipif(IS_AWS, reason="the service takes minutes to days")
def test_expired_items_go_and_others_stay(table):
    now = int(time.time())
    with table.batch_writer() as batch:
        for i in range(30):
            batch.put_item(Item={"pk": f"expired{i}", "expires": now - 1 - i})
        batch.put_item(Item={"pk": "stays", "expires": now + 3600})
        batch.put_item(Item={"pk": "text", "expires": str(now - 1)})
    deadline = time.monotonic() + 20
    while len(keys_of(table)) > 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert keys_of(table) == ["stays", "text"]


def test_tags_come_and_go(table):
    expect_tags(table, {"team": "orders"})
    client, arn = table.meta.client, table.table_arn
    assert answer(client.tag_resource(ResourceArn=arn, Tags=[{"Key": "team", "Value": "payments"}, {"Key": "stage", "Value": ""}])) == {}
    expect_tags(table, {"team": "payments", "stage": ""})
    assert answer(client.untag_resource(ResourceArn=arn, TagKeys=["team", "none"])) == {}
    expect_tags(table, {"stage": ""})
    refused = validation("Tag Key cannot be prefixed with aws:, Key: aws:stage")
    assert failure(client.tag_resource, ResourceArn=arn, Tags=[{"Key": "aws:stage", "Value": "x"}]) == refused
