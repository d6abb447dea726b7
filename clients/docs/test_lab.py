"""The commands in docs/lab.md, run one after another, print the output below them."""

import re
import shutil

from documents import REPOSITORY, examples, prints, shell

DOCUMENT = "docs/lab.md"
COMMAND = r"^hashrange lab .*"
# Commands that find something, print it, and exit with 1.
FOUND = {"hashrange lab check lab/examples/shop.yaml": "overloaded"}


def test_the_commands_print_what_the_document_says(tmp_path):
    shutil.copytree(REPOSITORY / "lab", tmp_path / "lab")
    run = shell(tmp_path)
    found = set()
    for block, expected in examples(DOCUMENT):
        done = [(command, run(command)) for command in re.findall(COMMAND, block, re.M)]
        for command, answer in done:
            assert (answer.returncode, answer.stderr) == (1 if command in FOUND else 0, ""), f"{command}\n{answer.stderr}"
            if command in FOUND:
                assert FOUND[command] in answer.stdout
                found.add(command)
        if expected and done:
            assert prints(done[-1][1].stdout, expected), f"{done[-1][0]}\n{done[-1][1].stdout}"
    assert found == FOUND.keys()
    assert "lines inside" in (tmp_path / "shop.html").read_text()
