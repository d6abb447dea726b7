"""Places where a test runs what users install: an empty root, a Debian in a folder, and a Debian that is booted.

Most of these need root, and a system that lets root make namespaces. Where that is missing, the test is skipped, and the
reason says what is missing.
"""

import fcntl
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import time

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
DIST = pathlib.Path(os.environ.get("DIST", REPOSITORY / "dist")).absolute()
VERSION = re.search(r"^project\(hashrange VERSION ([0-9.]+)", (REPOSITORY / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PATIENCE_S = 60


def need_tool(name):
    if not shutil.which(name, path=f"{os.environ['PATH']}:{PATH}"):
        pytest.skip(f"{name} is not installed: scripts/install package")


def need_root():
    if os.geteuid() != 0:
        pytest.skip("this test needs root: it makes roots and namespaces")


def command(*words, **options):
    """Runs a command. Returns its output; a failure is an AssertionError with all that was printed."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    assert done.returncode == 0, f"{words} exited with {done.returncode}:\n{done.stdout}"
    return done.stdout


def wait_until(question, what):
    """Waits until question() is true. The time is a bound for a test that would otherwise hang."""
    end = time.monotonic() + PATIENCE_S
    while not question():
        assert time.monotonic() < end, f"{what}: not within {PATIENCE_S} s"
        time.sleep(0.02)


# ---- calls ----

def dynamodb(operation, request, endpoint="http://127.0.0.1:8000", enter=()):
    """Calls DynamoDB at the endpoint, as an SDK does. Returns the answer. The words of `enter` enter a namespace."""
    answer = command(
        *enter, "curl", "--silent", "--show-error", "--fail-with-body", endpoint, "--data", json.dumps(request),
        "-H", f"X-Amz-Target: DynamoDB_20120810.{operation}", "-H", "Content-Type: application/x-amz-json-1.0",
        "-H", "Authorization: AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
        "SignedHeaders=host;x-amz-date, Signature=0", "-H", "X-Amz-Date: 20260101T000000Z")
    return json.loads(answer)


TABLE = {"TableName": "app", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
         "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}]}
ITEM = {"PK": {"S": "USER#1"}, "age": {"N": "7"}}


def write_item(**where):
    dynamodb("CreateTable", TABLE, **where)
    dynamodb("PutItem", {"TableName": "app", "Item": ITEM}, **where)


def read_item(**where):
    return dynamodb("GetItem", {"TableName": "app", "Key": {"PK": ITEM["PK"]}}, **where)["Item"]


class Server:
    """A server that `words` start, on a free port; `with Server(...) as server: server.endpoint`."""

    def __init__(self, *words, **options):
        reader, writer = os.pipe()
        self.process = subprocess.Popen(
            [*map(str, words), "--port", "0", "--ready-fd", str(writer)], pass_fds=[writer], stderr=subprocess.DEVNULL, **options)
        os.close(writer)
        try:
            self.endpoint = json.loads(read_line(reader))["endpoint"]
        except BaseException:
            self.stop()
            raise
        finally:
            os.close(reader)
        self.port = self.endpoint.rpartition(":")[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.process.terminate()
        return self.process.wait(PATIENCE_S)


def read_line(reader):
    ready, _, _ = select.select([reader], [], [], PATIENCE_S)
    text = os.read(reader, 4096).decode() if ready else ""
    assert text, "the server did not start"
    return text


# ---- a Debian in a folder ----

def debian(suite, folder, include=()):
    """Makes a minimal Debian in the folder, a copy of one in build/chroot. Returns the folder."""
    need_root()
    need_tool("debootstrap")
    base = REPOSITORY / "build/chroot" / "-".join([suite, *include])
    base.parent.mkdir(parents=True, exist_ok=True)
    with open(base.parent / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not base.is_dir():
            bootstrap(suite, include, base)
    command("cp", "-a", "--reflink=auto", base, folder)
    return folder


def bootstrap(suite, include, base):
    part = base.with_name(f"{base.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    words = ["debootstrap", "--variant=minbase", *(["--include=" + ",".join(include)] if include else []), suite, str(part)]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=dict(os.environ, PATH=PATH, DEBIAN_FRONTEND="noninteractive"))
    if done.returncode:
        shutil.rmtree(part, ignore_errors=True)
        last = done.stdout.strip().splitlines()[-1:] or ["no output"]
        pytest.skip(f"debootstrap could not fetch Debian {suite}: {last[0]}")
    for name in ("var/cache/apt/archives", "var/lib/apt/lists"):  # half of the files' size, which each copy would have
        shutil.rmtree(part / name)
        (part / name / "partial").mkdir(parents=True)
    part.rename(base)


def files_of(root):
    """Returns the names of all files of a Debian, without those that dpkg and the system's services write."""
    own = ("var/lib/dpkg/", "var/lib/apt/", "var/log/", "var/cache/", "var/lib/systemd/", "run/", "proc/", "sys/", "dev/", "tmp/", "root/")
    names = (os.path.relpath(os.path.join(folder, name), root)
             for folder, folders, files in os.walk(root) for name in [*folders, *files])
    return {name for name in names if not name.startswith(own)}


# ---- a Debian that is booted ----

class Booted:
    """The Debian in the folder, booted in namespaces of its own, with systemd and a network of its own."""

    def __init__(self, folder):
        boot = REPOSITORY / "packaging/deb/tests/boot"
        self.process = subprocess.Popen(
            ["unshare", "--pid", "--fork", "--kill-child", "--mount", "--net", "--ipc", "--uts", "--cgroup", boot, folder],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            wait_until(self.is_up, "the boot")
        except BaseException:
            self.stop()
            raise

    def is_up(self):
        if self.process.poll() is not None:
            pytest.skip(f"no system can be booted in namespaces here: {self.process.stdout.read().strip()[-300:]}")
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        if not children:
            return False
        self.init = children[0]
        state = subprocess.run([*self.enter(), "systemctl", "is-system-running"], capture_output=True, text=True).stdout
        return state.strip() in ("running", "degraded")

    def enter(self):
        return ["nsenter", "--target", self.init, "--pid", "--mount", "--net", "--ipc", "--uts", "--cgroup", "--root", "--wd"]

    def enter_network(self):
        return ["nsenter", "--target", self.init, "--net"]

    def run(self, *words):
        return command(*self.enter(), "env", "-i", f"PATH={PATH}", "DEBIAN_FRONTEND=noninteractive", *words)

    def stop(self):
        if self.process.poll() is None and hasattr(self, "init"):
            subprocess.run(["kill", "-KILL", self.init])
        self.process.terminate()
        self.process.wait(PATIENCE_S)
