"""Python's values through boto3's serializer, and sort keys of every type."""

import decimal

import boto3
import pytest
from boto3.dynamodb.conditions import Key
from boto3.dynamodb.types import Binary
from conftest import answer, connection, failure, page, unique_name, validation

D = decimal.Decimal
VALUES = {
    "S": ["A", "AB", "ABC", "B", "a", "é", "\ufb00", "😀"],
    "N": [D(-1000), D("-2.5"), D("-0.001"), D(0), D("0.5"), D(9), D(10), D("12345678901234567890123456789012345678")],
    "B": [Binary(value) for value in (b"\0", b"\0\0", b"\0\1", b"\1", b"\x7f", b"\x80", b"\x80\0", b"\xff")],
}
SORT = Key("sk")
CONDITIONS = [
    ("equal", lambda v: SORT.eq(v[3]), [3]), ("less", lambda v: SORT.lt(v[3]), [0, 1, 2]), ("less or equal", lambda v: SORT.lte(v[3]), [0, 1, 2, 3]),
    ("greater", lambda v: SORT.gt(v[3]), [4, 5, 6, 7]), ("greater or equal", lambda v: SORT.gte(v[3]), [3, 4, 5, 6, 7]),
    ("between", lambda v: SORT.between(v[2], v[5]), [2, 3, 4, 5]),
]


@pytest.fixture(scope="module", params=VALUES)
def sorted_table(request):
    """Returns (table, its eight values ascending) for each type of sort key."""
    kind = request.param
    table = boto3.resource("dynamodb", **connection()).create_table(
        TableName=unique_name("types"), BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": kind}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}])
    table.wait_until_exists()
    with table.batch_writer() as batch:
        for value in reversed(VALUES[kind]):
            batch.put_item(Item={"pk": "p", "sk": value})
    yield table, VALUES[kind]
    table.delete()


@pytest.mark.parametrize("forward", [True, False], ids=["forward", "backward"])
@pytest.mark.parametrize("condition,positions", [row[1:] for row in CONDITIONS], ids=[row[0] for row in CONDITIONS])
def test_every_operator_by_page(sorted_table, condition, positions, forward):
    table, values = sorted_table
    expected = [{"pk": "p", "sk": values[position]} for position in (positions if forward else reversed(positions))]
    query = dict(KeyConditionExpression=Key("pk").eq("p") & condition(values), ScanIndexForward=forward, ConsistentRead=True)
    assert answer(table.query(**query)) == page(expected)
    start = {}
    for first in range(0, len(expected), 2):
        items = expected[first:first + 2]
        read = answer(table.query(**query, Limit=2, **start))
        assert read == page(items, items[-1] if len(items) == 2 else None)
        start = {"ExclusiveStartKey": items[-1]}


def test_every_type_comes_back(sorted_table):
    table, values = sorted_table
    item = {"pk": "every", "sk": values[0], "text": "é😀", "number": D("-1.5"), "bytes": Binary(b"\0\xff"), "yes": True, "nothing": None,
            "texts": {"a", "b"}, "numbers": {D(1), D("2.5")}, "blobs": {Binary(b"1")}, "list": [1, "x", [None]], "map": {"a": {"b": []}}}
    assert answer(table.put_item(Item=item)) == {}
    assert answer(table.get_item(Key={"pk": "every", "sk": values[0]}, ConsistentRead=True)) == {"Item": item}


def test_a_key_of_another_type_is_refused(sorted_table):
    table, values = sorted_table
    other = "text" if not isinstance(values[0], str) else D(1)
    expected = validation("The provided key element does not match the schema")
    assert failure(table.get_item, Key={"pk": "p", "sk": other}) == expected
    assert failure(table.delete_item, Key={"pk": "p", "sk": other}) == expected
