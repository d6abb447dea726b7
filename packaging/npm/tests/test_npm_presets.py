"""The samples of docs/testing.md run as they are written, after one `npm install`, and without any variable."""

import contextlib
import json
import re

import pytest
from npm_project import OWN_CARRIER, REPOSITORY

PAGE = (REPOSITORY / "docs/testing.md").read_text()
INSTALL = re.search(r"^ *(npm install -D @hashrange/testing [^#\n]*\bvitest\b)", (REPOSITORY / "clients/js/README.md").read_text(), re.M)[1]
RUNNERS = {
    "vitest": (["vitest.config.mjs", "users.test.mjs", "tables.mjs"], "npx vitest run", r"Tests +1 passed \(1\)"),
    "jest": (["jest.config.js", "users.test.js", "tables.mjs"], "npx jest", r"Tests: +1 passed, 1 total"),
}


def sample(name):
    """Returns the block of the page whose first line is the name of its file."""
    return re.search(rf"^```js\n(// {re.escape(name)}\n.*?)^```$", PAGE, re.M | re.S)[1]


@pytest.fixture(scope="module", params=RUNNERS)
def runner(request, new_project):
    """(project, command, what it prints): a project with the samples, in which npm has installed what they need."""
    files, command, passed = RUNNERS[request.param]
    project = new_project(has_cache=False)
    project.shell(INSTALL.replace("vitest", request.param))
    for name in files:
        (project.folder / name).write_text(sample(name))
    return project, command, passed


def test_the_sample_runs(runner):
    project, command, passed = runner
    assert re.search(passed, "".join(project.shell(command)))
    project.run("npm", "ls", "--all")


@contextlib.contextmanager
def without_program(project):
    """Takes away the package that npm has installed for this machine."""
    carrier = project.path(OWN_CARRIER)
    carrier.rename(project.folder / "away")
    try:
        yield
    finally:
        (project.folder / "away").rename(carrier)


def test_the_sample_runs_by_the_module_where_there_is_no_program(runner):
    project, command, passed = runner
    with without_program(project):
        assert re.search(passed, "".join(project.shell(command)))
        server = f"require('{project.path('@hashrange/testing/lib/binary.cjs')}').findServer()"
        found = json.loads(project.run("node", "-p", f"JSON.stringify({server})")[0])
        node = project.run("node", "-p", "process.execPath")[0].strip()
    assert found == {"program": node, "words": [str(project.path("@hashrange/testing/lib/serve/command.cjs"))]}


def test_a_test_without_a_server_runs_where_there_is_no_program(runner):
    project, *_ = runner
    (project.folder / "without.mjs").write_text("""
        import { DynamoDB } from '@aws-sdk/client-dynamodb'
        import { openDatabase } from '@hashrange/testing/module'
        const db = await openDatabase()
        const { TableNames } = await new DynamoDB(db.connection()).listTables()
        console.log(TableNames.length)
        await db.close()""")
    with without_program(project):
        assert project.run("node", "without.mjs")[0] == "0\n"


def test_a_program_is_named_by_its_path(runner, tmp_path):
    """A name is a path for the presets, too; test_npm_launcher.py has the same of the launcher."""
    project, *_ = runner
    require = f"require('{project.path('@hashrange/testing/lib/binary.cjs')}').findBinary()"
    _, err = project.run("npx", "-c", f'node -e "{require}"', status=1, env={"HASHRANGE_BINARY": "hashrange"})
    assert f"hashrange: HASHRANGE_BINARY names {project.folder}/hashrange, which is no program." in err


def test_the_order_in_which_a_program_is_found(runner, tmp_path):
    project, *_ = runner
    carrier = project.path(OWN_CARRIER)
    own = tmp_path / "hashrange"
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)

    def found(option="", **env):
        script = f"console.log(require('{project.path('@hashrange/testing/lib/binary.cjs')}').findBinary({option}))"
        return project.run("node", "-e", script, env=env)[0].strip()

    path = f"{tmp_path}:{project.environment['PATH']}"
    assert found("'/bin/true'", HASHRANGE_BINARY="/bin/false", PATH=path) == "/bin/true"
    assert found(HASHRANGE_BINARY="/bin/false", PATH=path) == "/bin/false"
    assert found(PATH=path) == str(carrier / "bin/hashrange")
    with without_program(project):
        assert found(PATH=path) == str(own)
