"""Connections: kept alive, pipelined, chunked, slow, broken off, oversize. No request hangs or is carried out in part."""

import json
import uuid

import pytest
from wire import (BARE_SERIALIZATION, Connection, api_headers, call, call_bytes, coral, exchange, request_bytes)

MIB = 1024 * 1024
NO_HTTP = coral("SerializationException", Message="This is no HTTP request, or its head has more than 16 KiB.")
TOO_LARGE = coral("RequestEntityTooLargeException", Message="A body may have 16 MiB; a seed of more is read from a path.")


def item(table, pk):
    return json.dumps({"TableName": table, "Item": {"pk": {"S": pk}}}).encode()


def stored(table, pk):
    return "Item" in call("GetItem", {"TableName": table, "Key": {"pk": {"S": pk}}, "ConsistentRead": True}).json


def chunked(body, size):
    chunks = [body[first:first + size] for first in range(0, len(body), size)]
    return b"".join(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n" for chunk in chunks) + b"0\r\n\r\n"


def test_a_connection_serves_many_requests():
    with Connection() as connection:
        for n in range(50):
            answer = connection.send(call_bytes("ListTables", {"Limit": 1} if n % 2 else b"{")).receive()
            assert answer.status == (200 if n % 2 else 400)


def test_requests_sent_ahead_are_answered_in_order(table):
    names = [uuid.uuid4().hex for _ in range(20)]
    with Connection() as connection:
        connection.send(b"".join(call_bytes("PutItem", item(table, name)) for name in names))
        assert [connection.receive().body for _ in names] == [b"{}"] * 20
        connection.send(b"".join(call_bytes("GetItem", {"TableName": table, "Key": {"pk": {"S": name}}}) for name in names))
        assert [connection.receive().json["Item"]["pk"]["S"] for _ in names] == names


def test_a_request_may_arrive_byte_by_byte(table):
    name = uuid.uuid4().hex
    with Connection() as connection:
        for byte in call_bytes("PutItem", item(table, name)):
            connection.send(bytes([byte]))
        assert connection.receive().body == b"{}"
    assert stored(table, name)


def test_a_client_that_waits_is_told_to_continue(table):
    body = item(table, uuid.uuid4().hex)
    with Connection() as connection:
        connection.send(request_bytes("POST", "/", {**api_headers("PutItem"), "Expect": "100-continue", "Content-Length": str(len(body))}))
        assert connection.stream.readline().startswith(b"HTTP/1.1 100")
        assert connection.stream.readline() == b"\r\n"
        assert connection.send(body).receive().body == b"{}"


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_body_may_come_in_chunks(table, size):
    name = uuid.uuid4().hex
    headers = {**api_headers("PutItem"), "Transfer-Encoding": "chunked"}
    with Connection() as connection:
        connection.send(request_bytes("POST", "/", headers, chunked(item(table, name), size)))
        assert connection.receive().body == b"{}"
        assert connection.send(call_bytes("ListTables", {"Limit": 1})).receive().status == 200
    assert stored(table, name)


def test_a_connection_is_closed_when_asked():
    with Connection() as connection:
        answer = connection.send(request_bytes("GET", "/", {"Connection": "close"})).receive("GET")
        assert answer.status == 200
        assert connection.closed_by_peer()


def test_a_request_broken_off_writes_nothing(table):
    name = uuid.uuid4().hex
    body = item(table, name)
    for length in (len(body) + 100, len(body) + 1):
        with Connection() as connection:
            connection.send(request_bytes("POST", "/", {**api_headers("PutItem"), "Content-Length": str(length)}, body))
    with Connection() as connection:
        connection.send(request_bytes("POST", "/", {**api_headers("PutItem"), "Transfer-Encoding": "chunked"}, chunked(body, 10)[:-5]))
    with Connection() as connection:
        connection.send(call_bytes("PutItem", body)[:-1])
    assert not stored(table, name)


def test_half_a_header_delays_no_other_request():
    whole = call_bytes("ListTables", {"Limit": 1})
    half = [Connection().send(whole[:60 + n]) for n in range(20)]
    assert call("ListTables", {"Limit": 1}).status == 200
    for n, connection in enumerate(half):
        assert connection.send(whole[60 + n:]).receive().status == 200
        connection.close()


def test_idle_connections_delay_no_other_request():
    silent = [Connection() for _ in range(100)]
    assert call("ListTables", {"Limit": 1}).status == 200
    for connection in silent:
        connection.close()


@pytest.mark.parametrize("garbage", [b"hello\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 50 + b"\r\n\r\n",
                                     b"GET / HTTP/1.1\r\nno colon here\r\n\r\n", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: minus\r\n\r\n"],
                         ids=["a word", "a TLS greeting", "a header without colon", "a length that is none"])
def test_what_is_no_http_is_refused_and_closed(garbage):
    with Connection() as connection:
        connection.send(garbage)
        answer = connection.receive()
        assert (answer.status, answer.json) == (400, NO_HTTP)
        assert connection.closed_by_peer()
    assert exchange("GET").status == 200


def test_a_header_that_is_too_long_is_refused_and_closed():
    with Connection() as connection:
        connection.send(request_bytes("POST", "/", {**api_headers("ListTables"), "X-Long": "x" * 17 * 1024}, b"{}"))
        answer = connection.receive()
        assert (answer.status, answer.json) == (400, NO_HTTP)
        assert connection.closed_by_peer()


def test_a_client_of_http_2_is_told_which_http_is_spoken():
    with Connection() as connection:
        answer = connection.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9)).receive()
        assert (answer.status, "HTTP/1.1" in answer.json["Message"]) == (505, True)
        assert connection.closed_by_peer()


@pytest.mark.parametrize("coding", ["gzip", "gzip, chunked", "identity"])
def test_another_coding_than_chunks_is_not_implemented(coding):
    with Connection() as connection:
        connection.send(request_bytes("POST", "/", {**api_headers("ListTables"), "Transfer-Encoding": coding}, b"0\r\n\r\n"))
        answer = connection.receive()
        assert (answer.status, "Transfer-Encoding" in answer.json["Message"]) == (501, True)
        assert connection.closed_by_peer()


def padded(length):
    frame = b'{"Limit":1,"ignored":"%s"}'
    return frame % (b"x" * (length - len(frame) + 2))


def test_a_body_of_16_mib_is_read():
    body = padded(16 * MIB)
    assert len(body) == 16 * MIB
    answer = call("ListTables", body)
    assert (answer.status, "TableNames" in answer.json) == (200, True)


def test_a_larger_body_is_refused():
    with Connection() as connection:
        try:
            connection.send(call_bytes("ListTables", padded(16 * MIB + 1)))
        except ConnectionError:
            pass  # the server may stop reading once it has refused the request
        answer = connection.receive()
    assert (answer.status, answer.json) == (413, TOO_LARGE)


def test_a_larger_body_in_chunks_is_refused():
    with Connection() as connection:
        try:
            connection.send(request_bytes("POST", "/", {**api_headers("ListTables"), "Transfer-Encoding": "chunked"}, chunked(padded(17 * MIB), MIB)))
        except ConnectionError:
            pass
        assert connection.receive().status == 413


def test_a_length_that_is_a_lie_is_refused_unread():
    with Connection() as connection:
        connection.send(request_bytes("POST", "/", {**api_headers("ListTables"), "Content-Length": str(10**15)}))
        assert connection.receive().status == 413


def test_16_mib_of_open_brackets_are_refused():
    answer = call("ListTables", b"[" * (16 * MIB))
    assert (answer.status, answer.body) == (400, BARE_SERIALIZATION)
