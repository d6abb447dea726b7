"""What the program logs to stderr while it serves, for each --log-level."""

import contextlib
import json
import os
import re
import subprocess
import urllib.error
import urllib.request

import pytest

from conftest import PROGRAM

ENDS_WITHIN_S = 60
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))

DEFINITION = {"TableName": "app", "BillingMode": "PAY_PER_REQUEST",
              "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
              "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}]}
NOBODY = {"TableName": "app", "Key": {"PK": {"S": "a"}}}

CREATED = "info table app created for 111122223333/us-east-1"
DELETED = "info table app deleted for 111122223333/us-east-1"
BACKUP = "warning a call of CreateBackup, which Hashrange does not implement"
ELSEWHERE = ("warning table app not found for 444455556666/us-east-1; "
             "a table of that name exists under 111122223333/us-east-1")
REQUESTS = [
    "debug CreateTable app 111122223333/us-east-1 200 0 units T",
    "debug GetItem app 444455556666/us-east-1 400 0 units T ResourceNotFoundException: Requested resource not found",
    "debug GetItem app 111122223333/us-east-1 200 0.5 units T",
    "debug CreateBackup 111122223333/us-east-1 400 UnknownOperationException: Hashrange does not implement CreateBackup.",
    "debug DeleteTable app 111122223333/us-east-1 200 0 units T",
]


def call(endpoint, operation, account, request):
    headers = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"DynamoDB_20120810.{operation}", "X-Amz-Date": "20240101T000000Z",
               "Authorization": f"AWS4-HMAC-SHA256 Credential={account}/20240101/us-east-1/dynamodb/aws4_request, "
                                "SignedHeaders=host, Signature=00"}
    with contextlib.suppress(urllib.error.HTTPError):
        DIRECT.open(urllib.request.Request(endpoint, json.dumps(request).encode(), headers)).read()


def log_of(calls, *arguments):
    """Returns the log of a server that gets these calls, without the times of the lines, and with T for the duration of a call."""
    reader, writer = os.pipe()
    server = subprocess.Popen([PROGRAM, "--port", "0", "--ready-fd", str(writer), *arguments], pass_fds=[writer],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    try:
        with os.fdopen(reader) as ready:
            endpoint = json.loads(ready.read())["endpoint"]
        for each in calls:
            call(endpoint, *each)
        server.terminate()
        _, err = server.communicate(timeout=ENDS_WITHIN_S)
    finally:
        server.kill()
        server.wait()
    return [re.sub(r"\d+\.\d{3} ms", "T", re.sub(r"^\S+ \S+ ", "", line)) for line in err.splitlines()]


CALLS = [("CreateTable", "111122223333", DEFINITION), ("GetItem", "444455556666", NOBODY), ("GetItem", "111122223333", NOBODY),
         ("CreateBackup", "111122223333", {}), ("DeleteTable", "111122223333", {"TableName": "app"})]


def test_a_table_of_another_account_is_in_the_log_once():
    calls = [("CreateTable", "111122223333", DEFINITION)] + 200 * [("GetItem", "444455556666", NOBODY)]
    assert log_of(calls) == [CREATED, ELSEWHERE]


def test_the_log_reports_tables():
    assert log_of(CALLS) == log_of(CALLS, "--log-level", "info") == [CREATED, ELSEWHERE, BACKUP, DELETED]


@pytest.mark.parametrize(("level", "lines"), [("warning", [ELSEWHERE, BACKUP]), ("error", [])])
def test_the_log_is_quieter_when_asked(level, lines):
    assert log_of(CALLS, "--log-level", level) == lines


def test_the_log_reports_each_request_at_debug():
    lines = log_of(CALLS, "--log-level", "debug")
    assert [line for line in lines if line.startswith("debug ")] == REQUESTS
    assert [line for line in lines if not line.startswith("debug ")] == [CREATED, ELSEWHERE, BACKUP, DELETED]
