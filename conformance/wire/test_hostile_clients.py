"""Clients that take all they can: memory, connections, calls of another user. Each test starts a server of its own."""

import contextlib
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time

import pytest
from wire import api_headers, authorization

PROGRAM = os.environ.get("CONFORMANCE_SERVER")
IS_MODULE = "CONFORMANCE_MODULE" in os.environ
OTHER_USER = 4242
MB = 1 << 20
TABLE = {"TableName": "app", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
         "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]}

pytestmark = pytest.mark.skipif(not PROGRAM, reason="an endpoint is tested, not a program")


class Server:
    """A server that listens, in a process of its own."""

    def __init__(self, *options):
        reader, writer = os.pipe()
        self.process = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--threads", "2", "--ready-fd", str(writer), *options],
                                        pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as ready:
            self.port = json.loads(ready.read())["port"]

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def exchange(self, method, path, body=None, headers=None):
        """Returns the status and the body of the answer on a new connection; status 0 if there is no answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except (ConnectionError, http.client.HTTPException):
            return 0, ""
        finally:
            connection.close()

    def call(self, operation, request):
        status, body = self.exchange("POST", "/", json.dumps(request), api_headers(operation))
        return status, json.loads(body) if body else None

    def most_resident_bytes(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmHWM:\s+(\d+) kB", status.read())[1]) * 1024


@pytest.fixture
def serve():
    with contextlib.ExitStack() as servers:
        def start(*options):
            server = Server(*options)
            servers.callback(server.process.communicate, timeout=60)
            servers.callback(server.process.terminate)
            return server
        yield start


def until(seconds, ask, expected):
    """Asks until the answer is the expected one, or the time is over. Returns the last answer."""
    end = time.monotonic() + seconds
    while True:
        answer = ask()
        if answer == expected or time.monotonic() > end:
            return answer
        time.sleep(0.05)


def request_of(server, operation, request):
    body = json.dumps(request)
    head = {"Host": f"127.0.0.1:{server.port}", "Content-Length": len(body), **api_headers(operation)}
    return ("POST / HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in head.items()) + "\r\n" + body).encode()


def test_answers_that_nobody_reads_take_bounded_memory(serve):
    server = serve("--max-memory", "500MB", "--request-memory", "64MB")
    assert server.call("CreateTable", TABLE)[0] == 200
    for i in range(41):
        item = {"pk": {"S": str(i)}, "text": {"S": "x" * 400_000}}
        assert server.call("PutItem", {"TableName": "app", "Item": item})[0] == 200
    batch = request_of(server, "BatchGetItem", {"RequestItems": {"app": {"Keys": [{"pk": {"S": str(i)}} for i in range(41)]}}})
    put = {"TableName": "app", "Item": {"pk": {"S": "new"}}}
    with contextlib.ExitStack() as hostile:
        for _ in range(60):
            hostile.enter_context(server.connect()).sendall(batch * 10)
        # Others are refused for the true reason.
        assert until(20, lambda: server.call("PutItem", put)[0], 503) == 503
        assert server.call("PutItem", put)[1] == {
            "__type": "com.amazon.coral.service#ServiceUnavailableException",
            "Message": "The requests under way, and the answers that their clients do not read, take all of the server's --request-memory."}
        # The data have 17 MB, and each thread may make one answer more than fits, in a buffer of up to twice its size.
        assert server.most_resident_bytes() < 350 * MB
    assert until(20, lambda: server.call("PutItem", put)[0], 200) == 200
    metrics = server.exchange("GET", "/_hashrange/metrics")[1]
    assert float(re.search(r'hashrange_memory_bytes\{part="buffers"\} (\S+)', metrics)[1]) < 10 * MB


def test_silent_connections_lock_nobody_out(serve):
    server = serve("--max-connections", "20")
    with contextlib.ExitStack() as silent:
        for _ in range(60):
            silent.enter_context(server.connect())
        for _ in range(5):
            assert server.call("ListTables", {}) == (200, {"TableNames": []})
            assert server.exchange("GET", "/_hashrange/clock")[0] == 200


def test_a_connection_in_use_is_not_closed_for_silent_ones(serve):
    server = serve("--max-connections", "20")
    with contextlib.ExitStack() as silent:
        used = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        silent.callback(used.close)
        for _ in range(30):
            time.sleep(0.1)
            silent.enter_context(server.connect())
            used.request("POST", "/", "{}", api_headers("ListTables"))
            answer = used.getresponse()
            assert (answer.status, answer.read()) == (200, b'{"TableNames":[]}')


def test_heads_that_come_byte_by_byte_lock_nobody_out(serve):
    server = serve("--max-connections", "8")
    with contextlib.ExitStack() as slow:
        sockets = [slow.enter_context(server.connect()) for _ in range(8)]
        for each in sockets:
            each.sendall(b"POST / HTTP/1.1\r\nX: ")

        def ask():
            for each in sockets:
                with contextlib.suppress(OSError):
                    each.sendall(b"x")
            return server.call("ListTables", {})[0]

        # They are not closed at once: a head may need some time.
        assert ask() == 503
        assert server.exchange("GET", "/_hashrange/clock")[0] == 200
        assert until(25, ask, 200) == 200


AS_OTHER = """
import http.client, json, sys
port, token, calls = int(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
answers = []
for method, path, body, headers in calls:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, body, {**headers, **({"Authorization": "Bearer " + token} if token else {})})
    answers.append(connection.getresponse().status)
    connection.close()
print(json.dumps(answers))
"""


def statuses_for_another_user(server, calls, token=""):
    done = subprocess.run([sys.executable, "-I", "-c", AS_OTHER, str(server.port), token, json.dumps(calls)],
                          capture_output=True, text=True, timeout=120, user=OTHER_USER, group=OTHER_USER, extra_groups=[], cwd="/")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


CLOSED = [["POST", "reset", "{}"], ["POST", "fork", '{"from":"000000000000","to":"111122223333"}'], ["POST", "clock", '{"advance":"1s"}'],
          ["POST", "faults", '{"rules":[]}'], ["DELETE", "faults", None], ["POST", "snapshots", '{"name":"a"}'], ["POST", "metrics", "{}"],
          ["POST", "requests", '{"enabled":true}'], ["GET", "requests", None], ["DELETE", "requests", None],
          ["POST", "measurements", '{"name":"a"}'], ["GET", "measurements/a", None], ["GET", "partitions", None]]
OPEN = [["GET", "", None], ["GET", "clock", None], ["GET", "faults", None], ["GET", "metrics", None], ["GET", "snapshots", None]]


@pytest.mark.skipif(IS_MODULE, reason="Node.js does not know which user calls")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may be two users")
def test_another_user_changes_nothing_and_sees_no_requests(serve):
    def control(rows):
        return [[method, "/_hashrange/" + path, body, {}] for method, path, body in rows]

    server = serve()
    list_tables = ["POST", "/", "{}", {**api_headers("ListTables"), "Authorization": authorization()}]
    assert statuses_for_another_user(server, control(CLOSED)) == [403] * len(CLOSED)
    assert statuses_for_another_user(server, [*control(OPEN), list_tables]) == [200] * (len(OPEN) + 1)
    assert json.loads(server.exchange("GET", "/_hashrange/clock")[1])["mode"] == "real"
    assert server.exchange("POST", "/_hashrange/metrics") == (200, '{"enabled":true}')
    token = "a token of this test"
    guarded = serve("--control-token", token)
    assert statuses_for_another_user(guarded, control(CLOSED)) == [401] * len(CLOSED)
    assert statuses_for_another_user(guarded, control(OPEN), token) == [200] * len(OPEN)
    assert statuses_for_another_user(guarded, control([["POST", "reset", "{}"]]), token) == [200]


@pytest.mark.skipif(IS_MODULE, reason="Node.js does not know which user calls")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may be two users")
def test_another_user_that_leaves_at_once_changes_nothing(serve):
    server = serve()
    assert server.call("CreateTable", TABLE)[0] == 200
    script = ("import socket, sys\n"
              "for _ in range(50):\n"
              "    s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n"
              "    s.sendall(b'POST /_hashrange/reset HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 2\\r\\n\\r\\n{}')\n"
              "    s.close()\n")
    subprocess.run([sys.executable, "-I", "-c", script, str(server.port)], check=True, timeout=60,
                   user=OTHER_USER, group=OTHER_USER, extra_groups=[], cwd="/")
    assert server.exchange("GET", "/_hashrange/clock")[0] == 200  # calls of the control API are made one after another
    assert server.call("ListTables", {}) == (200, {"TableNames": ["app"]})
