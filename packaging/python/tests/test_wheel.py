"""What is in a wheel, and for which systems it is."""

import base64
import csv
import hashlib
import pathlib
import platform
import shutil
import stat
import struct
import zipfile

import machines
import pytest
from python_wheels import ARCH, DIST, REPOSITORY, VERSION, make, run, with_program, without_program

INFO = f"hashrange-{VERSION}.dist-info"
X86_64 = "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"
AARCH64 = X86_64.replace("x86_64", "aarch64")
PROGRAM = "hashrange/bin/hashrange"
SKILL = "hashrange/skills/hashrange/SKILL.md"


@pytest.fixture
def archive(wheel):
    with zipfile.ZipFile(wheel) as archive:
        yield archive


def licences():
    """The licences of what is linked into the program; scripts/package collects them."""
    return {f"hashrange/{path.relative_to(DIST)}" for path in (DIST / "licenses").rglob("*") if path.is_file()}


def test_files(archive):
    sources = {str(path.relative_to(REPOSITORY / "clients/pytest"))
               for package in ("hashrange", "pytest_hashrange") for path in (REPOSITORY / "clients/pytest" / package).glob("*.py")}
    metadata = {f"{INFO}/{name}" for name in ("LICENSE", "METADATA", "RECORD", "WHEEL", "entry_points.txt", "top_level.txt")}
    assert set(archive.namelist()) == {*sources, PROGRAM, SKILL, *metadata, *licences()}


def test_the_files_are_those_of_the_repository(archive):
    for name in archive.namelist():
        if name.endswith(".py"):
            assert archive.read(name) == (REPOSITORY / "clients/pytest" / name).read_bytes()
    assert archive.read(f"{INFO}/LICENSE") == (REPOSITORY / "LICENSE").read_bytes()
    assert archive.read(SKILL) == (REPOSITORY / "skills/hashrange/SKILL.md").read_bytes()
    assert archive.read(PROGRAM) == (DIST / "bin" / ARCH / "hashrange").read_bytes()


def test_modes(archive):
    for each in archive.infolist():
        mode = stat.S_IMODE(each.external_attr >> 16)
        expected = 0o755 if each.filename == PROGRAM else 0o664 if each.filename.endswith("/RECORD") else 0o644
        assert (each.filename, oct(mode)) == (each.filename, oct(expected))


def test_record(archive):
    rows = list(csv.reader(archive.read(f"{INFO}/RECORD").decode().splitlines()))
    assert sorted(name for name, *_ in rows) == sorted(archive.namelist())
    for name, digest, size in rows:
        if name == f"{INFO}/RECORD":
            assert (digest, size) == ("", "")
        else:
            content = archive.read(name)
            own = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert (name, digest, size) == (name, f"sha256={own}", str(len(content)))


def test_metadata(archive):
    head = archive.read(f"{INFO}/METADATA").decode().partition("\n\n")[0].splitlines()
    for line in ("Name: hashrange", f"Version: {VERSION}", "License: Apache-2.0", "License-File: LICENSE", "Requires-Python: >=3.9",
                 "Requires-Dist: pytest (>=7) ; extra == 'pytest'", "Requires-Dist: boto3 (>=1.26.27) ; extra == 'boto3'"):
        assert line in head
    assert [line for line in head if line.startswith("Requires-Dist") and "extra" not in line] == []


def test_the_version_is_that_of_the_server():
    assert VERSION == machines.VERSION


def test_tags_in_the_wheel_are_those_of_its_name(wheel, archive):
    lines = archive.read(f"{INFO}/WHEEL").decode().splitlines()
    tags = {line.removeprefix("Tag: ") for line in lines if line.startswith("Tag: ")}
    platforms = wheel.name.removesuffix(".whl").split("-")[-1].split(".")
    assert tags == {f"py3-none-{each}" for each in platforms}
    assert "Root-Is-Purelib: false" in lines


# ---- other programs: the headers of this machine's program, changed ----

def write_program(dist, arch, is_static):
    """Writes a program of which only the header is one for `arch`, and which needs no shared object if `is_static`."""
    program = bytearray((DIST / "bin" / ARCH / "hashrange").read_bytes())
    struct.pack_into("<H", program, 18, {"amd64": 62, "arm64": 183}[arch])
    offset, = struct.unpack_from("<Q", program, 32)
    size, count = struct.unpack_from("<HH", program, 54)
    starts = [offset + size * number for number in range(count)]
    types = [struct.unpack_from("<I", program, start)[0] for start in starts]
    if is_static:
        for start in (start for start, type in zip(starts, types) if type == 3):
            struct.pack_into("<I", program, start, 0)
    elif 3 not in types:
        struct.pack_into("<I", program, starts[-1], 3)
    path = dist / "bin" / arch / "hashrange"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(program)
    path.chmod(0o755)


@pytest.fixture(scope="module")
def static_wheels(tmp_path_factory):
    dist = tmp_path_factory.mktemp("static")
    for arch in ("amd64", "arm64"):
        write_program(dist, arch, is_static=True)
    make(dist, "amd64 arm64")
    return dist / "python"


def test_a_static_program_is_for_all_of_linux(static_wheels):
    assert sorted(path.name for path in static_wheels.iterdir()) == [
        f"hashrange-{VERSION}-py3-none-{platforms}.whl" for platforms in ("any", AARCH64, X86_64)]


@pytest.mark.parametrize("arch, platform", [("amd64", "linux_x86_64"), ("arm64", "linux_aarch64")])
def test_another_program_is_for_systems_like_this_one(tmp_path, arch, platform):
    write_program(tmp_path, arch, is_static=False)
    make(tmp_path, arch)
    assert sorted(path.name for path in (tmp_path / "python").iterdir()) == [
        f"hashrange-{VERSION}-py3-none-{platforms}.whl" for platforms in ("any", platform)]


@pytest.mark.parametrize("platform, chosen", [
    ("manylinux2014_x86_64", X86_64), ("manylinux_2_17_x86_64", X86_64), ("musllinux_1_1_x86_64", X86_64),
    ("manylinux2014_aarch64", AARCH64), ("manylinux_2_17_aarch64", AARCH64), ("musllinux_1_1_aarch64", AARCH64),
    ("macosx_11_0_arm64", "any"), ("macosx_10_13_x86_64", "any"), ("win_amd64", "any"), ("manylinux2014_ppc64le", "any"),
])
def test_pip_chooses_the_wheel_of_its_platform(bin, static_wheels, tmp_path, platform, chosen):
    run(bin / "python", "-m", "pip", "download", "--no-index", "--find-links", static_wheels, "--only-binary=:all:", "--platform", platform,
        "--no-deps", "--dest", tmp_path / "chosen", "hashrange[testcontainers,boto3]")
    assert [path.name for path in (tmp_path / "chosen").iterdir()] == [f"hashrange-{VERSION}-py3-none-{chosen}.whl"]


def test_the_wheel_for_other_systems_has_all_but_the_program(archive):
    with zipfile.ZipFile(without_program()) as other:
        assert set(other.namelist()) == set(archive.namelist()) - {PROGRAM} - licences()
        for name in set(other.namelist()) - {f"{INFO}/RECORD", f"{INFO}/WHEEL"}:
            assert (name, other.read(name)) == (name, archive.read(name))
        assert {stat.S_IMODE(each.external_attr >> 16) for each in other.infolist() if each.filename != f"{INFO}/RECORD"} == {0o644}
        lines = other.read(f"{INFO}/WHEEL").decode().splitlines()
    assert "Root-Is-Purelib: true" in lines and [line for line in lines if line.startswith("Tag: ")] == ["Tag: py3-none-any"]


def test_this_pip_accepts_all_the_names(bin, static_wheels):
    wheel, = static_wheels.glob(f"*{platform.machine()}*")
    output = run(bin / "python", "-m", "pip", "install", "--dry-run", "--no-index", "--target", static_wheels.parent / "none", wheel)
    assert "Would install hashrange" in output


def test_the_program_for_arm64_runs_in_an_emulator(tmp_path):
    wheels = [path for path in DIST.glob("python/*.whl") if "aarch64" in path.name]
    emulator = shutil.which("qemu-aarch64-static")
    if not wheels or not emulator:
        pytest.skip("there is no wheel for arm64" if emulator else "qemu-aarch64-static is not installed")
    with zipfile.ZipFile(*wheels) as archive:
        program = pathlib.Path(archive.extract(PROGRAM, tmp_path))
    program.chmod(0o755)  # the module zipfile does not keep the mode
    assert run(emulator, program, "--version") == f"Hashrange {VERSION}\n"


# ---- packaging/python/make ----

def test_two_runs_give_the_same_bytes(tmp_path):
    digests = set()
    for name, mask in (("one", "022"), ("two", "077")):
        program = tmp_path / name / "bin" / ARCH / "hashrange"
        program.parent.mkdir(parents=True)
        shutil.copy(DIST / "bin" / ARCH / "hashrange", program)
        run("bash", "-c", f"umask {mask}; exec {REPOSITORY}/packaging/python/make", DIST=str(tmp_path / name), ARCHES=ARCH, VERSION=VERSION,
            TZ=f"UTC{len(name) - 5}", SOURCE_DATE_EPOCH="1767225600")
        digests.add(tuple(hashlib.sha256(find(tmp_path / name).read_bytes()).hexdigest() for find in (with_program, without_program)))
    assert len(digests) == 1


def test_licences_of_what_is_linked(tmp_path):
    write_program(tmp_path, ARCH, is_static=True)
    for name in ("abseil/LICENSE", "boost.txt"):
        path = tmp_path / "licenses" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"the licence {name}\n")
    make(tmp_path)
    with zipfile.ZipFile(with_program(tmp_path)) as archive:
        assert archive.read("hashrange/licenses/abseil/LICENSE") == b"the licence abseil/LICENSE\n"
        assert archive.read("hashrange/licenses/boost.txt") == b"the licence boost.txt\n"


def test_what_make_refuses(tmp_path):
    assert f"there is no program {tmp_path}/bin/{ARCH}/hashrange" in make(tmp_path, status=1)
    write_program(tmp_path, "amd64", is_static=True)
    assert "is not of version 9.9.9" in make(tmp_path, "amd64", status=1, version="9.9.9")
    (tmp_path / "bin/arm64").mkdir()
    shutil.copy(tmp_path / "bin/amd64/hashrange", tmp_path / "bin/arm64/hashrange")
    assert "the program in bin/arm64 is none for arm64" in make(tmp_path, "arm64", status=1)
    assert list((tmp_path / "python").iterdir()) == []
