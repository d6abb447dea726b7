"""The measured requests, for random keys of the shop (shop.py). They are the same in every run."""

import random

import shop
from shop import TABLE, number, text

MOVING_SHIPMENTS = 5_000


class Workload:
    """`request(chance)` makes one request as a template, without choosing the customer."""

    def __init__(self, operation, request):
        self.operation = operation
        self.request = request

    def templates(self, count):
        chance = random.Random(20)
        return [shop.compact(self.request(chance)) for _ in range(count)]

    def bodies(self, customers, count):
        chance = random.Random(21)
        return [shop.filled(template, chance.randrange(customers), customers) for template in self.templates(count)]


class MovingPuts:
    """Puts of shipments that change the index key with every write: all shipments are put once,
    in a random order, then all again with other depots."""

    operation = "PutItem"

    def bodies(self, customers, count):
        chance = random.Random(21)
        shipments = min(MOVING_SHIPMENTS, customers * shop.SHIPMENTS, count // 2)
        bodies = []
        while len(bodies) + shipments <= count:
            for each in chance.sample(range(shipments), shipments):
                item = shop.shipment(each % shop.SHIPMENTS, depot=chance.randrange(customers))
                template = shop.compact({"TableName": TABLE, "Item": item})
                bodies.append(shop.filled(template, each // shop.SHIPMENTS, customers))
        return bodies


def any_order(chance):
    return chance.randrange(shop.ORDERS)


def get_item(chance):
    return {"TableName": TABLE, "Key": shop.order_key(any_order(chance))}


def put_item(chance):
    return {"TableName": TABLE, "Item": shop.order(any_order(chance))}


def update_item(chance):
    return {"TableName": TABLE, "Key": shop.order_key(any_order(chance)),
            "UpdateExpression": "SET #s = :status, version = version + :one",
            "ConditionExpression": "attribute_exists(PK) AND version >= :one",
            "ExpressionAttributeNames": {"#s": "status"},
            "ExpressionAttributeValues": {":status": text("ARRIVED"), ":one": number(1)}}


def query_collection(_):
    return {"TableName": TABLE, "KeyConditionExpression": "PK = :customer AND begins_with(SK, :orders)",
            "ExpressionAttributeValues": {":customer": shop.profile_key()["PK"], ":orders": text("ORDER#")}}


def query_index(_):
    return {"TableName": TABLE, "IndexName": shop.INDEX, "KeyConditionExpression": "GSI1PK = :product",
            "ExpressionAttributeValues": {":product": text(f"PRODUCT#{shop.number_of()}")}}


def batch_get_item(chance):
    keys = [shop.order_key(any_order(chance), offset) for offset in chance.sample(range(100), 25)]
    return {"RequestItems": {TABLE: {"Keys": keys}}}


def transact_write_items(chance):
    return {"TransactItems": [
        {"Put": {"TableName": TABLE, "Item": shop.order(any_order(chance))}},
        {"Update": {"TableName": TABLE, "Key": shop.profile_key(),
                    "UpdateExpression": "SET version = version + :one",
                    "ConditionExpression": "attribute_exists(PK)",
                    "ExpressionAttributeValues": {":one": number(1)}}},
        {"ConditionCheck": {"TableName": TABLE, "Key": shop.profile_key(chance.randrange(1, 100)),
                            "ConditionExpression": "attribute_exists(PK)"}},
    ]}


WORKLOADS = {
    "GetItem": Workload("GetItem", get_item),
    "PutItem": Workload("PutItem", put_item),
    "PutItem-index": MovingPuts(),
    "UpdateItem": Workload("UpdateItem", update_item),
    "Query": Workload("Query", query_collection),
    "Query-index": Workload("Query", query_index),
    "BatchGetItem": Workload("BatchGetItem", batch_get_item),
    "TransactWriteItems": Workload("TransactWriteItems", transact_write_items),
}
NAMES = list(WORKLOADS)
