"""The items of a shop's single table, as templates.

    PK                 SK                     GSI1PK             GSI1SK
    CUSTOMER#00000042  PROFILE
    CUSTOMER#00000042  ORDER#00000042-07      PRODUCT#00001799   ORDER#00000042-07
    CUSTOMER#00000042  SHIPMENT#00000042-07

Each customer has 40 items of 500 bytes of JSON: a profile, 20 orders, which are in the
index, and 19 shipments, which are not until a workload writes them. Each product was
ordered 20 times, by 20 customers.

A template is JSON text. In it, "@" and seven digits d mean the number (customer + d) modulo
the number of customers, in eight digits: bench/load.cc and requests.lua put that number in.
All numbers have the same width, so all answers of a workload have the same length.
"""

import json
import re

TABLE = "shop"
INDEX = "GSI1"
ORDERS = 20
SHIPMENTS = 19
ITEMS = 1 + ORDERS + SHIPMENTS
ITEM_JSON_BYTES = 500
PADDING = "Leave at the door; ring twice. "

DEFINITION = {
    "TableName": TABLE,
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"}
                             for name in ("PK", "SK", "GSI1PK", "GSI1SK")],
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
    "GlobalSecondaryIndexes": [{
        "IndexName": INDEX,
        "KeySchema": [{"AttributeName": "GSI1PK", "KeyType": "HASH"}, {"AttributeName": "GSI1SK", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "ALL"},
    }],
}


def collection():
    """Returns the items of one customer."""
    yield profile()
    yield from (order(position) for position in range(ORDERS))
    yield from (shipment(position) for position in range(SHIPMENTS))


def batches():
    """Returns the BatchWriteItem requests that put one customer's items."""
    items = list(collection())
    for start in range(0, ITEMS, ITEMS // 2):
        puts = [{"PutRequest": {"Item": item}} for item in items[start:start + ITEMS // 2]]
        yield compact({"RequestItems": {TABLE: puts}})


# ---- items ----

def profile():
    return padded({**profile_key(), "type": text("Customer"), "name": text(f"Customer {number_of()}"),
                   "email": text(f"customer-{number_of()}@example.com"), "orders": number(ORDERS),
                   "version": number(1_000_000)})


def order(position):
    return padded({**order_key(position), "GSI1PK": text(f"PRODUCT#{number_of(position * 251)}"),
                   "GSI1SK": order_key(position)["SK"], "type": text("Order"), "status": text("SHIPPED"),
                   "amount": number("149.95"), "created": text("2026-01-01T12:00:00Z"),
                   "address": {"M": {"street": text("1 Long Road"), "city": text("Springfield"), "zip": text("12345")}},
                   "tags": {"SS": ["gift", "priority"]}, "version": number(1_000_000)})


def shipment(position, depot=None):
    """A shipment with a depot is in the index, under the depot's number."""
    place = {"GSI1PK": text(f"DEPOT#{depot:08}"), "GSI1SK": shipment_key(position)["SK"]} if depot is not None else {}
    return padded({**shipment_key(position), **place, "type": text("Shipment"), "carrier": text("Slow & Steady"),
                   "weight": number("2.75"), "insured": {"BOOL": True}, "version": number(1_000_000)})


def padded(item):
    missing = ITEM_JSON_BYTES - len(compact({**item, "note": text("")}))
    return {**item, "note": text((PADDING * ITEM_JSON_BYTES)[:missing])}


def profile_key(offset=0):
    return {"PK": text(f"CUSTOMER#{number_of(offset)}"), "SK": text("PROFILE")}


def order_key(position, offset=0):
    return {"PK": text(f"CUSTOMER#{number_of(offset)}"), "SK": text(f"ORDER#{number_of(offset)}-{position:02}")}


def shipment_key(position):
    return {"PK": text(f"CUSTOMER#{number_of()}"), "SK": text(f"SHIPMENT#{number_of()}-{position:02}")}


# ---- templates ----

def number_of(offset=0):
    """Returns the template text for the number of the customer `offset` places after the current one."""
    return f"@{offset:07}"


def filled(template, customer, customers):
    return re.sub(r"@(\d{7})", lambda place: f"{(customer + int(place[1])) % customers:08}", template)


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def text(value):
    return {"S": value}


def number(value):
    return {"N": str(value)}
