"""Runs the tests of the Go module, each as a test of its own, and the samples of its README in a user's module."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

MODULE = pathlib.Path(__file__).resolve().parent.parent
PATH = "github.com/hashrange/hashrange/clients/go"
DEBIAN = pathlib.Path("/usr/share/gocode")  # where Debian's packages of Go libraries are

sys.path.insert(0, str(MODULE.parent / "docs"))
from documents import blocks  # noqa: E402

SAMPLES = {re.match(r"// (\S+)\n", text)[1]: text for language, text in blocks("clients/go/README.md") if language == "go"}
TESTS = sorted(name for file in (MODULE / "hashrangetest").glob("*_test.go")
               for name in re.findall(r"^func (Test\w+)\(t \*testing\.T\)", file.read_text(), re.M))

pytestmark = pytest.mark.skipif(not shutil.which("go"), reason="Go is not installed: scripts/install go")


def go(*arguments, folder=MODULE, **variables):
    """Runs the command `go` without a network. Returns its exit code and all that it has printed."""
    environment = {**os.environ, "GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "", "GOWORK": "off", **variables}
    done = subprocess.run(["go", *arguments], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    return done.returncode, done.stdout


@pytest.fixture(scope="module")
def outcomes():
    """The outcome of each test ("pass", "fail", "skip") and its output. The race detector needs a C compiler."""
    race = ["-race"] if shutil.which("gcc") else []
    outcome, output = {}, {}
    for line in go("test", "-json", "-count=1", *race, "./...")[1].splitlines():
        event = json.loads(line) if line.startswith("{") else {"Action": "output", "Output": f"{line}\n"}
        name = event.get("Test", "").partition("/")[0]
        output[name] = output.get(name, "") + event.get("Output", "")
        if event["Action"] in ("pass", "fail", "skip") and event.get("Test") == name:
            outcome[name] = event["Action"]
    return outcome, output


@pytest.mark.parametrize("name", TESTS)
def test(outcomes, name):
    outcome, output = outcomes
    assert outcome.get(name) == "pass", output.get(name) or output.get("")


def test_no_test_is_forgotten(outcomes):
    assert sorted(outcomes[0]) == TESTS


def test_vet():
    assert go("vet", "./...") == (0, "")


def test_gofmt():
    done = subprocess.run(["gofmt", "-l", "."], cwd=MODULE, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("text", SAMPLES.values(), ids=SAMPLES)
def test_samples_are_formatted(text):
    done = subprocess.run(["gofmt", "-l"], input=text, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_module_needs_only_the_standard_library():
    assert go("list", "-m", "all") == (0, f"{PATH}\n")
    packages = go("list", "-deps", "-test", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./...")[1].split("\n")
    assert [package for package in packages if package and not package.startswith(PATH)] == []


def test_the_version_is_that_of_the_server():
    project = re.search(r"^project\(\w+ VERSION ([\d.]+)", (MODULE.parents[1] / "CMakeLists.txt").read_text(), re.M)[1]
    assert f'const Version = "{project}"\n' in (MODULE / "hashrangetest/hashrangetest.go").read_text()
    assert f"clients/go@v{project} " in (MODULE / "README.md").read_text()


def test_a_sample_in_a_module_of_a_user(tmp_path):
    (tmp_path / "session_test.go").write_text(SAMPLES["session_test.go"])
    (command,) = [text for language, text in blocks("clients/go/README.md") if language == "sh"]
    assert go("mod", "init", "example.com/app", folder=tmp_path)[0] == 0
    clone = tmp_path / "home/hashrange/clients"
    clone.mkdir(parents=True)
    (clone / "go").symlink_to(MODULE)
    environment = {**os.environ, "HOME": str(tmp_path / "home"), "GOFLAGS": "-modcacherw", "GOPATH": str(tmp_path / "go")}
    subprocess.run(["bash", "-ec", command], cwd=tmp_path, env=environment, check=True)
    status, output = go("test", "-v", ".", folder=tmp_path)
    assert (status, "--- PASS: TestSessionsEnd" in output) == (0, True), output


def test_a_sample_with_the_sdk(tmp_path):
    """Debian's SDK is used as Go did before there were modules, and has no BaseEndpoint: the README says what to write instead."""
    if not (DEBIAN / "src/github.com/aws/aws-sdk-go-v2/service/dynamodb").is_dir():
        pytest.skip("Debian's golang-github-aws-aws-sdk-go-v2-dev is not installed: scripts/install go")
    own = tmp_path / "src" / PATH
    own.parent.mkdir(parents=True)
    shutil.copytree(MODULE / "hashrangetest", own / "hashrangetest")
    app = tmp_path / "src/example.com/app"
    app.mkdir(parents=True)
    new, old = "BaseEndpoint: aws.String(to.Endpoint)", "EndpointResolver: dynamodb.EndpointResolverFromURL(to.Endpoint)"
    sample = SAMPLES["users_test.go"]
    assert new in sample and old in (MODULE / "README.md").read_text()
    (app / "users_test.go").write_text(sample.replace(new, old))
    status, output = go("test", "-v", "example.com/app", folder=app, GO111MODULE="off", GOPATH=f"{tmp_path}:{DEBIAN}")
    assert (status, "--- PASS: TestNobodyIsThereYet" in output) == (0, True), output
