"""The commands in docs/control-api.md, run one after another, print the output below them."""

import re
import subprocess

import pytest
from documents import REPOSITORY, blocks, commands, examples, prints
from pytest_hashrange import start

DOCUMENT = "docs/control-api.md"
ROUTES = REPOSITORY / "src/control/routes.def"


@pytest.fixture
def shell(tmp_path):
    """Runs a command in a shell, with the server at the address that the document uses."""
    with start(args=["--data", str(tmp_path / "data"), "--sync", "never"]) as server:
        host = server.endpoint.removeprefix("http://")
        functions = f'hashrange() {{ shift; "$HASHRANGE_BINARY" ctl --endpoint {server.endpoint} "$@"; }}\n'

        def run(command):
            text = command.replace("localhost:8000", host).replace("/srv/hashrange/dump", str(tmp_path / "dump"))
            text = text.replace("/srv/hashrange/copy", str(tmp_path / "copy"))
            return subprocess.run(["bash", "-c", functions + text], capture_output=True, text=True, timeout=180)

        yield run


@pytest.mark.parametrize("program", ["curl", "hashrange ctl"])
def test_the_examples_print_what_the_document_says(shell, program):
    for block, expected in examples(DOCUMENT):
        for command in commands(block):
            if command.startswith(program):
                done = shell(command)
                assert (done.returncode, done.stderr) == (0, ""), command
                assert prints(done.stdout, expected), f"{command}\n{done.stdout}\n{expected[1]}"


def test_every_call_has_an_example_with_each_program():
    rows = re.findall(r'^HR_CONTROL_CALL\(\w+, \.method = "(\w+)",\s*\.path = "([^"]*)"', ROUTES.read_text(), re.M)
    assert rows
    shown = [(method_of(command), re.search(r"/_hashrange/([^\s'?]*)", command)[1])
             for block, _ in examples(DOCUMENT) for command in commands(block) if command.startswith("curl")]
    for method, path in rows:
        pattern = re.escape(path).replace(r"\*", "[^/]+")
        assert any(seen == method and re.fullmatch(pattern, target) for seen, target in shown), f"{method} {path}"


def method_of(command):
    chosen = re.search(r"-X (\w+)", command)
    return chosen[1] if chosen else "POST" if " -d " in command else "GET"


def test_a_call_that_is_refused_is_told(shell):
    (_, text), = [block for block in blocks(DOCUMENT, "Errors") if block[0] == "sh"]
    done = shell(text.replace("curl -s", "curl -s -o /dev/null -w '%{http_code}'"))
    assert done.stdout == "400"
