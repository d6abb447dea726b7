"""Measures searches of 100 MB of vectors: how long a GetItem waits beside connections that search without a pause, and how
long one search takes, with --peers also in the other servers that answer SearchVectors. All servers get the same items."""

import contextlib
import http.client
import random
import statistics
import time

import neighbours
import pauses
import peers
from pauses import post
from servers import Server

TABLE = "vectors"
VECTORS = 100_000
QUICK_VECTORS = 500
DIMENSIONS = 256
TOP_K = 10
COUNTS = (0, 1, 4)  # searching connections
BATCH = 25
INDEX = {"IndexName": "nearest", "VectorAttribute": {"AttributeName": "v"}, "Dimensions": DIMENSIONS,
         "DistanceFunction": "COSINE", "Projection": {"ProjectionType": "KEYS_ONLY"}}
DEFINITION = {"TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
              "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
              "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}], "VectorIndexes": [INDEX]}


def run(options):
    vectors = QUICK_VECTORS if options.quick else VECTORS
    results = [beside(threads, vectors, options) for threads in options.threads]
    if options.peers:
        results.append(against_peers(vectors, options))
    return results


def beside(threads, vectors, options):
    searching = neighbours.Neighbour("SearchVectors", search_request(), "searching connections", "a search, ms")
    with Server.hashrange(threads) as server:
        load(server, vectors)
        pauses.prepare(server)
        rounds = neighbours.alternate(server, searching, COUNTS, options)
    result = {"threads": threads, "vectors": vectors, "rounds": rounds, **neighbours.summary(rounds)}
    print(neighbours.report(result, searching), flush=True)
    return result


def against_peers(vectors, options):
    """Returns the milliseconds of one search in each server, one after another on one connection, in alternating rounds."""
    with contextlib.ExitStack() as running:
        servers = {"Hashrange": running.enter_context(Server.hashrange(1))}
        load(servers["Hashrange"], vectors)
        servers.update(peers.start_all(running, lambda server: load(server, vectors)))
        rounds = {name: [] for name in servers}
        for _ in range(options.rounds):
            for name, server in servers.items():
                rounds[name].append(search_ms(server, options.seconds))
    figures = {name: statistics.median(each) for name, each in rounds.items()}
    for name, median_ms in figures.items():
        print(f"a search of {vectors:,} vectors: {name:16} {median_ms:10.2f} ms, "
              f"{median_ms / figures['Hashrange']:6.1f} times Hashrange's", flush=True)
    return {"vectors": vectors, "search_ms": figures, "rounds": rounds, "failures": 0}


def load(server, vectors):
    """Creates the table and writes items with vectors. A pool of numbers makes the texts quickly: each vector is a run of it."""
    server.call("CreateTable", DEFINITION)
    server.call("SearchVectors", search_request())  # a server that has none is left out before it is loaded
    chance = random.Random(15)
    pool = ['{"N":"%.6f"}' % chance.uniform(-1, 1) for _ in range(vectors + DIMENSIONS)]
    for start in range(0, vectors, BATCH):
        puts = ",".join('{"PutRequest":{"Item":{"PK":{"S":"%d"},"v":{"L":[%s]}}}}' % (i, ",".join(pool[i:i + DIMENSIONS]))
                        for i in range(start, min(start + BATCH, vectors)))
        server.call("BatchWriteItem", '{"RequestItems":{"%s":[%s]}}' % (TABLE, puts))


def search_request():
    chance = random.Random(16)
    return {"TableName": TABLE, "IndexName": INDEX["IndexName"], "TopK": TOP_K,
            "SearchVector": [{"N": f"{chance.uniform(-1, 1):.6f}"} for _ in range(DIMENSIONS)]}


def search_ms(server, seconds):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    request = search_request()
    took_s = []
    over = time.perf_counter() + seconds
    while time.perf_counter() < over:
        started = time.perf_counter()
        post(connection, "/", request, "SearchVectors")
        took_s.append(time.perf_counter() - started)
    return 1000 * statistics.median(took_s)
