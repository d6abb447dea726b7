"""The AWS CLI, as a person at a terminal uses it."""

import json
import os
import subprocess
import time
import uuid

import pytest

AWS = "/usr/bin/aws"
ENDPOINT = os.environ["CONFORMANCE_ENDPOINT"]
IS_AWS = ".amazonaws.com" in ENDPOINT
SERVICE_ERROR = 254  # the exit code of the CLI when the service answers with an error


def environment():
    own = {} if IS_AWS else {"AWS_ACCESS_KEY_ID": "123456789012", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1",
                             "AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull}
    # Debian's CLI needs Debian's Python.
    return {**os.environ, "AWS_PAGER": "", "PATH": "/usr/bin:/bin", **own}


def run(*arguments):
    return subprocess.run([AWS, "dynamodb", *arguments, "--endpoint-url", ENDPOINT, "--output", "json"], env=environment(), capture_output=True, text=True)


def aws(*arguments):
    """Returns the parsed JSON that a command prints; None when it prints nothing."""
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout) if done.stdout.strip() else None


def key(number):
    return json.dumps({"PK": {"S": "USER#1"}, "SK": {"S": f"ORDER#{number}"}})


@pytest.fixture(scope="module")
def table():
    name = f"conformance-cli-{uuid.uuid4().hex[:12]}"
    made = aws("create-table", "--table-name", name, "--billing-mode", "PAY_PER_REQUEST",
               "--attribute-definitions", "AttributeName=PK,AttributeType=S", "AttributeName=SK,AttributeType=S",
               "--key-schema", "AttributeName=PK,KeyType=HASH", "AttributeName=SK,KeyType=RANGE")
    assert made["TableDescription"]["TableName"] == name
    deadline = time.monotonic() + 60
    while aws("describe-table", "--table-name", name)["Table"]["TableStatus"] != "ACTIVE":
        assert time.monotonic() < deadline
    yield name
    aws("delete-table", "--table-name", name)


def test_a_table_is_listed(table):
    assert table in aws("list-tables")["TableNames"]


def test_an_item_is_put_read_changed_queried_and_deleted(table):
    item = {"PK": {"S": "USER#1"}, "SK": {"S": "ORDER#1"}, "amount": {"N": "5"}}
    assert aws("put-item", "--table-name", table, "--item", json.dumps(item)) is None
    assert aws("get-item", "--table-name", table, "--key", key(1), "--consistent-read") == {"Item": item}
    changed = {**item, "amount": {"N": "7.5"}}
    assert aws("update-item", "--table-name", table, "--key", key(1), "--update-expression", "SET amount = amount + :v",
               "--expression-attribute-values", '{":v":{"N":"2.5"}}', "--return-values", "ALL_NEW") == {"Attributes": changed}
    assert aws("query", "--table-name", table, "--consistent-read", "--key-condition-expression", "PK = :p AND begins_with(SK, :s)",
               "--expression-attribute-values", '{":p":{"S":"USER#1"},":s":{"S":"ORDER#"}}') == {
        "Items": [changed], "Count": 1, "ScannedCount": 1, "ConsumedCapacity": None}
    assert aws("delete-item", "--table-name", table, "--key", key(1), "--return-values", "ALL_OLD") == {"Attributes": changed}
    assert aws("get-item", "--table-name", table, "--key", key(1), "--consistent-read") is None


def test_a_transaction_is_written_and_read(table):
    put = [{"Put": {"TableName": table, "Item": {**json.loads(key(number)), "n": {"N": str(number)}}}} for number in (2, 3)]
    assert aws("transact-write-items", "--transact-items", json.dumps(put)) is None
    get = [{"Get": {"TableName": table, "Key": json.loads(key(number))}} for number in (3, 4, 2)]
    assert aws("transact-get-items", "--transact-items", json.dumps(get)) == {
        "Responses": [{"Item": put[1]["Put"]["Item"]}, {}, {"Item": put[0]["Put"]["Item"]}]}


def test_an_error_is_told_and_counted_as_one(table):
    done = run("put-item", "--table-name", table, "--item", key(9), "--condition-expression", "attribute_exists(PK)")
    assert (done.returncode, done.stdout) == (SERVICE_ERROR, "")
    assert done.stderr.strip() == ("An error occurred (ConditionalCheckFailedException) when calling the PutItem operation: "
                                   "The conditional request failed")
