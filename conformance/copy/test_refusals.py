"""What a copy refuses: a sentence each, and nothing is left behind."""

import http.server
import json
import resource
import shutil
import signal
import ssl
import subprocess
import threading

import pytest
from places import copy, write_seed


@pytest.fixture
def source(serve, tmp_path):
    return serve("--seed", str(write_seed(tmp_path / "seed", "app", 100)))


def refusal(*arguments, **options):
    code, out, err = copy(*arguments, **options)
    assert out == ""
    assert err.startswith("hashrange: ") and err.endswith("\n") and err.count("\n") == 1
    return code, err[len("hashrange: "):-1]


def test_both_are_folders(tmp_path):
    assert refusal("--from", tmp_path / "a", "--to", tmp_path / "b") == (
        2, "--from and --to are both folders: a copy needs an endpoint, such as http://127.0.0.1:8000 or aws:eu-west-1")


def test_no_endpoint_there(serve, tmp_path):
    to = serve()
    to.stop()
    code, sentence = refusal("--from", to.endpoint, "--to", tmp_path / "dump")
    assert code == 1 and sentence.startswith(f"{to.endpoint} does not answer: "), sentence
    assert not (tmp_path / "dump").exists()


def test_a_table_that_is_not_there(source, tmp_path):
    assert refusal("--from", source.endpoint, "--to", tmp_path / "dump", "--tables", "apps") == (
        2, f"there is no table apps at {source.name}")
    assert not (tmp_path / "dump").exists()


def test_an_endpoint_without_tables(serve, tmp_path):
    empty = serve()
    assert refusal("--from", empty.endpoint, "--to", tmp_path / "dump") == (2, f"there are no tables at {empty.name}")


def test_a_table_that_exists(source, tmp_path):
    assert refusal("--from", tmp_path / "seed", "--to", source.endpoint, "--state", tmp_path / "state") == (
        2, f"the table app at {source.name} exists already: choose another name with --rename app=NAME, or say "
           "--into-existing to put the items into it")
    assert not (tmp_path / "state").exists()


def test_a_folder_that_is_no_dump(source, tmp_path):
    assert refusal("--from", tmp_path / "none", "--to", source.endpoint) == (
        2, f"{tmp_path / 'none'}: there is no such file or folder")
    (tmp_path / "seed/app.json").write_text('{"Item":{"PK":{"S":"a"}}}\n')
    assert refusal("--from", tmp_path / "seed", "--to", source.endpoint) == (
        2, f"{tmp_path / 'seed'}/app.json:1: One or more parameter values were invalid: Missing the key SK in the item")


def test_a_folder_with_files(source, tmp_path):
    assert refusal("--from", source.endpoint, "--to", tmp_path / "seed") == (
        2, f"{tmp_path / 'seed'}: the folder is not empty, and a copy overwrites nothing: name a new folder")


def test_a_full_disk(source, tmp_path):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    dump = tmp_path / "dump"
    code, sentence = refusal("--from", source.endpoint, "--to", dump, "--segments", "1", preexec_fn=limit)
    assert (code, sentence) == (
        1, f"{dump}/app/items.json.partial: it cannot be written: File too large; 0 of 1 table is copied, app is created at "
           f"{dump}, perhaps with some of its items; to continue, run the same command with --resume; to begin anew, remove what was copied and "
           f"{dump}/hashrange-copy.state")
    assert copy("--from", source.endpoint, "--to", dump, "--resume")[0] == 0


class WrongCredential(http.server.BaseHTTPRequestHandler):
    """Answers as DynamoDB answers a key that it does not know."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"__type": "com.amazon.coral.service#UnrecognizedClientException",
                           "message": "The security token included in the request is invalid."}).encode()
        self.send_response(400)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def refusing_service():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), WrongCredential)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


def test_a_wrong_credential(refusing_service, tmp_path):
    endpoint = f"http://127.0.0.1:{refusing_service.server_address[1]}"
    assert refusal("--from", endpoint, "--to", tmp_path / "dump") == (
        1, f"{endpoint} (us-east-1) refuses ListTables: UnrecognizedClientException, The security token included in the request is invalid")


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificate")
def test_an_expired_certificate(refusing_service, tmp_path):
    (tmp_path / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    for command in (["req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-keyout", "key.pem", "-out", "request.pem"],
                    ["x509", "-req", "-in", "request.pem", "-signkey", "key.pem", "-days", "-1", "-extfile", "names", "-out", "cert.pem"]):
        subprocess.run(["openssl", *command], cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    refusing_service.socket = context.wrap_socket(refusing_service.socket, server_side=True)
    endpoint = f"https://127.0.0.1:{refusing_service.server_address[1]}"
    code, sentence = refusal("--from", endpoint, "--to", tmp_path / "dump", "--ca-file", tmp_path / "cert.pem")
    assert code == 1 and sentence.startswith(f"{endpoint} does not answer: ") and "expired" in sentence, sentence


def test_no_credentials_for_aws(tmp_path):
    code, sentence = refusal("--from", "aws:eu-west-1", "--to", tmp_path / "dump")
    assert code == 2 and "AWS_ACCESS_KEY_ID" in sentence, sentence


@pytest.mark.parametrize("arguments, sentence", [
    (["--to", "x"], "--from is required (see hashrange copy --help)"),
    (["--from", "http://127.0.0.1:1", "--to", "x", "--rename", "a"],
     "--rename: has to be OLD=NEW, the names of a table, and this is \"a\" (see hashrange copy --help)"),
    (["--from", "http://127.0.0.1:1", "--to", "x", "--read-units", "0"],
     "--read-units: has to be a number of units a second, from 0.1 on, and this is \"0\" (see hashrange copy --help)"),
    (["--from", "http://127.0.0.1:1", "--to", "x", "--spend", "-1"],
     "--spend: has to be an amount of US$, such as 0.50, and this is \"-1\" (see hashrange copy --help)"),
    (["--from", "http://127.0.0.1:1", "--to", "x", "more"], "unknown argument: more (see hashrange copy --help)"),
    (["--from", "http://127.0.0.1:1", "--to", "x", "--into-existing"],
     "--into-existing is about tables of an endpoint, and --to is a folder"),
    (["--from", "ftp://x", "--to", "x"], "\"ftp://x\" is no endpoint: it begins with http:// or https://"),
    (["--from", "http://127.0.0.1:1", "--to", "127.0.0.1:8000"],
     "\"127.0.0.1:8000\" is no URL: write http://127.0.0.1:8000, or ./127.0.0.1:8000 for a folder of this name"),
    (["--from", "aws:Europe", "--to", "x"], "\"Europe\" is no Region: a Region is written as in eu-west-1"),
    (["--from", "x", "--to", "http://127.0.0.1:1", "--gzip"], "--gzip is about files, and --to is an endpoint"),
    (["--from", "x", "--to", "http://127.0.0.1:1", "--from-region", "us-east-1"],
     "--from is a folder, which has no profile and no Region"),
])
def test_a_wrong_command_line(arguments, sentence):
    assert refusal(*arguments) == (2, sentence)
