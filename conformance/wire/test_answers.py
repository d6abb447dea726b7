"""The headers of every answer, and the exact bodies of errors."""

import datetime
import email.utils
import re
import uuid

import pytest
from wire import call, coral

REQUEST_ID = re.compile(r"[0-9A-Z]{52}")
DYNAMODB = "com.amazonaws.dynamodb.v20120810#"
MISSING_TABLE = f"conformance-none-{uuid.uuid4().hex[:12]}"


def put(table, pk, **members):
    return call("PutItem", {"TableName": table, "Item": {"pk": {"S": pk}}, **members})


@pytest.mark.parametrize("operation,request_,status", [
    ("ListTables", {}, 200), ("ListTables", {"Limit": 0}, 400), ("ListTables", b"{", 400), ("NoSuchThing", {}, 400), ("GetItem", {"TableName": MISSING_TABLE}, 400)])
def test_an_answer_has_an_id_a_checksum_and_a_length(operation, request_, status):
    answer = call(operation, request_)
    assert answer.status == status
    assert REQUEST_ID.fullmatch(answer.headers["x-amzn-RequestId"])
    assert answer.crc_is_right
    assert answer.headers["Content-Length"] == str(len(answer.body))
    assert answer.headers["Server"] == "Server"
    sent = email.utils.parsedate_to_datetime(answer.headers["Date"])
    assert email.utils.format_datetime(sent, usegmt=True) == answer.headers["Date"]
    assert abs(datetime.datetime.now(datetime.timezone.utc) - sent) < datetime.timedelta(minutes=5)


def test_ids_do_not_repeat():
    ids = [call("ListTables", {"Limit": 1}).headers["x-amzn-RequestId"] for _ in range(20)]
    assert len(set(ids)) == 20


def test_success_with_nothing_to_say_is_an_empty_object(table):
    answer = put(table, "quiet")
    assert (answer.status, answer.body) == (200, b"{}")
    assert call("GetItem", {"TableName": table, "Key": {"pk": {"S": "nobody"}}}).body == b"{}"


def test_an_operation_without_output_has_no_body(table):
    arn = call("DescribeTable", {"TableName": table}).json["Table"]["TableArn"]
    for operation, tags in (("TagResource", {"Tags": [{"Key": "a", "Value": "b"}]}), ("UntagResource", {"TagKeys": ["a"]})):
        answer = call(operation, {"ResourceArn": arn, **tags})
        assert (answer.status, answer.body, answer.headers["Content-Length"], answer.headers["x-amz-crc32"]) == (200, b"", "0", "0")


def test_text_comes_back_as_it_was_sent(table):
    text = "quote \" slash / back \\ tab \t newline \n null \u0000 é 中 😀 \u2028"
    assert put(table, "text").status == 200
    call("PutItem", {"TableName": table, "Item": {"pk": {"S": "text"}, text: {"S": text}}})
    assert call("GetItem", {"TableName": table, "Key": {"pk": {"S": "text"}}}).json == {"Item": {"pk": {"S": "text"}, text: {"S": text}}}


def test_capacity_is_written_as_a_decimal(table):
    answer = put(table, "capacity", ReturnConsumedCapacity="TOTAL")
    assert answer.json == {"ConsumedCapacity": {"TableName": table, "CapacityUnits": 1.0}}
    assert b'"CapacityUnits":1.0' in answer.body


def test_a_validation_error():
    answer = call("ListTables", {"Limit": 0})
    assert (answer.status, answer.json) == (400, {"__type": "com.amazon.coral.validate#ValidationException", "message": (
        "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1")})


def test_a_missing_table():
    key = {"pk": {"S": "x"}}
    assert call("GetItem", {"TableName": MISSING_TABLE, "Key": key}).json == {
        "__type": DYNAMODB + "ResourceNotFoundException", "message": "Requested resource not found"}
    assert call("DescribeTable", {"TableName": MISSING_TABLE}).json == {
        "__type": DYNAMODB + "ResourceNotFoundException", "message": f"Requested resource not found: Table: {MISSING_TABLE} not found"}


def test_a_failed_condition_and_its_item(table):
    put(table, "condition")
    failed = {"__type": DYNAMODB + "ConditionalCheckFailedException"}
    text = "The conditional request failed"
    assert put(table, "condition", ConditionExpression="attribute_not_exists(pk)").json == {**failed, "message": text}
    assert put(table, "condition", ConditionExpression="attribute_not_exists(pk)", ReturnValuesOnConditionCheckFailure="ALL_OLD").json == {
        **failed, "Message": text, "Item": {"pk": {"S": "condition"}}}


def test_a_cancelled_transaction(table):
    check = {"ConditionCheck": {"TableName": table, "Key": {"pk": {"S": "nobody"}}, "ConditionExpression": "attribute_exists(pk)"}}
    write = {"Put": {"TableName": table, "Item": {"pk": {"S": "cancelled"}}}}
    answer = call("TransactWriteItems", {"TransactItems": [write, check]})
    assert (answer.status, answer.json) == (400, {
        "__type": DYNAMODB + "TransactionCanceledException",
        "Message": "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]",
        "CancellationReasons": [{"Code": "None"}, {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}]})


def test_a_table_that_exists(table):
    definition = {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}], "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}
    answer = call("CreateTable", {"TableName": table, "BillingMode": "PAY_PER_REQUEST", **definition})
    assert (answer.status, answer.json) == (400, {"__type": DYNAMODB + "ResourceInUseException", "message": f"Table already exists: {table}"})


def test_a_value_of_no_type_and_of_two(table):
    for value, text in (({}, "is empty"), ({"S": "a", "N": "1"}, "has more than one datatypes set")):
        answer = call("PutItem", {"TableName": table, "Item": {"pk": {"S": "odd"}, "a": value}})
        assert (answer.status, answer.json) == (400, {"__type": "com.amazon.coral.validate#ValidationException", "message": (
            f"Supplied AttributeValue {text}, must contain exactly one of the supported datatypes")})
    assert call("GetItem", {"TableName": table, "Key": {"pk": {"S": "odd"}}}).body == b"{}"


def test_a_serialization_error_has_a_capital_message():
    assert call("ListTables", {"Limit": "x"}).json == coral("SerializationException", Message="STRING_VALUE cannot be converted to Integer")
