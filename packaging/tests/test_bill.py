"""The bill of materials and the licences name all that is linked."""

import hashlib
import json
import re
import subprocess

import pytest

from linked import CannotTell, linked
from machines import REPOSITORY, VERSION, command

BUILDS = {"amd64": REPOSITORY / "build/release", "arm64": REPOSITORY / "build/arm64"}


@pytest.fixture(scope="module")
def bill(dist):
    return json.loads((dist / f"hashrange-{VERSION}.spdx.json").read_text())


def parts_of(bill, architecture):
    """Returns the packages that the program of the architecture has, by name."""
    packages = {package["SPDXID"]: package for package in bill["packages"]}
    return {packages[row["relatedSpdxElement"]]["name"]: packages[row["relatedSpdxElement"]] for row in bill["relationships"]
            if row["spdxElementId"] == f"SPDXRef-hashrange-{architecture}"}


def test_every_archive_of_the_link_is_named(bill, architectures):
    for architecture in architectures:
        command_line = command("ninja", "-C", BUILDS[architecture], "-t", "commands", "hashrange").splitlines()[-1]
        archives = set(re.findall(r" /\S+/(\S+\.a)\b", command_line))
        assert len(archives) > 5
        named = {name for part in parts_of(bill, architecture).values() for name in part.get("comment", "").split()}
        assert archives - named == set()


def test_the_parts_without_an_archive_of_their_own_are_named(bill, architectures):
    for architecture in architectures:
        names = parts_of(bill, architecture)
        for expected in ("libboost", "rapidjson", "libspdlog", "libfmt", "libcli11", "prometheus-cpp", "libstdc", "libc6", "libgcc"):
            assert any(name.startswith(expected) for name in names), f"{expected} is not in {sorted(names)}"


def test_the_parts_of_the_console_are_named(bill, architectures):
    lock = json.loads((REPOSITORY / "console/package-lock.json").read_text())["packages"]
    bundled = {path.removeprefix("node_modules/"): package["version"] for path, package in lock.items() if path and not package.get("dev")}
    assert "preact" in bundled
    for architecture in [*architectures, "wasm"]:
        parts = {name: part["versionInfo"] for name, part in parts_of(bill, architecture).items() if name in bundled}
        assert parts == ({} if architecture == "wasm" else bundled)


def test_the_parts_of_the_module_are_named(bill):
    linked_files = {name: part.get("comment", "").removeprefix("linked: ").split() for name, part in parts_of(bill, "wasm").items()}
    expected = {"llvm-toolchain-19": ["libc++.a", "libunwind.a"], "abseil": ["libabsl_raw_hash_set.a"], "zlib": ["libz.a"]}
    assert expected.items() <= linked_files.items()
    assert "libc.a" in linked_files["wasi-libc"]
    assert {"rapidjson-dev", "prometheus-cpp"} <= linked_files.keys()


def test_the_programs_are_those_in_dist(bill, dist, architectures):
    programs = {package["packageFileName"]: package for package in bill["packages"] if package["name"] == "hashrange"}
    assert sorted(programs) == [*(f"bin/{architecture}/hashrange" for architecture in architectures), *(f"wasm/{path.name}" for path in sorted((dist / "wasm").iterdir()))]
    for name, package in programs.items():
        assert package["versionInfo"] == VERSION
        assert package["checksums"][0]["checksumValue"] == hashlib.sha256((dist / name).read_bytes()).hexdigest()


def test_the_versions_are_those_of_the_installed_packages(bill):
    for package in bill["packages"]:
        references = [reference["referenceLocator"] for reference in package.get("externalRefs", [])]
        if references and references[0].endswith("arch=amd64"):
            assert package["versionInfo"] == command("dpkg-query", "--show", "--showformat=${Version}", package["name"])


def test_the_bill_has_what_spdx_demands(bill):
    assert {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT"}.items() <= bill.items()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", bill["creationInfo"]["created"])
    identities = [package["SPDXID"] for package in bill["packages"]]
    assert len(identities) == len(set(identities))
    assert all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", identity) for identity in identities)
    for row in bill["relationships"]:
        assert {row["spdxElementId"], row["relatedSpdxElement"]} <= {"SPDXRef-DOCUMENT", *identities}
    for package in bill["packages"]:
        assert {"name", "SPDXID", "downloadLocation"} <= package.keys()


def test_every_part_has_its_licence(bill, dist):
    for package in bill["packages"]:
        if package["name"] != "hashrange":
            text = (dist / package["licenseComments"]).read_text(errors="replace")
            for name in set(re.findall(r"/usr/share/common-licenses/([\w-]+(?:\.\d+)?)", text)):
                assert (dist / "licenses/common-licenses" / name).is_file(), f"{name}, which {package['name']} refers to"
            assert f"\n{package['name']} {package['versionInfo']}\n" in (dist / "licenses/README").read_text()
    assert "Apache License" in (dist / "licenses/hashrange/LICENSE").read_text()


# A build of one C file, in Ninja's language, as CMake writes it.
NINJA = """
rule cc
  command = {compiler} -MD -MF $out.d -o $out -c $in
  depfile = $out.d
  deps = gcc
rule link
  command = : && {compiler} $in -o hashrange {libraries} && :
build main.o: cc main.c
build hashrange: link main.o
"""


def build(folder, libraries, compiler="cc"):
    (folder / "main.c").write_text("#include <zlib.h>\nint main(void) { return zlibVersion()[0] == 0; }\n")
    (folder / "build.ninja").write_text(NINJA.format(libraries=libraries, compiler=compiler))
    command("ninja", "-C", folder)
    return folder


def test_a_program_with_one_library_has_it_and_the_c_library(tmp_path):
    archive = command("cc", "-print-file-name=libz.a").strip()
    found = {component.name: component.archives for component in linked(build(tmp_path, archive))}
    assert found["zlib1g-dev"] == ["libz.a"]
    assert "crti.o" in found["libc6-dev"]
    assert "libabsl-dev" not in found


def test_a_library_of_another_architecture_has_the_version_that_was_unpacked(tmp_path):
    sysroot = REPOSITORY / "build/sysroot/arm64"
    if not sysroot.is_dir():
        pytest.skip("there are no libraries of arm64: scripts/install arm64")
    compiler = f"aarch64-linux-gnu-gcc -static -idirafter {sysroot}/usr/include"
    found = {component.name: component for component in linked(build(
        tmp_path, f"{sysroot}/usr/lib/aarch64-linux-gnu/libz.a", compiler))}
    status = (sysroot / "var/lib/dpkg/status").read_text()
    version = re.search(r"^Package: zlib1g-dev\n(?:.+\n)*?Version: (.*)$", status, re.MULTILINE)[1]
    zlib = found["zlib1g-dev"]
    assert (zlib.version, zlib.architecture, zlib.source, zlib.archives) == (version, "arm64", "zlib", ["libz.a"])
    assert "libc.a" in found["libc6-dev-arm64-cross"].archives


def test_an_archive_of_no_package_is_an_error(tmp_path):
    (tmp_path / "build").mkdir()
    archive = tmp_path / "libz.a"
    archive.write_bytes(open(command("cc", "-print-file-name=libz.a").strip(), "rb").read())
    with pytest.raises(CannotTell, match=f"^no package owns {archive}, which is in the program$"):
        linked(build(tmp_path / "build", archive))


def test_a_folder_without_a_program_is_an_error_in_one_sentence(tmp_path, dist):
    done = subprocess.run([REPOSITORY / "packaging/bill", VERSION, dist, f"amd64={tmp_path}"], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == f"package: {tmp_path} has no built program: run scripts/build first\n"
