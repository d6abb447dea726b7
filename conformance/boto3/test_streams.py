"""Streams through boto3: a consumer that keeps a copy of a table."""

import time

import boto3
import pytest
from boto3.dynamodb.types import TypeDeserializer
from conftest import IS_AWS, REGION, answer, connection, failure, unique_name, validation

DELAY_S = 30 if IS_AWS else 0
TABLE = {"AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}],
         "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
         "BillingMode": "PAY_PER_REQUEST", "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}}


class Streamed:
    """A table with a stream, and clients of its account for DynamoDB and for streams."""

    def __init__(self):
        settings = connection()
        self.resource = boto3.resource("dynamodb", **settings)
        if IS_AWS:
            settings.pop("endpoint_url")
        self.streams = boto3.client("dynamodbstreams", **settings)
        self.table = self.resource.create_table(TableName=unique_name("streamed"), **TABLE)
        self.table.wait_until_exists()
        self.table.reload()
        self.arn = self.table.latest_stream_arn

    def shard(self):
        return self.streams.describe_stream(StreamArn=self.arn)["StreamDescription"]["Shards"][0]["ShardId"]

    def iterator(self, kind, **members):
        return self.streams.get_shard_iterator(StreamArn=self.arn, ShardId=self.shard(), ShardIteratorType=kind, **members)["ShardIterator"]

    def records(self, count, page=1000):
        """Returns the first `count` records, which may appear with a delay on AWS."""
        found, iterator, deadline = [], self.iterator("TRIM_HORIZON"), time.monotonic() + DELAY_S
        while True:
            got = self.streams.get_records(ShardIterator=iterator, Limit=page)
            found += got["Records"]
            iterator = got["NextShardIterator"]
            if len(found) >= count and not got["Records"] or time.monotonic() > deadline and not got["Records"]:
                return found


@pytest.fixture(scope="module")
def streamed():
    table = Streamed()
    yield table
    table.table.delete()


def python(image):
    return {name: TypeDeserializer().deserialize(value) for name, value in image.items()}


def test_the_records_of_a_table_make_the_table(streamed):
    table = streamed.table
    for n in range(20):
        table.put_item(Item={"PK": f"USER#{n % 5}", "SK": f"ORDER#{n}", "amount": n, "tags": {"new", f"t{n}"}})
    for n in range(0, 20, 2):
        table.update_item(Key={"PK": f"USER#{n % 5}", "SK": f"ORDER#{n}"}, UpdateExpression="ADD amount :one DELETE tags :new",
                          ExpressionAttributeValues={":one": 1, ":new": {"new"}})
    for n in range(0, 20, 5):
        table.delete_item(Key={"PK": f"USER#{n % 5}", "SK": f"ORDER#{n}"})
    for n in range(20):  # these writes change nothing
        table.update_item(Key={"PK": f"USER#{n % 5}", "SK": f"ORDER#{n}"}, UpdateExpression="REMOVE absent")

    copy, events = {}, []
    for record in streamed.records(34, page=7):
        change = record["dynamodb"]
        key = tuple(sorted(python(change["Keys"]).items()))
        assert copy.get(key) == (python(change["OldImage"]) if "OldImage" in change else None)
        if "NewImage" in change:
            copy[key] = python(change["NewImage"])
        else:
            del copy[key]
        events.append(record["eventName"])
    assert (events.count("INSERT"), events.count("MODIFY"), events.count("REMOVE")) == (20, 10, 4)
    items = answer(table.scan(ConsistentRead=True))["Items"]
    assert sorted(copy.values(), key=str) == sorted(items, key=str)
    assert len(items) == 16


def test_a_record_says_where_it_comes_from(streamed):
    streamed.table.put_item(Item={"PK": "A", "SK": "1"})
    record = streamed.records(1)[0]
    assert (record["eventSource"], record["eventVersion"], record["awsRegion"]) == ("aws:dynamodb", "1.1", REGION)
    assert record["dynamodb"]["StreamViewType"] == "NEW_AND_OLD_IMAGES"
    assert record["dynamodb"]["ApproximateCreationDateTime"].microsecond == 0


def test_a_consumer_goes_on_behind_its_checkpoint(streamed):
    numbers = [record["dynamodb"]["SequenceNumber"] for record in streamed.records(1)]
    iterator = streamed.iterator("AFTER_SEQUENCE_NUMBER", SequenceNumber=numbers[-1])
    streamed.table.put_item(Item={"PK": "B", "SK": "1"})
    deadline = time.monotonic() + DELAY_S
    while True:
        got = streamed.streams.get_records(ShardIterator=iterator)
        if got["Records"] or time.monotonic() > deadline:
            break
        iterator = got["NextShardIterator"]
    assert [python(record["dynamodb"]["Keys"]) for record in got["Records"]] == [{"PK": "B", "SK": "1"}]
    assert got["Records"][0]["dynamodb"]["SequenceNumber"] > numbers[-1]


def test_what_is_no_stream_is_refused(streamed):
    missing = streamed.arn[:-1] + "x"
    not_found = {"code": "ResourceNotFoundException", "message": f"Requested resource not found: Stream: {missing} not found", "status": 400}
    assert failure(streamed.streams.describe_stream, StreamArn=missing) == not_found
    assert failure(streamed.streams.list_streams, Limit=101) == validation(
        "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100")
    assert failure(streamed.streams.get_records, ShardIterator="garbage")["code"] == "ValidationException"
