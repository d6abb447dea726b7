"""Accounts, users and service groups through boto3: one table and its inverse index."""

import pytest
from boto3.dynamodb.conditions import Attr, Key
from conftest import answer, expect_answer, failure, page, validation

APPLICATION = "saas"

COLLECTION = ["account:a1 metadata:account", "account:a1 servicegroup:g1", "account:a1 servicegroup:g2", "account:a1 user:u1",
              "account:a1 user:u1#servicegroup:g1", "account:a1 user:u1#servicegroup:g2", "account:a1 user:u2",
              "account:a1 user:u2#servicegroup:g1", "account:a1 user:u3"]

SORT = Key("SK")
CONDITIONS = [
    ("equal", SORT.eq("user:u1"), [3]),
    ("less", SORT.lt("servicegroup:g2"), [0, 1]),
    ("less or equal", SORT.lte("servicegroup:g2"), [0, 1, 2]),
    ("greater", SORT.gt("user:u2"), [7, 8]),
    ("greater or equal", SORT.gte("user:u2"), [6, 7, 8]),
    ("between", SORT.between("servicegroup:g2", "user:u1#servicegroup:g1"), [2, 3, 4]),
    ("prefix", SORT.begins_with("user:"), [3, 4, 5, 6, 7, 8]),
    ("longer prefix", SORT.begins_with("user:u2"), [6, 7]),
    ("absent prefix", SORT.begins_with("none:"), []),
]


def inverse(sort, condition=None, **options):
    whole = Key("SK").eq(sort) if condition is None else Key("SK").eq(sort) & condition
    return dict(IndexName="inverse", KeyConditionExpression=whole, **options)


def test_an_account_is_found_by_id(application):
    assert application.get("account:a1", "metadata:account") == {"Item": application.at("account:a1 metadata:account")[0]}


def test_an_account_holds_everything_in_one_collection(application):
    assert answer(application.table.query(KeyConditionExpression=Key("PK").eq("account:a1"), ConsistentRead=True)) == page(application.at(*COLLECTION))


@pytest.mark.parametrize("forward", [True, False], ids=["forward", "backward"])
@pytest.mark.parametrize("condition,positions", [row[1:] for row in CONDITIONS], ids=[row[0] for row in CONDITIONS])
def test_every_operator_on_the_sort_key(application, condition, positions, forward):
    expected = [COLLECTION[position] for position in (positions if forward else reversed(positions))]
    assert answer(application.table.query(KeyConditionExpression=Key("PK").eq("account:a1") & condition, ScanIndexForward=forward,
                                          ConsistentRead=True)) == page(application.at(*expected))


def test_the_inverse_index_lists_every_account(application):
    expect_answer(page(application.at("account:a1 metadata:account", "account:a2 metadata:account")), application.table.query,
                  **inverse("metadata:account"))


def test_the_inverse_index_finds_the_account_of_a_user(application):
    expect_answer(page(application.at("account:a2 user:u4")), application.table.query, **inverse("user:u4", Key("PK").begins_with("account:")))


def test_the_inverse_index_lists_the_users_of_a_service_group_by_page(application):
    members = ["user:u1 servicegroup:g1", "user:u2 servicegroup:g1"]
    query = inverse("servicegroup:g1", Key("PK").begins_with("user:"))
    expect_answer(page(application.at(*members)), application.table.query, **query)
    expect_answer(page(application.at(members[0]), application.key(members[0], "inverse")), application.table.query, Limit=1, **query)
    expect_answer(page(application.at(members[1])), application.table.query, ExclusiveStartKey=application.key(members[0], "inverse"), **query)


def test_a_membership_begins_and_ends_in_the_inverse_index(application):
    key = {"PK": "user:u9", "SK": "servicegroup:g9"}
    application.table.put_item(Item=key)
    expect_answer(page([key]), application.table.query, **inverse("servicegroup:g9"))
    application.table.delete_item(Key=key)
    expect_answer(page([]), application.table.query, **inverse("servicegroup:g9"))


def test_administration_scans_for_one_kind(application):
    read = answer(application.table.scan(ConsistentRead=True, FilterExpression=Attr("entityType").eq("User")))
    assert sorted(read.pop("Items"), key=lambda item: item["SK"]) == [item for item in application.items if item["entityType"] == "User"]
    assert read == {"Count": 4, "ScannedCount": len(application.items)}


def test_the_inverse_index_is_not_read_consistently(application):
    assert failure(application.table.query, ConsistentRead=True, **inverse("metadata:account")) == validation(
        "Consistent reads are not supported on global secondary indexes")
