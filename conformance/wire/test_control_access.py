"""Who may call the control API, and how it answers requests that cannot be read. Skipped if there is no control API."""

import json

import pytest
from wire import Connection, exchange, request_bytes

MIB = 1024 * 1024
OTHER_ORIGIN = {"error": "The control API does not answer pages of another origin."}


@pytest.fixture(scope="module", autouse=True)
def control_api():
    answer = exchange("GET", "/_hashrange/")
    if answer.headers["Content-Type"] != "application/json":
        pytest.skip("there is no control API")
    if answer.status == 401:
        pytest.skip("the control API wants a token")


def raw(*fields, path="/_hashrange/"):
    """Returns the answer to a request with exactly these header fields."""
    with Connection() as connection:
        return connection.send("\r\n".join([f"GET {path} HTTP/1.1", *fields, "", ""]).encode()).receive("GET")


@pytest.mark.parametrize("field", ["Sec-Fetch-Site: cross-site", "sec-fetch-site:cross-site", "SEC-FETCH-SITE: same-site",
                                   "Origin: http://evil.example", "Origin: https://localhost", "ORIGIN: null"])
def test_a_page_of_another_origin_is_refused(field):
    answer = raw("Host: localhost", field)
    assert (answer.status, answer.json) == (403, OTHER_ORIGIN)
    assert not [name for name in answer.headers if name.lower().startswith("access-control-")]


@pytest.mark.parametrize("field", ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none", "Origin: http://localhost", "X-Other: cross-site"])
def test_its_own_pages_are_let_in(field):
    answer = raw("Host: localhost", field)
    assert (answer.status, "version" in answer.json) == (200, True)


@pytest.mark.parametrize("field", ["X-Forwarded-For: 192.168.1.5", "x-forwarded-proto: https", "Forwarded: for=192.168.1.5"])
def test_a_proxy_is_refused(field):
    answer = raw("Host: localhost", field)
    assert (answer.status, list(answer.json)) == (403, ["error"])


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8000", "localhost.", "db.localhost:1", "127.0.0.1", "[::1]:8000"])
def test_this_machine_has_several_names(host):
    assert raw(f"Host: {host}").status == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost:evil.example", "localhost.evil.example", "[::1]evil", "127.0.0.1.evil.example"])
def test_another_name_is_refused(host):
    assert raw(f"Host: {host}").status == 403


@pytest.mark.parametrize("fields", [
    ["Host: evil.example", "Host: localhost"], ["Host: localhost", "Host: localhost"],
    ["Host: localhost", "Origin: http://evil.example", "Origin: http://localhost"],
    ["Host: localhost", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: none"]])
def test_a_sender_that_is_named_twice_is_refused(fields):
    answer = raw(*fields)
    assert (answer.status, list(answer.json)) == (400, ["error"])


def test_its_last_slash_may_be_missing():
    assert "version" in raw("Host: localhost", path="/_hashrange").json


def refusal(data):
    with Connection() as connection:
        try:
            connection.send(data)
        except ConnectionError:
            pass  # the server may stop reading once it has refused the request
        answer = connection.receive()
        assert connection.closed_by_peer()
    return answer.status, answer.headers["Content-Type"], answer.json


def test_a_body_above_16_mib_is_refused_with_a_sentence():
    body = json.dumps({"data": " " * 16 * MIB}).encode()
    assert refusal(request_bytes("POST", "/_hashrange/seed", {}, body)) == (
        413, "application/json", {"error": "A body may have 16 MiB; a seed of more is read from a path."})


@pytest.mark.parametrize("data", [request_bytes("POST", "/_hashrange/clock", {"Content-Length": "x"}),
                                  request_bytes("GET", "/_hashrange/requests?table=" + "x" * 70_000, {})],
                         ids=["a length that is none", "a line of 70 kB"])
def test_what_is_no_http_is_refused_with_a_sentence(data):
    assert refusal(data) == (400, "application/json", {"error": "This is no HTTP request, or its head has more than 16 KiB."})
