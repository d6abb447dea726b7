"""The plugin in a project of a user: each test runs pytest on files of its own."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import textwrap
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent

CONFTEST = '''
    import pytest

    ADA = {"PK": "USER#ada", "name": "Ada"}

    @pytest.fixture(scope="session")
    def dynamodb_seed(hashrange_server):
        dynamodb = hashrange_server.seed.resource()
        table = dynamodb.create_table(
            TableName="app", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}])
        table.put_item(Item=ADA)

    @pytest.fixture
    def app(hashrange):
        return hashrange.resource().Table("app")
'''
HEAD = '''
    import datetime
    import os
    import boto3
    import pytest
    from botocore.config import Config
    from botocore.exceptions import ClientError
    from conftest import ADA

    KEY = {"PK": {"S": "USER#ada"}}

    def once(hashrange):
        return hashrange.client(config=Config(retries={"max_attempts": 0}))

    def failure(call, **request):
        with pytest.raises(ClientError) as caught:
            call(**request)
        return caught.value.response["Error"]["Code"]

    def read(app):
        return app.get_item(Key={"PK": "USER#ada"}, ConsistentRead=True).get("Item")
'''


@pytest.fixture(autouse=True)
def python_path(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])))


@pytest.fixture
def run(pytester):
    """Runs the text of a test file beside CONFTEST, in a process of its own."""

    def run(text, *arguments):
        pytester.makeconftest(CONFTEST)
        pytester.makepyfile(test_sample=textwrap.dedent(HEAD) + textwrap.dedent(text))
        return pytester.runpytest_subprocess("-p", "pytest_hashrange.plugin", *arguments)

    return run


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


def test_simulation_ends_with_its_test(run):
    run('''
    RULE = {"name": "slow down", "match": {"operation": "GetItem", "times": 1},
            "do": {"error": {"type": "ThrottlingException", "message": "Rate exceeded"}}}

    def test_faults(hashrange):
        added, = hashrange.faults.add(RULE)
        assert (added["name"], added["hits"]) == ("slow down", 0)
        assert failure(once(hashrange).get_item, TableName="app", Key=KEY) == "ThrottlingException"
        assert "Item" in once(hashrange).get_item(TableName="app", Key=KEY)
        assert [(rule["id"], rule["hits"]) for rule in hashrange.faults.list()] == [(added["id"], 1)]
        hashrange.faults.add(RULE)

    def test_no_faults(hashrange):
        assert hashrange.faults.list() == []
        assert "Item" in once(hashrange).get_item(TableName="app", Key=KEY)

    def test_hold(hashrange):
        with hashrange.hold("app", KEY, "1m"):
            assert failure(once(hashrange).delete_item, TableName="app", Key=KEY) == "TransactionConflictException"
        once(hashrange).delete_item(TableName="app", Key=KEY)
        hashrange.hold("app", KEY)

    def test_no_hold(hashrange):
        once(hashrange).delete_item(TableName="app", Key=KEY)

    def test_requests(hashrange, app):
        hashrange.requests.record(limit=10)
        read(app)
        seen, = hashrange.requests.list(operation="GetItem")
        hashrange.requests.record()
        assert hashrange.requests.list() == []
        hashrange.requests.stop()
        access, = seen["accesses"]
        assert (seen["account"], seen["status"], access["table"], access["kind"]) == (hashrange.id, 200, "app", "read")
        hashrange.requests.clear()
        assert hashrange.requests.list() == []
    ''').assert_outcomes(passed=5)


def test_what_a_test_starts_ends_with_it(run):
    run('''
    import time

    def state(hashrange):
        own = lambda path, name: [each for each in hashrange.control("GET", path)[name] if each.get("account") == hashrange.id]
        return {"faults": hashrange.faults.list(), "throughput": own("throughput", "rules"), "holds": own("holds", "holds"),
                "consistency": own("consistency", "tables"), "requests": hashrange.requests.list(),
                "status": hashrange.client().describe_table(TableName="app")["Table"]["TableStatus"],
                "is_now": abs(hashrange.clock.now()["epoch_ms"] / 1000 - time.time()) < 60}

    NOTHING = {"faults": [], "throughput": [], "holds": [], "consistency": [], "requests": [], "status": "ACTIVE", "is_now": True}

    def start_all(hashrange):
        mine = {"account": hashrange.id}
        table = {**mine, "table": "app"}
        hashrange.requests.record()
        hashrange.client().list_tables()
        hashrange.faults.add({"match": {"operation": "GetItem"}, "do": {"status": 503}})
        hashrange.hold("app", KEY)
        hashrange.control("POST", "throughput", {**mine, "enforce": True})
        hashrange.control("POST", "consistency", {**table, "stale_reads": "1h"})
        hashrange.control("POST", "status", {**table, "status": "UPDATING"})
        hashrange.clock.advance("2d")

    def test_start(hashrange):
        start_all(hashrange)
        begun = state(hashrange)
        assert [name for name in NOTHING if begun[name] == NOTHING[name]] == []

    def test_end_before_any_fork(hashrange_server):
        assert state(hashrange_server.account) == NOTHING

    def test_a_rule_that_lets_all_through(hashrange):
        hashrange.control("POST", "throughput", {"account": hashrange.id, "enforce": True})
        hashrange.control("POST", "throughput", {"account": hashrange.id, "table": "app", "enforce": False})
        assert len(state(hashrange)["throughput"]) == 2

    def test_no_rule(hashrange_server):
        assert state(hashrange_server.account)["throughput"] == []

    OTHER = {"account": "424242424242"}

    @pytest.fixture(scope="module")
    def another(hashrange_server, dynamodb_seed):
        """Calls of the control API that the plugin does not note."""
        from pytest_hashrange.control import control

        def call(*words):
            return control(hashrange_server.endpoint, None, *words)

        call("POST", "fork", {"from": hashrange_server.seed.id, "to": OTHER["account"]})
        call("POST", "throughput", {**OTHER, "enforce": True})
        call("POST", "consistency", {**OTHER, "table": "app", "stale_reads": "1h"})
        return call

    def test_start_beside_another_account(another, hashrange):
        start_all(hashrange)

    def test_the_other_account_keeps_its_own(another):
        assert [rule["account"] for rule in another("GET", "throughput")["rules"]] == [OTHER["account"]]
        assert [table["account"] for table in another("GET", "consistency")["tables"]] == [OTHER["account"]]

    def test_fork(hashrange):
        start_all(hashrange)
        hashrange.control("POST", "requests", {"enabled": False})
        hashrange.fork()
        hashrange.clock.real()
        hashrange.requests.clear()
        assert state(hashrange) == NOTHING
    ''').assert_outcomes(passed=7)


def test_what_a_session_starts_stays(run):
    run('''
    @pytest.fixture(scope="session")
    def frozen(hashrange_server):
        return hashrange_server.account.clock.freeze("2026-01-01T00:00:00Z")["epoch_ms"]

    @pytest.mark.parametrize("number", [1, 2])
    def test_clock(frozen, hashrange, number):
        hashrange.faults.add({"do": {"status": 503}, "match": {"operation": "Scan"}})
        assert hashrange.clock.now()["epoch_ms"] == frozen
        hashrange.clock.advance("2d")

    def test_what_a_fixture_has_frozen_is_back_also_after_a_real_clock(frozen, hashrange):
        assert hashrange.clock.now()["epoch_ms"] == frozen
        hashrange.clock.real()
        hashrange.fork()
        assert hashrange.clock.now()["mode"] == "real"

    def test_scale(frozen, hashrange_server):
        account = hashrange_server.account
        assert account.clock.now()["epoch_ms"] == frozen
        account.clock.real()
        account.clock.scale(60)
        account.clock.advance("2d")

    @pytest.mark.parametrize("number", [1, 2])
    def test_scaled(hashrange, number):
        now = hashrange.clock.now()
        days = (now["epoch_ms"] / 1000 - datetime.datetime.now().timestamp()) / 86400
        assert (now["mode"], now["scale"], round(days)) == ("scaled", 60, 2)
        hashrange.clock.freeze()
        hashrange.clock.advance("2d")

    @pytest.fixture(scope="session")
    def limited(hashrange_server, dynamodb_seed):
        rule = {"table": "app", "enforce": True}  # of all accounts: a fork ends what is of its own
        hashrange_server.account.control("POST", "throughput", rule)
        return rule

    @pytest.mark.parametrize("number", [1, 2])
    def test_throughput(hashrange, limited, number):
        assert hashrange.control("GET", "throughput")["rules"] == [limited]
        hashrange.control("POST", "throughput", {"enforce": False})
        assert hashrange.control("GET", "throughput")["rules"] == []
    ''').assert_outcomes(passed=8)


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
        (lambda it: it.clock.advance(5000), 'clock.advance() takes "2d" or a timedelta as `time`, not 5000.'),
        (lambda it: it.clock.advance({"time": "2d"}),
         'clock.advance() takes "2d" or a timedelta as `time`, not {\'time\': \'2d\'}.'),
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
        for time in ("5s", datetime.timedelta(seconds=5)):
            with hashrange.hold("app", KEY, time):
                assert "until" in hashrange.control("GET", "holds")["holds"][0]

    def test_arguments_of_start():
        from pytest_hashrange import start

        with pytest.raises(TypeError, match="takes a list of texts as `args`, not '--shared'"):
            start(args="--shared")
    ''').assert_outcomes(passed=18)


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


def test_the_clock_is_moved_and_set_right_after_the_test(run):
    run('''
    def test_clock(hashrange, app):
        client = hashrange.client()
        client.update_time_to_live(TableName="app", TimeToLiveSpecification={"AttributeName": "expires", "Enabled": True})
        frozen = hashrange.clock.freeze("2026-01-01T00:00:00Z")
        assert (frozen["mode"], frozen["epoch_ms"]) == ("frozen", 1767225600000)
        item = {**ADA, "expires": 1767225600 + 3600}
        app.put_item(Item=item)
        hashrange.clock.advance("59m")
        assert read(app) == item
        hashrange.clock.advance(datetime.timedelta(minutes=2))
        assert read(app) is None
        assert hashrange.clock.freeze(datetime.datetime(2026, 1, 3, tzinfo=datetime.timezone.utc))["epoch_ms"] == 1767398400000

    def is_now(hashrange):
        return abs(hashrange.clock.now()["epoch_ms"] - datetime.datetime.now().timestamp() * 1000) < 60_000

    def test_after(hashrange):
        assert hashrange.clock.now()["mode"] == "real"
        assert is_now(hashrange)
        hashrange.clock.advance("2d")
        assert not is_now(hashrange)

    def test_after_an_advance_of_a_clock_that_runs(hashrange):
        assert is_now(hashrange)
        assert hashrange.clock.scale(60)["scale"] == 60
        assert hashrange.clock.real()["mode"] == "real"
    ''').assert_outcomes(passed=3)


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
    assert "hashrange: no server to start. Put `hashrange` on PATH, or its path into HASHRANGE_BINARY" in result.stdout.str()


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
    """One that has ended is there until its parent is told."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False
