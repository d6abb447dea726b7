"""Compares a Query of one item in a small item collection and in a very large one: it should cost the same."""

import json
import random

import wrk
from servers import Server

TABLE = "collections"
SIZES = {"SMALL": 10, "LARGE": 1_000_000}
QUICK_LARGE = 50_000
REQUESTS = 10_000
DEFINITION = {
    "TableName": TABLE,
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK")],
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
}


def run(options):
    sizes = {**SIZES, "LARGE": QUICK_LARGE} if options.quick else SIZES
    results = []
    for threads in options.threads:
        with Server.hashrange(threads) as server:
            server.call("CreateTable", DEFINITION)
            for name, size in sizes.items():
                load(server, name, size)
            figures = measure(server, sizes, options)
        result = {"threads": threads, "sizes": sizes, **figures,
                  "failures": sum(each["failures"] for each in figures.values())}
        results.append(result)
        print(report(result), flush=True)
    return results


def load(server, name, size):
    for start in range(0, size, 25):
        puts = ",".join('{"PutRequest":{"Item":{"PK":{"S":"%s"},"SK":{"S":"%s"},"value":{"N":"%d"}}}}'
                        % (name, sort_key(i), i) for i in range(start, min(start + 25, size)))
        server.call("BatchWriteItem", '{"RequestItems":{"%s":[%s]}}' % (TABLE, puts))


def sort_key(position):
    return f"EVENT#{position:08}"


def query(name, position):
    return json.dumps({"TableName": TABLE, "KeyConditionExpression": "PK = :p AND begins_with(SK, :s)",
                       "ExpressionAttributeValues": {":p": {"S": name}, ":s": {"S": sort_key(position)}}},
                      separators=(",", ":"))


def measure(server, sizes, options):
    chance = random.Random(20)
    loads = {name: (server, wrk.Load("Query", [query(name, chance.randrange(size)) for _ in range(REQUESTS)]))
             for name, size in sizes.items()}
    return {name: wrk.median(figures) for name, figures in wrk.alternate(loads, options).items()}


def report(result):
    small, large = result["SMALL"], result["LARGE"]
    lines = [f"server threads: {result['threads']}",
             f"{'a Query of one item among':26} {'requests/s':>10} {'p50 µs':>7} {'p99 µs':>7} {'CPU µs':>7} failures"]
    for name, figures in (("SMALL", small), ("LARGE", large)):
        lines.append(f"{result['sizes'][name]:26,} {figures['requests_per_s']:10,.0f} {figures['p50_us']:7.0f} "
                     f"{figures['p99_us']:7.0f} {figures['cpu_us_per_request']:7.1f} {figures['failures']}")
    ratio = {name: large[name] / small[name] for name in ("requests_per_s", "p50_us", "p99_us", "cpu_us_per_request")}
    lines.append(f"{'ratio':26} {ratio['requests_per_s']:10.2f} {ratio['p50_us']:7.2f} {ratio['p99_us']:7.2f} "
                 f"{ratio['cpu_us_per_request']:7.2f}\n")
    return "\n".join(lines)
