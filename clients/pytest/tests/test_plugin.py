"""The plugin's fixtures, their arguments, and the server."""

import pathlib
import re
import signal
import subprocess
import sys
import time

import pytest


def test_each_test_begins_with_the_seeded_tables(run):
    run('''
    @pytest.mark.parametrize("number", [1, 2])
    def test_change(app, hashrange, number):
        assert read(app) == ADA
        app.put_item(Item={**ADA, "name": "Grace"})
        hashrange.resource().create_table(
            TableName="more", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}])

    def test_reset(hashrange):
        hashrange.reset()
        assert hashrange.client().list_tables()["TableNames"] == []

    def test_reset_of_a_table(app, hashrange):
        hashrange.reset(table="app")
        assert (read(app), hashrange.client().list_tables()["TableNames"]) == (None, ["app"])

    def test_snapshot(app, hashrange):
        app.put_item(Item={**ADA, "name": "Grace"})
        hashrange.snapshot("with-Grace")
        app.put_item(Item=ADA)
        hashrange.restore("with-Grace")
        assert read(app) == {**ADA, "name": "Grace"}
        hashrange.fork()
        assert read(app) == ADA
    ''').assert_outcomes(passed=5)


def test_an_account_is_named_by_the_environment_and_by_connection(run):
    run('''
    def test_connection(hashrange, hashrange_server):
        assert hashrange.connection() == {
            "endpoint_url": hashrange_server.endpoint, "region_name": "us-east-1",
            "aws_access_key_id": "100000000001", "aws_secret_access_key": "hashrange"}
        assert boto3.client("dynamodb", **hashrange.connection()).list_tables()["TableNames"] == ["app"]

    def test_environment(hashrange):
        client = boto3.client("dynamodb", endpoint_url=os.environ["AWS_ENDPOINT_URL_DYNAMODB"])
        assert client.list_tables()["TableNames"] == ["app"]

    def test_streams(hashrange):
        assert hashrange.client("dynamodbstreams").list_streams()["Streams"] == []
    ''').assert_outcomes(passed=3)


def test_arguments_that_would_not_be_obeyed_are_refused(run):
    run(r'''
    import datetime

    CALLS = [
        (lambda it: it.reset({"table": "app"}), "reset() takes a text as `table`, not {'table': 'app'}."),
        (lambda it: it.reset(""), "reset() takes a text as `table`, not ''."),
        (lambda it: it.snapshot({"name": "a"}), "snapshot() takes a text as `name`, not {'name': 'a'}."),
        (lambda it: it.restore(1), "restore() takes a text as `name`, not 1."),
        (lambda it: it.hold("app", "USER#1"), "hold() takes a dict as `key`, not 'USER#1'."),
        (lambda it: it.hold("app", KEY, {"timeout": "5s"}),
         'hold() takes "2d" or a timedelta as `timeout`, not {\'timeout\': \'5s\'}.'),
        (lambda it: it.hold("app", KEY, 5000), 'hold() takes "2d" or a timedelta as `timeout`, not 5000.'),
        (lambda it: it.clock.advance({"time": "2d"}), 'clock.advance() takes "2d" or a timedelta as `time`, not {\'time\': \'2d\'}.'),
        (lambda it: it.clock.advance(5000), 'clock.advance() takes "2d" or a timedelta as `time`, not 5000.'),
        (lambda it: it.clock.freeze(None),
         'clock.freeze() takes a datetime, "2026-01-31T12:00:00Z" or epoch seconds as `at`, not None.'),
        (lambda it: it.clock.scale("2"), "clock.scale() takes a number as `factor`, not '2'."),
        (lambda it: it.requests.list({"operation": "Query"}),
         "requests.list() takes a text as `table`, not {'operation': 'Query'}."),
        (lambda it: it.faults.add([]), "faults.add() takes a dict as `rule`, not []."),
        (lambda it: it.faults.add({"match": "GetItem", "do": {}}), "faults.add() takes a dict as `match`, not 'GetItem'."),
        (lambda it: it.control("throughput", {"enforce": True}), "control() takes a text as `path`, not {'enforce': True}."),
        (lambda it: it.control("POST", "reset", "app"), "control() takes a dict as `body`, not 'app'."),
    ]

    @pytest.mark.parametrize("call, message", CALLS)
    def test_call(hashrange, call, message):
        with pytest.raises(TypeError) as caught:
            call(hashrange)
        assert str(caught.value) == f"hashrange: {message}"
        assert hashrange.client().list_tables()["TableNames"] == ["app"]

    def test_rule_of_another_account(hashrange):
        with pytest.raises(TypeError, match="faults.add.. is about account 100000000001"):
            hashrange.faults.add({"match": {"account": "111122223333"}, "do": {"status": 503}})

    def test_times(hashrange):
        for time in ("5s", datetime.timedelta(seconds=5), datetime.timedelta(milliseconds=2500)):
            with hashrange.hold("app", KEY, time):
                assert "until" in hashrange.control("GET", "holds")["holds"][0]

    def test_arguments_of_start():
        from pytest_hashrange import start

        with pytest.raises(TypeError, match="takes a list of texts as `args`, not '--shared'"):
            start(args="--shared")
    ''').assert_outcomes(passed=19)


def test_members_that_are_not_given_are_not_sent(run):
    run('''
    from pytest_hashrange import account, begun, control

    def test_nulls(hashrange, monkeypatch):
        sent = []

        def spy(endpoint, token, method, path, body=None):
            sent.append(body)
            return control.control(endpoint, token, method, path, body)

        monkeypatch.setattr(account, "control", spy)
        monkeypatch.setattr(begun, "control", spy)
        hashrange.hold("app", KEY).release()
        hashrange.requests.record()
        hashrange.requests.list(operation="Query")
        hashrange.snapshot("a")
        hashrange.reset()
        hashrange.fork()
        assert [body for body in sent if body and None in body.values()] == []
        hashrange.control("GET", "holds")

    def test_what_is_given_is_sent_as_it_is(hashrange, monkeypatch):
        sent = []
        monkeypatch.setattr(control.DIRECT, "open", lambda request: sent.append(request.data) or 1 / 0)
        with pytest.raises(ZeroDivisionError):
            hashrange.control("POST", "reset", {"table": None})
        monkeypatch.undo()
        assert sent == [b'{"table": null}']
    ''').assert_outcomes(passed=2)


def test_a_refusal_is_its_sentence(run):
    run('''
    from pytest_hashrange import ControlError, start

    def test_refusal(hashrange):
        with pytest.raises(ControlError, match="^hashrange: POST clock: .*fast") as caught:
            hashrange.control("POST", "clock", {"fast": True})
        assert caught.value.status == 400

    def test_silence(hashrange):
        with start() as server:
            assert server.account.control("GET", "")["tables"] == 0
        with pytest.raises(ConnectionError, match=r"^hashrange: http://127\\.0\\.0\\.1:\\d+ does not answer: "):
            server.account.control("GET", "")
    ''').assert_outcomes(passed=2)


@pytest.mark.parametrize("argument, message", [
    ("--hashrange-binary=/nowhere/hashrange",
     "hashrange: the option hashrange_binary names /nowhere/hashrange, which is no program."),
    ("--hashrange-binary=/bin/false", "hashrange: /bin/false ended with 1 before it was ready."),
])
def test_why_there_is_no_server(run, argument, message):
    result = run("def test_it(hashrange): pass", argument)
    result.assert_outcomes(errors=1)
    assert message in result.stdout.str()


def test_what_to_do_where_there_is_no_server(run, monkeypatch):
    monkeypatch.delenv("HASHRANGE_BINARY", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    result = run("def test_it(hashrange): pass")
    result.assert_outcomes(errors=1)
    assert "put `hashrange` on PATH, or its path into HASHRANGE_BINARY" in result.stdout.str()


def test_a_server_that_runs_already_is_used(run, monkeypatch):
    from pytest_hashrange import start

    test = "def test_it(app, hashrange_server): print(hashrange_server.endpoint); assert read(app) == ADA"
    with start(token="secret") as server:
        monkeypatch.setenv("HASHRANGE_TOKEN", "secret")
        result = run(test, "-s", f"--hashrange-endpoint={server.endpoint}")
        result.assert_outcomes(passed=1)
        assert server.endpoint in result.stdout.str()
        monkeypatch.setenv("HASHRANGE_ENDPOINT", server.endpoint)
        run(test).assert_outcomes(passed=1)
        monkeypatch.setenv("HASHRANGE_TOKEN", "wrong")
        run(test).assert_outcomes(errors=1)


def test_two_workers_do_not_meet(run):
    pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    run('''
    @pytest.mark.parametrize("number", range(8))
    def test_change(app, number):
        assert read(app) == ADA
        app.put_item(Item={**ADA, "number": number})
        assert read(app) == {**ADA, "number": number}
    ''', "-p", "xdist", "-n", "2").assert_outcomes(passed=8)


def test_no_server_is_left_behind_by_a_killed_run(pytester):
    file = pytester.makepyfile(test_sample='''
    import time

    def test_wait(hashrange):
        print("server", hashrange.control("GET", "")["pid"], flush=True)
        time.sleep(120)
    ''')
    process = subprocess.Popen([sys.executable, "-m", "pytest", "-q", "-s", "-p", "pytest_hashrange.plugin", str(file)],
                               stdout=subprocess.PIPE, text=True)
    with process:
        pid = next(int(match[1]) for match in (re.search(r"server (\d+)", line) for line in process.stdout) if match)
        assert runs(pid)
        process.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 60
    while runs(pid):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def runs(pid):
    """Returns whether the process runs. A process that has ended exists until its parent calls waitpid."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False
