"""Reads the fenced blocks of the documents, and compares answers with those in a document."""

import json
import pathlib
import re
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
ANYTHING = "…"


def blocks(document, heading=None):
    """Returns [(language, text)] of the blocks of a document, or of one section of it."""
    text = (REPOSITORY / document).read_text()
    if heading:
        text = re.search(rf"^(#+) {re.escape(heading)}$(.*?)(?=^\1 |\Z)", text, re.M | re.S)[2]
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S)


def examples(document):
    """Returns [(block of commands, expected output)] of the `sh` blocks. The output is ("json", text), ("text", text) or None."""
    found = blocks(document)
    following = [*found[1:], ("", "")]
    return [(text, after if after[0] in ("json", "text") else None)
            for (language, text), after in zip(found, following) if language == "sh"]


def commands(block):
    """Returns the commands of a block. Each begins a line; the lines that continue it are indented or within quotes."""
    return re.findall(r"^(?:curl|hashrange|scripts/|docker|npm|pip).*(?:\n(?![a-z]).*)*", block, re.M)


def agrees(actual, expected):
    """Returns whether an answer is the one in a document, in which `…` matches anything."""
    if expected == ANYTHING:
        return True
    if isinstance(expected, dict):
        return (isinstance(actual, dict) and actual.keys() == expected.keys()
                and all(agrees(actual[name], value) for name, value in expected.items()))
    if isinstance(expected, list):
        return isinstance(actual, list) and len(actual) == len(expected) and all(map(agrees, actual, expected))
    if isinstance(expected, str) and ANYTHING in expected:
        return re.fullmatch(".*".join(map(re.escape, expected.split(ANYTHING))), str(actual), re.S) is not None
    return actual == expected


def prints(output, expected):
    """Returns whether a command's output is the expected one, which is ("json", text) or ("text", text)."""
    language, text = expected
    return agrees(json.loads(output), json.loads(text)) if language == "json" else agrees(output.strip(), text.strip())


def shell(folder, server=None):
    """Returns a function that runs a command in a shell in `folder`. `hashrange ctl` is a client of the server."""
    endpoint = f"--endpoint {server.endpoint}" if server else ""
    functions = (f'hashrange() {{ local first=$1; shift; [[ $first != ctl ]] || set -- {endpoint} "$@"; "$HASHRANGE_BINARY" "$first" "$@"; }}\n'
                 f'python3() {{ {sys.executable} "$@"; }}\n')

    def run(command):
        return subprocess.run(["bash", "-c", functions + command], cwd=folder, capture_output=True, text=True, timeout=180)

    return run


def write_program(document, name, folder, server):
    """Writes the program of a document, whose first line is its name, for this server in place of the one at the address that the documents use."""
    (text,) = [text for language, text in blocks(document) if text.startswith(f"# {name}\n")]
    (folder / name).write_text(text.replace("http://localhost:8000", server.endpoint))
