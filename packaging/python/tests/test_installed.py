"""The installed package: the command, the module, and the plugin with the README's sample."""

import json
import os
import re
import shutil
import signal
import subprocess
import urllib.request

import pytest
from python_wheels import ARCH, DIST, REPOSITORY, VERSION, environment, install, run
from documents import blocks


def test_nothing_else_is_needed(bin):
    assert "No broken requirements" in run(bin / "python", "-m", "pip", "check")
    installed = {each["name"] for each in json.loads(run(bin / "python", "-m", "pip", "list", "--format", "json"))}
    assert installed == {"hashrange", "pip", "setuptools"}


@pytest.mark.parametrize("command", [["python", "-m", "hashrange"], ["hashrange"]], ids=" ".join)
def test_the_program_answers(bin, command):
    for arguments in (["--version"], ["--help"], ["--no-such-option"], ["healthcheck", "--port", "1"]):
        by_itself, by_python = (subprocess.run([*program, *arguments], env=environment(), capture_output=True, text=True)
                                for program in ([DIST / "bin" / ARCH / "hashrange"], [bin / command[0], *command[1:]]))
        assert (by_python.stdout, by_python.stderr, by_python.returncode) == (by_itself.stdout, by_itself.stderr, by_itself.returncode)
        assert by_itself.stdout or by_itself.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("command", [["python", "-m", "hashrange"], ["hashrange"]], ids=" ".join)
def test_signals_and_descriptors_reach_the_program(bin, command, number):
    ready, ready_end = os.pipe()
    with os.fdopen(ready) as line:
        process = subprocess.Popen([bin / command[0], *command[1:], "serve", "--port", "0", "--ready-fd", str(ready_end), "--exit-with-parent"],
                                   env=environment(), pass_fds=[ready_end])
        os.close(ready_end)
        endpoint = json.loads(line.readline())["endpoint"]
    info = json.load(urllib.request.urlopen(f"{endpoint}/_hashrange/"))
    assert (info["version"], info["pid"]) == (VERSION, process.pid)
    process.send_signal(number)
    assert process.wait(30) == 0


def test_the_path_of_the_program(bin, tmp_path):
    code = "import hashrange; print(hashrange.binary())"
    own = run(bin / "python", "-c", code).strip()
    assert own.startswith(str(bin.parent)) and run(own, "--version") == f"Hashrange {VERSION}\n"
    other = tmp_path / "other"
    shutil.copy(own, other)
    assert run(bin / "python", "-c", code, HASHRANGE_BINARY=str(other)).strip() == str(other)


def test_the_command_of_the_environment_is_not_taken_for_the_program(bin):
    output = run(bin / "hashrange", "--version", status=1, HASHRANGE_BINARY=str(bin / "hashrange"))
    assert output.startswith(f"hashrange: HASHRANGE_BINARY names {bin}/hashrange, which is the command of a Python environment")
    assert output.count("\n") == 1


def test_without_a_program_one_sentence_is_said(wheel, new_environment):
    bin = new_environment()
    install(bin, "hashrange")
    os.remove(run(bin / "python", "-c", "import hashrange; print(hashrange.binary())").strip())
    for command in ([bin / "python", "-m", "hashrange"], [bin / "hashrange"]):
        output = run(*command, "serve", status=1, PATH=f"{bin}:/usr/bin:/bin")
        assert re.fullmatch(r"hashrange: no server to start: this installation has no program for Linux \w+, so put .*\n", output)


def test_the_extras_are_satisfied(bin_with_pytest):
    # pip also finds problems of Debian's packages with each other, so its exit code is not compared.
    done = subprocess.run([bin_with_pytest / "python", "-m", "pip", "check"], env=environment(), capture_output=True, text=True)
    assert "hashrange" not in done.stdout and "Traceback" not in done.stderr
    code = "import boto3, pytest, hashrange, pytest_hashrange"
    assert run(bin_with_pytest / "python", "-c", code) == ""


def sample(folder):
    """Writes the sample of docs/testing.md for pytest."""
    for language, text in blocks("docs/testing.md", "A first test"):
        name = re.match(r"# (conftest\.py|test_users\.py)\n", text) if language == "python" else None
        if name:
            (folder / name[1]).write_text(text)
    assert sorted(path.name for path in folder.iterdir()) == ["conftest.py", "test_users.py"]
    return folder


def test_the_sample_of_the_readme(bin_with_pytest, tmp_path):
    output = run(bin_with_pytest / "python", "-m", "pytest", "-p", "no:cacheprovider", folder=sample(tmp_path))
    assert re.search(rf"^plugins: .*\bhashrange-{re.escape(VERSION)}", output, re.M)
    assert "1 passed" in output


def test_the_sample_on_a_system_without_a_program(bin_without_program, tmp_path):
    bin, folder = bin_without_program, tmp_path / "app"
    folder.mkdir()
    pytest_of = [bin / "python", "-m", "pytest", "-p", "no:cacheprovider"]
    assert "hashrange: no server to start" in run(*pytest_of, folder=sample(folder), status=1)
    program = DIST / "bin" / ARCH / "hashrange"
    assert "1 passed" in run(*pytest_of, folder=folder, HASHRANGE_BINARY=str(program))
    ready, ready_end = os.pipe()
    with os.fdopen(ready) as line, subprocess.Popen([program, "serve", "--port", "0", "--ready-fd", str(ready_end), "--exit-with-parent"],
                                                    env=environment(), pass_fds=[ready_end]) as server:
        os.close(ready_end)
        try:
            assert "1 passed" in run(*pytest_of, folder=folder, HASHRANGE_ENDPOINT=json.loads(line.readline())["endpoint"])
        finally:
            server.terminate()


def test_a_container_on_a_system_without_a_program(bin_without_program, tmp_path):
    """The class for the container is there; the package testcontainers is a stand-in (clients/pytest/tests/without_docker)."""
    (tmp_path / "sitecustomize.py").write_text(f"import sys\nsys.path.append({str(REPOSITORY / 'clients/pytest/tests/without_docker')!r})\n")
    code = "from hashrange.testcontainers import HashrangeContainer\nwith HashrangeContainer() as container: print(container.endpoint)"
    output = run(bin_without_program / "python", "-c", code, folder=tmp_path, PYTHONPATH=str(tmp_path), CONTAINER=str(DIST / "bin" / ARCH / "hashrange"))
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+\ncontainer stopped\n", output)


def test_the_sample_with_a_project_from_a_clone(new_environment, tmp_path):
    """`pip install './clients/pytest[boto3]'`: a project without a program."""
    bin = new_environment("--system-site-packages")
    clone = shutil.copytree(REPOSITORY / "clients/pytest", tmp_path / "clients/pytest", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    run(bin / "python", "-m", "pip", "install", "--no-index", "--no-build-isolation", "./clients/pytest[boto3]", folder=tmp_path)
    shutil.rmtree(clone.parent)
    folder = tmp_path / "app"
    folder.mkdir()
    program = DIST / "bin" / ARCH / "hashrange"
    pytest_of = [bin / "python", "-m", "pytest", "-p", "no:cacheprovider"]
    assert "1 passed" in run(*pytest_of, folder=sample(folder), HASHRANGE_BINARY=str(program))
    # The command of the environment is on PATH before the program, and is not taken for it.
    assert "1 passed" in run(*pytest_of, folder=folder, PATH=f"{bin}:{program.parent}:/usr/bin:/bin")
    assert run(bin / "hashrange", "--version", PATH=f"{bin}:{program.parent}:/usr/bin:/bin") == f"Hashrange {VERSION}\n"
    assert "hashrange: no server to start" in run(*pytest_of, folder=folder, status=1, PATH=f"{bin}:/usr/bin:/bin")
