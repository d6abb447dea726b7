"""The section "In your tests" of the README, copied into a project: its tests pass."""

import re
import subprocess
import sys

import pytest
from documents import REPOSITORY, blocks

JS = REPOSITORY / "clients/js"
SECTION = blocks("README.md", "In your tests")


@pytest.fixture
def project(tmp_path):
    """Writes the files whose names a pattern matches: a block's first line is a comment with its name."""

    def write(pattern):
        for language, text in SECTION:
            name = re.match(r"(?://|#) ([\w.]+)", text)
            if name and re.fullmatch(pattern, name[1]):
                (tmp_path / name[1]).write_text(text)
        return tmp_path

    return write


def run(folder, *command):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    assert done.returncode == 0, done.stdout
    return done.stdout


def install(folder):
    """As npm does: the package, and what it is used with."""
    run(JS, "npm", "pack", "--silent", "--pack-destination", str(folder))
    package = folder / "node_modules/@hashrange/testing"
    package.mkdir(parents=True)
    run(folder, "tar", "-xzf", *(str(file) for file in folder.glob("*.tgz")), "-C", str(package), "--strip-components=1")
    for name in ("@aws-sdk", "jest", "vitest"):
        (folder / "node_modules" / name).symlink_to(JS / "node_modules" / name)
    return folder


def test_vitest(project):
    folder = install(project(r"vitest\.config\.\w+|tables\.mjs|users\.test\.mjs"))
    assert re.search(r"Tests +1 passed \(1\)", run(folder, "node", "node_modules/vitest/vitest.mjs", "run"))


def test_jest(project):
    folder = install(project(r"jest\.config\.\w+|tables\.mjs|users\.test\.js"))
    assert "Tests:       1 passed, 1 total" in run(folder, "node", "node_modules/jest/bin/jest.js")


def test_pytest(project):
    folder = project(r"conftest\.py|test_users\.py")
    assert "1 passed" in run(folder, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                             "-p", "pytest_hashrange.plugin")
