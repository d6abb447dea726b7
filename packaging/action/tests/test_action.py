"""The step of action.yml, run as a runner runs it, with the files of a release from a server on this machine."""

import functools
import hashlib
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tarfile
import threading
import urllib.request

import pytest
import yaml
from machines import DIST, REPOSITORY, VERSION

MACHINES = {"x86_64": ("X64", "amd64"), "aarch64": ("ARM64", "arm64")}
RUNNER_ARCH, ARCH = MACHINES[os.uname().machine]
ARCHIVE = f"hashrange-{VERSION}-linux-{ARCH}.tar.gz"


def action():
    return yaml.safe_load((REPOSITORY / "action.yml").read_text())


def write_release(folder, program=None):
    """Makes a release: the archive of dist/ or one like it, or one with another program; and the sums."""
    folder.mkdir(exist_ok=True)
    made = DIST / ARCHIVE
    if program is None and made.exists():
        shutil.copy(made, folder)
    else:
        with tarfile.open(folder / ARCHIVE, "w:gz") as archive:
            archive.add(program or DIST / "bin" / ARCH / "hashrange", f"hashrange-{VERSION}-linux-{ARCH}/bin/hashrange")
    write_sums(folder, hashlib.sha256((folder / ARCHIVE).read_bytes()).hexdigest())
    return folder


def write_sums(folder, digest, name=ARCHIVE):
    (folder / "SHA256SUMS").write_text(f"{'0' * 64}  another.tar.gz\n{digest}  {name}\n")


@pytest.fixture(scope="session")
def release(tmp_path_factory):
    return write_release(tmp_path_factory.mktemp("release") / "files")


@pytest.fixture(scope="session")
def serve():
    """Serves a folder by HTTP. Returns its address."""
    servers = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    def start(folder):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


class Job:
    """A job of a runner, in a folder of its own."""

    def __init__(self, folder, base_url):
        self.folder, self.base_url, self.servers = folder, base_url, []
        self.files = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH")}
        for file in self.files.values():
            file.touch()
        (folder / "temp").mkdir()

    def run(self, env=None, **inputs):
        """Runs the step with these inputs and the defaults of the others. Returns (exit code, what it printed)."""
        (step,) = action()["runs"]["steps"]
        given = {"base-url": self.base_url, "port": "0", **{name.replace("_", "-"): value for name, value in inputs.items()}}
        known = {name: given.pop(name, str(each["default"])) for name, each in action()["inputs"].items()}
        assert not given
        values = {**{f"inputs.{name}": value for name, value in known.items()}, "github.action_repository": "owner/repository"}
        step_env = {name: re.sub(r"\$\{\{ (\S+) \}\}", lambda match: values[match[1]], text) for name, text in step["env"].items()}
        own = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "HASHRANGE_", "GITHUB_", "RUNNER_"))}
        machine = {"RUNNER_OS": "Linux", "RUNNER_ARCH": RUNNER_ARCH, "RUNNER_TEMP": str(self.folder / "temp"), "GITHUB_ACTION_PATH": str(REPOSITORY),
                   **{name: str(file) for name, file in self.files.items()}}
        # GitHub runs `shell: bash` with these options. The output is read to its end: the server must not hold it open.
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=self.folder,
                              env={**own, **machine, **step_env, **(env or {})}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        if "pid" in self.outputs():
            self.servers.append(int(self.outputs()["pid"]))
        return done.returncode, done.stdout

    def outputs(self, file="GITHUB_OUTPUT"):
        return dict(line.split("=", 1) for line in self.files[file].read_text().splitlines())

    def error(self, env=None, **inputs):
        """Runs the step, which fails, and leaves nothing behind. Returns its error."""
        status, text = self.run(env, **inputs)
        assert (status, self.outputs(), self.outputs("GITHUB_ENV"), self.files["GITHUB_PATH"].read_text()) == (1, {}, {}, "")
        (error,) = re.findall(r"^::error title=Hashrange::(.*)$", text, re.M)
        assert text.endswith(f"::error title=Hashrange::{error}\n")
        return error

    def tables(self):
        request = urllib.request.Request(self.outputs()["endpoint"], b"{}", {
            "X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-json-1.0", "X-Amz-Date": "20260101T000000Z",
            "Authorization": "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["TableNames"]


@pytest.fixture
def job(tmp_path, serve, release):
    job = Job(tmp_path, serve(release))
    yield job
    for pid in job.servers:
        os.kill(pid, signal.SIGTERM)


def get(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return json.load(answer)


def test_a_server_serves_after_the_step(job):
    status, text = job.run()
    outputs = job.outputs()
    assert (status, text) == (0, f"Hashrange {VERSION} serves on {outputs['endpoint']}\n")
    assert set(outputs) == set(action()["outputs"])
    server = get(f"{outputs['endpoint']}/_hashrange/")
    assert (server["pid"], server["version"]) == (int(outputs["pid"]), VERSION)
    assert outputs["endpoint"] == f"http://127.0.0.1:{outputs['port']}"
    assert "listens on" in pathlib.Path(outputs["log"]).read_text()


def test_later_steps_find_the_server_and_the_program(job):
    job.run()
    endpoint = job.outputs()["endpoint"]
    assert job.outputs("GITHUB_ENV") == {
        "AWS_ENDPOINT_URL_DYNAMODB": endpoint, "AWS_ENDPOINT_URL_DYNAMODB_STREAMS": endpoint, "HASHRANGE_ENDPOINT": endpoint,
        "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}
    path = f"{job.files['GITHUB_PATH'].read_text().strip()}:{os.environ['PATH']}"
    done = subprocess.run(["hashrange", "ctl", "info"], env={"PATH": path, **job.outputs("GITHUB_ENV")}, capture_output=True, text=True)
    assert (done.returncode, json.loads(done.stdout)["version"]) == (0, VERSION)


def test_the_region_and_the_credentials_of_the_job_stay(job):
    job.run({"AWS_DEFAULT_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "AKIA"})
    assert set(job.outputs("GITHUB_ENV")) == {"AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_DYNAMODB_STREAMS", "HASHRANGE_ENDPOINT"}


def test_no_variable_is_set_if_none_is_wanted(job):
    assert job.run(environment="false")[0] == 0
    assert job.outputs("GITHUB_ENV") == {}


def test_the_port_is_the_one_that_is_named(job):
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        port = str(server.server_port)
    assert job.run(port=port)[0] == 0
    assert job.outputs()["port"] == port


def test_a_seed_is_loaded(job):
    (job.folder / "app.table.json").write_text(json.dumps({
        "BillingMode": "PAY_PER_REQUEST", "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}]}))
    assert job.run(seed="app.table.json")[0] == 0
    assert job.tables() == ["app"]


def test_data_is_kept_in_a_folder(job):
    assert job.run(data="my tables")[0] == 0
    assert (job.folder / "my tables").is_dir()


def test_arguments_are_passed_on(job):
    assert job.run(args="--log-level debug\n--shared")[0] == 0
    job.tables()
    assert "ListTables" in pathlib.Path(job.outputs()["log"]).read_text()


def test_an_archive_with_another_sum_is_refused(job, tmp_path, serve):
    folder = write_release(tmp_path / "wrong")
    found = hashlib.sha256((folder / ARCHIVE).read_bytes()).hexdigest()
    write_sums(folder, "1" * 64)
    job.base_url = serve(folder)
    assert job.error() == f"{job.base_url}/{ARCHIVE} is not the file of the release: its SHA-256 is {found}, not {'1' * 64}."


def test_an_archive_without_a_sum_is_refused(job, tmp_path, serve):
    folder = write_release(tmp_path / "unnamed")
    write_sums(folder, "1" * 64, "x" + ARCHIVE)
    job.base_url = serve(folder)
    assert job.error() == f"{job.base_url}/SHA256SUMS does not name {ARCHIVE}."


def test_an_archive_without_a_program_is_refused(job, tmp_path, serve):
    text = tmp_path / "text"
    text.write_text("no program")
    job.base_url = serve(write_release(tmp_path / "empty", text))
    assert job.error() == f"{ARCHIVE} has no program named hashrange."


def test_a_version_that_is_not_there_is_told(job):
    assert job.error(version="9.9.9", base_url=f"{job.base_url}/v9.9.9/") == f"There is no version 9.9.9: {job.base_url}/v9.9.9/SHA256SUMS is not there."


def test_an_archive_that_the_release_does_not_have_is_told(job):
    other = {"X64": "arm64", "ARM64": "amd64"}[RUNNER_ARCH]
    (runner,) = [name for name, arch in MACHINES.values() if arch == other]
    assert job.error({"RUNNER_ARCH": runner}) == f"There is no version {VERSION}: {job.base_url}/hashrange-{VERSION}-linux-{other}.tar.gz is not there."


def test_a_server_that_does_not_answer_is_told(job):
    assert re.fullmatch(r"http://127\.0\.0\.1:1/SHA256SUMS cannot be downloaded: curl: .*", job.error(base_url="http://127.0.0.1:1"))


def test_without_a_base_url_the_release_of_the_action_is_taken(job):
    error = job.error({"GITHUB_SERVER_URL": job.base_url}, base_url="", version=f"v{VERSION}")
    assert error == f"There is no version {VERSION}: {job.base_url}/owner/repository/releases/download/v{VERSION}/SHA256SUMS is not there."


@pytest.mark.parametrize("inputs, error", [
    ({"version": "../main"}, 'The input version is a version such as 0.1.0, not "../main".'),
    ({"version": ""}, 'The input version is a version such as 0.1.0, not "".'),
    ({"port": "http"}, 'The input port is a number such as 8000, not "http".'),
    ({"environment": "yes"}, 'The input environment is true or false, not "yes".'),
    ({"timeout": "1m"}, 'The input timeout is a number of seconds, not "1m".'),
])
def test_an_input_that_is_wrong_is_told(job, inputs, error):
    assert job.error(**inputs) == error


@pytest.mark.parametrize("env, error", [
    ({"RUNNER_OS": "macOS"}, "There is no program for runners with macOS, only for Linux: use a job with runs-on: ubuntu-latest."),
    ({"RUNNER_ARCH": "ARM"}, "There is no program for the architecture ARM, only for X64 and ARM64."),
])
def test_a_runner_without_a_program_is_told(job, env, error):
    assert job.error(env) == error


def test_a_port_that_is_taken_is_told(job):
    with http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler) as server:
        error = job.error(port=str(server.server_port))
        assert error == f"The server has ended. hashrange: port {server.server_port} on 127.0.0.1 is taken by another program (choose one with --port)"


def test_an_error_in_a_seed_is_told(job):
    (job.folder / "app.jsonl").write_text("{}\n")
    assert re.fullmatch(r"The server has ended\. hashrange: --seed: \S*app\.jsonl: .*", job.error(seed="app.jsonl"))


def test_a_server_that_does_not_get_ready_is_ended(job, tmp_path, serve):
    program = tmp_path / "slow"
    program.write_text(f"#!/bin/sh\necho $$ >{tmp_path}/pid\necho busy\nexec sleep 100\n")
    program.chmod(0o755)
    job.base_url = serve(write_release(tmp_path / "slow-release", program))
    assert job.error(timeout="1") == "The server was not ready within 1 s. busy"
    pid = int((tmp_path / "pid").read_text())
    stat = pathlib.Path(f"/proc/{pid}/stat")
    assert not stat.exists() or re.search(r"\) [ZX] ", stat.read_text())


def test_the_version_of_the_action_is_that_of_the_repository():
    assert action()["inputs"]["version"]["default"] == VERSION


def test_the_workflows_of_the_documents_use_what_the_action_has():
    text = (REPOSITORY / "docs/github-actions.md").read_text()
    workflows = [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```$", text, re.M | re.S)]
    steps = [step for workflow in workflows for job in workflow["jobs"].values() for step in job["steps"]]
    uses = [step for step in steps if step.get("uses", "").startswith("OWNER/hashrange@")]
    assert uses
    for step in uses:
        assert step["uses"] == f"OWNER/hashrange@v{VERSION}"
        assert set(step["with"]) <= set(action()["inputs"])
    rows = re.findall(r"^\| (`.*?) \|", re.search(r"^## The action$.*?^## ", text, re.M | re.S)[0], re.M)
    assert sorted(name for row in rows for name in re.findall(r"`(.+?)`", row)) == sorted([*action()["inputs"], *action()["outputs"]])
