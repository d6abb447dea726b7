"""The commands in docs/measuring.md, run one after another, do what the document says."""

import re
import subprocess

import pytest
from documents import blocks, prints
from pytest_hashrange import start

DOCUMENT = "docs/measuring.md"
# Commands that are run here. The server is started by the test, and `npm test` stands for a program of the reader.
COMMAND = r"^(?:hashrange ctl|python3) .*"


@pytest.fixture
def folder(tmp_path):
    """A folder with the files of the document."""
    for language, text in blocks(DOCUMENT):
        name = re.match(r"# ([\w.]+\.py)$", text.split("\n")[0])
        if name:
            (tmp_path / name[1]).write_text(text)
    (options,) = [text for language, text in blocks(DOCUMENT, "Names and rates") if language == "json"]
    (tmp_path / "options.json").write_text(options)
    return tmp_path


@pytest.fixture
def shell(folder):
    """Runs a command in a shell, with the server at the address that the document uses."""
    with start() as server:
        functions = f'hashrange() {{ shift; "$HASHRANGE_BINARY" ctl --endpoint {server.endpoint} "$@"; }}\n'
        host = server.endpoint.removeprefix("http://")
        program = folder / "shop.py"
        program.write_text(program.read_text().replace("localhost:8000", host))

        def run(command):
            return subprocess.run(["bash", "-c", functions + command], cwd=folder, capture_output=True, text=True, timeout=180)

        yield run
