"""The code of docs/testing.md's section "A first test" and of the README, of the recipes for containers, and of the example of a layout regression works
when copied into projects."""

import os
import re
import subprocess
import sys

import pytest
from documents import REPOSITORY, blocks

JS = REPOSITORY / "clients/js"
SECTION = blocks("docs/testing.md", "A first test")
CONTAINERS = "docs/testcontainers.md"
REGRESSION = blocks("docs/testing.md", "A layout regression fails a pull request")
UPDATE = {"HASHRANGE_UPDATE_BASELINE": "1"}


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


def run(folder, *command, env=None, status=0):
    done = subprocess.run(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=180)
    assert done.returncode == status, done.stdout
    return done.stdout


def install(folder):
    """Installs the package and the packages used with it, as npm does."""
    run(JS, "npm", "pack", "--silent", "--pack-destination", str(folder))
    package = folder / "node_modules/@hashrange/testing"
    package.mkdir(parents=True)
    run(folder, "tar", "-xzf", *(str(file) for file in folder.glob("*.tgz")), "-C", str(package), "--strip-components=1")
    for name in ("@aws-sdk", "jest", "testcontainers", "vitest"):
        (folder / "node_modules" / name).symlink_to(JS / "node_modules" / name)
    return folder


@pytest.mark.parametrize("section", [SECTION, blocks("README.md", "The backend of tests")], ids=["testing", "readme"])
def test_vitest(project, section):
    folder = install(project(r"vitest\.config\.\w+|tables\.mjs|users\.test\.mjs", section))
    assert re.search(r"Tests +1 passed \(1\)", run(folder, "node", "node_modules/vitest/vitest.mjs", "run"))


def test_jest(project):
    folder = install(project(r"jest\.config\.\w+|tables\.mjs|users\.test\.js"))
    assert "Tests:       1 passed, 1 total" in run(folder, "node", "node_modules/jest/bin/jest.js")


@pytest.fixture
def engine():
    """A stand-in for a Docker engine. Returns the environment in which only a container gives a project a server."""
    environment = {**os.environ, "HASHRANGE_BINARY": "", "HASHRANGE_MODULE": ""}
    process = subprocess.Popen(["node", JS / "tests/support/engine.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    yield {**environment, "DOCKER_HOST": process.stdout.readline().strip(), "TESTCONTAINERS_RYUK_DISABLED": "true"}
    containers = process.communicate()[0]
    assert re.fullmatch(r"hashrange/hashrange:\S+ was stopped and removed\n", containers)


def test_vitest_with_a_container(project, engine):
    project(r".*", blocks(CONTAINERS, "Vitest"))
    folder = install(project(r"tables\.mjs|users\.test\.mjs"))
    output = run(folder, "node", "node_modules/vitest/vitest.mjs", "run", env=engine)
    assert re.search(r"Tests +1 passed \(1\)", output)


def test_jest_with_a_container(project, engine):
    project(r".*", blocks(CONTAINERS, "Jest"))
    folder = install(project(r"tables\.mjs|users\.test\.js"))
    output = run(folder, "node", "node_modules/jest/bin/jest.js", env=engine)
    assert "Tests:       1 passed, 1 total" in output


def test_a_container_without_a_preset(project, engine):
    folder = install(project("none"))
    (folder / "example.mjs").write_text(blocks(CONTAINERS, "Node.js")[0][1])
    assert run(folder, "node", "--no-warnings", "example.mjs", env=engine) == "0\n"


def test_pytest(project):
    folder = project(r"conftest\.py|test_users\.py")
    assert "1 passed" in run(folder, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                             "-p", "pytest_hashrange.plugin")


# Contains a class in place of Testcontainers' DockerContainer, whose container is a server on this machine.
WITHOUT_DOCKER = str(REPOSITORY / "clients/pytest/tests/without_docker")


def with_a_container(folder, *command):
    """Runs Python where only a started container gives it a server."""
    path = os.pathsep.join([WITHOUT_DOCKER, os.environ.get("PYTHONPATH", "")])
    return run(folder, sys.executable, *command, env={**os.environ, "HASHRANGE_BINARY": "", "CONTAINER": os.environ["HASHRANGE_BINARY"],
                                                      "PYTHONPATH": path})


def test_a_container_with_python(project):
    folder = project("none")
    (folder / "example.py").write_text(blocks(CONTAINERS, "Python")[0][1])
    assert "container stopped" in with_a_container(folder, "example.py")


@pytest.mark.parametrize("arguments", [[], ["-p", "xdist", "-n", "2"]], ids=["one process", "workers"])
def test_pytest_with_a_container(project, arguments):
    if arguments:
        pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    project(r"test_users\.py")
    folder = project(r"conftest\.py", blocks(CONTAINERS, "Python"))
    (seed,) = [text for language, text in SECTION if text.startswith("# conftest.py")]
    (folder / "conftest.py").write_text((folder / "conftest.py").read_text() + seed)
    output = with_a_container(folder, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "-p", "pytest_hashrange.plugin", *arguments)
    assert "1 passed" in output
    assert output.count("container stopped") == 1


def fails_with_a_worse_layout(folder, source, worse, *command):
    """Runs the example of a layout regression: without a baseline, with one, and with Scans in place of Queries."""
    (budgets,) = [text for language, text in REGRESSION if language == "json"]
    (shown,) = [text for language, text in REGRESSION if language == "text"]
    (folder / "budgets.json").write_text(budgets)
    assert re.search(r"there is no file .*baseline\.json\. To write it: HASHRANGE_UPDATE_BASELINE=1\.", run(folder, *command, status=1))
    run(folder, *command, env={**os.environ, **UPDATE})
    run(folder, *command)
    file = folder / source
    for query, scan in worse.items():
        assert query in file.read_text()
        file.write_text(file.read_text().replace(query, scan))
    output = run(folder, *command, status=1)
    for line in shown.strip().splitlines():
        assert re.search(".*".join(map(re.escape, line.strip().split("…"))), output), output


JAVASCRIPT_WORSE = {"QueryCommand": "ScanCommand", "KeyConditionExpression": "FilterExpression"}
PYTHON_WORSE = {"table.query(KeyConditionExpression=": "table.scan(FilterExpression="}


def test_a_layout_regression_with_vitest(project):
    project(r"vitest\.config\.\w+")
    folder = install(project(r"tables\.mjs|orders\.cjs|orders\.test\.mjs", REGRESSION))
    fails_with_a_worse_layout(folder, "orders.cjs", JAVASCRIPT_WORSE, "node", "node_modules/vitest/vitest.mjs", "run")


def test_a_layout_regression_with_jest(project):
    project(r"jest\.config\.\w+")
    folder = install(project(r"tables\.mjs|orders\.cjs|orders\.test\.js", REGRESSION))
    fails_with_a_worse_layout(folder, "orders.cjs", JAVASCRIPT_WORSE, "node", "node_modules/jest/bin/jest.js")


def test_a_layout_regression_with_pytest(project):
    folder = project(r"conftest\.py|orders\.py|test_orders\.py", REGRESSION)
    fails_with_a_worse_layout(folder, "orders.py", PYTHON_WORSE, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                              "-p", "pytest_hashrange.plugin")
