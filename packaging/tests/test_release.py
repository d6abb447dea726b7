"""scripts/release, in a repository of its own: what it refuses, and what it prints in the end."""

from clone import commit, replace, run
from machines import VERSION, command

OTHER = "9.8.7"

PACKAGE = """#!/bin/sh
mkdir -p dist/npm dist/python dist/wasm
for file in hashrange-{0}-linux-amd64.tar.gz hashrange_{0}_amd64.deb npm/hashrange-{0}.tgz npm/hashrange-linux-arm64-{0}.tgz \\
    npm/hashrange-linux-x64-{0}.tgz npm/hashrange-testing-{0}.tgz python/hashrange-{0}-py3-none-any.whl wasm/hashrange.wasm; do
  echo "$file" >"dist/$file"
done
cd dist && sha256sum hashrange* >SHA256SUMS
""".format(VERSION)


def refusal(repository, version=VERSION):
    """Returns the one line that scripts/release refuses the version with."""
    status, output, errors = run(repository, "scripts/release", version, "--check")
    assert (status, output) == (1, "")
    assert errors.count("\n") == 1 and errors.startswith("release: "), errors
    return errors.removeprefix("release: ").strip()


def set_date(repository, date):
    """Writes the date of the version into the changelog, and commits it."""
    path = repository / "CHANGELOG.md"
    lines = [f"## [{VERSION}] - {date}" if line.startswith(f"## [{VERSION}]") else line for line in path.read_text().splitlines()]
    path.write_text("\n".join(lines) + "\n")
    if command("git", "status", "--porcelain", cwd=repository):
        commit(repository)


def test_the_repository_can_be_released(repository):
    assert run(repository, "scripts/release", VERSION, "--check") == (0, f"release: {VERSION} can be built\n", "")


def test_a_file_that_is_changed_or_not_committed_is_refused(repository):
    replace(repository / "README.md", "Hashrange", "Hashrang")
    (repository / "new.txt").write_text("new\n")
    assert refusal(repository) == "commit or remove these first: README.md new.txt"


def test_a_missing_section_of_the_changelog_is_refused(repository):
    replace(repository / "CHANGELOG.md", f"## [{VERSION}] - ", "## [0.0.1] - ")
    commit(repository)
    assert refusal(repository) == f'CHANGELOG.md has no section "## [{VERSION}] - DATE"'


def test_a_section_without_a_date_is_refused(repository):
    set_date(repository, "soon")
    assert refusal(repository) == f'CHANGELOG.md has no section "## [{VERSION}] - DATE"'


def test_another_version_is_refused(repository):
    assert refusal(repository, OTHER) == (
        f"CMakeLists.txt says {VERSION}, not {OTHER}; packaging/versions set {OTHER} changes all places")
    assert refusal(repository, "v1") == "v1 is not a version like 1.2.3"


def test_a_client_of_another_version_is_refused(repository):
    replace(repository / "clients/js/package.json", f'"version": "{VERSION}"', f'"version": "{OTHER}"')
    commit(repository)
    assert refusal(repository) == f"clients/js/package.json:3 says {OTHER}; CMakeLists.txt says {VERSION}"


def with_stubs(repository, tests):
    """Replaces what builds the packages, and the command that tests them."""
    (repository / "scripts/package").write_text(PACKAGE)
    (repository / "packaging/run").write_text(f"#!/bin/sh\n{tests}\n")
    commit(repository)


def test_all_files_are_named_for_upload(repository):
    with_stubs(repository, "true")
    status, output, errors = run(repository, "scripts/release", VERSION)
    assert (status, errors) == (0, "")
    for path in (repository / "dist").rglob("*"):
        if path.is_file():
            assert str(path.relative_to(repository / "dist")) in output
    assert (f"npm/hashrange-linux-arm64-{VERSION}.tgz npm/hashrange-linux-x64-{VERSION}.tgz npm/hashrange-{VERSION}.tgz "
            f"npm/hashrange-testing-{VERSION}.tgz") in output  # each package comes after those that it depends on
    assert "Nothing is published." in output
    assert command("git", "tag", cwd=repository) == ""


def test_nothing_is_offered_for_upload_when_a_test_fails(repository):
    with_stubs(repository, "exit 1")
    status, output, _ = run(repository, "scripts/release", VERSION)
    assert status == 1
    assert "publish" not in output


def test_a_version_without_a_date_is_called_a_rehearsal(repository):
    with_stubs(repository, "true")
    for date, expected in (("unreleased", True), ("2026-01-31", False)):
        set_date(repository, date)
        assert ("This was a rehearsal" in run(repository, "scripts/release", VERSION)[1]) == expected
