"""The console: `serve --console`, and the command that opens it."""

import json
import os
import socket
import urllib.error
import urllib.request

import pytest

from conftest import run

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
OFF = "This server has no console: it was started with --console off, or in another program, or it is a WebAssembly module."
NOT_BUILT = "This program was built without the console: scripts/console builds the page, and the next build of the program has it."


def ask(endpoint, path, **headers):
    """Returns the status and the body of the answer."""
    try:
        with DIRECT.open(urllib.request.Request(endpoint + path, headers=headers), timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def mode_of(server):
    return json.loads(ask(server.endpoint, "/_hashrange/")[1])["console"]


@pytest.fixture
def opener(tmp_path):
    """A folder with an xdg-open that notes what it is called with."""
    program = tmp_path / "xdg-open"
    program.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/opened\n')
    program.chmod(0o755)
    return tmp_path


def built(server):
    """Whether the program has the page; it says so where it has not."""
    status, body = ask(server.endpoint, "/_hashrange/console")
    assert status == 200 or json.loads(body) == {"error": NOT_BUILT}
    return status == 200


def test_the_start_tells_the_address(serve):
    server = serve()
    server.process.terminate()
    lines = server.process.communicate(timeout=60)[0].splitlines()
    assert lines[1:] == [f"Console: {server.endpoint}/_hashrange/console"]


@pytest.mark.parametrize("mode", ["on", "read-only"])
def test_the_page_learns_its_mode(serve, mode):
    server = serve("--console", mode)
    assert mode_of(server) == mode
    built(server)


def test_off_is_off(serve, opener):
    server = serve("--console", "off")
    assert mode_of(server) == "off"
    assert ask(server.endpoint, "/_hashrange/console") == (404, json.dumps({"error": OFF}, separators=(",", ":")).encode())
    assert run("console", "--endpoint", server.endpoint, PATH=str(opener)) == (1, "", f"hashrange: {OFF}\n")
    server.process.terminate()
    assert "Console" not in server.process.communicate(timeout=60)[0]
    assert not (opener / "opened").exists()


def test_the_page_needs_no_token_and_its_calls_do(serve):
    server = serve("--control-token", "0123456789abcdef")
    built(server)
    assert ask(server.endpoint, "/_hashrange/")[0] == 401
    assert ask(server.endpoint, "/_hashrange/", Authorization="Bearer 0123456789abcdef")[0] == 200


def test_the_command_opens_the_page(serve, opener):
    server = serve()
    if not built(server):
        pytest.skip("the program was built without the console: scripts/console")
    port, address = str(server.ready["port"]), f"{server.endpoint}/_hashrange/console"
    calls = [(["--endpoint", server.endpoint], {}), (["--port", port], {}), (["--host", "127.0.0.1", "--port", port], {}),
             ([], {"HASHRANGE_ENDPOINT": server.endpoint})]
    for words, variables in calls:
        assert run("console", *words, PATH=str(opener), **variables) == (0, f"{address}\n", "")
    assert (opener / "opened").read_text() == f"{address}\n" * len(calls)


def test_without_an_opener_the_address_is_printed(serve, tmp_path):
    server = serve()
    if not built(server):
        pytest.skip("the program was built without the console: scripts/console")
    assert run("console", "--endpoint", server.endpoint, PATH=str(tmp_path)) == (0, f"{server.endpoint}/_hashrange/console\n", "")


def test_without_a_server_the_command_fails(opener):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        code, out, err = run("console", "--port", str(port), PATH=str(opener))
    assert (code, out) == (1, "") and err.startswith(f"hashrange: no server at 127.0.0.1 port {port}: ")
    assert not (opener / "opened").exists()
    assert os.listdir(opener) == ["xdg-open"]
