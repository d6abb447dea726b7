"""Measures the resident memory of an idle server, and the memory for each item."""

import time

import loading
import shop
from servers import Server

ITEMS = 1_000_000
IDLE_S = 1


def measure(threads, options):
    customers = min(ITEMS, options.items) // shop.ITEMS
    with Server.hashrange(threads) as server, Server.ceiling(threads, answer_bytes=64) as ceiling:
        time.sleep(IDLE_S)
        idle_bytes = server.resident_bytes()
        yield {"what": "resident when idle", "unit": "MB", "hashrange": idle_bytes / 1e6,
               "ceiling": ceiling.resident_bytes() / 1e6}
        loading.create_and_fill(server, customers)
        time.sleep(IDLE_S)
        items = customers * shop.ITEMS
        yield {"what": f"resident for each of {items:,} items, half of them in an index", "unit": "B",
               "hashrange": (server.resident_bytes() - idle_bytes) / items}
