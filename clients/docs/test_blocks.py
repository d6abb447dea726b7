"""Blocks that cannot be run here, such as containers and workflows, are at least well-formed."""

import ast
import subprocess

import pytest
from documents import REPOSITORY, blocks

DOCUMENTS = sorted(str(path.relative_to(REPOSITORY)) for path in (REPOSITORY / "docs").glob("*.md"))


def of(*languages):
    return [pytest.param(text, id=f"{document}-{number}")
            for document in DOCUMENTS
            for number, (language, text) in enumerate(blocks(document)) if language in languages]


@pytest.mark.parametrize("text", of("python"))
def test_python(text):
    ast.parse(text)


@pytest.mark.parametrize("text", of("js"))
def test_javascript(text, tmp_path):
    file = tmp_path / "block.mjs"
    file.write_text(text)
    done = subprocess.run(["node", "--check", file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("text", of("sh"))
def test_shell(text):
    done = subprocess.run(["bash", "-n", "-c", text], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("text", of("yaml"))
def test_yaml(text):
    yaml = pytest.importorskip("yaml", reason="python3-yaml is not installed")
    content = yaml.safe_load(text)
    for job in content.get("jobs", {}).values():  # of a workflow
        assert all("uses" in step or "run" in step for step in job["steps"])
