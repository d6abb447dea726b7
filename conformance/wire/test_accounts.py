"""An access key of twelve digits is an account, and the credential scope names the Region. Accounts and Regions share nothing."""

import uuid

import pytest
from conftest import PLAIN
from wire import call, random_account


@pytest.fixture(scope="module")
def account():
    return random_account()


@pytest.fixture(scope="module")
def name(account):
    """Creates a table of that name with one item, in us-east-1 of the account."""
    name = f"conformance-account-{uuid.uuid4().hex[:12]}"
    assert call("CreateTable", {"TableName": name, **PLAIN}, account=account).status == 200
    assert call("PutItem", {"TableName": name, "Item": {"pk": {"S": "x"}, "of": {"S": "first"}}}, account=account).status == 200
    return name


def not_found(name):
    return f"Requested resource not found: Table: {name} not found"


def test_a_fresh_account_is_empty():
    assert call("ListTables", {}, account=random_account()).json == {"TableNames": []}


def test_an_account_sees_its_own_tables_only(account, name):
    assert call("ListTables", {}, account=account).json == {"TableNames": [name]}
    assert call("DescribeTable", {"TableName": name}, account=random_account()).json["message"] == not_found(name)


def test_a_region_sees_its_own_tables_only(account, name):
    assert call("ListTables", {}, account=account, region="eu-west-1").json == {"TableNames": []}
    assert call("DescribeTable", {"TableName": name}, account=account, region="eu-west-1").json["message"] == not_found(name)


def test_an_arn_names_account_and_region(account, name):
    assert call("DescribeTable", {"TableName": name}, account=account).json["Table"]["TableArn"] == f"arn:aws:dynamodb:us-east-1:{account}:table/{name}"


def test_tables_of_one_name_share_nothing(account, name):
    for other, region in ((random_account(), "us-east-1"), (account, "eu-central-1")):
        made = call("CreateTable", {"TableName": name, **PLAIN}, account=other, region=region).json["TableDescription"]
        assert made["TableArn"] == f"arn:aws:dynamodb:{region}:{other}:table/{name}"
        assert call("Scan", {"TableName": name}, account=other, region=region).json == {"Items": [], "Count": 0, "ScannedCount": 0}
        assert call("DeleteTable", {"TableName": name}, account=other, region=region).status == 200
    assert call("Scan", {"TableName": name}, account=account).json == {
        "Items": [{"pk": {"S": "x"}, "of": {"S": "first"}}], "Count": 1, "ScannedCount": 1}
