"""The line of docs/install.md that installs the packages of a clone, run as it is written, with both architectures in dist/; and the
README's sample of an SDK, where npm has installed no program."""

import re

import pytest
from npm_project import ARCHES, CARRIERS, CPUS, DIST, OWN_CARRIER, REPOSITORY, VERSION
from npm_registry import Registry
from npm_servers import read_endpoint, servers_of

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


SDK = re.search(r"^```js\n(const client = new DynamoDBClient.*?)^```$", (REPOSITORY / "README.md").read_text(), re.M | re.S)[1]


def test_the_sample_of_an_sdk_runs_by_the_module(new_project):
    project = new_project("hashrange", "@aws-sdk/client-dynamodb", "--omit=optional")
    with servers_of(project) as start:
        endpoint = read_endpoint(start("npx", "hashrange", "serve", "--port", "0"))
        sample = SDK.replace("http://127.0.0.1:8000", endpoint)
        assert sample != SDK
        (project.folder / "sample.mjs").write_text(f"""
            import {{ DynamoDBClient, ListTablesCommand }} from '@aws-sdk/client-dynamodb'
            {sample}
            console.log(JSON.stringify((await client.send(new ListTablesCommand())).TableNames))""")
        assert project.run("node", "sample.mjs")[0] == "[]\n"
