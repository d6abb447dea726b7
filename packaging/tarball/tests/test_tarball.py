"""The archive: what is in it, and that its program needs nothing else."""

import os
import tarfile

import pytest

from machines import ITEM, Server, command, need_root, need_tool, read_item, write_item

TOP = {"hashrange", "hashrange.1", "completions", "README", "LICENSE", "CHANGELOG.md", "licenses", "skills"}


@pytest.fixture
def unpacked(dist, version, tmp_path):
    name = f"hashrange-{version}-linux-amd64"
    command("tar", "--extract", "--gzip", "--file", dist / f"{name}.tar.gz", "--directory", tmp_path)
    return tmp_path / name


def test_all_is_in_one_folder_and_belongs_to_root(dist, architectures, version):
    for architecture in architectures:
        name = f"hashrange-{version}-linux-{architecture}"
        with tarfile.open(dist / f"{name}.tar.gz") as archive:
            members = archive.getmembers()
            program = archive.extractfile(f"{name}/hashrange").read()
        assert {member.name.split("/")[0] for member in members} == {name}
        assert {member.name.split("/")[1] for member in members if "/" in member.name} == TOP
        assert {(member.uid, member.gid) for member in members} == {(0, 0)}
        assert all(member.mode == (0o755 if member.isdir() or member.name == f"{name}/hashrange" else 0o644)
                   for member in members)
        assert program == (dist / "bin" / architecture / "hashrange").read_bytes()


def test_the_commands_of_its_readme_install_it(unpacked, version):
    lines = [line.strip().replace("/usr/local", f"{unpacked}/prefix") for line in (unpacked / "README").read_text().splitlines()
             if line.startswith("    install ")]
    (unpacked / "prefix/bin").mkdir(parents=True)
    for line in lines:
        command("bash", "-c", line, cwd=unpacked)
    files = sorted(str(path.relative_to(unpacked / "prefix")) for path in (unpacked / "prefix").rglob("*") if path.is_file())
    assert files == ["bin/hashrange", "share/bash-completion/completions/hashrange",
                     "share/fish/vendor_completions.d/hashrange.fish", "share/man/man1/hashrange.1",
                     "share/zsh/site-functions/_hashrange"]
    assert version in command(unpacked / "prefix/bin/hashrange", "--version")


def test_the_program_serves_in_an_empty_root(unpacked, tmp_path):
    need_root()
    root = tmp_path / "empty"
    root.mkdir()
    os.link(unpacked / "hashrange", root / "hashrange")
    with Server("chroot", "--userspec=65532:65532", root, "/hashrange", "serve") as server:
        write_item(endpoint=server.endpoint)
        assert read_item(endpoint=server.endpoint) == ITEM
        for host in ("127.0.0.1", "localhost"):
            command("chroot", root, "/hashrange", "healthcheck", "--host", host, "--port", server.port)
    assert os.listdir(root) == ["hashrange"]


def test_the_program_for_arm64_serves_in_an_emulator(dist, architectures, version, tmp_path):
    if "arm64" not in architectures:
        pytest.skip("dist/ has no program for arm64: scripts/package --arch all")
    need_tool("qemu-aarch64-static")
    name = f"hashrange-{version}-linux-arm64"
    command("tar", "--extract", "--gzip", "--file", dist / f"{name}.tar.gz", "--directory", tmp_path)
    with Server("qemu-aarch64-static", tmp_path / name / "hashrange", "serve", "--data", tmp_path / "data") as server:
        write_item(endpoint=server.endpoint)
        assert read_item(endpoint=server.endpoint) == ITEM
