"""The command line of DynamoDB Local, and what the program answers in its place."""

import contextlib
import http.client
import json
import socket
import subprocess

import pytest

from conftest import PROGRAM, run

UNSIGNED = {"__type": "com.amazonaws.dynamodb.v20120810#MissingAuthenticationToken",
            "Message": "Request must contain either a valid (registered) AWS access key ID or X.509 certificate."}
JAR = ["-Djava.library.path=./DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar", "-port", "0"]
TABLE = {"TableName": "app", "BillingMode": "PAY_PER_REQUEST",
         "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
         "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}]}


class LocalServer:
    """A server that such a command line has started. `lines` are those of its stdout up to the empty line."""

    def __init__(self, *options, program=PROGRAM, **process):
        self.process = subprocess.Popen([program, *JAR, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, **process)
        self.lines = []
        while not self.lines or self.lines[-1]:
            line = self.process.stdout.readline()
            assert line, "the server ended"
            self.lines.append(line.rstrip("\n"))
        self.port = next(int(line.partition("\t")[2]) for line in self.lines if line.startswith("Port:"))

    def stop(self):
        self.process.terminate()
        assert self.process.wait(60) == 0

    def ask(self, method, path="/", body=None, **headers):
        """Returns the status and the body of an answer."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)) as connection:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def call(self, operation, request, key="local", region="us-east-1"):
        status, body = self.ask("POST", body=json.dumps(request), **{
            "X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0", "X-Amz-Date": "20260101T000000Z",
            "Authorization": f"AWS4-HMAC-SHA256 Credential={key}/20260101/{region}/dynamodb/aws4_request, SignedHeaders=host, Signature=0"})
        assert status == 200, body
        return json.loads(body)

    def tables(self, **caller):
        return self.call("ListTables", {}, **caller)["TableNames"]


@pytest.fixture
def local(tmp_path):
    servers = []

    def start(*options, **process):
        servers.append(LocalServer(*options, **{"cwd": tmp_path, **process}))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.stop()


def test_it_begins_with_the_lines_that_scripts_wait_for(local):
    server = local("-inMemory", "-sharedDb", "-delayTransientStatuses", "-cors", "https://app.example", "-disableTelemetry")
    assert server.lines[1:] == [
        "Initializing DynamoDB Local with the following configuration:", f"Port:\t{server.port}", "InMemory:\ttrue", "DbPath:\tnull",
        "SharedDb:\ttrue", "shouldDelayTransientStatuses:\ttrue", "CorsParams:\thttps://app.example", ""]


def test_the_root_answers_400(local):
    server = local("-inMemory")
    status, body = server.ask("GET")
    assert (status, json.loads(body)) == (400, UNSIGNED)
    assert server.ask("HEAD") == (400, "")
    assert server.ask("GET", "/shell/")[0] == 404
    with contextlib.closing(socket.create_connection(("127.0.0.1", server.port), 60)) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"\r\nConnection: close\r\n" in b"".join(iter(lambda: client.recv(4096), b""))
    assert run("healthcheck", "--port", str(server.port)) == (0, "", "")


@pytest.mark.parametrize("name", ["sh", "curl", "wget", "nc"])
def test_a_health_check_of_the_image(local, tmp_path, name):
    server = local("-inMemory")
    link = tmp_path / name
    link.symlink_to(PROGRAM)
    for port, status in ((server.port, 0), (1, 1)):
        done = subprocess.run([link, "-c", f"curl -s http://localhost:{port} || exit 1"], capture_output=True, timeout=60)
        assert done.returncode == status
    assert subprocess.run([link, "-c", "ls"], capture_output=True, timeout=60).returncode == 127


def test_the_program_may_be_called_java(local, tmp_path):
    (tmp_path / "java").symlink_to(PROGRAM)
    assert local("-inMemory", program=str(tmp_path / "java")).tables() == []


def test_tables_are_apart_by_access_key_and_region(local):
    server = local("-inMemory")
    server.call("CreateTable", TABLE)
    assert server.tables() == ["app"]
    assert server.tables(region="eu-west-1") == server.tables(key="other") == server.tables(key="000000000000") == []
    server.call("CreateTable", TABLE, key="other")  # the name is free there
    assert server.tables(key="other") == ["app"]


def test_tables_are_shared_with_shared_db(local):
    server = local("-inMemory", "-sharedDb")
    server.call("CreateTable", TABLE)
    assert server.tables(region="eu-west-1", key="other") == ["app"]


def test_a_folder_keeps_the_tables_of_each_key(local, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/.gitkeep").touch()
    for _ in range(2):
        server = local("-dbPath", "./data")
        for key in ("first", "second"):
            if not server.tables(key=key):
                server.call("CreateTable", {**TABLE, "TableName": key + "-table"}, key=key)
        server.stop()
    server = local("-dbPath", "./data")
    assert "DbPath:\t./data/hashrange-data" in server.lines
    assert [server.tables(key=key) for key in ("first", "second", "third")] == [["first-table"], ["second-table"], []]


def test_without_a_path_the_current_folder_keeps_them(local, tmp_path):
    local("-sharedDb").call("CreateTable", TABLE)
    assert (tmp_path / "hashrange-data/HASHRANGE").is_file()


@pytest.mark.parametrize("name", ["shared-local-instance.db", "local_us-east-1.db"])
def test_a_database_of_dynamodb_local_is_refused_by_name(local, tmp_path, name):
    data = tmp_path / "data"
    data.mkdir()
    (data / name).touch()
    code, _, error = run(*JAR, "-sharedDb", "-dbPath", str(data))
    assert (code, error) == (2, f"hashrange: {data}/{name} is a database of DynamoDB Local, which Hashrange cannot read: copy its tables "
                             f"with `hashrange copy` while DynamoDB Local serves them, or make the folder {data}/hashrange-data to begin "
                             "without them (docs/moving.md) (see hashrange --help)\n")
    (data / "hashrange-data").mkdir()
    assert local("-sharedDb", "-dbPath", str(data)).tables() == []


@pytest.mark.parametrize("options, error", [
    (["-inMemory", "-dbPath", "."], "You can't specify both -dbPath and -inMemory at once"),
    (["-inMemory", "-sharedDB"], "Unrecognized option: -sharedDB"),
    (["-dbPath"], "Missing argument for option: dbPath"),
    (["-dbPath", "/nowhere"], "-dbPath: there is no folder /nowhere that can be read"),
])
def test_a_wrong_command_line(options, error):
    assert run(*JAR, *options) == (2, "", f"hashrange: {error} (see hashrange --help)\n")


def test_help_and_version():
    code, text, _ = run(*JAR, "-help")
    assert code == 0 and "-delayTransientStatuses" in text and "--data DIR/hashrange-data" in text
    assert run(*JAR, "-version")[:2] == run("--version")[:2]


def test_only_indexes_take_their_time(local):
    server = local("-inMemory", "-delayTransientStatuses")
    index = {"IndexName": "by-a", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
    server.call("CreateTable", TABLE)
    server.call("PutItem", {"TableName": "app", "Item": {"PK": {"S": "1"}}})  # the table is ACTIVE at once
    server.call("UpdateTable", {"TableName": "app", "GlobalSecondaryIndexUpdates": [{"Create": index}],
                                "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}]})
    table = server.call("DescribeTable", {"TableName": "app"})["Table"]
    assert (table["TableStatus"], table["GlobalSecondaryIndexes"][0]["IndexStatus"]) == ("UPDATING", "CREATING")


def test_like_dynamodb_local_alone(serve):
    server = serve("--like", "dynamodb-local", "--shared")
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.ready["port"], timeout=60)) as connection:
        connection.request("GET", "/")
        assert json.loads(connection.getresponse().read()) == UNSIGNED
    assert run("serve", "--like", "dynalite")[0] == 2
