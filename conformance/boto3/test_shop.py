"""A shop of thirteen rows through boto3: six access patterns with one overloaded index, and its pitfalls."""

import pytest
from boto3.dynamodb.conditions import Attr, Key
from conftest import answer, expect_answer, failure, page, validation

APPLICATION = "shop"


def index(partition, **options):
    return dict(IndexName="GSI1", KeyConditionExpression=Key("GSI1PK").eq(partition), **options)


def by_address(items):
    return sorted(items, key=lambda item: (item["PK"], item["SK"]))


def test_a_customer_by_id(application):
    assert application.get("CUST#c1", "METADATA") == {"Item": application.at("CUST#c1 METADATA")[0]}


def test_the_orders_of_a_customer_newest_first(application):
    expect_answer(page(application.at("ORDER#o2 METADATA", "ORDER#o1 METADATA")), application.table.query, **index("CUST#c1", ScanIndexForward=False))


def test_an_order_with_its_items(application):
    assert answer(application.table.query(KeyConditionExpression=Key("PK").eq("ORDER#o1"), ConsistentRead=True)) == page(
        application.at("ORDER#o1 ITEM#s1", "ORDER#o1 ITEM#s2", "ORDER#o1 METADATA"))


def test_a_product_by_sku(application):
    assert application.get("PRODUCT#s2", "METADATA") == {"Item": application.at("PRODUCT#s2 METADATA")[0]}


def test_every_order_that_contains_a_sku(application):
    expect_answer(page(application.at("ORDER#o1 ITEM#s1", "ORDER#o2 ITEM#s1", "ORDER#o3 ITEM#s1")), application.table.query, **index("PRODUCT#s1"))


def test_all_customers_by_date(application):
    expect_answer(page(application.at("CUST#c1 METADATA", "CUST#c2 METADATA")), application.table.query, **index("CUSTOMER"))


def test_the_table_holds_thirteen_rows(application):
    read = answer(application.table.scan(ConsistentRead=True))
    assert by_address(read.pop("Items")) == by_address(application.items)
    assert read == {"Count": 13, "ScannedCount": 13}


def test_segments_of_a_parallel_scan_share_the_rows(application):
    read = [item for segment in range(4) for item in application.table.scan(ConsistentRead=True, Segment=segment, TotalSegments=4)["Items"]]
    assert by_address(read) == by_address(application.items)


def test_a_paginator_reads_an_index_row_by_row(application):
    pages = application.client.get_paginator("query").paginate(
        TableName=application.name, PaginationConfig={"PageSize": 1}, **index("PRODUCT#s1"))
    assert [item for each in pages for item in each["Items"]] == application.at("ORDER#o1 ITEM#s1", "ORDER#o2 ITEM#s1", "ORDER#o3 ITEM#s1")


REFUSED = [
    ("a query of the index without its partition key", dict(IndexName="GSI1", KeyConditionExpression=Key("GSI1SK").eq("x")),
     "Query condition missed key schema element: GSI1PK"),
    ("a range of partition keys", dict(KeyConditionExpression=Key("PK").gt("CUST#")), "Query key condition not supported"),
    ("a filter on the sort key", dict(KeyConditionExpression=Key("PK").eq("x"), FilterExpression=Attr("SK").eq("x")),
     "Filter Expression can only contain non-primary key attributes: Primary key attribute: SK"),
    ("an index that does not exist", dict(IndexName="GSI9", KeyConditionExpression=Key("GSI9PK").eq("x")),
     "The table does not have the specified index: GSI9"),
    ("a partition key of another type", dict(KeyConditionExpression=Key("PK").eq(1)),
     "One or more parameter values were invalid: Condition parameter type does not match schema type"),
]


@pytest.mark.parametrize("request_,message", [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_pitfall_is_refused(application, request_, message):
    assert failure(application.table.query, **request_) == validation(message)


def test_an_empty_index_key_is_refused_and_nothing_written(application):
    assert failure(application.table.put_item, Item={"PK": "ORDER#bad", "SK": "METADATA", "GSI1PK": "", "GSI1SK": "x"}) == validation(
        "One or more parameter values are not valid. A value specified for a secondary index key is not supported. "
        "The AttributeValue for a key attribute cannot contain an empty string value. IndexName: GSI1, IndexKey: GSI1PK")
    assert application.get("ORDER#bad", "METADATA") == {}
