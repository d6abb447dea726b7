"""The code of the README's section "In your tests", and of the recipes for containers, works when copied into projects."""

import os
import re
import subprocess
import sys

import pytest
from documents import REPOSITORY, blocks

JS = REPOSITORY / "clients/js"
SECTION = blocks("README.md", "In your tests")
CONTAINERS = "docs/testcontainers.md"

# Replaces the package `testcontainers` for one image: a container is a server on this machine.
FAKE_CONTAINERS = """
const { start } = require('@hashrange/testing')
exports.Wait = { forSuccessfulCommand: (command) => command }
exports.GenericContainer = class {
  constructor(image) { this.image = image }
  withEnvironment(environment) { this.environment = environment; return this }
  withExposedPorts(port) { this.port = port; return this }
  withWaitStrategy() { return this }
  async start() {
    const token = this.environment.HASHRANGE_TOKEN
    if (this.image !== 'hashrange' || this.port !== 8000 || !token) throw new Error('another container')
    const server = await start({ binary: process.env.CONTAINER, token })
    const stop = async () => { await server.stop(); console.log('container stopped') }
    return { getHost: () => '127.0.0.1', getMappedPort: () => new URL(server.endpoint).port, stop }
  }
}
"""


@pytest.fixture
def project(tmp_path):
    """Writes the blocks whose file names match a pattern; the first line of a block is a comment with its name."""

    def write(pattern, section=SECTION):
        for language, text in section:
            name = re.match(r"(?://|#) ([\w.-]+)", text)
            if name and re.fullmatch(pattern, name[1]):
                (tmp_path / name[1]).write_text(text)
        return tmp_path

    return write


def run(folder, *command, env=None):
    done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=180)
    assert done.returncode == 0, done.stdout
    return done.stdout


def install(folder):
    """Installs the package and the packages used with it, as npm does."""
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


def contain(folder):
    """Sets the project up so that only a started container gives it a server. Returns the environment variables."""
    package = folder / "node_modules/testcontainers"
    package.mkdir()
    (package / "package.json").write_text('{"main": "index.js"}')
    (package / "index.js").write_text(FAKE_CONTAINERS)
    return {**os.environ, "HASHRANGE_BINARY": "", "CONTAINER": os.environ["HASHRANGE_BINARY"]}


def test_vitest_with_a_container(project):
    project(r".*", blocks(CONTAINERS, "Vitest"))
    folder = install(project(r"tables\.mjs|users\.test\.mjs"))
    output = run(folder, "node", "node_modules/vitest/vitest.mjs", "run", env=contain(folder))
    assert re.search(r"Tests +1 passed \(1\)", output)
    assert "container stopped" in output


def test_jest_with_a_container(project):
    project(r".*", blocks(CONTAINERS, "Jest"))
    folder = install(project(r"tables\.mjs|users\.test\.js"))
    output = run(folder, "node", "node_modules/jest/bin/jest.js", env=contain(folder))
    assert "Tests:       1 passed, 1 total" in output
    assert "container stopped" in output


def test_pytest(project):
    folder = project(r"conftest\.py|test_users\.py")
    assert "1 passed" in run(folder, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                             "-p", "pytest_hashrange.plugin")
