"""A shop's single table, and the workloads on it.

    PK               SK                    GSI1PK           GSI1SK
    CUSTOMER#000042  PROFILE
    CUSTOMER#000042  ORDER#000042-07       PRODUCT#001799   ORDER#000042-07

Each customer has a profile and 20 orders; each product was ordered 20 times, by 20
customers. Every text has the same length for every key, so all answers of a workload
are equally long.
"""

import json
import random

TABLE = "shop"
ORDERS = 20
REQUESTS = 10_000

DEFINITION = {
    "TableName": TABLE,
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK", "GSI1PK", "GSI1SK")],
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
    "GlobalSecondaryIndexes": [{
        "IndexName": "GSI1",
        "KeySchema": [{"AttributeName": "GSI1PK", "KeyType": "HASH"}, {"AttributeName": "GSI1SK", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "ALL"},
    }],
}


class Shop:
    """`customers` customers, and requests on random ones of them: the same with every run."""

    def __init__(self, customers):
        self.customers = customers
        self.random = random.Random(20)

    # ---- the data ----

    def load(self, server):
        server.call("CreateTable", DEFINITION)
        items = [item for customer in range(self.customers) for item in self.collection(customer)]
        for start in range(0, len(items), 25):
            puts = [{"PutRequest": {"Item": item}} for item in items[start:start + 25]]
            server.call("BatchWriteItem", {"RequestItems": {TABLE: puts}})

    def collection(self, customer):
        yield {**profile_key(customer), "type": text("Customer"), "name": text(f"Customer {customer:06}"),
               "email": text(f"customer-{customer:06}@example.com"), "orders": number(ORDERS), "version": number(1)}
        for order in range(ORDERS):
            yield self.order(customer, order)

    def order(self, customer, order):
        product = (customer + order * 251) % self.customers
        return {**order_key(customer, order), "GSI1PK": text(f"PRODUCT#{product:06}"),
                "GSI1SK": order_key(customer, order)["SK"], "type": text("Order"), "status": text("SHIPPED"),
                "amount": number(10_000 + product % 90_000), "created": text("2026-01-01T12:00:00Z"),
                "address": {"M": {"street": text("1 Long Road"), "city": text("Springfield"), "zip": text("12345")}},
                "tags": {"SS": ["gift", "priority"]}, "version": number(1)}

    def any_customer(self):
        return self.random.randrange(self.customers)

    def any_order(self):
        return self.any_customer(), self.random.randrange(ORDERS)

    # ---- the requests ----

    def bodies(self, workload):
        """The prepared requests' bodies: as JSON, one a line."""
        _, request = WORKLOADS[workload]
        return [json.dumps(request(self), separators=(",", ":")) for _ in range(REQUESTS)]

    def get_item(self):
        return {"TableName": TABLE, "Key": order_key(*self.any_order())}

    def put_item(self):
        return {"TableName": TABLE, "Item": self.order(*self.any_order())}

    def update_item(self):
        return {"TableName": TABLE, "Key": order_key(*self.any_order()),
                "UpdateExpression": "SET #s = :status, version = version + :one",
                "ConditionExpression": "attribute_exists(PK) AND version >= :one",
                "ExpressionAttributeNames": {"#s": "status"},
                "ExpressionAttributeValues": {":status": text("ARRIVED"), ":one": number(1)}}

    def query_collection(self):
        return {"TableName": TABLE, "KeyConditionExpression": "PK = :customer AND begins_with(SK, :orders)",
                "ExpressionAttributeValues": {":customer": profile_key(self.any_customer())["PK"],
                                              ":orders": text("ORDER#")}}

    def query_index(self):
        return {"TableName": TABLE, "IndexName": "GSI1", "KeyConditionExpression": "GSI1PK = :product",
                "ExpressionAttributeValues": {":product": text(f"PRODUCT#{self.any_customer():06}")}}

    def batch_get_item(self):
        customers = self.random.sample(range(self.customers), 25)
        keys = [order_key(customer, self.random.randrange(ORDERS)) for customer in customers]
        return {"RequestItems": {TABLE: {"Keys": keys}}}

    def transact_write_items(self):
        buyer, other = self.random.sample(range(self.customers), 2)
        return {"TransactItems": [
            {"Put": {"TableName": TABLE, "Item": self.order(buyer, self.random.randrange(ORDERS))}},
            {"Update": {"TableName": TABLE, "Key": profile_key(buyer),
                        "UpdateExpression": "SET version = version + :one",
                        "ConditionExpression": "attribute_exists(PK)",
                        "ExpressionAttributeValues": {":one": number(1)}}},
            {"ConditionCheck": {"TableName": TABLE, "Key": profile_key(other),
                                "ConditionExpression": "attribute_exists(PK)"}},
        ]}


def profile_key(customer):
    return {"PK": text(f"CUSTOMER#{customer:06}"), "SK": text("PROFILE")}


def order_key(customer, order):
    return {"PK": text(f"CUSTOMER#{customer:06}"), "SK": text(f"ORDER#{customer:06}-{order:02}")}


def text(value):
    return {"S": value}


def number(value):
    return {"N": str(value)}


# name -> (operation, its request)
WORKLOADS = {
    "GetItem": ("GetItem", Shop.get_item),
    "PutItem": ("PutItem", Shop.put_item),
    "UpdateItem": ("UpdateItem", Shop.update_item),
    "Query": ("Query", Shop.query_collection),
    "Query-index": ("Query", Shop.query_index),
    "BatchGetItem": ("BatchGetItem", Shop.batch_get_item),
    "TransactWriteItems": ("TransactWriteItems", Shop.transact_write_items),
}
NAMES = list(WORKLOADS)
