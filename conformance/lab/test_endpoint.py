"""The calls of a lab at the server under test: what it reports is what the lab's twin takes, and nothing is left behind."""

import json
import os
import signal
import subprocess
import time

import pytest

from conftest import ENDPOINT, NAMES, PROGRAM, small_copy
from test_replay import Account


def start(account, *arguments):
    """Starts `hashrange lab run` at the server, in the account."""
    keys = {"AWS_ACCESS_KEY_ID": account.number, "AWS_SECRET_ACCESS_KEY": "secret"}
    return subprocess.Popen([PROGRAM, "lab", "run", *map(str, arguments), "--no-confirm", "--endpoint", ENDPOINT],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **keys})


def tables_of(account):
    return account.call("ListTables", {})[1]["TableNames"]


@pytest.mark.parametrize("name", NAMES)
def test_the_server_reports_what_the_twin_takes(name, tmp_path):
    account = Account()
    run = start(account, small_copy(name, tmp_path, 15), "--rate", "20%", "--duration", "3s", "--json")
    output, said = run.communicate(timeout=300)
    assert run.returncode == 0, said
    endpoint = json.loads(output)["endpoint"]
    assert (endpoint["url"], endpoint["share_of_declared_rates"], len(endpoint["layouts"])) == (ENDPOINT, 0.2, 3)
    assert said == (f"hashrange: The tables at {ENDPOINT} are named {endpoint['table_prefix']}… and are removed at the end\n")
    for layout in endpoint["layouts"]:
        assert (layout["ended_early_because"], layout["left_behind"]) == ("", "")
        compared = 0
        for pattern in layout["patterns"]:
            assert (pattern["failed"], pattern["not_made"], pattern["unfinished"], pattern["not_answered"]) == (0, 0, 0, 0), pattern
            units = pattern["units_and_twin"]
            assert units["different"] == units["different_while_writing"], pattern
            assert (units["not_reported"], units["refused_by_twin"]) == (0, 0), pattern
            compared += units["requests_compared"]
        assert compared > 0
    assert tables_of(account) == []


def test_ctrl_c_removes_the_tables(tmp_path):
    account = Account()
    run = start(account, small_copy("shop", tmp_path, 60), "--layout", "overloaded")
    end = time.monotonic() + 60
    while not tables_of(account) and time.monotonic() < end:
        time.sleep(0.05)
    assert len(tables_of(account)) == 1
    run.send_signal(signal.SIGINT)
    output, said = run.communicate(timeout=60)
    assert run.returncode == 130, said
    assert "hashrange: interrupted: the report is about what was done until then\n" in said
    assert "- Ended early: The run was interrupted.\n" in output
    assert tables_of(account) == []


def test_a_table_that_exists_is_left_alone(tmp_path):
    account = Account()
    name = "mine-1-shop"
    status, _ = account.call("CreateTable", {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}]})
    assert status == 200
    run = start(account, small_copy("shop", tmp_path, 15), "--prefix", "mine-")
    output, said = run.communicate(timeout=60)
    assert (run.returncode, output) == (2, "")
    assert said == (f"hashrange: The table {name} exists already at {ENDPOINT}, and a run touches no table that it has not made: "
                    "choose another --prefix\n")
    assert tables_of(account) == [name]
    account.call("DeleteTable", {"TableName": name})
