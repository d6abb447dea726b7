"""The first request of the README prints what it says, and the index of the documents names each of them."""

import pathlib
import re
import subprocess

from documents import REPOSITORY, blocks
from pytest_hashrange import start

DOCS = REPOSITORY / "docs"


def test_the_first_request(tmp_path):
    (_, commands), (_, expected) = blocks("README.md", "A first request")
    with start() as server:
        done = subprocess.run(["bash", "-c", commands.replace("http://127.0.0.1:8000", server.endpoint)], cwd=tmp_path,
                              capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == (expected, "", 0)
    assert '"TableName":"app"' in (tmp_path / "table.json").read_text()


def links(document):
    """Returns the files that a document links to, without what follows `#`, and its own headings that it links to."""
    targets = re.findall(r"\]\(([^()\s]+)\)", document.read_text())
    return [target for target in targets if "://" not in target]


def test_the_index_names_every_page():
    named = {(DOCS / link.partition("#")[0]).resolve() for link in links(DOCS / "README.md")}
    pages = {path.resolve() for pattern in ("*.md", "*.json") for path in DOCS.glob(pattern)}
    assert pages - named == {DOCS / "README.md"}


def test_the_links_lead_somewhere():
    broken = [f"{document.relative_to(REPOSITORY)}: {link}"
              for document in [REPOSITORY / "README.md", *DOCS.glob("*.md")]
              for link in links(document) if not leads_somewhere(document, link)]
    assert broken == []


def leads_somewhere(document, link):
    path, _, anchor = link.partition("#")
    target = (document.parent / path) if path else document
    return target.exists() and (not anchor or target.suffix != ".md" or anchor in anchors(target))


def anchors(document: pathlib.Path):
    """Returns the anchors that GitHub gives the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_no_example_lets_the_network_call_a_container():
    """`docker run -p 8000:8000` listens on all addresses of the machine."""
    documents = [file for folder in ("docs", "packaging", "clients/js", "clients/browser", "clients/pytest", "clients/go") for file in (REPOSITORY / folder).rglob("*.md")
                 if "node_modules" not in file.parts]
    wide = [f"{document.relative_to(REPOSITORY)}: {line}" for document in [REPOSITORY / "README.md", *documents]
            for line in document.read_text().splitlines() if re.search(r"docker run .*-p \d+:\d+", line)]
    assert wide == []
