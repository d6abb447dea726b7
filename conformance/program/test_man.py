"""`hashrange man`: the page, by the programs that read it."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import PROGRAM, run

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "src"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    code, out, err = run("man")
    assert (code, err) == (0, "")
    file = tmp_path_factory.mktemp("man") / "hashrange.1"
    file.write_text(out)
    return file


def needs(program):
    return pytest.mark.skipif(not shutil.which(program), reason=f"{program} is not installed")


def rendered(page, *command, **environment):
    """Returns the page as text, without the overstrikes and colours of terminals."""
    done = subprocess.run([*command, str(page)], capture_output=True, text=True, env={**os.environ, **environment})
    assert (done.returncode, done.stderr) == (0, "")
    return re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)


@needs("groff")
def test_groff_reads_it_without_a_warning(page):
    text = rendered(page, "groff", "-man", "-ww", "-Tutf8", "-rLL=100n")
    assert "hashrange - an in-memory, DynamoDB-compatible server" in text
    assert re.search(r"\n +--threads N\n +How many threads serve requests \(default: one per core\)\n", text)
    assert '{"min":…,"max":…}' in text


@needs("mandoc")
def test_mandoc_has_nothing_to_complain_of(page):
    done = subprocess.run(["mandoc", "-Tlint", page], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "--threads N" in rendered(page, "mandoc", "-Tutf8")


@needs("man")
def test_man_shows_it(page):
    text = rendered(page, "man", "--warnings", "-l", LC_ALL="C.UTF-8", MANWIDTH="100", MANPAGER="cat", MANROFFOPT="-ww")
    assert "hashrange ctl fork" in text


def test_it_has_each_option_of_each_command(page):
    text = page.read_text().replace("\\-", "-")
    sections = dict(re.findall(r"^\.SS (.*?) \[OPTIONS\].*\n((?:(?!\.S[SH] ).*\n)*)", text, re.MULTILINE))
    assert len(sections) > 40
    for command, section in sections.items():
        help_text = run(*command.split()[1:], "--help")[1]
        options = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", help_text, re.MULTILINE)) - {"--help", "--version"}
        assert options == set(re.findall(r"^\\fB(?:-\w\\fR, \\fB)?(--[a-z-]+)\\fR", section, re.MULTILINE)), command


def test_it_has_each_variable_that_the_program_reads(page):
    sources = "".join(file.read_text() for file in SOURCES.rglob("*.cc"))
    variables = set(re.findall(r'(?:getenv|EnvironmentVariable)\("(HASHRANGE_\w+)"\)', sources))
    environment = page.read_text().split(".SH ENVIRONMENT\n")[1].split(".SH ")[0]
    assert variables == set(re.findall(r"\\fB(\w+)\\fR", environment)) and len(variables) >= 2


def test_a_full_disk_is_told():
    for command in (["man"], ["completion", "fish"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, text=True)
        assert (done.returncode, done.stderr) == (1, "hashrange: cannot write to stdout\n")
