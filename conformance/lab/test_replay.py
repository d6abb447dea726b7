"""Every request of a run, sent over HTTP to a server, consumes what it consumed in the run.

The server knows nothing of the lab: tables, fill and traffic of each layout come from the file of the run's requests, in its order,
into an account of its own."""

import collections
import http.client
import json
import random
import urllib.parse


import pytest

from conftest import ENDPOINT, NAMES, lab, small_copy

HEADERS = {"Content-Type": "application/x-amz-json-1.0"}


class Account:
    """A connection to the server with the access key of a new account."""

    def __init__(self):
        at = urllib.parse.urlparse(ENDPOINT)
        self.connection = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
        self.number = f"{random.randrange(10**11, 10**12)}"
        self.authorization = (f"AWS4-HMAC-SHA256 Credential={self.number}/20260101/us-east-1/dynamodb/aws4_request, "
                              "SignedHeaders=host, Signature=none")

    def call(self, operation, body):
        """Returns the status and the answer."""
        self.connection.request("POST", "/", json.dumps(body), {
            **HEADERS, "X-Amz-Target": f"DynamoDB_20120810.{operation}", "X-Amz-Date": "20260101T000000Z", "Authorization": self.authorization})
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())


def units_of(operation, answer):
    """Returns the read and write units that an answer says were consumed. A search of vectors consumes bytes instead."""
    consumed = answer.get("ConsumedCapacity", [])
    total = sum(each.get("CapacityUnits", 0) for each in (consumed if isinstance(consumed, list) else [consumed]))
    is_read = operation in ("GetItem", "Query", "Scan", "BatchGetItem", "TransactGetItems")
    return (total, 0) if is_read else (0, total)


@pytest.mark.parametrize("name", NAMES)
def test_a_server_takes_the_same_units(name, tmp_path):
    requests = tmp_path / "requests.jsonl"
    lab("run", small_copy(name, tmp_path, 15), "--no-confirm", "--requests", requests)
    accounts = collections.defaultdict(Account)
    operations = collections.Counter()
    for number, line in enumerate(requests.read_text().splitlines(), 1):
        row = json.loads(line)
        status, answer = accounts[row["layout"]].call(row["operation"], row["input"])
        read, write = units_of(row["operation"], answer)
        assert (status, read, write) == (row["status"], row["read_units"], row["write_units"]), f"line {number}: {line}\n{answer}"
        operations[row["layout"], row["operation"]] += 1
    layouts = {layout for layout, _ in operations}
    assert len(layouts) == 3
    assert all(operations[layout, "CreateTable"] and any(operations[layout, read] for read in ("Query", "Scan", "SearchVectors")) for layout in layouts)
