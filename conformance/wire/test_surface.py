"""Methods, paths and content types: answers that do not depend on an operation."""

import pytest
from wire import JSON_1_0, NOT_FOUND_BODY, api_headers, call, exchange


@pytest.mark.parametrize("path", ["/", "/?x=y"])
def test_get_answers_that_it_is_healthy(path):
    answer = exchange("GET", path)
    assert (answer.status, answer.body) == (200, b"healthy: dynamodb.us-east-1.amazonaws.com ")
    assert answer.headers["Content-Length"] == "42"
    assert answer.headers["x-amz-crc32"] == "3128867991"


@pytest.mark.parametrize("path", ["/any/path", "/shell?x=y", "//", "/favicon.ico"])
def test_another_page_is_not_found(path):
    answer = exchange("GET", path)
    assert (answer.status, answer.body) == (404, NOT_FOUND_BODY)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_are_not_found(method):
    answer = exchange(method, "/", {"Content-Length": "0"})
    assert (answer.status, answer.body) == (404, NOT_FOUND_BODY)
    assert answer.headers["x-amz-crc32"] == "3552371480"


def test_head_has_no_body():
    answer = exchange("HEAD")
    assert (answer.status, answer.body) == (404, b"")


@pytest.mark.parametrize("content_type", [None, "application/x-amz-json-1.1", "text/plain", "application/xml"])
def test_a_body_of_another_content_type_is_not_found(content_type):
    answer = call("ListTables", {}, Content_Type=content_type)
    assert (answer.status, answer.body) == (404, NOT_FOUND_BODY)


@pytest.mark.parametrize("sent,answered", [
    (JSON_1_0, JSON_1_0), ("application/json", "application/json"), (" application/x-amz-json-1.0 ; charset=utf-8", JSON_1_0),
    ("application/json;charset=UTF-8", "application/json")])
def test_both_kinds_of_json_are_read_and_answered_alike(sent, answered):
    answer = call("ListTables", {}, Content_Type=sent)
    assert (answer.status, answer.headers["Content-Type"]) == (200, answered)


def test_the_path_of_a_call_is_ignored():
    answer = exchange("POST", "/some/where", api_headers("ListTables"), b"{}")
    assert (answer.status, list(answer.json)) == (200, ["TableNames"])
