"""E-commerce through boto3: users, orders, order items, products, memberships, folders and metrics in one table."""

from boto3.dynamodb.conditions import Attr, Key
from conftest import CONDITION_FAILED, answer, cancelled, expect_answer, failure, page

APPLICATION = "ecommerce"
ORDERS = ["USER#1 ORDER#2024-03-15#1003", "USER#1 ORDER#2024-02-10#1002", "USER#1 ORDER#2024-01-05#1001"]


def query(app, partition, condition=None, **options):
    whole = Key("PK").eq(partition) if condition is None else Key("PK").eq(partition) & condition
    return answer(app.table.query(KeyConditionExpression=whole, ConsistentRead=True, **options))


def by(index, partition, **options):
    return dict(IndexName=index, KeyConditionExpression=Key(f"{index}PK").eq(partition), **options)


def test_a_user_is_found_by_id(application):
    assert application.get("USER#1", "PROFILE") == {"Item": application.at("USER#1 PROFILE")[0]}
    assert application.get("USER#none", "PROFILE") == {}


def test_a_user_is_created_once(application):
    create = dict(Item={"PK": "USER#once", "SK": "PROFILE"}, ConditionExpression="attribute_not_exists(PK)")
    assert answer(application.table.put_item(**create)) == {}
    assert failure(application.table.put_item, **create) == CONDITION_FAILED


def test_only_active_users_are_in_the_sparse_index(application):
    expect_answer(page(application.at("USER#1 PROFILE", "USER#2 PROFILE")), application.table.query, **by("GSI2", "ACTIVE_USER"))


def test_a_user_enters_and_leaves_the_sparse_index(application):
    key = {"PK": "USER#sleepy", "SK": "PROFILE"}
    application.table.put_item(Item=key)
    application.table.update_item(Key=key, UpdateExpression="SET GSI2PK = :pk, GSI2SK = :sk",
                                  ExpressionAttributeValues={":pk": "ACTIVE_SLEEPER", ":sk": "USER#sleepy"})
    expect_answer(page([{**key, "GSI2PK": "ACTIVE_SLEEPER", "GSI2SK": "USER#sleepy"}]), application.table.query, **by("GSI2", "ACTIVE_SLEEPER"))
    application.table.update_item(Key=key, UpdateExpression="REMOVE GSI2SK")
    expect_answer(page([]), application.table.query, **by("GSI2", "ACTIVE_SLEEPER"))


def test_the_orders_of_a_user_come_newest_first(application):
    orders = dict(condition=Key("SK").begins_with("ORDER#"), ScanIndexForward=False)
    assert query(application, "USER#1", **orders) == page(application.at(*ORDERS))
    assert query(application, "USER#1", Limit=2, **orders) == page(application.at(*ORDERS[:2]), application.key(ORDERS[1]))
    assert query(application, "USER#1", ExclusiveStartKey=application.key(ORDERS[1]), **orders) == page(application.at(ORDERS[2]))


def test_the_orders_of_a_user_since_a_day(application):
    assert query(application, "USER#1", Key("SK").gt("ORDER#2024-02-01")) == page(application.at(
        ORDERS[1], ORDERS[0], "USER#1 ORG#acme", "USER#1 ORG#globex", "USER#1 PROFILE"))
    assert query(application, "USER#1", Key("SK").between("ORDER#2024-02-01", "ORDER#~")) == page(application.at(ORDERS[1], ORDERS[0]))


def test_an_order_is_read_with_all_its_items(application):
    assert query(application, "ORDER#1001") == page(application.at("ORDER#1001 ITEM#1", "ORDER#1001 ITEM#2", "ORDER#1001 META"))


def test_orders_are_listed_by_status_newest_first(application):
    expect_answer(page(application.at("ORDER#1003 META", "ORDER#1004 META")), application.table.query,
                  **by("GSI1", "STATUS#pending", ScanIndexForward=False))


def test_a_change_of_status_moves_an_order_inside_the_index(application):
    key = {"PK": "ORDER#moving", "SK": "META"}
    stored = {**key, "GSI1PK": "STATUS#packed", "GSI1SK": "ORDER#2024-04-01#moving"}
    application.table.put_item(Item=stored)
    change = dict(Key=key, UpdateExpression="SET GSI1PK = :pk", ConditionExpression=Attr("PK").exists(),
                  ExpressionAttributeValues={":pk": "STATUS#returned"}, ReturnValues="UPDATED_OLD")
    assert answer(application.table.update_item(**change)) == {"Attributes": {"GSI1PK": "STATUS#packed"}}
    expect_answer(page([]), application.table.query, **by("GSI1", "STATUS#packed"))
    expect_answer(page([{**stored, "GSI1PK": "STATUS#returned"}]), application.table.query, **by("GSI1", "STATUS#returned"))
    assert failure(application.table.update_item, **{**change, "Key": {"PK": "ORDER#ghost", "SK": "META"}}) == CONDITION_FAILED
    assert application.get("ORDER#ghost", "META") == {}


def new_order(number):
    return [{"PK": "USER#buyer", "SK": f"ORDER#2024-05-01#{number}"},
            {"PK": f"ORDER#{number}", "SK": "META", "GSI1PK": f"STATUS#new-{number}", "GSI1SK": "x"},
            {"PK": f"ORDER#{number}", "SK": "ITEM#1", "quantity": 1},
            {"PK": f"ORDER#{number}", "SK": "ITEM#2", "quantity": 4}]


def place(app, number):
    return app.client.transact_write_items(TransactItems=[
        {"Put": {"TableName": app.name, "Item": item, "ConditionExpression": "attribute_not_exists(PK)"}} for item in new_order(number)])


def test_an_order_is_placed_with_all_its_items(application):
    assert answer(place(application, 9001)) == {}
    mine, meta, one, two = new_order(9001)
    assert query(application, "ORDER#9001") == page([one, two, meta])
    assert application.get(mine["PK"], mine["SK"]) == {"Item": mine}
    expect_answer(page([meta]), application.table.query, **by("GSI1", "STATUS#new-9001"))


def test_an_order_is_not_placed_by_half(application):
    application.table.put_item(Item=new_order(9002)[3])
    assert failure(place, app=application, number=9002) == cancelled("None", "None", "None", "ConditionalCheckFailed")
    assert query(application, "ORDER#9002") == page(new_order(9002)[3:])
    expect_answer(page([]), application.table.query, **by("GSI1", "STATUS#new-9002"))


def test_a_product_is_found_by_id(application):
    assert application.get("PRODUCT#p1", "INFO") == {"Item": application.at("PRODUCT#p1 INFO")[0]}


def test_memberships_are_read_both_ways(application):
    assert query(application, "USER#1", Key("SK").begins_with("ORG#")) == page(application.at("USER#1 ORG#acme", "USER#1 ORG#globex"))
    expect_answer(page(application.at("USER#1 ORG#acme", "USER#2 ORG#acme")), application.table.query, **by("GSI1", "ORG#acme"))


def test_the_subtree_of_a_folder_is_a_prefix(application):
    assert query(application, "USER#1", Key("SK").begins_with("FOLDER#documents#")) == page(application.at(
        "USER#1 FOLDER#documents#taxes", "USER#1 FOLDER#documents#taxes#2023", "USER#1 FOLDER#documents#travel"))


def test_a_day_of_metrics_comes_in_order_of_time(application):
    assert query(application, "METRICS#2024-03-15") == page(application.at(*(
        f"METRICS#2024-03-15 2024-03-15T{time}Z" for time in ("00:00:00", "08:30:00", "23:59:59"))))


def test_addresses_are_in_the_collection_of_their_user(application):
    assert query(application, "USER#1", Key("SK").begins_with("ADDRESS#")) == page(application.at("USER#1 ADDRESS#home", "USER#1 ADDRESS#work"))


def test_a_migration_writes_by_25(application):
    moved = [{"PK": "LEGACY#orders", "SK": f"{number:04d}", "n": number} for number in range(60)]
    for first in range(0, 60, 25):
        requests = [{"PutRequest": {"Item": item}} for item in moved[first:first + 25]]
        assert answer(application.client.batch_write_item(RequestItems={application.name: requests})) == {"UnprocessedItems": {}}
    assert query(application, "LEGACY#orders") == page(moved)
