"""The Debian package: lintian, and what it does in a Debian 11, in a Debian 12, and in a Debian 12 that is booted."""

import re
import subprocess

import pytest

from machines import (ITEM, REPOSITORY, PATH, Booted, Server, command, debian, files_of, need_tool, read_item, wait_until,
                      write_item)

DPKG = ["dpkg", "--force-unsafe-io"]  # without a flush of each file, which only a power cut would need
APT = ["apt-get", "--yes", "-o", "Dpkg::Options::=--force-unsafe-io", "-o", "APT::Sandbox::User=root"]


@pytest.fixture(scope="module")
def package(dist, version):
    return dist / f"hashrange_{version}_amd64.deb"


@pytest.fixture(scope="module")
def upgrade(package, tmp_path_factory):
    """The same package, as version 0.1.1 or the like."""
    folder = tmp_path_factory.mktemp("upgrade")
    command("dpkg-deb", "--raw-extract", package, folder / "root")
    control = folder / "root/DEBIAN/control"
    control.write_text(re.sub(r"^(Version: .*)$", r"\1.1", control.read_text(), flags=re.MULTILINE))
    command("dpkg-deb", "--root-owner-group", "-Znone", "--build", folder / "root", folder / "hashrange.deb")
    return folder / "hashrange.deb"


def test_lintian_finds_nothing(dist, architectures, version):
    need_tool("lintian")
    for architecture in architectures:
        package = dist / f"hashrange_{version}_{architecture}.deb"
        assert command("lintian", "--allow-root", "--fail-on", "error,warning", package) == ""


def test_the_control_file_names_the_architecture_of_the_program(dist, architectures, version, tmp_path):
    machine = {"amd64": "X86-64", "arm64": "AArch64"}
    for architecture in architectures:
        package = dist / f"hashrange_{version}_{architecture}.deb"
        fields = command("dpkg-deb", "--field", package, "Package", "Version", "Architecture")
        assert fields == f"Package: hashrange\nVersion: {version}\nArchitecture: {architecture}\n"
        command("dpkg-deb", "--extract", package, tmp_path / architecture)
        header = command("readelf", "--file-header", tmp_path / architecture / "usr/bin/hashrange")
        assert machine[architecture] in header


def test_every_override_of_lintian_has_a_reason():
    lines = (REPOSITORY / "packaging/deb/lintian-overrides").read_text().splitlines()
    assert lines[0].startswith("# ")
    assert all(re.match(r"# \S|hashrange: [a-z-]+ ", line) for line in lines)


def test_the_service_is_confined():
    need_tool("systemd-analyze")
    command("systemd-analyze", "security", "--offline=true", "--threshold=15", "--no-pager",
            REPOSITORY / "packaging/deb/hashrange.service")


@pytest.mark.parametrize("suite", ["bullseye", "bookworm"])
def test_a_debian_installs_upgrades_and_purges_it(suite, package, upgrade, large_folder):
    include = () if suite == "bullseye" else ("systemd",)
    root = debian(suite, large_folder / "root", include)
    before = files_of(root)
    inside = ["chroot", root, "env", "-i", f"PATH={PATH}"]
    for step, file in enumerate([package, upgrade]):
        command("cp", file, root / "root/hashrange.deb")
        command(*inside, *DPKG, "--install", "/root/hashrange.deb")
        assert "Usage: hashrange" in command(*inside, "hashrange", "--help")
        with Server(*inside, "hashrange", "serve", "--data", "/var/lib/tables") as server:
            if step == 0:
                write_item(endpoint=server.endpoint)
            assert read_item(endpoint=server.endpoint) == ITEM
            command(*inside, "hashrange", "healthcheck", "--host", "localhost", "--port", server.port)
    command("rm", "-r", root / "var/lib/tables")
    assert files_of(root) - before, "nothing was installed"
    command(*inside, *DPKG, "--purge", "hashrange")
    assert files_of(root) - before == set()


def test_the_service_runs_is_restarted_by_an_upgrade_and_leaves_nothing(package, upgrade, large_folder):
    root = debian("bookworm", large_folder / "root", ("systemd",))
    command("cp", package, root / "root/hashrange.deb")
    command("cp", upgrade, root / "root/upgrade.deb")
    machine = Booted(root)
    try:
        before = files_of(root)
        machine.run(*APT, "install", "/root/hashrange.deb")
        assert state_of(machine, "is-enabled") == "disabled"
        assert state_of(machine, "is-active") == "inactive"

        machine.run("systemctl", "enable", "--now", "hashrange")
        wait_until_healthy(machine)
        write_item(enter=machine.enter_network())
        first = machine.run("systemctl", "show", "--property=MainPID", "--value", "hashrange")
        status = machine.run("cat", f"/proc/{first.strip()}/status")
        assert re.search(r"^Uid:\t[1-9]\d+\t", status, re.MULTILINE), status
        assert re.search(r"^CapBnd:\t0+$", status, re.MULTILINE), status
        machine.run("hashrange", "ctl", "backup", "/var/lib/hashrange/backup")

        machine.run(*APT, "install", "/root/upgrade.deb")
        wait_until_healthy(machine)
        assert machine.run("systemctl", "show", "--property=MainPID", "--value", "hashrange") != first
        assert read_item(enter=machine.enter_network()) == ITEM
        machine.run("hashrange", "check", "/var/lib/hashrange/backup")

        machine.run(*APT, "purge", "hashrange")
        assert state_of(machine, "is-active") == "inactive"
        assert files_of(root) - before == set()
    finally:
        machine.stop()


def test_the_options_of_the_service_come_from_its_file(package, large_folder):
    root = debian("bookworm", large_folder / "root", ("systemd",))
    command("cp", package, root / "root/hashrange.deb")
    machine = Booted(root)
    try:
        machine.run(*APT, "install", "/root/hashrange.deb")
        options = root / "etc/default/hashrange"
        options.write_text('HASHRANGE_OPTIONS="--port 8123 --sync 100ms"\nHASHRANGE_TOKEN="secret"\n')
        machine.run("systemctl", "start", "hashrange")
        wait_until_healthy(machine, "8123")
        refused = subprocess.run([*machine.enter(), "hashrange", "ctl", "--port", "8123", "info"], capture_output=True)
        assert refused.returncode == 1
        assert '"tables":0' in machine.run("hashrange", "ctl", "--port", "8123", "--token", "secret", "info")
    finally:
        machine.stop()


def state_of(machine, question):
    return subprocess.run([*machine.enter(), "systemctl", question, "hashrange"], capture_output=True, text=True).stdout.strip()


def wait_until_healthy(machine, port="8000"):
    words = [*machine.enter(), "hashrange", "healthcheck", "--port", port]
    wait_until(lambda: subprocess.run(words, capture_output=True).returncode == 0, "a healthy service")
