"""The commands in docs/lab.md, run one after another, print the output below them; what docs/lab-reference.md describes can be had."""

import json
import re
import shutil

import pytest
from documents import REPOSITORY, blocks, examples, prints, shell

DOCUMENT = "docs/lab.md"
REFERENCE = "docs/lab-reference.md"
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


def merged(base, more):
    """Returns a map with the members of another one, maps within them merged."""
    if not (isinstance(base, dict) and isinstance(more, dict)):
        return more
    return base | {name: merged(base.get(name), value) for name, value in more.items()}


def explained(content, folder):
    """Returns the answer of `lab explain` for a lab file with this content."""
    (folder / "block.yaml").write_text(json.dumps(content))
    return shell(folder)("hashrange lab explain block.yaml")


def shop():
    yaml = pytest.importorskip("yaml", reason="python3-yaml is not installed")
    return yaml, yaml.safe_load((REPOSITORY / "lab/examples/shop.yaml").read_text())


def test_the_blocks_are_parts_of_a_lab_file(tmp_path):
    yaml, file = shop()
    parts = [yaml.safe_load(text) for language, text in blocks(DOCUMENT) + blocks(REFERENCE) if language == "yaml"]
    assert len(parts) == 5
    for part in parts:
        answer = explained(merged(file, part), tmp_path)
        assert (answer.returncode, answer.stderr) == (0, ""), f"{part}\n{answer.stderr}"


def rows(heading):
    """Returns the texts in the first columns of the reference's tables that have this heading."""
    document = (REPOSITORY / REFERENCE).read_text()
    tables = re.findall(rf"^\| {re.escape(heading)} \|.*\n\|---.*\n((?:\|.*\n)+)", document, re.M)
    return [text for table in tables for row in table.splitlines() for text in re.findall(r"`([^`]+)`", row.split(" | ")[0])]


def test_each_generator_of_the_page_can_be_had(tmp_path):
    yaml, file = shop()
    attributes = file["entities"]["Line"]["attributes"]
    attributes["created_at"] = {"time": {"past": "9d"}}
    texts = rows("an attribute")
    assert len(texts) > 17
    for number, text in enumerate(texts):
        attributes[f"tried_{number}"] = yaml.safe_load(text)
    answer = explained(file, tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")


def test_each_pick_of_the_page_can_be_had(tmp_path):
    yaml, file = shop()
    texts = rows("`pick: …`")
    assert len(texts) == 6
    for text in texts:
        pick = yaml.safe_load(text)
        file["access_patterns"][f"picked {text}"] = {"query": "Line", "by": ["order_id"], "rate": "1/s", "pick": pick} | (
            {"query": "Order", "by": ["customer_id"]} if "where" in text else {})
    answer = explained(file, tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
