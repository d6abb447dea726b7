"""PartiQL through boto3: the three operations, and how resources convert values."""

import uuid
from decimal import Decimal

import boto3
import pytest

from conftest import CONDITION_FAILED, answer, cancelled, connection, failure, unique_name, validation


@pytest.fixture(scope="module")
def table():
    resource = boto3.resource("dynamodb", **connection())
    made = resource.create_table(
        TableName=unique_name("partiql"), BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}])
    made.wait_until_exists()
    yield made
    made.delete()


@pytest.fixture
def client(table):
    return table.meta.client


@pytest.fixture
def name():
    return uuid.uuid4().hex


def insert(table, pk, sk, **attributes):
    table.put_item(Item={"pk": pk, "sk": sk, **attributes})


def test_statements_take_and_give_the_resources_types(table, client, name):
    item = {"pk": name, "sk": 1, "price": Decimal("12.50"), "tags": {"a", "b"}, "lines": [{"n": 1}, None, True], "raw": b"\x00\xff"}
    written = client.execute_statement(
        Statement=f"INSERT INTO \"{table.name}\" VALUE {{'pk':?,'sk':?,'price':?,'tags':?,'lines':?,'raw':?}}",
        Parameters=list(item.values()))
    assert answer(written) == {"Items": []}
    read = client.execute_statement(Statement=f'SELECT * FROM "{table.name}" WHERE pk = ? AND sk = ?', Parameters=[name, 1])
    assert read["Items"] == [item]
    projected = client.execute_statement(Statement=f"SELECT lines[0].n, price FROM \"{table.name}\" WHERE pk = '{name}' AND sk = 1")
    assert projected["Items"] == [{"n": 1, "price": Decimal("12.5")}]


def test_pages_follow_the_token(table, client, name):
    for sk in range(7):
        insert(table, name, sk)
    statement = {"Statement": f'SELECT sk FROM "{table.name}" WHERE pk = ? ORDER BY sk DESC', "Parameters": [name], "Limit": 3}
    read, page = [], client.execute_statement(**statement)
    while True:
        read += [item["sk"] for item in page["Items"]]
        if "NextToken" not in page:
            break
        page = client.execute_statement(**statement, NextToken=page["NextToken"])
    assert read == [6, 5, 4, 3, 2, 1, 0]
    assert failure(client.execute_statement, **statement, NextToken="nothing of ours") == validation("Invalid NextToken")


def test_updates_and_deletes_are_conditional(table, client, name):
    insert(table, name, 1, n=1)
    update = f'UPDATE "{table.name}" SET n = n + ? WHERE pk = ? AND sk = 1 AND n = ? RETURNING ALL NEW *'
    assert client.execute_statement(Statement=update, Parameters=[4, name, 1])["Items"] == [{"pk": name, "sk": 1, "n": 5}]
    assert failure(client.execute_statement, Statement=update, Parameters=[4, name, 1]) == CONDITION_FAILED
    delete = f'DELETE FROM "{table.name}" WHERE pk = ? AND sk = 1 RETURNING ALL OLD *'
    assert client.execute_statement(Statement=delete, Parameters=[name])["Items"] == [{"pk": name, "sk": 1, "n": 5}]


def test_a_batch_answers_statement_by_statement(table, client, name):
    insert(table, name, 1)
    select = f'SELECT * FROM "{table.name}" WHERE pk = ? AND sk = ?'
    read = client.batch_execute_statement(Statements=[
        {"Statement": select, "Parameters": [name, 1]}, {"Statement": select, "Parameters": [name, 2]}, {"Statement": "SELECT"}])
    assert read["Responses"] == [
        {"TableName": table.name, "Item": {"pk": name, "sk": 1}}, {"TableName": table.name},
        {"Error": {"Code": "ValidationError", "Message": "Statement wasn't well formed, can't be processed: Unexpected term"}}]


def test_a_transaction_is_all_or_nothing(table, client, name):
    insert(table, name, 1, n=1)
    statements = [
        {"Statement": f"INSERT INTO \"{table.name}\" VALUE {{'pk':?,'sk':2}}", "Parameters": [name]},
        {"Statement": f'EXISTS(SELECT * FROM "{table.name}" WHERE pk = ? AND sk = 1 AND n = ?)', "Parameters": [name, 2]}]
    assert failure(client.execute_transaction, TransactStatements=statements) == cancelled("None", "ConditionalCheckFailed")
    assert "Item" not in table.get_item(Key={"pk": name, "sk": 2})
    statements[1]["Parameters"] = [name, 1]
    assert answer(client.execute_transaction(TransactStatements=statements)) == {"Responses": []}
    assert table.get_item(Key={"pk": name, "sk": 2})["Item"] == {"pk": name, "sk": 2}
