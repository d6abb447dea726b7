"""A server whose process gets no more memory: it answers errors, stays alive, and serves again after a reset."""

import http.client
import json
import os
import random
import resource
import threading
import time

HEADERS = {
    "Content-Type": "application/x-amz-json-1.0", "X-Amz-Date": "20260101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=000000000000/20260101/us-east-1/dynamodb/aws4_request, "
                     "SignedHeaders=host, Signature=0"}
TABLE = {
    "TableName": "app", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "group")],
    "GlobalSecondaryIndexes": [{"IndexName": "groups", "KeySchema": [{"AttributeName": "group", "KeyType": "HASH"}],
                                "Projection": {"ProjectionType": "ALL"}}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}}
ROOM_BYTES = 24 << 20
LOAD_S = 4
MOST_LOAD_S = 60  # on a machine so slow that the memory is not used up before


class Client:
    """Calls on a connection that is made anew after a failure. A call returns its status, or None without an answer."""

    def __init__(self, port):
        self.port = port
        self.connection = None

    def send(self, method, path, body, headers):
        try:
            self.connection = self.connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            self.connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = self.connection.getresponse()
            answer.read()
            return answer.status
        except (OSError, http.client.HTTPException):
            self.connection = None
            return None

    def call(self, operation, body):
        return self.send("POST", "/", body, {**HEADERS, "X-Amz-Target": "DynamoDB_20120810." + operation})

    def control(self, method, path, body=None):
        return self.send(method, "/_hashrange/" + path, body, {})


def any_call(client, chance):
    """Makes a call of the API."""
    number = chance.randrange(100_000)
    key = {"pk": {"S": str(number)}}
    item = {**key, "group": {"S": str(number % 7)}, "text": {"S": "x" * 3000}}
    operation, body = chance.choice([
        *[("PutItem", {"Item": item})] * 4, ("GetItem", {"Key": key}), ("DeleteItem", {"Key": key}), ("Scan", {"Limit": 1000}),
        ("UpdateItem", {"Key": key, "UpdateExpression": f"SET a{number} = :v",
                        "ExpressionAttributeValues": {":v": {"S": "y" * 500}}}),
        ("Query", {"IndexName": "groups", "KeyConditionExpression": "#g = :g", "ExpressionAttributeNames": {"#g": "group"},
                   "ExpressionAttributeValues": {":g": {"S": "1"}}}),
        ("TransactWriteItems", [{"Put": {"TableName": "app", "Item": item}}]),
        ("BatchWriteItem", [{"PutRequest": {"Item": {**item, "pk": {"S": f"{number}-{i}"}}}} for i in range(20)]),
        ("ExecuteStatement", f"SELECT * FROM app WHERE pk = '{number}'")])
    body = {"TransactWriteItems": lambda: {"TransactItems": body}, "BatchWriteItem": lambda: {"RequestItems": {"app": body}},
            "ExecuteStatement": lambda: {"Statement": body}}.get(operation, lambda: {"TableName": "app", **body})()
    return client.call(operation, body)


def any_control_call(client, chance):
    number = str(chance.randrange(20))
    return client.control(*chance.choice([
        ("POST", "fork", {"from": "000000000000", "to": "1000000000" + number.zfill(2)}), ("GET", "metrics"),
        ("POST", "measurements", {"name": number}), ("GET", "measurements/" + number), ("POST", "requests", {"enabled": True}),
        ("POST", "snapshots", {"name": number}), ("POST", "explain", {"operation": "Scan", "input": {"TableName": "app"}})]))


def test_a_server_without_memory_stays(serve):
    server = serve("--max-memory", "0")
    port = int(server.endpoint.rsplit(":", 1)[1])
    assert Client(port).call("CreateTable", TABLE) == 200
    pages = int(open(f"/proc/{server.process.pid}/statm").read().split()[0])
    limit = pages * os.sysconf("SC_PAGESIZE") + ROOM_BYTES
    resource.prlimit(server.process.pid, resource.RLIMIT_AS, (limit, limit))

    statuses, begin = set(), time.monotonic()

    def is_loading():
        seconds = time.monotonic() - begin
        return seconds < LOAD_S or (500 not in statuses and seconds < MOST_LOAD_S)

    def work(make, seed):
        client, chance = Client(port), random.Random(seed)
        while is_loading():
            statuses.add(make(client, chance))

    threads = [threading.Thread(target=work, args=(any_control_call if i < 2 else any_call, i)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert server.process.poll() is None, f"the server has ended: {server.process.returncode}"
    assert 500 in statuses, "memory was not used up"

    # A connection may be closed for want of memory, until the memory of those that have ended is free.
    outcomes, deadline = [], time.monotonic() + 10
    while 200 not in outcomes and time.monotonic() < deadline:
        outcomes.append(Client(port).control("POST", "reset", {"simulation": True}))
        time.sleep(0.05)
    assert 200 in outcomes, outcomes
    client = Client(port)
    assert client.control("DELETE", "measurements") == 200
    for number in range(20):  # a snapshot keeps the items of its tables
        assert client.control("DELETE", f"snapshots/{number}") in (200, 404)
    deadline = time.monotonic() + 10  # the items are freed in the background
    while client.call("CreateTable", TABLE) != 200:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    for number in range(100):
        assert client.call("PutItem", {"TableName": "app", "Item": {"pk": {"S": str(number)}}}) == 200
    assert server.process.poll() is None
