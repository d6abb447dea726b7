"""`hashrange ctl`: the control API from a terminal."""

import json

import pytest

from conftest import run


@pytest.fixture
def server(serve):
    return serve()


def ctl(server, *arguments):
    """What a command prints, as JSON."""
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


def test_metrics_are_text(server):
    code, out, err = run("ctl", "--endpoint", server.endpoint, "metrics")
    assert (code, err) == (0, "")
    assert out.startswith("# HELP ") and out.endswith("\n") and not out.endswith("\n\n")


def test_where_the_server_is_may_stand_in_the_environment(server):
    assert run("ctl", "info", HASHRANGE_ENDPOINT=server.endpoint)[0] == 0
    port = str(server.ready["port"])
    assert run("ctl", "--host", "127.0.0.1", "--port", port, "info", HASHRANGE_ENDPOINT="http://127.0.0.1:1")[0] == 0
    code, out, err = run("ctl", "--endpoint", server.endpoint, "--port", port, "info")
    assert (code, out) == (2, "") and "--port" in err


def test_what_the_server_refuses_is_told(server):
    code, out, err = run("ctl", "--endpoint", server.endpoint, "get", "requests?since=x")
    assert (code, out, err) == (1, "", 'hashrange: "since" is not the id of a request: "x".\n')
    code, out, err = run("ctl", "--endpoint", server.endpoint, "get", "nothing")
    assert (code, err) == (1, "hashrange: There is no such call; docs/control-api.md lists them.\n")


def test_no_server_is_told():
    code, out, err = run("ctl", "--port", "1", "info")
    assert (code, out, err) == (1, "", "hashrange: no server at 127.0.0.1 port 1: Connection refused\n")


@pytest.mark.parametrize("arguments", [
    [], ["nonsense"], ["info", "extra"], ["fork", "111122223333"], ["hold", "--table", "app", "--key", "PK=a"],
    ["--endpoint", "localhost:8000", "info"], ["faults", "--file", "/no/such/file"], ["--port", "x", "info"],
])
def test_a_wrong_command_line_is_told(arguments):
    code, out, err = run("ctl", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("hashrange: ") and err.count("\n") == 1


def test_help_lists_commands_and_options():
    code, out, _ = run("ctl", "--help")
    assert code == 0 and "snapshot " in out and "HASHRANGE_TOKEN" in out
    code, out, _ = run("ctl", "clock", "--help")
    assert code == 0 and "--advance" in out


def test_a_token_opens_the_door(serve):
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
