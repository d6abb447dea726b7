"""Copies between servers and folders, whole, interrupted and killed."""

import json
import pathlib
import re
import signal
import time

import pytest
from places import copy, start_copy, write_seed

ITEMS = 100_000


@pytest.fixture
def source(serve, tmp_path):
    return serve("--seed", str(write_seed(tmp_path / "seed", "app", 3_000)))


def lines_of(text):
    """The lines of stdout, without what differs from run to run."""
    return [re.sub(r" in [0-9.]+ s:", " in … s:", line) for line in text.splitlines()]


def test_into_a_folder_that_is_a_seed(source, serve, tmp_path):
    source.client.update_time_to_live(TableName="app", TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"})
    code, out, err = copy("--from", source.endpoint, "--to", tmp_path / "dump")
    assert (code, lines_of(out), err) == (0, ["app: 3,000 items, verified",
                                              "Copied 1 table with 3,000 items in … s: 330 read units"], "")
    files = sorted(str(path.relative_to(tmp_path / "dump")) for path in (tmp_path / "dump").rglob("*") if path.is_file())
    assert files == ["app/items.json", "app/table.json", "hashrange-dump.json"]
    loaded = serve("--seed", str(tmp_path / "dump"))
    assert loaded.items("app") == source.items("app")
    assert loaded.description("app") == source.description("app")
    assert loaded.client.describe_time_to_live(TableName="app")["TimeToLiveDescription"] == {
        "TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}


def test_from_a_folder(serve, tmp_path):
    to = serve()
    code, out, err = copy("--from", write_seed(tmp_path / "seed", "app", 250), "--to", to.endpoint, "--prefix", "dev-")
    assert (code, lines_of(out), err) == (0, [
        "app as dev-app: 250 items, verified",
        "Copied 1 table with 250 items in … s: 32 read units, 275 write units, 32 read units to verify"], "")
    assert len(to.items("dev-app")) == 250


def test_throttles_and_failures_are_waited_for(source, serve, tmp_path):
    to = serve()
    to.control("faults", {"rules": [
        {"match": {"operation": "BatchWriteItem", "every": 2}, "do": {"unprocessed": 13}},
        {"match": {"operation": "BatchWriteItem", "every": 3}, "do": {"throttle": "TableWriteProvisionedThroughputExceeded"}},
        {"match": {"operation": "BatchWriteItem", "every": 7}, "do": {"drop": "after"}},
        {"match": {"operation": "BatchWriteItem", "every": 11}, "do": {"status": 503}}]})
    code, out, err = copy("--from", source.endpoint, "--to", to.endpoint, "--state", tmp_path / "state")
    assert (code, lines_of(out)[0], err) == (0, "app: 3,000 items, verified", "")
    assert to.items("app") == source.items("app")
    assert to.description("app") == source.description("app")


def wait_for_items(to_count, least, process):
    end = time.monotonic() + 60
    while to_count() < least:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, f"{to_count()} of {least}"
        time.sleep(0.01)


def test_a_killed_copy_of_many_items_is_continued(serve, tmp_path):
    source = serve("--seed", str(write_seed(tmp_path / "seed", "app", ITEMS)))
    to = serve()
    arguments = ("--from", source.endpoint, "--to", to.endpoint, "--state", tmp_path / "state")
    killed_at = []
    for least in (10_000, 40_000, 70_000):
        process = start_copy(*arguments, *(["--resume"] if killed_at else []))

        def count():
            try:
                return to.client.describe_table(TableName="app")["Table"]["ItemCount"]
            except to.client.exceptions.ResourceNotFoundException:
                return 0

        wait_for_items(count, least, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        state = json.loads((tmp_path / "state").read_text())["tables"][0]
        killed_at.append(state["items"])
        assert state["stage"] == "items" and state["items"] <= count() < ITEMS
    assert killed_at == sorted(killed_at) and killed_at[-1] > 0
    code, out, err = copy(*arguments)
    assert (code, out, err) == (2, "", f"hashrange: {tmp_path / 'state'} is of a copy that was not finished: continue it with "
                                       "--resume, or remove what was copied and this file\n")
    code, out, err = copy(*arguments, "--resume")
    assert (code, lines_of(out)[0], err) == (0, f"app: {ITEMS:,} items, verified", "")
    assert to.items("app") == source.items("app")
    assert not (tmp_path / "state").exists()
    print(f"killed when the state had {killed_at} items")


def test_a_killed_copy_into_a_folder_is_continued(serve, tmp_path):
    source = serve("--seed", str(write_seed(tmp_path / "seed", "app", ITEMS)))
    dump = tmp_path / "dump"
    arguments = ("--from", source.endpoint, "--to", dump, "--read-units", "20000")
    process = start_copy(*arguments)
    partial = dump / "app/items.json.partial"
    wait_for_items(lambda: partial.stat().st_size if partial.exists() else 0, 8_000_000, process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert copy("--from", dump, "--to", source.endpoint, "--prefix", "x-") == (
        2, "", f"hashrange: {dump}: a dump into this folder was not finished\n")
    code, out, err = copy(*arguments, "--resume")
    assert (code, lines_of(out)[0], err) == (0, f"app: {ITEMS:,} items, verified", "")
    loaded = serve("--seed", str(dump))
    assert loaded.items("app") == source.items("app")


def test_an_interrupted_copy_says_what_stands_where(source, serve, tmp_path):
    to = serve()
    state = tmp_path / "state"
    arguments = ("--from", source.endpoint, "--to", to.endpoint, "--state", state, "--segments", "1")
    process = start_copy(*arguments, "--write-units", "100")
    wait_for_items(lambda: json.loads(state.read_text() or "{}").get("tables", [{}])[0].get("items", 0) if state.exists() else 0, 1, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert re.fullmatch(
        rf"hashrange: the copy was interrupted; 0 of 1 table is copied, of app at least [1-9][0-9,]* items? (is|are) at {re.escape(to.name)}; to "
        rf"continue, run the same command with --resume; to begin anew, remove what was copied and {re.escape(str(state))}\n", err)
    assert copy(*arguments, "--resume")[0] == 0
    assert to.items("app") == source.items("app")


def test_a_destination_that_is_away_for_a_while_is_waited_for(source, serve, tmp_path):
    to = serve("--data", str(tmp_path / "data"))
    process = start_copy("--from", source.endpoint, "--to", to.endpoint, "--state", tmp_path / "state", "--write-units", "1500")
    time.sleep(1)
    to.process.kill()
    to.process.wait()
    time.sleep(1)
    again = serve("--data", str(tmp_path / "data"), "--port", to.endpoint.rsplit(":", 1)[1])
    assert again.endpoint == to.endpoint
    out, err = process.communicate(timeout=100)
    assert (process.returncode, lines_of(out)[0], err) == (0, "app: 3,000 items, verified", "")
    assert again.items("app") == source.items("app")


def test_the_rate_is_kept(source, serve, tmp_path):
    to = serve()
    started = time.monotonic()
    code, _, err = copy("--from", source.endpoint, "--to", to.endpoint, "--state", tmp_path / "state", "--read-units", "150",
                        "--no-verify")
    # 330 units at 150 a second: the calls that read the last of them begin after more than a second.
    assert (code, err) == (0, "")
    assert time.monotonic() - started > 1
    assert to.items("app") == source.items("app")


def test_two_regions_of_one_server(serve, tmp_path):
    server = serve("--seed", str(write_seed(tmp_path / "seed", "app", 10)), "--seed-region", "eu-west-1", shared=False)
    arguments = ("--from", server.endpoint, "--from-region", "eu-west-1", "--to", server.endpoint, "--to-region", "us-west-2",
                 "--state", tmp_path / "state")
    code, out, err = copy(*arguments)
    assert (code, lines_of(out)[0], err) == (0, "app: 10 items, verified", "")
    # It is there now.
    assert copy(*arguments)[0] == 2


def test_the_folder_of_the_state_is_the_present_one(source, serve, tmp_path):
    to = serve()
    to.control("faults", {"rules": [{"match": {"operation": "BatchWriteItem"},
                                     "do": {"error": {"type": "AccessDeniedException", "message": "No."}}}]})
    code, out, err = copy("--from", source.endpoint, "--to", to.endpoint, cwd=tmp_path)
    assert (code, out) == (1, "")
    assert err == (f"hashrange: {to.name} refuses BatchWriteItem of the table app: AccessDeniedException, No; 0 of 1 table is "
                   f"copied, app is created at {to.name}, perhaps with some of its items; to continue, run the same command with --resume; to begin "
                   "anew, remove what was copied and hashrange-copy.state\n")
    assert pathlib.Path(tmp_path / "hashrange-copy.state").exists()
