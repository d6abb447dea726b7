"""Targets, invalid JSON and bodies of unusual form; and which error is answered first."""

import json

import pytest
from wire import BARE_SERIALIZATION, BARE_UNKNOWN_OPERATION, TARGET, api_headers, call, coral, exchange


def nested(depth):
    return b'{"ignored":' + b"[" * depth + b"]" * depth + b"}"


@pytest.mark.parametrize("target", [None, "", "ListTables", "DynamoDB_20120810", "DynamoDB_20120810.", "DynamoDB_20120810.NoSuchThing",
                                    "DynamoDB_20120810.listTables", "DynamoDB_20990101.ListTables", "Other_20120810.ListTables"])
@pytest.mark.parametrize("body", [b"{}", b""], ids=["with body", "without body"])
def test_an_unknown_target_is_an_unknown_operation(target, body):
    answer = call("ListTables", body, X_Amz_Target=target)
    assert (answer.status, answer.body) == (400, BARE_UNKNOWN_OPERATION)
    assert answer.headers["x-amz-crc32"] == "1368724161"


BROKEN = {
    "a word": b"hello", "half an object": b'{"Limit":', "an open string": b'{"a":"b', "single quotes": b"{'a':1}", "a comma too many": b'{"a":1,}',
    "text after the value": b"{} {}", "a bare number with a zero": b'{"a":01}', "a comment": b"{/* */}", "NaN": b'{"a":NaN}',
    "a control character": b'{"a":"\x01"}', "invalid UTF-8": b'{"a":"\xff\xfe"}', "overlong UTF-8": b'{"a":"\xc0\xaf"}',
    "a surrogate in UTF-8": b'{"a":"\xed\xa0\x80"}', "a lone high surrogate": b'{"a":"\\ud83d"}', "a lone low surrogate": b'{"a":"\\ude00"}',
    "a NUL": b"{}\x00", "1,001 levels": nested(1_000), "200,000 levels": nested(200_000), "200,000 open brackets": b"[" * 200_000,
    "200,000 open objects": b'{"a":' * 200_000,
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_broken_json_is_refused(body):
    answer = call("ListTables", body)
    assert (answer.status, answer.body) == (400, BARE_SERIALIZATION)
    assert answer.headers["x-amz-crc32"] == "3948637019"


def test_an_empty_body_with_a_valid_target_is_refused():
    answer = exchange("POST", "/", {**api_headers("ListTables"), "Content-Length": "0"})
    assert (answer.status, answer.body) == (400, BARE_SERIALIZATION)


def test_a_post_with_neither_length_nor_chunks_has_an_empty_body():
    answer = exchange("POST", "/", api_headers("ListTables"))
    assert (answer.status, answer.body) == (400, BARE_SERIALIZATION)


@pytest.mark.parametrize("body", [b' \r\n\t{ "Limit" : 1 }\n', b'{"Limit":1,"Unknown":{"a":[1,2.5e3,null]}}', b'{"ExclusiveStartTableName":null,"Limit":1}',
                                  b'{"Limit":0,"Limit":1}', b'{"Limit":"x","Limit":1}', b'{"Limit":0,"Limit":null}', b'{"\\u004cimit":1}', nested(999)],
                         ids=["blanks", "an unknown member", "null", "a repeated member", "a repeated member of another type first", "a repeated member, null at last",
                              "an escaped name", "1,000 levels with an unknown member"])
def test_json_of_odd_shape_is_read(body):
    answer = call("ListTables", body)
    assert (answer.status, "TableNames" in answer.json) == (200, True)


def test_a_null_member_counts_as_absent():
    answer = call("GetItem", {"TableName": None, "Key": {"pk": {"S": "x"}}})
    assert (answer.status, answer.json) == (400, {
        "__type": "com.amazon.coral.validate#ValidationException",
        "message": "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null"})


NO_AUTH = dict(Authorization=None)
MISSING_TOKEN = coral("MissingAuthenticationTokenException", message="Request is missing Authentication Token")
FIRST = [
    ("broken JSON before the target", b"{", dict(X_Amz_Target="nope", **NO_AUTH), coral("SerializationException")),
    ("the target before authentication", b"{}", dict(X_Amz_Target=TARGET + "Nope", **NO_AUTH), coral("UnknownOperationException")),
    ("authentication before an empty body", b"", NO_AUTH, MISSING_TOKEN),
    ("authentication before member types", b'{"Limit":"x"}', NO_AUTH, MISSING_TOKEN),
    ("member types before constraints", b'{"Limit":0,"ExclusiveStartTableName":1}', {},
     coral("SerializationException", Message="NUMBER_VALUE cannot be converted to String")),
]


@pytest.mark.parametrize("body,headers,expected", [row[1:] for row in FIRST], ids=[row[0] for row in FIRST])
def test_the_first_complaint(body, headers, expected):
    answer = call("ListTables", body, **headers)
    assert (answer.status, answer.json) == (400, expected)


def test_the_content_type_comes_before_broken_json():
    assert call("ListTables", b"{", Content_Type="text/plain").status == 404


def test_it_is_well_after_all_of_this():
    assert json.loads(call("ListTables", {"Limit": 1}).body).keys() >= {"TableNames"}
