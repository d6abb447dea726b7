"""The console, the page in the browser: its files and their headers. Skipped where the program was built without it."""

import gzip
import os
import re

import pytest
from wire import api_headers, exchange, HOST, PORT

PATH = "/_hashrange/console"
SAFE = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
                               "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin"}
NOT_BUILT = {"error": "This program was built without the console: scripts/console builds the page, and the next build of the program has it."}
OWN = f"http://{HOST}:{PORT}"


def control_api():
    """Returns what the server says of itself; skips the test where it says nothing."""
    answer = exchange("GET", "/_hashrange/")
    if answer.headers["Content-Type"] != "application/json" or answer.status != 200:
        pytest.skip("there is no control API, or it wants a token")
    return answer.json


@pytest.fixture(scope="module")
def index():
    if control_api()["console"] == "off":
        pytest.skip("the console is off")
    answer = exchange("GET", PATH)
    if answer.status == 404:
        assert answer.json == NOT_BUILT
        pytest.skip("the program was built without the console: scripts/console")
    return answer


@pytest.fixture(scope="module")
def files(index):
    """The paths of the scripts and the style that the page names."""
    paths = re.findall(rf'(?:src|href)="({PATH}/[^"]+)"', index.body.decode())
    assert sorted(path.rpartition(".")[2] for path in paths) == ["css", "js", "js"]
    return paths


def headers_of(answer):
    """Returns the headers but for those that differ from answer to answer."""
    return {name: value for name, value in answer.headers.items()
            if name not in ("Server", "Date", "x-amzn-RequestId", "x-amz-crc32", "Content-Length", "ETag")}


def test_a_module_has_no_console():
    if "CONFORMANCE_MODULE" not in os.environ:
        pytest.skip("the server is no module")
    assert control_api()["console"] == "off"
    answer = exchange("GET", PATH)
    assert (answer.status, answer.json) == (404, {
        "error": "This server has no console: it was started with --console off, or in another program, or it is a WebAssembly module."})


def test_the_page_is_asked_for_again_each_time(index):
    assert (index.status, headers_of(index)) == (200, {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache", **SAFE})
    assert index.crc_is_right
    again = exchange("GET", PATH, {"If-None-Match": index.headers["ETag"]})
    assert (again.status, again.body, again.headers["ETag"], headers_of(again)) == (304, b"", index.headers["ETag"], headers_of(index))
    assert exchange("GET", PATH, {"If-None-Match": '"of another version"'}).body == index.body


def test_a_head_has_no_body(index):
    answer = exchange("HEAD", PATH)
    assert (answer.status, answer.body, headers_of(answer)) == (200, b"", headers_of(index))
    assert answer.headers["Content-Length"] == str(len(index.body))


def test_the_files_are_packed_and_kept_for_ever(files):
    types = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}
    for path in files:
        answer = exchange("GET", path, {"Accept-Encoding": "gzip, deflate, br, zstd"})
        assert (answer.status, headers_of(answer)) == (200, {
            "Content-Type": types[path.rpartition(".")[2]], "Cache-Control": "public, max-age=31536000, immutable",
            "Content-Encoding": "gzip", **SAFE})
        assert answer.crc_is_right and gzip.decompress(answer.body)
        assert exchange("GET", path, {"If-None-Match": answer.headers["ETag"]}).status == 304
        refused = exchange("GET", path, {"Accept-Encoding": "identity"})
        assert (refused.status, refused.json) == (406, {"error": "The console's files are gzipped, and Accept-Encoding does not allow that."})


def test_the_page_has_no_inline_script_or_style(index):
    text = index.body.decode()
    assert re.findall(r"<script(?![^>]* src=)|<style|style=|\son\w+=", text) == []


@pytest.mark.parametrize("path", ["/app.js", "/../console", "/index.html/", "/%69ndex.html"])
def test_an_unknown_file_is_not_found(index, path):
    answer = exchange("GET", PATH + path)
    assert (answer.status, answer.json, headers_of(answer)) == (404, {"error": "The console has no such file."}, {"Content-Type": "application/json", **SAFE})


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_another_method_is_refused(index, method):
    answer = exchange(method, PATH, api_headers("ListTables"), b"{}")
    assert (answer.status, answer.headers["Allow"], answer.json) == (405, "GET, HEAD", {"error": "The console's files are read with GET or HEAD."})


def test_a_page_of_another_origin_does_not_read_it(index):
    answer = exchange("GET", PATH, {"Origin": "http://localhost:3000"})  # may call the API
    assert (answer.status, headers_of(answer)) == (200, headers_of(index))
    assert not [name for name in answer.headers if name.lower().startswith("access-control-")]
    assert exchange("GET", PATH, {"Origin": "http://evil.example"}).status == 403


def test_its_own_page_calls_the_api_and_the_control_api(index):
    own = {"Origin": OWN, "Sec-Fetch-Site": "same-origin"}
    assert exchange("POST", "/", {**api_headers("ListTables"), **own}, b"{}").status == 200
    answer = exchange("POST", "/_hashrange/explain", {"Content-Type": "application/json", **own}, b"{}")
    assert (answer.status, list(answer.json)) == (400, ["error"])  # it was read


def test_another_page_does_not_call_the_control_api(index):
    for headers in ({"Origin": "http://localhost:3000"}, {"Origin": OWN, "Sec-Fetch-Site": "cross-site"}):
        answer = exchange("POST", "/_hashrange/explain", {"Content-Type": "application/json", **headers}, b"{}")
        assert (answer.status, answer.json) == (403, {"error": "The control API does not answer pages of another origin."})
