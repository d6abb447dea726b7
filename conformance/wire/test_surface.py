"""Methods, paths, content types and Origin: what is answered before any operation is looked at."""

import pytest
from wire import JSON_1_0, NOT_FOUND_BODY, api_headers, call, exchange


@pytest.mark.parametrize("path", ["/", "/any/path", "/shell?x=y"])
def test_get_answers_that_it_is_healthy(path):
    answer = exchange("GET", path)
    assert (answer.status, answer.body) == (200, b"healthy: dynamodb.us-east-1.amazonaws.com ")
    assert answer.headers["Content-Length"] == "42"
    assert answer.headers["x-amz-crc32"] == "3128867991"


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


@pytest.mark.parametrize("method,body", [("GET", b""), ("POST", b"{}")])
def test_any_origin_is_allowed(method, body):
    headers = {**(api_headers("ListTables") if body else {}), "Origin": "http://localhost:3000"}
    answer = exchange(method, "/", headers, body)
    assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (200, "*")


def test_nothing_is_allowed_without_an_origin():
    assert "Access-Control-Allow-Origin" not in exchange("GET").headers


def test_a_preflight_gets_what_it_asks_for():
    answer = exchange("OPTIONS", "/", {"Origin": "http://localhost:3000", "Access-Control-Request-Headers": "x-amz-target,x-other",
                                       "Access-Control-Request-Method": "POST"})
    cors = {name: value for name, value in answer.headers.items() if name.lower().startswith("access-control-")}
    assert (answer.status, answer.body, answer.headers["Content-Length"]) == (200, b"", "0")
    assert {name.title(): value for name, value in cors.items()} == {
        "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "x-amz-target,x-other",
        "Access-Control-Allow-Methods": "POST", "Access-Control-Max-Age": "172800"}


def test_a_preflight_that_asks_for_nothing_is_told_nothing():
    answer = exchange("OPTIONS", "/", {"Origin": "http://localhost:3000"})
    assert answer.status == 200
    assert "Access-Control-Allow-Headers" not in answer.headers
    assert "Access-Control-Allow-Methods" not in answer.headers
