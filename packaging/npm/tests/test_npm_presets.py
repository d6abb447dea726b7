"""The samples of docs/testing.md run as they are written, after one `npm install`, and without any variable."""

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


def test_a_project_without_the_program_is_told_what_to_do(runner):
    project, command, _ = runner
    carrier = project.path(OWN_CARRIER)
    carrier.rename(project.folder / "away")
    try:
        output = "".join(project.run("bash", "-c", command, status=1))
    finally:
        (project.folder / "away").rename(carrier)
    assert "hashrange: no server to start. Put `hashrange` on PATH" in output  # npx puts the launcher on PATH, which is not taken


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
    carrier.rename(project.folder / "away")
    try:
        assert found(PATH=path) == str(own)
    finally:
        (project.folder / "away").rename(carrier)
