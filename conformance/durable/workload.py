"""Clients that write until the server is killed, note what was acknowledged, and check it afterwards.

Each writer has keys of its own, and makes one call at a time. So of each key it knows the last state that was
acknowledged, and at most one call whose answer never came: the stored state is that of before or after this call.
"""

import dataclasses
import random
import threading
import uuid

import botocore.exceptions

KEYS_OF_A_WRITER = 12
ABSENT = None


@dataclasses.dataclass
class Key:
    """What is known of one key: the versions that may be stored; None: no item."""
    may_be: list


def create_tables(client):
    throughput = {"BillingMode": "PAY_PER_REQUEST"}
    keys = [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}]
    client.create_table(
        TableName="app", KeySchema=keys, **throughput,
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": kind} for name, kind in
                              [("PK", "S"), ("SK", "S"), ("GSI1PK", "S"), ("version", "N")]],
        GlobalSecondaryIndexes=[{
            "IndexName": "GSI1", "Projection": {"ProjectionType": "ALL"},
            "KeySchema": [{"AttributeName": "GSI1PK", "KeyType": "HASH"}, {"AttributeName": "version", "KeyType": "RANGE"}]}],
        LocalSecondaryIndexes=[{
            "IndexName": "LSI1", "Projection": {"ProjectionType": "KEYS_ONLY"},
            "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "version", "KeyType": "RANGE"}]}],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
    client.create_table(TableName="ledger", KeySchema=keys, **throughput,
                        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK")])


class Writer(threading.Thread):
    """Writes with one client until the server is killed. Any other end is `unexpected`."""

    def __init__(self, number, keys):
        super().__init__()
        self.number = number
        self.keys = keys  # (table, SK) -> Key
        self.server = None
        self.client = None
        self.random = random.Random()
        self.acknowledged = 0
        self.tokens = []  # (token, what was sent) of acknowledged transactions
        self.unexpected = None

    def after_start_of(self, server):
        """Returns a writer with this one's keys, for the next round."""
        successor = Writer(self.number, self.keys)
        successor.server = server
        successor.client = server.client()
        successor.tokens = self.tokens
        return successor

    def run(self):
        try:
            while self.write_once():
                self.acknowledged += 1
        except Exception as error:
            self.unexpected = error

    # ---- one call ----

    def write_once(self):
        kind = self.random.choices(["put", "count", "delete", "transact"], [4, 3, 1, 3])[0]
        name = f"item{self.random.randrange(KEYS_OF_A_WRITER)}"
        call, after = getattr(self, kind)(name)
        for key, state in after.items():
            self.keys.setdefault(key, Key([ABSENT]))
        try:
            call()
        except (botocore.exceptions.ConnectionError, botocore.exceptions.HTTPClientError):
            if not self.server.is_killed:
                raise
            for key, state in after.items():
                self.keys[key].may_be.append(state)
            return False
        for key, state in after.items():
            self.keys[key].may_be = [state]
        return True

    def stored(self, key):
        known = self.keys.get(key)
        assert known is None or len(known.may_be) == 1
        return known.may_be[0] if known else ABSENT

    def address(self, name):
        return {"PK": {"S": f"WRITER#{self.number}"}, "SK": {"S": name}}

    def item(self, name, version):
        group = {} if version % 3 == 0 else {"GSI1PK": {"S": f"GROUP#{version % 5}"}}  # a sparse index
        return {**self.address(name), "version": {"N": str(version)}, **group, "text": {"S": "x" * (version * 37 % 700)}}

    def put(self, name):
        version = (self.stored(("app", name)) or 0) + 1
        return (lambda: self.client.put_item(TableName="app", Item=self.item(name, version))), {("app", name): version}

    def count(self, name):
        name = "counter-" + name
        version = (self.stored(("app", name)) or 0) + 1
        return (lambda: self.client.update_item(
            TableName="app", Key=self.address(name), UpdateExpression="ADD version :one",
            ExpressionAttributeValues={":one": {"N": "1"}})), {("app", name): version}

    def delete(self, name):
        return (lambda: self.client.delete_item(TableName="app", Key=self.address(name))), {("app", name): ABSENT}

    def transact(self, name):
        name = "pair-" + name
        version = (self.stored(("app", name)) or 0) + 1
        add = {"Key": self.address(name), "UpdateExpression": "ADD version :one",
               "ExpressionAttributeValues": {":one": {"N": "1"}}}
        request = {"ClientRequestToken": str(uuid.uuid4()),
                   "TransactItems": [{"Update": {"TableName": table, **add}} for table in ("app", "ledger")]}

        def call():
            self.client.transact_write_items(**request)
            self.tokens.append(request)

        return call, {("app", name): version, ("ledger", name): version}


# ---- what must be so after a restart ----

def scan(client, table, **arguments):
    return [item for page in client.get_paginator("scan").paginate(TableName=table, **arguments) for item in page["Items"]]


def address_of(item):
    return item["PK"]["S"], item["SK"]["S"]


def check_items(client, writers):
    """Every acknowledged write is stored; of a call without an answer, all or nothing."""
    stored = {(table, *address_of(item)): item for table in ("app", "ledger") for item in scan(client, table, ConsistentRead=True)}
    for writer in writers:
        for (table, name), known in writer.keys.items():
            item = stored.pop((table, f"WRITER#{writer.number}", name), None)
            version = int(item["version"]["N"]) if item else ABSENT
            assert version in known.may_be, f"{table} {writer.number} {name}: {version} is stored, not one of {known.may_be}"
            if item and not name.startswith(("counter-", "pair-")):
                assert item == writer.item(name, version)
            known.may_be = [version]
        for (table, name), known in writer.keys.items():
            if table == "ledger":
                assert known.may_be == writer.keys["app", name].may_be, f"half of a transaction: {name}"
    assert not stored, f"items that nobody wrote: {sorted(stored)[:3]}"


def check_indexes(client):
    """The indexes hold what the table's items say."""
    items = scan(client, "app")
    by_address = lambda item: address_of(item)
    assert sorted(scan(client, "app", IndexName="GSI1"), key=by_address) == sorted(
        (item for item in items if "GSI1PK" in item), key=by_address)
    keys_only = [{name: item[name] for name in ("PK", "SK", "version")} for item in items]
    assert sorted(scan(client, "app", IndexName="LSI1"), key=by_address) == sorted(keys_only, key=by_address)
    for index in (None, "GSI1", "LSI1"):
        counted = sum(page["Count"] for page in client.get_paginator("scan").paginate(
            TableName="app", Select="COUNT", **({"IndexName": index} if index else {})))
        assert counted == len(scan(client, "app", **({"IndexName": index} if index else {})))


def read_kept(client, streams, iterator=None):
    """As read_stream, and returns when all that was read is kept: a reader may see a change before it is in the log,
    and a call that may change something is answered after all that was in memory before."""
    read = read_stream(streams, iterator)
    client.delete_item(TableName="ledger", Key={"PK": {"S": "nobody"}, "SK": {"S": "nothing"}})
    return read


def read_stream(streams, iterator=None):
    """Returns the records from the iterator on, or from the oldest, and the iterator behind them."""
    if iterator is None:
        arn = streams.list_streams(TableName="app")["Streams"][0]["StreamArn"]
        shard = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"][0]["ShardId"]
        iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard, ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
    records = []
    while True:
        page = streams.get_records(ShardIterator=iterator, Limit=1000)
        iterator = page["NextShardIterator"]
        if not page["Records"]:
            return records, iterator
        records += page["Records"]


def check_stream(client, streams, before, iterator):
    """The records that were read before are there again, and all records together make the table. Returns them."""
    records, _ = read_stream(streams)
    assert records[:len(before)] == before, "records that were read before have changed"
    if iterator is not None:
        assert read_stream(streams, iterator)[0] == records[len(before):], "an iterator of before leads elsewhere"
    numbers = [int(record["dynamodb"]["SequenceNumber"]) for record in records]
    assert numbers == sorted(set(numbers))
    items = {}
    for record in records:
        change = record["dynamodb"]
        address = address_of(change["Keys"])
        assert items.get(address) == change.get("OldImage"), f"a record does not continue the one before: {address}"
        items[address] = change.get("NewImage")
    assert {address: item for address, item in items.items() if item} == {
        address_of(item): item for item in scan(client, "app", ConsistentRead=True)}
    return records


def check_tokens(client, writers):
    """A transaction whose answer came is not executed again."""
    for writer in writers:
        for request in writer.tokens[-3:]:
            client.transact_write_items(**request)
    check_items(client, writers)
