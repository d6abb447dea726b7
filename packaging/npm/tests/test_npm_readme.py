"""The line of docs/install.md that installs the packages of a clone, run as it is written, with both architectures in dist/."""

import re

import pytest
from npm_project import ARCHES, CARRIERS, CPUS, DIST, OWN_CARRIER, REPOSITORY, VERSION
from npm_registry import Registry

LINE = re.search(r"^ +(npm install -D \.\./hashrange/dist/npm/[^&#\n]*)", (REPOSITORY / "docs/install.md").read_text(), re.M)[1]


@pytest.fixture
def registry_without_them(registry, tmp_path):
    """Hashrange is not published: a registry that does not have these packages."""
    empty = Registry(tmp_path, registry.upstream)
    yield empty
    empty.stop()


def test_the_packages_of_a_clone_are_installed(new_project, registry_without_them):
    if sorted(ARCHES) != sorted(CPUS):
        pytest.skip("dist/ has the programs of one architecture")
    project = new_project()
    project.environment["npm_config_registry"] = registry_without_them.url
    (project.folder.parent / "hashrange").mkdir()
    (project.folder.parent / "hashrange/dist").symlink_to(DIST)
    project.shell(LINE.replace("linux-x64", OWN_CARRIER.removeprefix("@hashrange/")))
    project.run("npm", "ls", "--all")
    assert project.run("npx", "hashrange", "--version")[0] == f"Hashrange {VERSION}\n"
    assert project.path("@hashrange/testing").is_dir()
    assert [name for name in CARRIERS if project.path(name).exists()] == [OWN_CARRIER]
