"""Stands for the package `testcontainers` where there is no Docker: a container is a server on this machine. The variable
CONTAINER may name its program."""

import os
import re

from pytest_hashrange import start


class DockerContainer:
    """Has the methods of testcontainers.core.container.DockerContainer that are used, and starts a server that listens late."""

    late = 2
    process = None

    def __init__(self, image, **options):
        self.image, self.options = image, options
        self.calls, self.env, self.command = [], {}, None

    def with_env(self, key, value):
        self.env[key] = value
        return self

    def with_exposed_ports(self, *ports):
        self.calls.append(("with_exposed_ports", *ports))
        return self

    def with_command(self, command):
        self.command = command
        return self

    def start(self):
        self.calls.append(("start",))
        own = ["serve", "--host", "0.0.0.0"]  # the command of the image; a test's server listens on this machine only
        assert self.command is None or self.command[:3] == own
        try:
            self.process = start(os.environ.get("CONTAINER"), args=(self.command or own)[3:], token=self.env["HASHRANGE_TOKEN"])
            self.wrapped = Wrapped(None, [b"the output\n", b"the errors\n"])
        except RuntimeError as problem:
            code, text = re.search(r" ended with (\d+) before it was ready\.\n(.*)", str(problem), re.DOTALL).groups()
            self.wrapped = Wrapped(int(code), [b"", text.encode()])
        return self

    def stop(self, force=True, delete_volume=True):
        self.calls.append(("stop",))
        assert self.calls.count(("stop",)) == 1  # Docker removes a container only once
        if self.process:
            self.process.stop()
        print("container stopped")

    def get_container_host_ip(self):
        return "127.0.0.1"

    def get_exposed_port(self, port):
        assert port == 8000
        if not self.process:
            raise ConnectionError("the port is not available")
        self.late -= 1
        return "1" if self.late >= 0 else self.process.endpoint.rpartition(":")[2]

    def get_logs(self):
        assert ("stop",) not in self.calls
        return self.wrapped.logs

    def get_wrapped_container(self):
        return self.wrapped

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


class Wrapped:
    """Has what is used of docker.models.containers.Container. Its state is that of the latest reload()."""

    def __init__(self, code, logs):
        self.logs, self._code, self.attrs = logs, code, {"State": {"Status": "created", "ExitCode": 0}}

    @property
    def status(self):
        return self.attrs["State"]["Status"]

    def reload(self):
        self.attrs = {"State": {"Status": "running", "ExitCode": 0} if self._code is None else {"Status": "exited", "ExitCode": self._code}}
