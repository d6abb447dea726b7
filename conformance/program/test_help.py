"""--help, and the documents that show it."""

import pathlib
import subprocess
import sys

import pytest

from conftest import PROGRAM, run

UPDATE_HELP = pathlib.Path(__file__).resolve().parents[2] / "scripts/update-help"


def update_help(*arguments):
    """Returns the exit code and stderr."""
    done = subprocess.run([sys.executable, UPDATE_HELP, "--program", PROGRAM, *arguments], capture_output=True, text=True)
    return done.returncode, done.stderr


def test_the_documents_show_the_programs_own_help():
    assert update_help("--check") == (0, "")


def test_a_document_that_differs_is_found_and_corrected(tmp_path):
    document = tmp_path / "options.md"
    document.write_text("Text\n\n    $ hashrange --help\n    old\n\n    lines\n\nText\n\n```\n$ hashrange man --help\n```\n")
    code, err = update_help("--check", document)
    assert code == 1 and str(document) in err
    assert update_help(document) == (0, "")
    server, man = run("--help")[1], run("man", "--help")[1]
    shown = "\n".join(f"    {line}".rstrip() for line in server.rstrip("\n").split("\n"))
    assert document.read_text() == f"Text\n\n    $ hashrange --help\n{shown}\n\nText\n\n```\n$ hashrange man --help\n{man}```\n"
    assert update_help("--check", document) == (0, "")


def test_a_document_must_show_the_options(tmp_path):
    document = tmp_path / "options.md"
    document.write_text("    $ hashrange man --help\n" + "".join(f"    {line}".rstrip() + "\n" for line in run("man", "--help")[1].splitlines()))
    assert update_help("--check", document) == (1, "update-help: no document shows `$ hashrange --help`\n")


@pytest.mark.parametrize("command", [[], ["serve"], ["check"], ["ctl"], ["ctl", "fork"], ["ctl", "measure", "report"], ["lab"], ["lab", "run"], ["copy"], ["completion"]])
def test_each_command_has_a_help(command):
    code, out, err = run(*command, "--help")
    assert (code, err) == (0, "")
    assert f"\nUsage: {' '.join(['hashrange', *command])} [OPTIONS]" in out and "\n  -h, --help  " in out


@pytest.mark.parametrize("arguments, told", [
    (["--no-such"], "unknown argument: --no-such"), (["man", "extra"], "unknown argument: extra"), (["completion"], "SHELL is required"),
    (["completion", "tcsh"], "SHELL: tcsh not in {bash,zsh,fish}"), (["--port", "1", "lab"], "write lab first: hashrange lab run …"), (["--port", "1", "mcp"], "write mcp first: hashrange mcp …"),
    (["--port", "1", "ctl", "info"], "write the options of ctl after it: hashrange ctl --port …"),
])
def test_a_wrong_command_line_is_refused_with_a_sentence(arguments, told):
    assert run(*arguments) == (2, "", f"hashrange: {told} (see hashrange --help)\n")
