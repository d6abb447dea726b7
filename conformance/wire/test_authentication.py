"""The form of a signature is checked; whether it is right is not checked."""

import pytest
from wire import api_headers, call, coral, exchange

MISSING = coral("MissingAuthenticationTokenException", message="Request is missing Authentication Token")
PARTS = {"Credential": "Credential=AKID/20240101/us-east-1/dynamodb/aws4_request", "Signature": "Signature=00", "SignedHeaders": "SignedHeaders=host"}
QUERY = {"X-Amz-Algorithm": "AWS4-HMAC-SHA256", "X-Amz-Credential": "AKID%2F20240101%2Fus-east-1%2Fdynamodb%2Faws4_request",
         "X-Amz-Signature": "00", "X-Amz-SignedHeaders": "host", "X-Amz-Date": "20240101T000000Z"}


def query_string(names):
    return "&".join(f"{name}={QUERY[name]}" for name in names)


@pytest.mark.parametrize("header", [None, "Basic abc", "AWS AKID:signature"])
def test_no_token_is_missed(header):
    answer = call("ListTables", {}, Authorization=header)
    assert (answer.status, answer.json) == (400, MISSING)


@pytest.mark.parametrize("left_out", [["Credential"], ["Signature"], ["SignedHeaders"], ["Credential", "Signature", "SignedHeaders"]], ids=",".join)
@pytest.mark.parametrize("dated", [True, False], ids=["dated", "undated"])
def test_an_incomplete_header_names_what_it_lacks(left_out, dated):
    header = "AWS4-HMAC-SHA256 " + ", ".join(text for name, text in PARTS.items() if name not in left_out)
    header = header.strip()
    answer = call("ListTables", {}, Authorization=header, X_Amz_Date="20240101T000000Z" if dated else None)
    message = "".join(f"Authorization header requires '{name}' parameter. " for name in ("Credential", "Signature", "SignedHeaders") if name in left_out)
    message += "" if dated else "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
    assert (answer.status, answer.json) == (400, coral("IncompleteSignatureException", message=f"{message}Authorization={header}"))


def test_a_date_header_will_do():
    assert call("ListTables", {}, X_Amz_Date=None, Date="Mon, 01 Jan 2024 00:00:00 GMT").status == 200


@pytest.mark.parametrize("left_out", ["X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"])
def test_an_incomplete_query_names_what_it_lacks(left_out):
    answer = exchange("POST", "/?" + query_string(name for name in QUERY if name != left_out), api_headers("ListTables", Authorization=None, X_Amz_Date=None), b"{}")
    assert (answer.status, answer.json) == (400, coral("IncompleteSignatureException", message=(
        f"AWS query-string parameters must include '{left_out}'. Re-examine the query-string parameters.")))


@pytest.mark.parametrize("query", ["X-Amz-Algorithm=", "X-Amz-Algorithm", "X-Amz-Algorithm=&X-Amz-Credential=a"])
def test_an_empty_algorithm_in_the_query_is_none(query):
    answer = exchange("POST", "/?" + query, api_headers("ListTables", Authorization=None), b"{}")
    assert (answer.status, answer.json) == (400, MISSING)
    assert exchange("POST", "/?" + query, api_headers("ListTables"), b"{}").status == 200


def test_a_complete_query_will_do():
    answer = exchange("POST", "/?" + query_string(QUERY), api_headers("ListTables", Authorization=None, X_Amz_Date=None), b"{}")
    assert (answer.status, "TableNames" in answer.json) == (200, True)


def test_both_are_one_too_many():
    answer = exchange("POST", "/?" + query_string(QUERY), api_headers("ListTables"), b"{}")
    assert (answer.status, answer.json) == (400, coral("InvalidSignatureException", message=(
        "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.")))
