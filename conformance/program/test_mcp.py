"""`hashrange mcp` as a process: what is on its streams, and how it ends."""

import json
import signal
import socket
import subprocess

import pytest
from conftest import PROGRAM

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
PONG = {"jsonrpc": "2.0", "id": 1, "result": {}}


def call(number, tool, **arguments):
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def lines(*messages):
    return "".join(json.dumps(message) + "\n" for message in messages)


def run(*arguments, given="", **more):
    return subprocess.run([PROGRAM, "mcp", *arguments], input=given, capture_output=True, text=True, timeout=60, **more)


def answers(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def start(*arguments):
    return subprocess.Popen([PROGRAM, "mcp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_it_ends_with_its_input_when_all_is_answered(tmp_path):
    done = run("--reports", str(tmp_path), given=lines(PING, call(2, "describe_tables"), call("three", "server_status")))
    assert done.returncode == 0
    first, second, third = answers(done)
    assert (first, second["id"], third["id"]) == (PONG, 2, "three")
    assert second["result"] == {"content": [{"type": "text", "text": "there are no tables\n"}], "isError": False}


def test_the_last_line_needs_no_end():
    assert answers(run(given=json.dumps(PING))) == [PONG]


def test_no_input_is_no_error():
    done = run()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_log_is_not_in_the_answers():
    table = {"TableName": "app", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}],
             "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}]}
    done = run(given=lines(call(1, "dynamodb_call", operation="CreateTable", input=table)))
    assert [answer["id"] for answer in answers(done)] == [1]
    assert "table app created" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it(number):
    process = start()
    process.stdin.write(lines(PING))
    process.stdin.flush()
    assert json.loads(process.stdout.readline()) == PONG
    process.send_signal(number)
    assert process.wait(10) == 0
    assert process.communicate() == ("", "")


def test_a_long_run_ends_with_the_input(tmp_path):
    lab = run(given=lines(call(1, "lab_start"))).stdout
    text = json.loads(lab)["result"]["content"][0]["text"].split("JSON Schema of lab files:")[0]
    done = run("--reports", str(tmp_path), given=lines(call(1, "lab_run", lab=text, thin=1, seconds=600)))
    assert done.returncode == 0
    assert [answer["id"] for answer in answers(done)] == [1]


def test_a_client_that_is_gone_ends_it():
    process = start()
    process.stdout.close()
    process.stdin.write(lines(PING))
    process.stdin.flush()
    assert process.wait(10) == 0
    process.stdin.close()
    process.stderr.close()


def test_data_stay(tmp_path):
    item = {"k": {"S": "a"}}
    table = {"TableName": "app", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "k", "KeyType": "HASH"}],
             "AttributeDefinitions": [{"AttributeName": "k", "AttributeType": "S"}]}
    data = str(tmp_path / "data")
    run("--data", data, given=lines(call(1, "dynamodb_call", operation="CreateTable", input=table),
                                    call(2, "dynamodb_call", operation="PutItem", input={"TableName": "app", "Item": item})))
    (answer,) = answers(run("--data", data, given=lines(call(1, "dynamodb_read", operation="GetItem", input={"TableName": "app", "Key": item}))))
    assert answer["result"]["content"][0]["text"] == '0.5 read units (app: table 0.5)\n{"Item":{"k":{"S":"a"}}}'


def test_a_port_that_is_taken_is_an_error():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run("--port", str(taken.getsockname()[1]))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("hashrange: ")


def test_a_wrong_endpoint_is_an_error():
    done = run("--endpoint", "ftp://x")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("hashrange: ")


def test_a_wrong_option_is_an_error():
    done = run("--prt", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "hashrange: unknown argument: --prt (see hashrange mcp --help)\n"


def test_lines_that_are_no_messages_do_not_end_it():
    with_rubbish = "\0\xff{]\n" + "[" * 5000 + "\n" + "a" * (17 << 20) + "\n" + lines(PING)
    done = subprocess.run([PROGRAM, "mcp"], input=with_rubbish.encode("latin-1"), capture_output=True, timeout=60)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("error", {}).get("code") for answer in found] == [-32700, -32700, -32600, None]
    assert found[-1] == PONG
    assert done.returncode == 0
