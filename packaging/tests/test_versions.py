"""packaging/versions finds every place that names the version."""

import re

import pytest

from clone import commit, replace, run
from machines import REPOSITORY, VERSION, command

OTHER = "9.8.7"

# Lines in which a version is an example, or the one that was measured.
EXAMPLES = r"^packaging/bill:|^docs/compared\.md:|such as 0\.1\.0|\(0\.1\.0 and 0\.1\.7\)"

# What a client may add: a file, its text, and the lines that name the version.
SAMPLES = {
    "clients/x/package.json": (
        '{\n  "name": "@hashrange/x",\n  "version": "9.8.7",\n  "dependencies": {\n    "hashrange": "9.8.7",\n'
        '    "vitest": "1.1.1"\n  }\n}\n', [3, 5]),
    "other/package.json": ('{\n  "name": "other",\n  "version": "1.1.1"\n}\n', []),
    "clients/x/pyproject.toml": ('[project]\nname = "x"\nversion = "9.8.7"\ndependencies = ["hashrange==9.8.7", "a==1.1.1"]\n', [3, 4]),
    "clients/x/__init__.py": ('"""A client."""\n\n__version__ = "9.8.7"\n', [3]),
    "clients/x/client.go": ('package x\n\nconst Version = "9.8.7"\n', [3]),
    "clients/x/client.mjs": ("export const version = '9.8.7'\n", [1]),
    "x/action.yml": ("inputs:\n  version:\n    default: '9.8.7'\n", [3]),
    "x/workflow.md": ("    docker run hashrange/hashrange:9.8.7\n    npm install hashrange@9.8.7\n"
                      "    dpkg -i hashrange_9.8.7_amd64.deb\n    go get example/hashrange/clients/go@v9.8.7\nIn 1.1.1 …\n", [1, 2, 3, 4]),
}


def listed(repository):
    return [line.split(" ") for line in command("packaging/versions", "list", cwd=repository).splitlines()]


def test_all_places_agree():
    assert run(REPOSITORY, "packaging/versions") == (0, "", "")


def test_no_line_that_names_the_version_is_missed(repository):
    """Tests and comments have versions of their own, and so have the entries of npm's lock files for other packages."""
    known = {place for place, _ in listed(repository)} | {"CMakeLists.txt:2"}
    lines = command("git", "grep", "--line-number", "--word-regexp", "--fixed-strings", "-I", VERSION, cwd=repository).splitlines()
    missed = []
    for line in lines:
        name, number, text = line.split(":", 2)
        exempt = name == "CHANGELOG.md" or "/tests/" in name or re.match(r"\s*(#|//|\*)", text) or (
            name.endswith("package-lock.json") and int(number) > 10)
        if not exempt and f"{name}:{number}" not in known:
            missed.append(line)
    assert [line for line in missed if not re.search(EXAMPLES, line)] == []


@pytest.mark.parametrize("name", SAMPLES)
def test_the_places_of_a_new_file_are_found(name, repository):
    text, lines = SAMPLES[name]
    (repository / name).parent.mkdir(parents=True, exist_ok=True)
    (repository / name).write_text(text)
    commit(repository)
    expected = [f"{name}:{line} says {OTHER}; CMakeLists.txt says {VERSION}" for line in lines]
    assert run(repository, "packaging/versions") == (1 if lines else 0, "", "".join(f"{line}\n" for line in expected))


def test_a_place_that_keeps_the_old_version_is_named(repository):
    replace(repository / "CMakeLists.txt", f"VERSION {VERSION}", f"VERSION {OTHER}")
    status, _, errors = run(repository, "packaging/versions")
    assert status == 1
    assert errors.splitlines() == [f"{place} says {VERSION}; CMakeLists.txt says {OTHER}" for place, _ in listed(repository)]


def test_set_changes_all_places(repository):
    before = listed(repository)
    command("packaging/versions", "set", OTHER, cwd=repository)
    assert run(repository, "packaging/versions") == (0, "", "")
    assert listed(repository) == [[place, OTHER] for place, _ in before]
    assert f"project(hashrange VERSION {OTHER} " in (repository / "CMakeLists.txt").read_text()
