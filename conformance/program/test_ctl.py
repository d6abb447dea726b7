"""`hashrange ctl`: the control API from a terminal."""

import json
import signal
import subprocess
import urllib.request

import pytest

from conftest import PROGRAM, run, run_on_terminal


@pytest.fixture
def server(serve):
    return serve()


def ctl(server, *arguments):
    """Returns the parsed JSON that a command prints."""
    code, out, err = run("ctl", "--endpoint", server.endpoint, *arguments)
    assert (code, err) == (0, "")
    return json.loads(out)


def test_the_server_describes_itself(server):
    answer = ctl(server, "info")
    assert (answer["pid"], answer["tables"]) == (server.process.pid, 0)


def test_members_are_options(server):
    assert ctl(server, "requests", "--enable", "--limit", "5")["limit"] == 5
    assert ctl(server, "requests", "--account", "111122223333")["requests"] == []
    assert ctl(server, "requests", "--delete") == {"requests": 0}
    assert ctl(server, "post", "requests", '{"enabled":false}')["enabled"] is False
    assert ctl(server, "get", "requests")["enabled"] is False
    assert ctl(server, "delete", "/_hashrange/requests?operation=Scan") == {"requests": 0}


def test_the_clock_is_stopped_and_moved(server):
    answer = ctl(server, "clock", "--freeze", "2026-01-01T00:00:00Z", "--advance", "2d")
    assert (answer["mode"], answer["epoch_ms"]) == ("frozen", 1767398400000)
    assert ctl(server, "clock", "--freeze")["mode"] == "frozen"
    assert ctl(server, "clock", "--mode", "real")["mode"] == "real"


@pytest.mark.parametrize("given, told", [
    ("forkk", 'unknown command "forkk"; did you mean fork?'), ("restor", 'unknown command "restor"; did you mean restore?'),
    ("nonsense", 'unknown command "nonsense"'),
])
def test_an_unknown_command_is_named_with_the_nearest_one(given, told):
    assert run("ctl", given) == (2, "", f"hashrange: {told} (see hashrange ctl --help)\n")
    assert run("ctl", "--port", "9", given, "A", "--token", "x") == (2, "", f"hashrange: {told} (see hashrange ctl --help)\n")


def test_options_of_ctl_may_follow_the_command(server):
    port = str(server.ready["port"])
    for arguments in (["--port", port, "fork", "111122223333", "444455556666"], ["fork", "--port", port, "111122223333", "444455556666"],
                      ["fork", "111122223333", "444455556666", "--host", "127.0.0.1", "--port", port]):
        assert run("ctl", *arguments) == (0, '{"tables":0}\n', "")
    assert run("ctl", "snapshots", "--endpoint", server.endpoint)[0] == 0
    assert run("ctl", "snapshots", "--delete", "none", "--endpoint", server.endpoint)[0] == 1


def test_a_terminal_gets_tables(server):
    at = ("--endpoint", server.endpoint)
    ctl(server, "snapshot", "before", "--account", "111122223333")
    ctl(server, "snapshot", "later")
    ctl(server, "clock", "--freeze", "2026-01-01T00:00:00Z")
    code, out = run_on_terminal("ctl", "snapshots", *at)
    names, before, later = out.splitlines()
    assert (code, names.split()) == (0, ["NAME", "ACCOUNT", "CREATED", "TABLES", "ITEMS", "SIZE_BYTES"])
    assert before.split()[:2] == ["before", "111122223333"] and later.split()[:2] == ["later", "-"]
    assert run_on_terminal("ctl", "clock", *at) == (0, "mode      frozen\nnow       2026-01-01T00:00:00.000Z\nepoch_ms  1767225600000\nscale     0.0\n")
    assert run_on_terminal("ctl", "snapshots", "--delete", "before", *at) == (0, "done\n")
    code, out = run_on_terminal("ctl", "snapshots", *at, columns=20)
    assert (code, out.splitlines()[0]) == (0, "name        later")
    code, out = run_on_terminal("ctl", "snapshots", "--json", *at)
    assert (code, out.splitlines()[:2]) == (0, ["{", '  "snapshots": [']) and json.loads(out)["snapshots"][0]["name"] == "later"
    assert run("ctl", "snapshots", "--json", *at) == run("ctl", "snapshots", *at)


def scan_request(server, table):
    headers = {"X-Amz-Target": "DynamoDB_20120810.Scan", "Content-Type": "application/x-amz-json-1.0", "X-Amz-Date": "20240101T000000Z",
               "Authorization": "AWS4-HMAC-SHA256 Credential=111122223333/20240101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00"}
    return urllib.request.Request(server.endpoint, json.dumps({"TableName": table}).encode(), headers)


def scan(server, table):
    request = scan_request(server, table)
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request)


def test_requests_are_followed_until_an_interrupt(server):
    ctl(server, "requests", "--enable")
    scan(server, "before")
    follower = subprocess.Popen([PROGRAM, "ctl", "requests", "--follow", "--since", "1", "--endpoint", server.endpoint],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        for name in ("first", "second", "third"):
            scan(server, name)
        requests = [json.loads(follower.stdout.readline()) for _ in range(3)]
        assert [(each["id"], each["operation"]) for each in requests] == [(2, "Scan"), (3, "Scan"), (4, "Scan")]
        follower.send_signal(signal.SIGINT)
        assert (follower.communicate(timeout=60), follower.returncode) == (("", ""), 0)
    finally:
        follower.kill()
        follower.wait()


def test_calls_that_were_deleted_are_not_reported_as_lost(server):
    ctl(server, "requests", "--enable", "--limit", "2")
    for name in ("one", "two", "three"):  # the first is lost
        scan(server, name)
    assert ctl(server, "requests", "--delete") == {"requests": 2}
    for name in ("four", "five", "six", "seven"):  # two are lost
        scan(server, name)
    two = "2 calls were forgotten before they could be shown"
    for since, told in ((0, two.replace("2", "3")), (1, two), (3, two), (4, "1 call was forgotten before it could be shown")):
        follower = subprocess.Popen([PROGRAM, "ctl", "requests", "--follow", "--since", str(since), "--endpoint", server.endpoint],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            assert [json.loads(follower.stdout.readline())["id"] for _ in range(2)] == [6, 7]
            follower.send_signal(signal.SIGINT)
            assert follower.communicate(timeout=60) == ("", f"hashrange: {told}\n")
        finally:
            follower.kill()
            follower.wait()


def test_a_terminal_gets_a_line_for_each_request_that_is_followed(server):
    def is_begun(out):
        if is_listing[0]:
            return "Scan" in out
        is_listing[0] = True
        scan(server, "app")
        return False

    is_listing = [False]
    code, out = run_on_terminal("ctl", "requests", "--follow", "--endpoint", server.endpoint, until=is_begun)
    told, line = out.splitlines()
    assert (code, told) == (0, "hashrange: the server listed no calls; from now on it does")
    assert line.split()[1:4] == ["111122223333", "Scan", "400"]


def scan_a_table(server):
    """Scans a table of one item; makes the table first."""
    definition = {"BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
                  "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}]}
    ctl(server, "post", "seed", json.dumps({"table": "app", "account": "111122223333", "definition": definition, "format": "csv", "data": "PK\na\n"}))
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(scan_request(server, "app")) as answer:
        assert json.load(answer)["Count"] == 1


def test_a_measurement_is_started_listed_shown_and_stopped(server, tmp_path):
    at = ("--endpoint", server.endpoint)
    begun = ctl(server, "measure", "start", "--table", "app", "--table", "users", "--account", "111122223333", "first run", "--window", "10s")
    assert (begun["name"], begun["account"], begun["tables"]) == ("first run", "111122223333", ["app", "users"])
    ctl(server, "measure", "start", "second")
    assert [each["name"] for each in ctl(server, "measure", "list")["measurements"]] == ["first run", "second"]
    scan_a_table(server)
    shown = ctl(server, "measure", "show", "first run")
    assert (shown["name"], [each["operation"] for each in shown["patterns"]]) == ("first run", ["Scan"])
    stored = tmp_path / "first"
    assert run("ctl", "measure", "stop", "first run", "-o", str(stored), *at) == (0, "", "")
    assert ctl(server, "measure", "show", str(stored)) == json.loads(stored.read_text())
    assert json.loads(stored.read_text())["patterns"] == shown["patterns"]
    assert ctl(server, "measure", "stop", "second")["name"] == "second"
    assert ctl(server, "measure", "list") == {"measurements": []}


def test_an_unknown_measurement_is_refused_and_no_file_is_changed(server, tmp_path):
    old = tmp_path / "old.json"
    old.write_text("old")
    new = tmp_path / "new.json"
    for command in (["show", "none"], ["report", "none"], ["stop", "none"], ["stop", "none", "-o", str(old)], ["stop", "none", "-o", str(new)]):
        code, out, err = run("ctl", "measure", *command, "--endpoint", server.endpoint)
        assert (code, out) == (1, "") and err.startswith("hashrange: ") and err.count("\n") == 1
    assert old.read_text() == "old" and not new.exists()


def test_measurements_of_a_server_and_of_files_are_reported_compared_and_checked(server, tmp_path):
    at = ("--endpoint", server.endpoint)
    ctl(server, "measure", "start", "app")
    before = tmp_path / "before.json"
    before.write_text(json.dumps(ctl(server, "measure", "show", "app")))
    scan_a_table(server)
    code, out, err = run("ctl", "measure", "report", "app", str(before), *at)
    assert (code, err) == (0, "") and "Scan" in out and "ore.json" in out and "\x1b" not in out
    code, out = run_on_terminal("ctl", "measure", "report", "app", *at, columns=90)
    assert code == 0 and "\x1b[" in out
    assert len(ctl(server, "measure", "report", "--json", "app", str(before))["measurements"]) == 2
    page = tmp_path / "report.html"
    assert run("ctl", "measure", "report", "app", "--html", str(page), *at) == (0, "", "")
    assert page.read_text().startswith("<!DOCTYPE html>") and "Scan" in page.read_text()
    assert run("ctl", "measure", "compare", "app", "--against", str(before), *at) == (0, "no regressions\n", "")
    budgets = tmp_path / "budgets.json"
    budgets.write_text('{"no_scans":true}')
    code, out, err = run("ctl", "measure", "check", "app", str(budgets), *at)
    assert (code, err) == (1, "") and "Scan" in out and out.count("\n") == 1
    assert run("ctl", "measure", "check", str(before), str(budgets)) == (0, "within budgets\n", "")


def test_the_prices_are_the_options_of_a_report(server, tmp_path):
    code, prices, err = run("ctl", "measure", "prices")
    assert (code, err, json.loads(prices)["region"]) == (0, "", "us-east-1")
    ctl(server, "measure", "start", "app")
    options = tmp_path / "options"
    options.write_text(json.dumps({"prices": json.loads(prices)}))
    at = ("--endpoint", server.endpoint)
    assert run("ctl", "measure", "report", "app", "--options", str(options), *at)[0] == 0
    options.write_text('{"price":1}')
    code, out, err = run("ctl", "measure", "report", "app", "--options", str(options), *at)
    assert (code, out) == (2, "") and err.startswith(f"hashrange: {options}: ") and err.count("\n") == 1


def test_a_measurement_of_a_server_is_reported_as_it_would_be_with_another_design(server):
    ctl(server, "measure", "start", "design")
    scan_a_table(server)
    at = ("--endpoint", server.endpoint)
    code, out, err = run("ctl", "measure", "what-if", "design", "--billing", "app=PROVISIONED", *at)
    assert (code, err) == (0, "") and out.startswith("Modelled: What if app was provisioned") and "as it is  what if (modelled)\n" in out
    assert len(ctl(server, "measure", "what-if", "--json", "design", "--billing", "app=PROVISIONED")["measurements"]) == 2
    code, out, err = run("ctl", "measure", "what-if", "design", "--drop-index", "app/GSI9", *at)
    assert (code, out, err) == (2, "", 'hashrange: There is no index "app/GSI9"; the measurement has no index.\n')
    code, out, err = run("ctl", "measure", "what-if", "design", "--billing", "app=CHEAP", *at)
    assert (code, out) == (2, "") and '"app=CHEAP" is not TABLE=PROVISIONED or TABLE=PAY_PER_REQUEST; the measurement has app' in err
    assert run("ctl", "measure", "what-if", "design", *at)[0] == 2


@pytest.mark.parametrize("given, told", [
    ([], "which command of measure?"), (["strat", "app"], 'unknown command "strat"; did you mean start?'), (["start"], "NAME is required"),
    (["list", "app"], "unknown argument: app"), (["--table", "app"], "unknown argument: --table"),
])
def test_a_wrong_command_of_measure_is_refused(given, told):
    assert run("ctl", "measure", *given) == (2, "", f"hashrange: {told} (see hashrange ctl --help)\n")


def test_a_file_that_is_no_measurement_is_named(tmp_path):
    other = tmp_path / "other.json"
    other.write_text("{}")
    budgets = tmp_path / "budgets.json"
    budgets.write_text('{"no_scans": true}')
    for command in (["show", str(other)], ["report", str(other)], ["check", str(other), str(budgets)]):
        code, out, err = run("ctl", "measure", *command)
        assert (code, out, err) == (2, "", f'hashrange: {other}: This is no measurement: it has no "version".\n')
    assert run("ctl", "measure", "check", str(other), str(other)) == (2, "", f"hashrange: {other}: There is no budget.\n")
    missing = str(tmp_path / "none.json")
    assert run("ctl", "measure", "report", missing) == (2, "", f"hashrange: cannot read {missing}: No such file or directory\n")
    assert run("ctl", "measure", "compare", str(other), "--against", missing)[0] == 2


def test_following_ends_with_the_server(serve):
    server = serve()
    ctl(server, "requests", "--enable")
    follower = subprocess.Popen([PROGRAM, "ctl", "requests", "--follow", "--endpoint", server.endpoint],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    server.stop()
    _, err = follower.communicate(timeout=60)
    assert follower.returncode == 1 and err.startswith("hashrange: no server at ")


def test_follow_goes_only_with_filters(server):
    code, out, err = run("ctl", "requests", "--follow", "--limit", "5", "--endpoint", server.endpoint)
    assert (code, out) == (2, "") and err.startswith("hashrange: --follow goes only with options that filter the list")


def test_metrics_are_text(server):
    code, out, err = run("ctl", "--endpoint", server.endpoint, "metrics")
    assert (code, err) == (0, "")
    assert out.startswith("# Calls are not counted: ") and out.endswith("\n") and not out.endswith("\n\n")
    assert ctl(server, "metrics", "--enable") == {"enabled": True}
    assert run("ctl", "--endpoint", server.endpoint, "metrics")[1].startswith("# HELP ")


def test_the_endpoint_may_be_in_the_environment(server):
    assert run("ctl", "info", HASHRANGE_ENDPOINT=server.endpoint)[0] == 0
    port = str(server.ready["port"])
    assert run("ctl", "--host", "127.0.0.1", "--port", port, "info", HASHRANGE_ENDPOINT="http://127.0.0.1:1")[0] == 0
    code, out, err = run("ctl", "--endpoint", server.endpoint, "--port", port, "info")
    assert (code, out) == (2, "") and "--port" in err


def test_what_the_server_refuses_is_reported(server):
    code, out, err = run("ctl", "--endpoint", server.endpoint, "get", "requests?since=x")
    assert (code, out, err) == (1, "", 'hashrange: "since" is not the id of a request: "x".\n')
    code, out, err = run("ctl", "--endpoint", server.endpoint, "get", "nothing")
    assert (code, err) == (1, "hashrange: There is no such call; docs/control-api.md lists the calls.\n")


def test_no_server_is_reported():
    code, out, err = run("ctl", "--port", "1", "info")
    assert (code, out, err) == (1, "", "hashrange: no server at 127.0.0.1 port 1: Connection refused\n")


@pytest.mark.parametrize("arguments", [
    [], ["nonsense"], ["info", "extra"], ["fork", "111122223333"], ["hold", "--table", "app", "--key", "PK=a"],
    ["--endpoint", "localhost:8000", "info"], ["requests", "--follow", "--delete"], ["faults", "--file", "/no/such/file"], ["--port", "x", "info"],
])
def test_a_wrong_command_line_is_refused_with_a_line(arguments):
    code, out, err = run("ctl", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("hashrange: ") and err.count("\n") == 1


def test_help_lists_commands_and_options():
    code, out, _ = run("ctl", "--help")
    assert code == 0 and "snapshot " in out and "HASHRANGE_TOKEN" in out
    code, out, _ = run("ctl", "clock", "--help")
    assert code == 0 and "--advance" in out


def test_ctl_sends_the_token(serve):
    server = serve("--control-token", "secret")
    code, _, err = run("ctl", "--endpoint", server.endpoint, "info")
    assert code == 1 and "--control-token" in err
    assert run("ctl", "--endpoint", server.endpoint, "--token", "secret", "info")[0] == 0
    assert run("ctl", "--endpoint", server.endpoint, "info", HASHRANGE_TOKEN="secret")[0] == 0
    assert run("ctl", "--endpoint", server.endpoint, "--token", "wrong", "info", HASHRANGE_TOKEN="secret")[0] == 1


def test_counting_begins_at_the_start_when_asked_for(serve):
    server = serve("--metrics")
    code, out, _ = run("ctl", "--endpoint", server.endpoint, "metrics")
    assert code == 0 and "# TYPE hashrange_requests_total counter" in out
