"""The servers that are measured, each as a process."""

import http.client
import json
import os
import pathlib
import socket
import subprocess
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
RELEASE = REPOSITORY / "build/release"
AUTHORIZATION = ("AWS4-HMAC-SHA256 Credential=AKIDBENCH0000000/20260101/us-east-1/dynamodb/aws4_request, "
                 "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=" + "0" * 64)


class ServerFailed(Exception):
    """The server did not start, or answered an error. The text says which server and why."""


def headers_of(operation):
    """The headers that an SDK sends with a call."""
    return {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "X-Amz-Date": "20260101T000000Z", "Authorization": AUTHORIZATION}


class Server:
    """A running server. Use as `with Server.hashrange(threads=1) as server:`."""

    def __init__(self, command, port_option="--port", start_timeout_s=20, warm_up_s=1, errors=None, variables=None):
        self.port = free_port()
        self.start_timeout_s = start_timeout_s
        self.warm_up_s = warm_up_s
        self.started = time.perf_counter()
        self.process = subprocess.Popen([*command, port_option, str(self.port)],
                                        stdout=subprocess.DEVNULL, stderr=errors, env={**os.environ, **(variables or {})})
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    @classmethod
    def hashrange(cls, threads, *options, **arguments):
        return cls([RELEASE / "hashrange", "serve", "--threads", str(threads), "--log-level", "warning", *options], **arguments)

    @classmethod
    def module(cls, path, **arguments):
        """hashrange.wasm, served by Node.js."""
        return cls([REPOSITORY / "conformance/module-server", "serve"], variables={"HASHRANGE_MODULE": str(path)}, **arguments)

    @classmethod
    def ceiling(cls, threads, answer_bytes, large_bytes=0):
        return cls([RELEASE / "bench/ceiling", "--threads", str(threads), "--bytes", str(answer_bytes),
                    "--large-bytes", str(large_bytes)])

    def __enter__(self):
        try:
            self.wait_for_answer()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.connection.close()
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def wait_for_answer(self):
        """Returns the seconds from the start of the process to its first answer, of any status."""
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=60) as probe:
                    probe.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    if probe.recv(4096).startswith(b"HTTP/1.1 "):
                        return time.perf_counter() - self.started
            except OSError:
                pass
            if self.process.poll() is not None:
                raise ServerFailed(f"{self.process.args[0]} ended with {self.process.returncode}")
            if time.perf_counter() - self.started > self.start_timeout_s:
                raise ServerFailed(f"{self.process.args[0]} did not answer in {self.start_timeout_s} s")
            time.sleep(0.0001)

    def call(self, operation, body):
        """Returns the body of the answer to one call; `body` is JSON text, or a value to be encoded as JSON."""
        status, content = self.answer(operation, body)
        if status != 200:
            raise ServerFailed(f"{operation} answered {status}: {content[:500].decode(errors='replace')}")
        return content

    def answer(self, operation, body):
        """Returns the status and the body of the answer to one call; status 0 when there is no answer."""
        text = body if isinstance(body, str) else json.dumps(body)
        for _ in range(2):  # the server may have closed a connection that was idle for long
            try:
                self.connection.request("POST", "/", text.encode(), headers_of(operation))
                answer = self.connection.getresponse()
                return answer.status, answer.read()
            except (OSError, http.client.HTTPException) as failure:
                self.connection.close()
                reason = repr(failure)
        return 0, reason.encode()

    def cpu_s(self):
        """Returns the seconds of processor time of all the server's threads so far."""
        stat = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
