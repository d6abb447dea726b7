"""The program of docs/vector-search.md, with the call that adds an index at its end, and the call by curl run as written, and
print what the page says."""

import subprocess

from documents import REPOSITORY, blocks, examples, prints
from pytest_hashrange import start

DOCUMENT = "docs/vector-search.md"
PACKAGES = REPOSITORY / "clients/works-with"


def test_the_page(tmp_path):
    (tmp_path / "node_modules").symlink_to(PACKAGES / "node_modules")
    program, added = [text for language, text in blocks(DOCUMENT) if language == "js"]
    (printed,) = [text for language, text in blocks(DOCUMENT) if language == "text"]
    ((call, answer),) = examples(DOCUMENT)
    with start() as server:
        def run(*command):
            done = subprocess.run([each.replace("http://127.0.0.1:8000", server.endpoint) for each in command], cwd=tmp_path,
                                  capture_output=True, text=True, timeout=60)
            assert done.returncode == 0, done.stderr
            return done.stdout

        described = "console.log((await db.describeTable({ TableName })).Table.VectorIndexes.map(({ IndexName, IndexStatus }) => [IndexName, IndexStatus]))\n"
        assert run("node", "--input-type=module", "--eval", program + added + described) == \
            printed + "[ [ 'byMeaning', 'ACTIVE' ], [ 'byDistance', 'ACTIVE' ] ]\n"
        output = run("bash", "-c", call)
        assert prints(output, answer), output
