"""Damage of a data directory: flipped bits, files that are cut short, files that are removed, one at a time.

A start loses nothing, or says so: it refuses the directory, or its log names the file. `check` says the same. What a
repair leaves is the state after some number of writes, and it keeps what it cuts off.
"""

import json
import os
import random
import re
import shutil
import subprocess
import urllib.error
import urllib.request

import pytest
from kept_server import PROGRAM, START_TIMEOUT_S

WRITES = 60
SEED = 7
HEADERS = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Date": "20260101T000000Z",
           "Authorization": "AWS4-HMAC-SHA256 Credential=111122223333/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0"}
LOG_BLOCK_BYTES, LOG_HEADER_BYTES = 32768, 7


class Server:
    """A server of the directory; `endpoint` is None if it did not start, and `said` is its log when it has ended."""

    def __init__(self, directory):
        reader, writer = os.pipe()
        self.process = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--ready-fd", str(writer), "--data", str(directory)],
                                        pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        os.close(writer)
        with os.fdopen(reader) as ready:
            line = ready.read()
        self.endpoint = json.loads(line)["endpoint"] if line else None
        self.said = None

    def call(self, operation, **members):
        request = urllib.request.Request(self.endpoint, json.dumps(members).encode(),
                                         {**HEADERS, "X-Amz-Target": "DynamoDB_20120810." + operation})
        with urllib.request.urlopen(request, timeout=START_TIMEOUT_S) as answer:
            return json.load(answer)

    def end(self, kills=False):
        (self.process.kill if kills else self.process.terminate)()
        self.said = self.process.communicate(timeout=START_TIMEOUT_S)[1]


def write(server, numbers):
    for number in numbers:
        server.call("PutItem", TableName="app", Item={"PK": {"S": f"{number:04}"}, "text": {"S": "x" * (number * 37 % 300)}})


def make(directory, kills):
    """Writes half of the items into a table file, the others into the log."""
    server = Server(directory)
    server.call("CreateTable", TableName="app", BillingMode="PAY_PER_REQUEST",
                AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
                KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}])
    write(server, range(WRITES // 2))
    server.end()
    server = Server(directory)
    write(server, range(WRITES // 2, WRITES))
    server.end(kills)


def record_ends(log):
    """Where the records of a log end, by the lengths in their headers."""
    ends, at = [], 0
    while at + LOG_HEADER_BYTES <= len(log):
        if LOG_BLOCK_BYTES - at % LOG_BLOCK_BYTES < LOG_HEADER_BYTES:
            at += LOG_BLOCK_BYTES - at % LOG_BLOCK_BYTES
            continue
        at += LOG_HEADER_BYTES + int.from_bytes(log[at + 4:at + 6], "little")
        ends.append(at)
    return ends


def damages_of(name, content, chance):
    """Returns (what, the damaged content; None: removed)."""
    damages = [("removed", None)]
    if not content:
        return damages
    flips = {0, len(content) - 1} | {chance.randrange(len(content)) for _ in range(5 if name.endswith(".log") else 2)}
    for at in sorted(flips):
        flipped = bytearray(content)
        flipped[at] ^= 1 << chance.randrange(8)
        damages.append((f"flipped at {at}", bytes(flipped)))
    sizes = {0, len(content) // 2, len(content) - 1}
    if name.endswith(".log"):
        ends = record_ends(content)
        assert ends[-1] == len(content) and len(ends) >= WRITES // 2
        sizes |= {ends[0], ends[len(ends) // 2], ends[-2]}
    return damages + [(f"cut to {size}", content[:size]) for size in sorted(sizes)]


def start_and_look(directory):
    """Returns what the log said, and how many of the writes are there (None: it did not start); they are the first ones."""
    server = Server(directory)
    if server.endpoint is None:
        server.end()
        return server.said, None
    try:
        items = server.call("Scan", TableName="app", ConsistentRead=True)["Items"]
    except urllib.error.HTTPError as refused:  # the table itself was lost
        assert "ResourceNotFoundException" in refused.read().decode()
        items = []
    server.end()
    there = sorted(item["PK"]["S"] for item in items)
    assert there == [f"{number:04}" for number in range(len(there))], "a later write is there without an earlier one"
    return server.said, len(there)


def run(command, directory):
    done = subprocess.run([PROGRAM, command, directory], capture_output=True, text=True, timeout=START_TIMEOUT_S)
    return done.returncode, done.stdout + done.stderr


def contents(directory):
    return {path.name: path.read_bytes() for path in sorted(directory.iterdir())}


def repair_and_look(directory, damaged):
    """Repairs the directory, which a start refuses, and checks that nothing of a log is gone."""
    code, said = run("repair", directory)
    if code != 0:
        assert not any(name.endswith(".log") and name in said for name in damaged), said
        return
    for name, kept in contents(directory).items():
        cut = re.fullmatch(r"(.+)\.lost-(\d+)", name)
        if cut and name not in damaged:
            assert damaged[cut[1]][int(cut[2]):] == kept and name in said
    assert run("repair", directory) == (0, "there was nothing to cut off\n")
    said, count = start_and_look(directory)
    assert count is not None, said
    assert count >= WRITES // 2 or count == 0, "the table file is sound"


@pytest.mark.parametrize("kills", [False, True], ids=["ended", "killed"])
def test_no_damage_loses_writes_without_a_word(tmp_path, kills):
    sound = tmp_path / "sound"
    make(sound, kills)
    files = contents(sound)
    assert {"CURRENT", "HASHRANGE", "HASHRANGE.logs"} <= set(files)
    chance = random.Random(SEED)
    log = max((name for name in files if name.endswith(".log")), key=lambda name: len(files[name]))
    unnoticed = 0
    for name, content in files.items():
        for what, damaged in damages_of(name, content, chance):
            case = f"{name} {what}"
            directory = tmp_path / "damaged"
            shutil.copytree(sound, directory)
            if damaged is None:
                (directory / name).unlink()
            else:
                (directory / name).write_bytes(damaged)
            before = contents(directory)
            code, checked = run("check", directory)
            assert contents(directory) == before, case
            said, count = start_and_look(directory)
            if count is None:
                assert name in said or str(directory) in said, f"{case}: {said}"
                assert code != 0, f"{case}: check says that nothing is damaged, and a start says {said}"
                assert "table" not in checked or code == 1, f"{case}: {checked}"
                if not name.endswith(".ldb"):  # which is read when the log has become a table file
                    assert contents(directory) == {"HASHRANGE.lock": b"", **before}, case
                repair_and_look(directory, before)
            elif count < WRITES:
                named = name in said and name in checked and code == 1
                # A kill might have come earlier.
                is_inherent = kills and name == log and what.startswith("cut to")
                assert named or is_inherent, f"{case}: {WRITES - count} writes are lost: {checked} {said}"
                unnoticed += not named
            shutil.rmtree(directory)
    assert unnoticed <= (4 if kills else 0)


def test_a_directory_with_nothing_but_its_marker_is_refused(tmp_path):
    make(tmp_path / "data", kills=False)
    for path in (tmp_path / "data").iterdir():
        if path.name != "HASHRANGE":
            path.unlink()
    said, count = start_and_look(tmp_path / "data")
    assert count is None and f"{tmp_path}/data has lost its data" in said
    assert run("check", tmp_path / "data") == (
        1, f"damaged: {tmp_path}/data has lost its data: it has nothing but the file HASHRANGE\n")
    assert set(contents(tmp_path / "data")) <= {"HASHRANGE", "HASHRANGE.lock"}


def test_a_directory_in_use_is_not_repaired(tmp_path):
    server = Server(tmp_path / "data")
    for command in ("check", "repair", "compact"):
        assert run(command, tmp_path / "data") == (2, f"hashrange: {tmp_path}/data is used by another server\n")
    server.end()


def test_check_needs_no_right_to_write(tmp_path):
    make(tmp_path / "data", kills=True)
    (tmp_path / "data" / "HASHRANGE.lock").unlink()
    mounted = ["unshare", "-m", "sh", "-c", 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" check "$1"',
               "sh", str(tmp_path / "data"), PROGRAM]
    if subprocess.run([*mounted[:3], "-c", 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"', "sh", str(tmp_path)],
                      capture_output=True).returncode != 0:
        pytest.skip("no file system can be mounted here")
    done = subprocess.run(mounted, capture_output=True, text=True, timeout=START_TIMEOUT_S)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.startswith(f"{tmp_path}/data: 1 table, {WRITES} items, ") and done.stdout.endswith("nothing is damaged\n")
