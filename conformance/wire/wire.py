"""Raw requests to the endpoint, byte for byte, and the raw answers."""

import http.client
import json
import os
import random
import socket
import urllib.parse
import zlib

ENDPOINT = os.environ.get("CONFORMANCE_ENDPOINT")
if not ENDPOINT:
    raise RuntimeError("CONFORMANCE_ENDPOINT is not set: start the suites with conformance/run")
IS_AWS = ".amazonaws.com" in ENDPOINT
_address = urllib.parse.urlsplit(ENDPOINT)
HOST, PORT = _address.hostname, _address.port or 80
TIMEOUT_S = 20

JSON_1_0 = "application/x-amz-json-1.0"
TARGET = "DynamoDB_20120810."


def random_account():
    return str(random.randrange(10**11, 10**12))


def authorization(account="000000000000", region="us-east-1"):
    return (f"AWS4-HMAC-SHA256 Credential={account}/20240101/{region}/dynamodb/aws4_request, "
            "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + "0" * 64)


def api_headers(operation, account="000000000000", region="us-east-1", **changed):
    """Returns the headers of an API call. `changed` replaces a header (underscores for dashes), or leaves it out if the value is None."""
    headers = {"Content-Type": JSON_1_0, "X-Amz-Target": TARGET + operation, "X-Amz-Date": "20240101T000000Z",
               "Authorization": authorization(account, region)}
    headers.update({name.replace("_", "-"): value for name, value in changed.items()})
    return {name: value for name, value in headers.items() if value is not None}


class Answer:
    """One whole HTTP answer."""

    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def crc_is_right(self):
        return self.headers["x-amz-crc32"] == str(zlib.crc32(self.body))


class Connection:
    """A connection that sends raw bytes."""

    def __init__(self):
        self.socket = socket.create_connection((HOST, PORT), timeout=TIMEOUT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.stream.close()
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)
        return self

    def receive(self, method="POST"):
        """Returns the next answer. All answers are read from one stream, so that no byte between them is lost."""
        response = http.client.HTTPResponse(_Source(self.stream), method=method)
        response.begin()
        return Answer(response)

    def closed_by_peer(self):
        """Returns whether the server ends the connection without sending more."""
        try:
            return self.stream.read(1) == b""
        except ConnectionError:
            return True


class _Source:
    """A stream for HTTPResponse that stays open when the response is closed."""

    def __init__(self, stream):
        self.stream = stream

    def makefile(self, _mode):
        return _Unclosable(self.stream)


class _Unclosable:
    def __init__(self, stream):
        self.stream = stream

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def close(self):
        pass


def request_bytes(method, path, headers, body=b""):
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}:{PORT}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body and not any(name.lower() in ("content-length", "transfer-encoding") for name in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def exchange(method, path="/", headers=None, body=b""):
    """Sends one request on a new connection. Returns the answer."""
    with Connection() as connection:
        return connection.send(request_bytes(method, path, headers or {}, body)).receive(method)


def call_bytes(operation, request, **headers):
    """Returns the bytes of an API call. `request` is a value to be encoded as JSON, or the bytes of the body."""
    body = request if isinstance(request, bytes) else json.dumps(request).encode()
    return request_bytes("POST", "/", api_headers(operation, **headers), body)


def call(operation, request, **headers):
    with Connection() as connection:
        return connection.send(call_bytes(operation, request, **headers)).receive()


def coral(name, **members):
    """Returns the body of an error from the part of the service in front of DynamoDB."""
    return {"__type": f"com.amazon.coral.service#{name}", **members}


BARE_SERIALIZATION = b'{"__type":"com.amazon.coral.service#SerializationException"}'
BARE_UNKNOWN_OPERATION = b'{"__type":"com.amazon.coral.service#UnknownOperationException"}'
NOT_FOUND_BODY = b"<UnknownOperationException/>\n"
