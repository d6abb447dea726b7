"""The programs of docs/works-with.md run as written, in the versions of its table, and print what the page says."""

import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.request

import pytest
from documents import REPOSITORY, blocks
from pytest_hashrange import start

DOCUMENT = "docs/works-with.md"
PACKAGES = REPOSITORY / "clients/works-with"
ADDRESS = "http://127.0.0.1:8000"
FOUND = blocks(DOCUMENT)
PROGRAMS = {re.match(r"// (\S+)\n", text)[1]: (text, output)
            for (language, text), (_, output) in zip(FOUND, FOUND[1:]) if language == "js"}


@pytest.fixture
def server():
    with start() as started:
        yield started


@pytest.fixture
def project(tmp_path):
    """A folder in which the packages of the page are installed."""
    (tmp_path / "node_modules").symlink_to(PACKAGES / "node_modules")
    return tmp_path


def variables(server):
    """Returns the lines of the page that set the variables, for this server and an account."""
    (lines,) = [text for language, text in FOUND if language == "sh" and text.startswith("export ")]
    return lines.replace(ADDRESS, server.endpoint).replace("ACCESS_KEY_ID=local", f"ACCESS_KEY_ID={server.seed.id}")


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_prints_what_the_page_says(server, project, name):
    text, output = PROGRAMS[name]
    (project / name).write_text(text)
    done = subprocess.run(["bash", "-c", f"{variables(server)}\nnode {name}"], cwd=project, capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == (output, 0), done.stderr


def test_dynamodb_admin_makes_a_table_and_shows_its_item(server, project):
    (command,) = [text for language, text in FOUND if language == "sh" and "dynamodb-admin" in text]
    with socket.create_server(("127.0.0.1", 0)) as free:
        page = f"http://127.0.0.1:{free.getsockname()[1]}"
    command = command.replace(ADDRESS, server.endpoint).replace("--port 8001", f"--port {page.rpartition(':')[2]}")
    process = subprocess.Popen(["bash", "-c", f"{variables(server)}\n{command}"], cwd=project, start_new_session=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(page, process)
        table = {"TableName": "made", "HashAttributeName": "PK", "HashAttributeType": "S", "ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
        call(f"{page}/create-table", "POST", {"TableDefinition": table})
        call(f"{page}/tables/made/add-item", "PUT", {"PK": "USER#1", "name": "Ada"})
        assert "made" in call(page)
        assert json.loads(call(f"{page}/tables/made/items"))["Items"] == [{"PK": "USER#1", "name": "Ada", "__key": {"PK": "USER#1"}}]
        assert server.seed.client().scan(TableName="made")["Count"] == 1
        call(f"{page}/tables/made", "DELETE")
        assert server.seed.client().list_tables()["TableNames"] == []
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def wait_for(page, process):
    while True:
        assert process.poll() is None, "dynamodb-admin has ended"
        try:
            return call(page)
        except OSError:
            time.sleep(0.1)


def call(url, method="GET", body=None):
    request = urllib.request.Request(url, method=method, data=body and json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.read().decode()


def test_the_versions_are_those_of_the_tests():
    wanted = json.loads((PACKAGES / "package.json").read_text())["dependencies"]
    told = dict(re.findall(r"^\| \[.*\]\(#.*\) \| `(.*)` \| (.*) \| [^|;]* \|$", (REPOSITORY / DOCUMENT).read_text(), re.M))
    assert told == {name: wanted[name] for name in told}
    assert len(told) == len(PROGRAMS) + 1  # and dynamodb-admin
