"""Orders through boto3's resource API: users by email, orders by id and by status, stock that a transaction takes."""

import pytest
from boto3.dynamodb.conditions import Attr, Key
from conftest import CONDITION_FAILED, answer, cancelled, expect_answer, failure, page

APPLICATION = "orders"

NEWEST_FIRST = ["USER#1 ORDER#2024-01-03T00:00:00Z#00000003", "USER#1 ORDER#2024-01-02T00:00:00Z#00000010",
                "USER#1 ORDER#2024-01-02T00:00:00Z#00000002", "USER#1 ORDER#2024-01-01T00:00:00Z#00000001"]


def order(number, status="fresh"):
    padded = f"{number:08d}"
    return {"PK": "USER#7", "SK": f"ORDER#2024-06-01T00:00:00Z#{padded}", "orderId": number, "GSI1PK": f"ORDER#{number}",
            "GSI1SK": "METADATA", "GSI2PK": f"STATUS#{status}", "GSI2SK": f"2024-06-01T00:00:00Z#{padded}"}


def place(app, number, product, quantity):
    """The client of a resource takes and returns plain Python values."""
    return app.client.transact_write_items(TransactItems=[
        {"Put": {"TableName": app.name, "Item": order(number), "ConditionExpression": "attribute_not_exists(PK)"}},
        {"Update": {"TableName": app.name, "Key": {"PK": f"PRODUCT#{product}", "SK": "METADATA"},
                    "UpdateExpression": "SET stock = stock - :q", "ConditionExpression": "stock >= :q",
                    "ExpressionAttributeValues": {":q": quantity}, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}}])


def test_a_user_is_found_by_id_and_by_email(application):
    assert application.get("USER#1", "PROFILE") == {"Item": application.at("USER#1 PROFILE")[0]}
    expect_answer(page(application.at("USER#2 PROFILE")), application.table.query, IndexName="GSI1",
                  KeyConditionExpression=Key("GSI1PK").eq("EMAIL#fay@example.com") & Key("GSI1SK").eq("PROFILE"))


def test_a_user_is_registered_once(application):
    register = dict(Item={"PK": "USER#new", "SK": "PROFILE", "email": "gil@example.com"}, ConditionExpression=Attr("PK").not_exists())
    assert answer(application.table.put_item(**register)) == {}
    assert failure(application.table.put_item, **register) == CONDITION_FAILED


def test_an_order_is_found_by_its_id(application):
    expect_answer(page(application.at("USER#1 ORDER#2024-01-02T00:00:00Z#00000010")), application.table.query,
                  IndexName="GSI1", KeyConditionExpression=Key("GSI1PK").eq("ORDER#10") & Key("GSI1SK").eq("METADATA"))


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
def test_the_orders_of_a_user_come_newest_first_by_page(application, limit):
    condition = Key("PK").eq("USER#1") & Key("SK").begins_with("ORDER#")
    seen, start = [], {}
    while True:
        read = answer(application.table.query(KeyConditionExpression=condition, ScanIndexForward=False, Limit=limit,
                                              ConsistentRead=True, **start))
        seen.append(read)
        if "LastEvaluatedKey" not in read:
            break
        start = {"ExclusiveStartKey": read["LastEvaluatedKey"]}
    expected = []
    for first in range(0, len(NEWEST_FIRST) + 1, limit):
        addresses = NEWEST_FIRST[first:first + limit]
        last = application.key(addresses[-1]) if len(addresses) == limit else None
        expected.append(page(application.at(*addresses), last))
    assert seen == expected


def test_orders_of_a_user_are_read_between_two_days(application):
    condition = Key("PK").eq("USER#1") & Key("SK").between("ORDER#2024-01-02", "ORDER#2024-01-02T~")
    assert answer(application.table.query(KeyConditionExpression=condition, ConsistentRead=True)) == page(application.at(
        "USER#1 ORDER#2024-01-02T00:00:00Z#00000002", "USER#1 ORDER#2024-01-02T00:00:00Z#00000010"))


def test_pending_orders_of_all_users_come_by_date(application):
    pending = ["USER#1 ORDER#2024-01-02T00:00:00Z#00000002", "USER#1 ORDER#2024-01-02T00:00:00Z#00000010",
               "USER#1 ORDER#2024-01-03T00:00:00Z#00000003"]
    query = dict(IndexName="GSI2", KeyConditionExpression=Key("GSI2PK").eq("STATUS#pending"))
    expect_answer(page(application.at(*pending)), application.table.query, **query)
    expect_answer(page(application.at(*pending[:2]), application.key(pending[1], "GSI2")), application.table.query, Limit=2, **query)
    expect_answer(page(application.at(pending[2])), application.table.query,
                  ExclusiveStartKey=application.key(pending[1], "GSI2"), **query)


def test_a_filter_drops_what_was_read(application):
    condition = Key("PK").eq("USER#1") & Key("SK").begins_with("ORDER#")
    assert answer(application.table.query(KeyConditionExpression=condition, FilterExpression=Attr("amount").gt(10), ConsistentRead=True)) == {
        "Items": application.at("USER#1 ORDER#2024-01-01T00:00:00Z#00000001", "USER#1 ORDER#2024-01-02T00:00:00Z#00000002"),
        "Count": 2, "ScannedCount": 4}


def test_an_order_takes_stock(application):
    assert answer(place(application, 101, "1", 2)) == {}
    assert application.get("PRODUCT#1", "METADATA") == {"Item": {**application.at("PRODUCT#1 METADATA")[0], "stock": 3}}
    expect_answer(page([order(101)]), application.table.query, IndexName="GSI1", KeyConditionExpression=Key("GSI1PK").eq("ORDER#101"))


def test_an_order_is_cancelled_whole_when_stock_runs_out(application):
    product = application.at("PRODUCT#2 METADATA")[0]
    # In an error, the SDK does not convert an item.
    raw = {"PK": {"S": "PRODUCT#2"}, "SK": {"S": "METADATA"}, "entityType": {"S": "Product"}, "stock": {"N": "1"}, "price": {"N": "2.5"}}
    assert failure(place, app=application, number=102, product="2", quantity=2) == cancelled(
        "None", {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed", "Item": raw})
    assert application.get("PRODUCT#2", "METADATA") == {"Item": product}
    expect_answer(page([]), application.table.query, IndexName="GSI1", KeyConditionExpression=Key("GSI1PK").eq("ORDER#102"))


def test_an_order_that_is_there_takes_no_stock(application):
    application.table.put_item(Item=order(103))
    before = application.get("PRODUCT#1", "METADATA")
    assert failure(place, app=application, number=103, product="1", quantity=1) == cancelled("ConditionalCheckFailed", "None")
    assert application.get("PRODUCT#1", "METADATA") == before


def test_a_shipped_order_leaves_the_list_of_packed_ones(application):
    item = order(104, "packed")
    application.table.put_item(Item=item)
    query = lambda status: dict(IndexName="GSI2", KeyConditionExpression=Key("GSI2PK").eq(f"STATUS#{status}"))
    expect_answer(page([item]), application.table.query, **query("packed"))
    updated = application.table.update_item(
        Key={"PK": item["PK"], "SK": item["SK"]}, UpdateExpression="SET GSI2PK = :to", ConditionExpression=Attr("GSI2PK").eq("STATUS#packed"),
        ExpressionAttributeValues={":to": "STATUS#onroad"}, ReturnValues="ALL_NEW")
    assert answer(updated) == {"Attributes": {**item, "GSI2PK": "STATUS#onroad"}}
    expect_answer(page([]), application.table.query, **query("packed"))
    expect_answer(page([{**item, "GSI2PK": "STATUS#onroad"}]), application.table.query, **query("onroad"))
