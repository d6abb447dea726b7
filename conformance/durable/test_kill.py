"""kill -9 at random moments: what was acknowledged is there, whole, and in order.

The number of rounds is in DURABLE_ROUNDS; each mode of --sync has a third of them.
"""

import os
import random
import time

import pytest
from kept_server import KeptServer
from workload import Writer, check_indexes, check_items, check_stream, check_tokens, create_tables, read_kept

ROUNDS = int(os.environ.get("DURABLE_ROUNDS", "40"))
WRITERS = 4


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
