"""Which program is started: HASHRANGE_BINARY, the program of the package, `hashrange` on PATH."""

import os
import pathlib
import subprocess
import sys

import hashrange
import pytest

ROOT = pathlib.Path(hashrange.__file__).parent.parent
COMMAND = f"#!{sys.executable}\nimport sys\nfrom hashrange.__main__ import main\nsys.exit(main())\n"  # as pip writes it


@pytest.fixture
def places(tmp_path, monkeypatch):
    """Returns a function that makes a program in one of the places, which prints the name of the place."""
    monkeypatch.setattr(hashrange, "OWN", tmp_path / "package")
    monkeypatch.delenv("HASHRANGE_BINARY", raising=False)
    monkeypatch.setenv("PATH", os.pathsep.join(str(tmp_path / name) for name in ("command", "path")))

    def make(name, text="#!/bin/sh\n"):
        path = tmp_path / name / "hashrange" if name in ("command", "path") else tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        if name == "variable":
            monkeypatch.setenv("HASHRANGE_BINARY", str(path))
        return str(path)

    return make


def test_the_first_of_them_is_chosen(places):
    path = places("path")
    assert hashrange.binary() == path
    package = places("package")
    assert hashrange.binary() == package
    variable = places("variable")
    assert hashrange.binary() == variable


def test_a_command_of_python_on_path_is_not_the_program(places):
    places("command", COMMAND)
    with pytest.raises(RuntimeError, match="^hashrange: no server to start: "):
        hashrange.binary()
    path = places("path")
    assert hashrange.binary() == path


def test_a_variable_that_names_no_program_is_an_error(places, monkeypatch):
    places("path")
    monkeypatch.setenv("HASHRANGE_BINARY", "/nowhere/hashrange")
    with pytest.raises(RuntimeError, match="^hashrange: HASHRANGE_BINARY names /nowhere/hashrange, which is no program.$"):
        hashrange.binary()


def test_a_variable_that_names_a_command_of_python_is_an_error(places):
    places("path")
    command = places("variable", COMMAND)
    with pytest.raises(RuntimeError) as caught:
        hashrange.binary()
    assert str(caught.value) == (f"hashrange: HASHRANGE_BINARY names {command}, which is the command of a Python environment, and not the "
                                 "server's program: name the program, or unset the variable.")


def test_the_variable_is_a_path_from_the_current_folder(places, monkeypatch, tmp_path):
    places("path")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path / "folder")
    monkeypatch.setenv("HASHRANGE_BINARY", "hashrange")  # is not looked for on PATH
    with pytest.raises(RuntimeError, match="folder/hashrange, which is no program.$"):
        hashrange.binary()
    variable = places("variable")
    monkeypatch.setenv("HASHRANGE_BINARY", "../variable")
    assert os.path.samefile(hashrange.binary(), variable)


def run(*arguments, **variables):
    return subprocess.run([sys.executable, "-m", "hashrange", *arguments], env={"PYTHONPATH": str(ROOT), **variables},
                          capture_output=True, text=True, timeout=30)


@pytest.mark.parametrize("place", ["path", "variable"])
def test_a_program_that_leads_back_to_the_command_is_said_in_one_line(places, place):
    path = places(place, f'#!/bin/sh\nexec {sys.executable} -m hashrange "$@"\n')  # as pyenv and asdf do
    done = run("serve", **({"PATH": os.path.dirname(path)} if place == "path" else {"HASHRANGE_BINARY": path}))
    assert (done.stdout, done.stderr, done.returncode) == (
        "", f"hashrange: {path} is not the server's program, but starts this command again: put the path of the program into "
        "HASHRANGE_BINARY.\n", 1)


def test_the_module_runs_the_program(places):
    done = run("a b", "--c", HASHRANGE_BINARY=places("variable", '#!/bin/sh\necho "$# $1 $2"\nexit 7\n'))
    assert (done.stdout, done.stderr, done.returncode) == ("2 a b --c\n", "", 7)


@pytest.mark.parametrize("command", [[], ["serve"]])
def test_without_a_program_the_module_says_so_in_one_line(command):
    done = run(*command, PATH="/nowhere")
    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr.startswith("hashrange: no server to start: this installation has no program for ")
    assert done.stderr.count("\n") == 1


def test_a_program_of_another_machine_is_said_in_one_line(places):
    done = run(HASHRANGE_BINARY=places("variable", "\x7fELF of another machine"))
    path = os.environ["HASHRANGE_BINARY"]
    assert (done.stderr, done.returncode) == (f"hashrange: {path} does not run on this machine: Exec format error.\n", 1)
