"""The commands in docs/partitions.md, run one after another on a fresh server, print the output below them."""

import re

from documents import examples, prints, shell, write_program
from pytest_hashrange import start

DOCUMENT = "docs/partitions.md"
# Commands that are run here. The server is started by the test.
COMMAND = r"^(?:hashrange ctl|python3) .*"


def test_the_commands_print_what_the_document_says(tmp_path):
    with start() as server:
        write_program(DOCUMENT, "orders.py", tmp_path, server)
        run = shell(tmp_path, server)
        compared = 0
        for block, expected in examples(DOCUMENT):
            done = [(command, run(command)) for command in re.findall(COMMAND, block, re.M)]
            for command, answer in done:
                assert (answer.returncode, answer.stderr) == (0, ""), f"{command}\n{answer.stderr}"
            if expected:
                compared += 1
                assert prints(done[-1][1].stdout, expected), f"{done[-1][0]}\n{done[-1][1].stdout}"
        assert compared == 6
