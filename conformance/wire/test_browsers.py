"""Web pages of this machine may call; calls of other pages are refused and not carried out."""

import uuid

import pytest
from wire import api_headers, call, call_bytes, Connection, exchange

EXPOSED = "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,x-amz-crc32,Date"
ORIGINS = ["http://localhost:3000", "https://localhost", "http://app.localhost:5173", "http://127.0.0.1:8080", "http://[::1]:3000"]
FOREIGN = ["http://evil.example", "https://localhost.evil.example", "http://evillocalhost:3000", "http://192.168.1.5:3000", "null", "file://"]


def cors(answer):
    return {name.title(): value for name, value in answer.headers.items() if name.lower().startswith("access-control-")}


@pytest.mark.parametrize("method,body", [("GET", b""), ("POST", b"{}"), ("POST", b"{")])
@pytest.mark.parametrize("origin", ORIGINS)
def test_a_page_of_this_machine_may_call(method, body, origin):
    answer = exchange(method, "/", {**(api_headers("ListTables") if body else {}), "Origin": origin}, body)
    assert answer.status == (400 if body == b"{" else 200)
    allowed = cors(answer)
    assert allowed in ({"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": EXPOSED},
                       {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": EXPOSED})
    assert allowed["Access-Control-Allow-Origin"] == "*" or answer.headers["Vary"] == "Origin"


def test_nothing_is_allowed_without_an_origin():
    assert cors(exchange("GET")) == {}


def test_a_preflight_gets_what_it_asks_for():
    answer = exchange("OPTIONS", "/", {"Origin": ORIGINS[0], "Access-Control-Request-Headers": "x-amz-target,x-other",
                                       "Access-Control-Request-Method": "POST"})
    assert (answer.status, answer.body, answer.headers["Content-Length"]) == (200, b"", "0")
    allowed = cors(answer)
    assert allowed.pop("Access-Control-Allow-Origin") in (ORIGINS[0], "*")
    assert allowed == {
        "Access-Control-Allow-Headers": "x-amz-target,x-other", "Access-Control-Allow-Methods": "POST",
        "Access-Control-Max-Age": "172800", "Access-Control-Expose-Headers": EXPOSED}


def test_a_preflight_that_asks_for_nothing_is_told_nothing():
    answer = exchange("OPTIONS", "/", {"Origin": ORIGINS[0]})
    assert answer.status == 200
    assert "Access-Control-Allow-Headers" not in answer.headers
    assert "Access-Control-Allow-Methods" not in answer.headers


@pytest.fixture
def refuses_pages():
    if exchange("GET", "/", {"Origin": FOREIGN[0]}).status != 403:
        pytest.skip("pages from everywhere may call")


@pytest.mark.parametrize("origin", FOREIGN)
@pytest.mark.parametrize("method", ["GET", "OPTIONS", "POST"])
def test_a_page_from_elsewhere_is_refused(refuses_pages, method, origin):
    headers = {**api_headers("ListTables"), "Origin": origin, "Access-Control-Request-Method": "POST"}
    answer = exchange(method, "/", headers, b"{}" if method == "POST" else b"")
    assert (answer.status, cors(answer)) == (403, {})
    assert answer.json["__type"] == "com.amazon.coral.service#AccessDeniedException"
    assert "--cors" in answer.json["Message"]


def test_nothing_is_done_for_a_page_from_elsewhere(refuses_pages, table):
    name = uuid.uuid4().hex
    assert call("PutItem", {"TableName": table, "Item": {"pk": {"S": name}}}, Origin=FOREIGN[0]).status == 403
    assert call("DeleteTable", {"TableName": table}, Origin=FOREIGN[0]).status == 403
    assert call("GetItem", {"TableName": table, "Key": {"pk": {"S": name}}}).body == b"{}"


def test_a_connection_goes_on_after_a_refusal(refuses_pages):
    with Connection() as connection:
        connection.send(call_bytes("ListTables", {"Limit": 1}, Origin=FOREIGN[0]) + call_bytes("ListTables", {"Limit": 1}))
        assert [connection.receive().status for _ in range(2)] == [403, 200]
