"""The packages in dist/npm, a registry that has them, and folders into which npm installs them."""

import pathlib
import shutil
import subprocess
import tempfile

import pytest
from npm_project import DIST, Project, clean_environment
from npm_registry import Registry


@pytest.fixture(scope="session")
def packages():
    """{file name: path} of the packages."""
    found = {file.name: file for file in (DIST / "npm").glob("*.tgz")}
    assert found, f"{DIST}/npm has no packages: make them with scripts/package"
    return found


@pytest.fixture(scope="session")
def registry(packages):
    upstream = subprocess.run(["npm", "config", "get", "registry"], env=clean_environment(), capture_output=True, text=True, check=True)
    registry = Registry(DIST / "npm", upstream.stdout.strip())
    yield registry
    registry.stop()


@pytest.fixture(scope="session")
def new_project(registry):
    """Makes a project in a folder that is removed at the end: pytest would keep its packages for the next runs."""
    folders = []

    def new(*words, **options):
        folders.append(pathlib.Path(tempfile.mkdtemp(prefix="hashrange-npm-")))
        folder = folders[-1] / "app"
        folder.mkdir()
        project = Project(folder, registry, **options)
        if words:
            project.run("npm", "install", *words)
        return project

    yield new
    for folder in folders:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def installed(new_project):
    """A project with the package `hashrange`. Tests do not change it."""
    return new_project("hashrange")
