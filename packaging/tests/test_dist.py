"""What scripts/package makes: all files have sums, and two runs give the same files."""

import hashlib
import json
import os
import subprocess

from machines import REPOSITORY, VERSION, command

NOT_UPLOADED = {"bin", "man", "completions", "licenses", "SHA256SUMS"}


def uploads(dist):
    return {str(path.relative_to(dist)): path for path in dist.rglob("*")
            if path.is_file() and path.relative_to(dist).parts[0] not in NOT_UPLOADED}


def instant_of(dist):
    """Returns the SOURCE_DATE_EPOCH that the files were made with."""
    created = json.loads((dist / f"hashrange-{VERSION}.spdx.json").read_text())["creationInfo"]["created"]
    return command("date", f"--date={created}", "+%s").strip()


def test_every_file_has_its_sum(dist):
    rows = (line.split("  ") for line in (dist / "SHA256SUMS").read_text().splitlines())
    assert {name: digest for digest, name in rows} == {
        name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in uploads(dist).items()}


def test_a_second_run_in_another_place_gives_the_same_files(dist, architectures, tmp_path):
    for name in NOT_UPLOADED - {"SHA256SUMS"} | {"wasm"}:
        command("cp", "-r", "--no-preserve=timestamps", dist / name, tmp_path / name)
    variables = dict(os.environ, VERSION=VERSION, DIST=str(tmp_path), ARCHES=" ".join(architectures), LC_ALL="C", TZ="UTC",
                     SOURCE_DATE_EPOCH=instant_of(dist))
    assert variables["SOURCE_DATE_EPOCH"] == command("git", "log", "-1", "--format=%ct", cwd=REPOSITORY).strip(), (
        "dist/ is of another commit: run scripts/package again")
    builds = [f"{architecture}=build/{'release' if architecture == 'amd64' else architecture}" for architecture in architectures]
    command("packaging/bill", VERSION, tmp_path, *builds, "wasm=build/wasm", cwd=REPOSITORY, env=variables)
    for make in sorted(REPOSITORY.glob("packaging/*/make")):
        command("bash", "-c", f"umask 077; {make}", env=variables)
    assert {name: path.read_bytes() == (dist / name).read_bytes() for name, path in uploads(tmp_path).items()} == {
        name: True for name in uploads(dist)}


def test_the_programs_have_the_console_and_the_modules_have_not(dist, architectures):
    page = (REPOSITORY / "console/dist/index.html").read_bytes()
    assert b"/_hashrange/console/" in page
    files = [*dist.glob("bin/*/hashrange"), *dist.glob("wasm/*.wasm")]
    assert {str(path.relative_to(dist)) for path in files if page in path.read_bytes()} == {
        f"bin/{architecture}/hashrange" for architecture in architectures}


def test_no_folder_of_this_machine_is_in_the_modules(dist):
    for module in (dist / "wasm").iterdir():
        content = module.read_bytes()
        assert [path for path in (REPOSITORY, "/usr/lib", "/usr/include") if str(path).encode() in content] == [], module.name


def test_wrong_words_are_refused_in_one_sentence():
    for words, sentence in ((["rpm"], "there is no kind rpm: packaging/rpm/make is not there"),
                            (["--arch", "mips"], "--arch takes amd64, arm64 or all")):
        done = subprocess.run([REPOSITORY / "scripts/package", *words], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (1, f"package: {sentence}\n")
