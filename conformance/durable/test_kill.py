"""kill -9 at random moments: what was acknowledged is there, whole, and in order.

The number of rounds is in DURABLE_ROUNDS; each mode of --sync has a third of them.
"""

import http.client
import json
import os
import random
import threading
import time
import urllib.request

import pytest
from kept_server import KeptServer
from workload import Writer, check_indexes, check_items, check_stream, check_tokens, create_tables, read_kept

ROUNDS = int(os.environ.get("DURABLE_ROUNDS", "40"))
WRITERS = 4
SEED_ROUNDS = max(2, ROUNDS // 8)


@pytest.mark.parametrize("mode", ["always", "100ms", "never"])
def test_everything_acknowledged_survives(tmp_path, mode):
    server = KeptServer(tmp_path / "data", "--sync", mode)
    server.start()
    create_tables(server.client())
    writers = [Writer(number, {}) for number in range(WRITERS)]
    records, iterator = [], None
    acknowledged = 0
    for _ in range(max(1, ROUNDS // 3)):
        writers = [writer.after_start_of(server) for writer in writers]
        for writer in writers:
            writer.start()
        time.sleep(random.uniform(0.05, 0.4))
        more, iterator = read_kept(server.client(), server.client("dynamodbstreams"), iterator)
        records += more
        server.kill()
        for writer in writers:
            writer.join()
            assert writer.unexpected is None, repr(writer.unexpected)
        acknowledged += sum(writer.acknowledged for writer in writers)
        server.start()
        client = server.client()
        check_items(client, writers)
        check_indexes(client)
        check_tokens(client, writers)
        records = check_stream(client, server.client("dynamodbstreams"), records, iterator)
        _, iterator = read_kept(client, server.client("dynamodbstreams"))
    server.stop()
    assert acknowledged > 0
    print(f"{mode}: {max(1, ROUNDS // 3)} rounds, {acknowledged} acknowledged calls, {len(records)} stream records")


def control(server, path, body):
    """Makes a call of the control API that a kill may interrupt. Returns whether it was answered with success."""
    try:
        request = urllib.request.Request(f"{server.endpoint}/_hashrange/{path}", json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status == 200
    except (OSError, http.client.HTTPException):
        return False


def killed_during(server, path, body, longest_s):
    """Kills the server while it makes the call, or shortly after. Returns whether the call was answered before."""
    answered = []
    caller = threading.Thread(target=lambda: answered.append(control(server, path, body)))
    caller.start()
    time.sleep(random.uniform(0, longest_s))
    server.kill()
    caller.join()
    return answered[0]


def count(client, **filters):
    pages = client.get_paginator("scan").paginate(TableName="app", Select="COUNT", **filters)
    return sum(page["Count"] for page in pages)


def count_of_round(client, number):
    return count(client, FilterExpression="round = :r", ExpressionAttributeValues={":r": {"N": str(number)}})


def create_app(client):
    client.create_table(TableName="app", BillingMode="PAY_PER_REQUEST",
                        AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind} for name, kind in
                                              [("PK", "S"), ("round", "N")]],
                        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
                        GlobalSecondaryIndexes=[{"IndexName": "rounds", "Projection": {"ProjectionType": "KEYS_ONLY"},
                                                 "KeySchema": [{"AttributeName": "round", "KeyType": "HASH"}]}])


def test_a_seed_of_a_table_that_is_there_is_one_step(tmp_path):
    server = KeptServer(tmp_path / "data")
    server.start()
    create_app(server.client())
    items, outcomes, latest = 20_000, set(), 0
    for number in range(1, SEED_ROUNDS + 1):
        file = tmp_path / "items.jsonl"
        file.write_text("".join(f'{{"PK":"{i}","round":{number}}}\n' for i in range(items)))
        answered = killed_during(server, "seed", {"path": str(file), "table": "app", "account": "111122223333"}, 0.25)
        server.start()
        client = server.client()
        new = count_of_round(client, number)
        assert new == items if answered else new in (0, items)
        assert count(client, IndexName="rounds") == (items if new or latest else 0)
        assert new == items or count_of_round(client, latest) == (items if latest else 0)
        latest = number if new else latest
        outcomes.add(new)
    server.stop()
    print(f"{SEED_ROUNDS} seeds: {sorted(outcomes)} items")


def test_a_durable_fork_is_one_step(tmp_path):
    server = KeptServer(tmp_path / "data")
    server.start()
    create_app(server.client())
    items, outcomes = 4000, []
    (tmp_path / "items.jsonl").write_text("".join(f'{{"PK":"{i}","round":0}}\n' for i in range(items)))
    seed = {"path": str(tmp_path / "items.jsonl"), "table": "app", "account": "111122223333"}
    assert control(server, "seed", seed)
    for number in range(SEED_ROUNDS):
        fork = {"from": "111122223333", "to": str(200000000000 + number), "durable": True}
        answered = killed_during(server, "fork", fork, 0.1)
        server.start()
        with urllib.request.urlopen(f"{server.endpoint}/_hashrange/accounts", timeout=60) as answer:
            listed = {each["account"]: each for each in json.load(answer)["accounts"]}
        assert listed["111122223333"] == {"account": "111122223333", "tables": 1, "durable": True}
        if fork["to"] in listed:
            assert listed[fork["to"]] == {"account": fork["to"], "tables": 1, "durable": True}
            assert count(server.client(account=fork["to"])) == items
        else:
            assert not answered
        outcomes.append(fork["to"] in listed)
    server.stop()
    print(f"{SEED_ROUNDS} forks, {sum(outcomes)} of them are there")
