"""A server that keeps its data in a directory, and clients that do not try again."""

import json
import os
import signal
import subprocess

import boto3
import botocore.config

PROGRAM = os.environ.get("CONFORMANCE_SERVER")
START_TIMEOUT_S = 60


class KeptServer:
    """`hashrange serve --data`, which the tests kill and start again."""

    def __init__(self, directory, *options):
        self.directory = directory
        self.options = options
        self.process = None
        self.endpoint = None
        self.is_killed = False

    def start(self):
        reader, writer = os.pipe()
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--ready-fd", str(writer), "--data", str(self.directory), *self.options],
            pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        os.close(writer)
        with os.fdopen(reader) as ready:
            line = ready.read()  # reads until the server has closed the descriptor
        if not line:
            raise AssertionError("the server did not start: " + self.process.communicate(timeout=START_TIMEOUT_S)[1])
        self.endpoint = json.loads(line)["endpoint"]
        self.is_killed = False

    def kill(self):
        assert self.process.poll() is None, "the server has ended by itself: " + self.process.communicate()[1]
        self.is_killed = True
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()
        assert self.process.returncode == -signal.SIGKILL

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=START_TIMEOUT_S)

    def client(self, service="dynamodb", account="111122223333"):
        config = botocore.config.Config(retries={"total_max_attempts": 1}, connect_timeout=5, read_timeout=30,
                                        parameter_validation=False)
        return boto3.client(service, endpoint_url=self.endpoint, region_name="us-east-1", aws_access_key_id=account,
                            aws_secret_access_key="secret", config=config)
