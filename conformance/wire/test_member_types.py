"""A member with a wrong JSON type is refused with the message for the type that it should have."""

import uuid

import pytest
from wire import call, coral

TABLE = f"conformance-none-{uuid.uuid4().hex[:12]}"
MODEL = "com.amazonaws.dynamodb.v20120810."
WRONG = {"true": True, "false": False, "integer": 3, "decimal": 3.5, "string": "x", "array": [], "object": {}}


def scalar(java, *accepted):
    """Returns the messages of a scalar type for the JSON types that it does not accept."""
    messages = {
        "true": f"TRUE_VALUE cannot be converted to {java}", "false": f"FALSE_VALUE cannot be converted to {java}",
        "integer": f"NUMBER_VALUE cannot be converted to {java}", "decimal": f"DECIMAL_VALUE cannot be converted to {java}",
        "string": f"STRING_VALUE cannot be converted to {java}", "array": f"Unrecognized collection type class java.lang.{java}",
        "object": "Start of structure or map found where not expected",
    }
    return {name: text for name, text in messages.items() if name not in accepted}


def collection(scalar_text, **others):
    return {**dict.fromkeys(["true", "false", "integer", "decimal", "string"], scalar_text), **others}


OBJECT = "Start of structure or map found where not expected"
BLOB = dict.fromkeys(["true", "false", "integer", "decimal"], "only base-64-encoded strings are convertible to bytes")


def attribute_value_map():
    return collection("Unexpected field type", array=f"Unrecognized collection type java.util.Map<java.lang.String, {MODEL}AttributeValue>")


def create_table(**members):
    return {"TableName": TABLE, "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}], **members}


def get_item(**members):
    return {"TableName": TABLE, "Key": {"pk": {"S": "x"}}, **members}


# member -> the operation, a function that puts a value into the request, the message for each wrong type
MEMBERS = {
    "a String": ("GetItem", lambda value: get_item(TableName=value), scalar("String", "string")),
    "a String in a value": ("GetItem", lambda value: get_item(Key={"pk": {"S": value}}), scalar("String", "string")),
    "a number's String": ("GetItem", lambda value: get_item(Key={"pk": {"N": value}}), scalar("String", "string")),
    "an Integer": ("Query", lambda value: {"TableName": TABLE, "Limit": value}, scalar("Integer", "integer", "decimal")),
    "a Long": ("CreateTable", lambda value: create_table(ProvisionedThroughput={"ReadCapacityUnits": value, "WriteCapacityUnits": 1}),
               scalar("Long", "integer", "decimal")),
    "a Boolean": ("GetItem", lambda value: get_item(ConsistentRead=value),
                  {**scalar("Boolean", "true", "false"), "string": "Unexpected token received from parser"}),
    "a Blob": ("GetItem", lambda value: get_item(Key={"pk": {"B": value}}),
               {**BLOB, "string": "Base64 encoded length is expected a multiple of 4 bytes but found: 1",
                "array": "Unrecognized collection type class java.nio.ByteBuffer", "object": OBJECT}),
    "a List": ("GetItem", lambda value: get_item(AttributesToGet=value), collection("Unexpected field type", object=OBJECT)),
    "a set": ("GetItem", lambda value: get_item(Key={"pk": {"SS": value}}), collection("Unexpected field type", object=OBJECT)),
    "a Map of values": ("GetItem", lambda value: get_item(Key=value), attribute_value_map()),
    "a Map in a value": ("GetItem", lambda value: get_item(Key={"pk": {"M": value}}), attribute_value_map()),
    "a Map of names": ("GetItem", lambda value: get_item(ExpressionAttributeNames=value),
                       collection("Unexpected field type", array="Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>")),
    "a structure": ("CreateTable", lambda value: create_table(ProvisionedThroughput=value),
                    collection("Unexpected field type", array=f"Unrecognized collection type class {MODEL}ProvisionedThroughput")),
    "a structure in a map": ("GetItem", lambda value: get_item(Key={"pk": value}),
                             collection("Unexpected value type in payload", array=f"Unrecognized collection type class {MODEL}AttributeValue")),
    "a structure in a list": ("CreateTable", lambda value: create_table(KeySchema=[value]),
                              collection("Unexpected value type in payload", array=f"Unrecognized collection type class {MODEL}KeySchemaElement")),
}

CASES = [(member, wrong) for member, (_, _, messages) in MEMBERS.items() for wrong in messages]


@pytest.mark.parametrize("member,wrong", CASES, ids=[f"{wrong} for {member}" for member, wrong in CASES])
def test_a_wrong_type(member, wrong):
    operation, request, messages = MEMBERS[member]
    answer = call(operation, request(WRONG[wrong]))
    assert (answer.status, answer.json) == (400, coral("SerializationException", Message=messages[wrong]))


NOT_FOUND = {"__type": MODEL[:-1] + "#ResourceNotFoundException", "message": "Requested resource not found"}


@pytest.mark.parametrize("text", ["true", "TRUE", "1", "yes", "Yes", "false", "0", "no"])
def test_a_boolean_may_be_written_as_text(text):
    assert call("GetItem", get_item(ConsistentRead=text)).json == NOT_FOUND


def test_a_decimal_is_floored():
    query = {"TableName": TABLE, "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "x"}}}
    assert call("Query", {**query, "Limit": 1.9}).json == NOT_FOUND
    assert call("Query", {**query, "Limit": 0.9}).json["message"] == (
        "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1")


def test_an_integer_outside_its_type_is_refused():
    for limit in (b"2147483648", b"1e10", b"2147483648.5"):
        assert call("Query", b'{"TableName":"abc","Limit":' + limit + b"}").json == coral(
            "SerializationException", Message="NUMBER_VALUE cannot be converted to Integer")


def test_base64_must_be_canonical():
    for text in ("AB==", "=+/=", "A*AA", "AA==AAAA"):
        assert call("GetItem", get_item(Key={"pk": {"B": text}})).json == coral(
            "SerializationException", Message="Invalid last non-pad Base64 character dectected")


def test_nothing_is_made_of_a_wrong_type():
    call("CreateTable", create_table(BillingMode="PAY_PER_REQUEST", KeySchema=[True]))
    assert call("DescribeTable", {"TableName": TABLE}).json["message"] == f"Requested resource not found: Table: {TABLE} not found"
