"""Requests by TLS to an endpoint that verifies their signatures as DynamoDB does, with the signer of AWS's own SDK."""

import http.client
import http.server
import re
import shutil
import ssl
import subprocess
import threading

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from places import copy, write_seed

KEYS = {"111122223333": "a-secret/with+signs="}
TOKEN = "a-session/token=="
REFUSAL = (b'{"__type":"com.amazon.coral.service#InvalidSignatureException","message":"The request signature we calculated does '
           b'not match the signature you provided."}')


class VerifyingEndpoint(http.server.BaseHTTPRequestHandler):
    """Hands requests with a right signature to the server of the test, and refuses the others."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen += 1
        status, answer = (400, REFUSAL) if not self.is_signed(body) else self.forward(body)
        self.send_response(status)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def is_signed(self, body):
        given = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=(\w+)/\d{8}/([\w-]+)/dynamodb/aws4_request, "
                             r"SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})", self.headers["Authorization"])
        key, region, names, signature = given.groups()
        headers = {name: self.headers[name] for name in names.split(";")}
        if not {"host", "x-amz-date", "x-amz-target"} <= set(headers) or key not in KEYS:
            return False
        request = AWSRequest(method="POST", url=f"https://{self.headers['Host']}{self.path}", data=body, headers=headers)
        request.context["timestamp"] = headers["x-amz-date"]
        signer = SigV4Auth(Credentials(key, KEYS[key]), "dynamodb", region)
        to_sign = signer.string_to_sign(request, signer.canonical_request(request))
        has_token = self.server.token is None or self.headers.get("X-Amz-Security-Token") == self.server.token
        return has_token and signer.signature(to_sign, request) == signature

    def forward(self, body):
        connection = http.client.HTTPConnection(self.server.behind, timeout=60)
        connection.request("POST", "/", body, {name: self.headers[name] for name in ("Authorization", "X-Amz-Date", "X-Amz-Target", "Content-Type")})
        answer = connection.getresponse()
        return answer.status, answer.read()

    def log_message(self, *_):
        pass


@pytest.fixture
def verifying(serve, tmp_path):
    if not shutil.which("openssl"):
        pytest.skip("openssl makes the certificate")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=test", "-addext",
                    "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out", "cert.pem"], cwd=tmp_path, check=True, capture_output=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), VerifyingEndpoint)
    server.behind = serve("--seed", str(write_seed(tmp_path / "seed", "app", 1000))).endpoint.removeprefix("http://")
    server.seen, server.token = 0, None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.endpoint = f"https://localhost:{server.server_address[1]}"
    yield server
    server.shutdown()


def pull(verifying, tmp_path, *arguments):
    return copy("--from", verifying.endpoint, "--to", tmp_path / "dump", "--ca-file", tmp_path / "cert.pem", *arguments)


def test_keys_of_the_environment(verifying, tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "111122223333")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEYS["111122223333"])
    code, _, err = pull(verifying, tmp_path)
    assert code == 0, err
    assert verifying.seen > 10


def test_keys_of_a_profile_with_a_session(verifying, tmp_path, monkeypatch):
    (tmp_path / "credentials").write_text(f"[work]\naws_access_key_id = 111122223333\naws_secret_access_key = {KEYS['111122223333']}\n"
                                          f"aws_session_token = {TOKEN}\n")
    (tmp_path / "config").write_text("[profile work]\nregion = eu-west-1\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    verifying.token = TOKEN
    code, _, err = pull(verifying, tmp_path, "--from-profile", "work")
    assert code == 0, err


def test_a_wrong_secret(verifying, tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "111122223333")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "another-secret")
    code, _, err = pull(verifying, tmp_path)
    assert code == 1
    assert "InvalidSignatureException" in err and err.count("\n") == 1, err
    assert not (tmp_path / "dump").exists()
