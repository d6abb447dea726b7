"""Who may call a server, depending on its options: web pages, names, users, proxies; and how many connections."""

import contextlib
import json
import os
import resource
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest

from conftest import Server, run

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
OTHER_USER = 4242
DEFINITION = {"TableName": "app", "BillingMode": "PAY_PER_REQUEST",
              "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
              "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}]}


def ask(server, path="/", body=None, **headers):
    """Returns the status and headers of the answer, and its body."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(server.endpoint + path, None if body is None else json.dumps(body).encode(), headers)
    try:
        with DIRECT.open(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def status(*arguments, **headers):
    return ask(*arguments, **headers)[0]


def test_further_pages_are_named(serve):
    server = serve("--cors", "https://app.example", "--cors", "http://other.example:3000")
    for origin in ("https://app.example", "http://other.example:3000", "http://localhost:1"):
        code, headers, _ = ask(server, Origin=origin)
        assert (code, headers["Access-Control-Allow-Origin"]) == (200, origin)
    assert status(server, Origin="http://app.example") == 403


def test_all_pages_may_be_allowed(serve):
    code, headers, _ = ask(serve("--cors", "*"), Origin="http://evil.example")
    assert (code, headers["Access-Control-Allow-Origin"], headers["Vary"]) == (200, "*", None)


def test_a_page_that_is_refused_is_in_the_log():
    server = Server(stderr=subprocess.PIPE)
    for origin in ("http://my.app:3000", "http://my.app:3000", "http://caf\u00e9", "null"):
        assert status(server, Origin=origin) == 403
    log = server.stop()
    assert log.count("--cors http://my.app:3000 lets it in; use that only if you trust this page") == 1 and "caf" not in log
    assert "a page without an origin" in log and "--cors null" not in log


def test_another_name_is_answered_when_it_is_allowed(serve):
    server = serve("--allow-host", "db.test")
    assert status(server, Host="db.test:8000") == 200
    assert status(server, Host="evil.test:8000") == 403
    assert status(serve("--host", "0.0.0.0"), Host="db.test:8000") == 200  # as from a container's network


def test_the_servers_own_page_may_call_by_an_address_or_an_allowed_name(serve):
    server = serve("--allow-host", "db.test")
    for host, code in (("192.168.1.5:8000", 200), ("db.test:8000", 200), ("evil.test:8000", 403)):
        assert status(server, Host=host, Origin=f"http://{host}") == code
    assert status(server, Host="192.168.1.5:8000", Origin="http://192.168.1.5:3000") == 403


def test_an_address_in_use_is_named(serve):
    server = serve("--host", "127.0.0.2")
    code, _, err = run("--host", "127.0.0.2", "--port", str(server.ready["port"]))
    assert (code, "on 127.0.0.2 is taken by another program" in err) == (1, True)


def test_the_banner_lists_each_address(serve):
    server = serve("--host", "0.0.0.0")
    server.process.terminate()
    banner = server.process.communicate(timeout=60)[0]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        own = {"127.0.0.1"}
        with contextlib.suppress(OSError):
            probe.connect(("192.0.2.1", 9))  # sends nothing
            own.add(probe.getsockname()[0])
    endpoints = banner.split(" listens on ")[1].splitlines()[0].split(", ")
    assert endpoints[0] == f"http://127.0.0.1:{server.ready['port']}"
    assert {f"http://{address}:{server.ready['port']}" for address in own} <= set(endpoints)


def warnings_of(*options):
    """Returns what a server with these options logs before it is ready."""
    return Server(*options, stderr=subprocess.PIPE).stop()


def test_open_doors_are_in_the_log(tmp_path):
    token = "0123456789abcdef"
    (tmp_path / "token").write_text(token)
    (tmp_path / "token").chmod(0o600)
    assert warnings_of("--cors", "https://app.example", "--control-token-file", str(tmp_path / "token")) == ""
    (tmp_path / "token").chmod(0o604)
    log = warnings_of("--control-token-file", str(tmp_path / "token"))
    assert "other users of this machine may read " in log and token not in log
    assert "whoever does can read and change all tables" in warnings_of("--host", "0.0.0.0")
    assert "--cors * lets pages of every site" in warnings_of("--cors", "*")
    assert "less than 16 characters" in warnings_of("--control-token", "x")


@pytest.mark.parametrize("option,value", [("--cors", "http://a*"), ("--cors", "https://*.example"), ("--allow-host", "*"), ("--allow-host", "*.example"),
                                          ("--allow-host", "http://db.example")])
def test_patterns_of_origins_and_names_are_refused(option, value):
    code, out, err = run("--port", "0", option, value)
    assert (code, out, err.count("\n")) == (2, "", 1) and option in err and value in err


def seed(server, path, **headers):
    return ask(server, "/_hashrange/seed", {"path": str(path)}, **headers)


def seed_as_another(server, path):
    """Returns the status and body of a seed call made by a process of another user."""
    script = ("import sys,urllib.request,urllib.error,json\n"
              "request=urllib.request.Request(sys.argv[1]+'/_hashrange/seed',json.dumps({'path':sys.argv[2]}).encode())\n"
              "opener=urllib.request.build_opener(urllib.request.ProxyHandler({}))\n"
              "try: answer=opener.open(request,timeout=60)\n"
              "except urllib.error.HTTPError as error: answer=error\n"
              "print(answer.status, answer.read().decode())")
    done = subprocess.run([sys.executable, "-I", "-c", script, server.endpoint, str(path)], capture_output=True, text=True,
                          timeout=120, user=OTHER_USER, group=OTHER_USER, extra_groups=[], cwd="/")
    assert done.returncode == 0, done.stderr
    code, body = done.stdout.split(" ", 1)
    return int(code), body


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "seed").mkdir()
    (tmp_path / "seed/app.table.json").write_text(json.dumps(DEFINITION))
    (tmp_path / "seed/app.csv").write_text("PK\na\n")
    (tmp_path / "secret").write_text("root:$y$secret:19000:0:99999:7:::\n")
    return tmp_path


def test_its_own_user_may_name_any_path(serve, folder):
    code, _, body = seed(serve(), folder / "seed")
    assert (code, json.loads(body)) == (200, {"tables": {"app": 1}})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may be two users")
def test_another_user_may_not(serve, folder):
    for path in (folder / "seed", folder / "secret", "/etc/shadow", "/no/such/path"):
        code, body = seed_as_another(serve(), path)
        assert (code, "--files" in body, "secret" in body) == (403, True, False)
    code, body = seed_as_another(serve("--files", str(folder / "seed")), folder / "seed")
    assert (code, json.loads(body)) == (200, {"tables": {"app": 1}})


def test_a_proxy_needs_the_token(serve, folder):
    assert status(serve(), "/_hashrange/", X_Forwarded_For="192.168.1.5") == 403
    server = serve("--control-token", "secret")
    assert status(server, "/_hashrange/", X_Forwarded_For="192.168.1.5") == 401
    assert seed(server, folder / "seed", X_Forwarded_For="192.168.1.5", Authorization="Bearer secret")[0] == 200


def test_the_token_may_be_in_a_file_or_a_variable(serve, tmp_path, monkeypatch):
    (tmp_path / "token").write_text("of the file\n")
    server = serve("--control-token-file", str(tmp_path / "token"))
    assert status(server, "/_hashrange/") == 401
    assert status(server, "/_hashrange/", Authorization="Bearer of the file") == 200
    monkeypatch.setenv("HASHRANGE_TOKEN", "of the variable")
    assert status(serve(), "/_hashrange/", Authorization="Bearer of the variable") == 200
    monkeypatch.delenv("HASHRANGE_TOKEN")
    code, out, err = run("--port", "0", "--control-token-file", str(tmp_path / "none"))
    assert (code, out) == (1, "") and err.startswith("hashrange: --control-token-file: ") and err.count("\n") == 1


def test_a_folder_that_is_not_there_is_reported():
    assert run("--port", "0", "--files", "/no/such/folder") == (1, "", "hashrange: there is no folder /no/such/folder\n")


def test_it_takes_as_many_descriptors_as_the_system_allows(serve):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if min(soft, hard) < 1000:
        pytest.skip("the system allows few")
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        server = serve()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    with contextlib.ExitStack() as clients:
        for _ in range(400):
            client = clients.enter_context(socket.create_connection(("127.0.0.1", server.ready["port"]), timeout=60))
            assert is_answered(client)


def is_answered(client):
    with contextlib.suppress(ConnectionError):
        client.sendall(b"GET / HTTP/1.1\r\n\r\n")
        return client.recv(100) != b""
    return False


def test_it_lives_on_when_there_are_too_many_connections(serve):
    server = serve("--max-connections", "20")
    clients = [socket.create_connection(("127.0.0.1", server.ready["port"]), timeout=60) for _ in range(60)]
    # When the last one is answered, all have been accepted. Those that were idle longest made room.
    assert [is_answered(client) for client in reversed(clients)] == [True] * 20 + [False] * 40
    for client in clients:
        client.close()
    for _ in range(1000):
        with contextlib.suppress(OSError):
            assert status(server) == 200
            return
        time.sleep(0.01)
    pytest.fail("nobody is let in again")
