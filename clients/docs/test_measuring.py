"""The commands in docs/measuring.md, run one after another, do what the document says."""

import re

import pytest
from documents import blocks, examples, prints, shell, write_program
from pytest_hashrange import start

DOCUMENT = "docs/measuring.md"
# Commands that are run here. The server is started by the test, and `npm test` stands for a program of the reader.
COMMAND = r"^(?:hashrange ctl|python3) .*"
# What these commands find, they print and exit with 1.
FOUND = {
    "hashrange ctl measure check one-key.json budgets.json --options options.json": r"first limit.*4,010",
    "hashrange ctl measure compare one-key.json --against ten-keys.json": r"read units a call rose from 0\.5 to 2\.5",
}


@pytest.fixture
def folder(tmp_path):
    """A folder with the files of the document."""
    for heading, file in (("Names and rates", "options.json"), ("Budgets", "budgets.json")):
        (text,) = [text for language, text in blocks(DOCUMENT, heading) if language == "json"]
        (tmp_path / file).write_text(text)
    return tmp_path


@pytest.fixture
def run(folder):
    """Runs a command in a shell, with a server. All happens within one minute."""
    with start() as server:
        write_program(DOCUMENT, "shop.py", folder, server)
        server.account.clock.freeze("2026-01-31T12:00:00Z")
        yield shell(folder, server)


def test_the_commands_do_what_the_document_says(run, folder):
    found = set()
    for block, expected in examples(DOCUMENT):
        done = [(command, run(command)) for command in re.findall(COMMAND, block, re.M)]
        for command, answer in done:
            assert (answer.returncode, answer.stderr) == (1 if command in FOUND else 0, ""), f"{command}\n{answer.stderr}"
            if command in FOUND:
                assert re.search(FOUND[command], answer.stdout, re.I), answer.stdout
                found.add(command)
        if expected and expected[0] == "text":  # JSON in this document is a file
            assert prints(done[-1][1].stdout, expected), f"{done[-1][0]}\n{done[-1][1].stdout}"
    assert found == FOUND.keys()
    for page in ("one-key.html", "layouts.html"):
        assert "CUSTOMER#0" in (folder / page).read_text()
