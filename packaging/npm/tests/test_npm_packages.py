"""What is in the packages, and how they are made."""

import json
import os
import subprocess
import tarfile

import pytest
from npm_project import ARCHES, CARRIERS, CPUS, DIST, REPOSITORY, VERSION, clean_environment

FILES = {
    "hashrange": """LICENSE README.md bin/hashrange.js bin/machine.js bin/missing.js bin/parent.js index.d.ts index.js
        lib/control-answer.cjs lib/control.cjs lib/crc32.cjs lib/host.cjs lib/module-file.cjs lib/module-files.cjs lib/module-server.cjs
        lib/lab-module.cjs lib/lab-perform.cjs lib/lab-thread.cjs lib/module.cjs lib/serve/command.cjs lib/serve/data.cjs lib/serve/lab.cjs
        lib/serve/line.cjs lib/serve/options.cjs lib/system.cjs package.json skills/hashrange/SKILL.md""",
    "@hashrange/testing": """
        LICENSE README.md account.d.ts control-api.d.ts index.cjs index.d.ts index.mjs jest.cjs jest.d.ts
        lib/account.cjs lib/arguments.cjs lib/begun.cjs lib/binary.cjs lib/control-answer.cjs lib/control.cjs lib/crc32.cjs lib/host.cjs
        lib/jest-global-setup.cjs lib/jest-global-teardown.cjs lib/jest-setup-after-env.cjs lib/jest-setup.cjs lib/measured.cjs
        lib/lab-calls.cjs lib/lab-module.cjs lib/lab-perform.cjs lib/lab-thread.cjs
        lib/module-file.cjs lib/module-files.cjs lib/module-handler.cjs lib/module-server.cjs lib/module.cjs lib/open-accounts.cjs
        lib/pattern.cjs lib/process.cjs lib/run.cjs lib/serve/command.cjs lib/serve/data.cjs lib/serve/lab.cjs lib/serve/line.cjs lib/serve/options.cjs lib/setup-process.cjs
        lib/system.cjs lib/version.cjs lib/vitest-global-setup.mjs lib/vitest-setup.mjs lib/warnings.cjs lib/worker.cjs
        lab.cjs lab.d.ts measurement.d.ts module.cjs module.d.ts package.json testcontainers.cjs testcontainers.d.ts vitest.d.ts vitest.mjs""",
    "@hashrange/browser": """
        LICENSE README.md account.d.ts control-api.d.ts database-worker.mjs hashrange.wasm index.d.ts index.mjs lab-worker.mjs lab.d.ts lab.wasm
        lib/account.mjs lib/arguments.mjs lib/control-answer.mjs lib/crc32.mjs lib/host.mjs lib/lab-calls.mjs lib/lab-module.mjs
        lib/measured.mjs lib/module-handler.mjs lib/module.mjs lib/open-accounts.mjs lib/system.mjs lib/worker-answers.mjs
        lib/worker-calls.mjs lib/worker-database.mjs lib/worker-lab.mjs measurement.d.ts module.d.ts package.json""",
    **{name: "LICENSE README.md bin/hashrange package.json" for name in CARRIERS},
}
HAVE_LINKED = ["hashrange", "@hashrange/browser", *CARRIERS]  # with the module or a program


def file_of(name):
    return DIST / "npm" / f"{name.lstrip('@').replace('/', '-')}-{VERSION}.tgz"


def members(name):
    """Returns {path: (is executable, bytes)} of the files of a package."""
    with tarfile.open(file_of(name)) as archive:
        return {member.name.removeprefix("package/"): (bool(member.mode & 0o100), archive.extractfile(member).read()) for member in archive}


def manifest(name):
    return json.loads(members(name)["package.json"][1])


def modules():
    """Returns the modules of dist/wasm, as they are named in a package."""
    return {path.name: path.read_bytes() for path in (DIST / "wasm").glob("*.wasm")}


def licences():
    """Returns the files of dist/licenses, as they are named in a package."""
    return {f"licenses/{file.relative_to(DIST / 'licenses')}": file.read_bytes()
            for file in (DIST / "licenses").rglob("*") if file.is_file()}


def test_there_are_these_packages(packages):
    assert sorted(packages) == sorted(file_of(name).name for name in FILES)
    assert CARRIERS


@pytest.mark.parametrize("name", FILES)
def test_a_package_has_these_files(name):
    expected = {*FILES[name].split(), *(licences() if name in HAVE_LINKED else []), *(modules() if name == "hashrange" else [])}
    assert set(members(name)) == expected


@pytest.mark.parametrize("name", FILES)
def test_a_package_has_the_licence(name):
    assert manifest(name)["license"] == "Apache-2.0"
    assert members(name)["LICENSE"][1] == (REPOSITORY / "LICENSE").read_bytes()


@pytest.mark.parametrize("name", HAVE_LINKED)
def test_a_program_comes_with_the_licences_of_what_is_linked(name):
    if not licences():
        pytest.skip("there is no dist/licenses")
    found = members(name)
    assert {path: found[path][1] for path in licences()} == licences()


@pytest.mark.parametrize("name", FILES)
def test_a_package_has_the_version_of_the_repository(name):
    assert manifest(name)["version"] == VERSION


@pytest.mark.parametrize("name", FILES)
def test_npm_runs_nothing_when_it_installs_a_package(name):
    assert not {"preinstall", "install", "postinstall", "prepare"} & set(manifest(name).get("scripts", {}))
    assert "binding.gyp" not in members(name)


def test_the_packages_need_each_other_in_the_same_version():
    assert manifest("hashrange")["optionalDependencies"] == dict.fromkeys(CARRIERS, VERSION)
    assert manifest("@hashrange/testing")["dependencies"] == {"hashrange": VERSION}


@pytest.mark.parametrize("name, arch", CARRIERS.items())
def test_a_program_is_that_of_the_platform(name, arch):
    own = manifest(name)
    assert (own["os"], own["cpu"]) == (["linux"], [CPUS[arch]])
    assert members(name)["bin/hashrange"] == (True, (DIST / "bin" / arch / "hashrange").read_bytes())


def test_the_modules_are_those_of_dist():
    found = members("hashrange")
    assert set(modules()) == {"hashrange.wasm", "lab.wasm"}
    assert {name: found[name] for name in modules()} == {name: (False, content) for name, content in modules().items()}


def make(dist, arches):
    return subprocess.run([REPOSITORY / "packaging/npm/make"], env={**clean_environment(), "VERSION": VERSION, "DIST": str(dist), "ARCHES": arches},
                          capture_output=True, text=True)


def test_the_same_input_gives_the_same_bytes(tmp_path, packages):
    for name in ("bin", "licenses", "wasm"):
        if (DIST / name).exists():
            (tmp_path / name).symlink_to(DIST / name)
    made = make(tmp_path, " ".join(ARCHES))
    assert made.returncode == 0, made.stderr
    assert {file.name: file.read_bytes() for file in (tmp_path / "npm").iterdir()} == {name: path.read_bytes() for name, path in packages.items()}


@pytest.mark.parametrize("arches, sentence", [
    ("riscv64", "npm: there is no npm package for the architecture riscv64"),
    ("amd64", "npm: there is no program {dist}/bin/amd64/hashrange"),
])
def test_what_cannot_be_made_is_told(tmp_path, arches, sentence):
    put_modules(tmp_path)
    made = make(tmp_path, arches)
    assert (made.returncode, made.stderr) == (1, sentence.format(dist=tmp_path) + "\n")


def test_no_package_is_made_without_the_modules(tmp_path):
    made = make(tmp_path, "amd64")
    assert (made.returncode, made.stderr) == (1, f"npm: there is no module {tmp_path}/wasm/hashrange.wasm\n")
    assert not (tmp_path / "npm").exists()


def put_modules(dist):
    (dist / "wasm").mkdir()
    for name in ("hashrange.wasm", "lab.wasm"):
        (dist / "wasm" / name).write_bytes(b"")


def test_make_prints_the_sizes(tmp_path):
    put_modules(tmp_path)
    (tmp_path / "bin/amd64").mkdir(parents=True)
    program = tmp_path / "bin/amd64/hashrange"
    program.write_text("#!/bin/sh\n")
    os.chmod(program, 0o755)
    made = make(tmp_path, "amd64")
    size = (tmp_path / "npm" / file_of("hashrange").name).stat().st_size
    assert f"npm: {file_of('hashrange').name}, {size} bytes\n" in made.stdout
