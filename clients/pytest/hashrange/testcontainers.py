"""A container of the server, for Testcontainers: docs/testcontainers.md."""

import time
import uuid

from pytest_hashrange import Server
from pytest_hashrange.control import control

from . import __version__

try:
    from testcontainers.core.container import DockerContainer
except ImportError:
    raise ImportError("hashrange: a container needs the package testcontainers: pip install 'hashrange[testcontainers]'") from None

PORT = 8000
READY_TIMEOUT_S = 60
PAUSE_S = 0.05
LOG_LINES = 20  # how much of its log is shown when a container fails


class HashrangeContainer(DockerContainer):
    """Starts with a `with` block, or with start(). Its control API answers callers that send `token`; `args` are further arguments
    for `hashrange serve`. The other options are those of DockerContainer."""

    _is_removed = False

    def __init__(self, image=f"hashrange/hashrange:{__version__}", token=None, args=(), **options):
        super().__init__(image, **options)
        self.token = token or uuid.uuid4().hex
        self.with_exposed_ports(PORT)
        self.with_env("HASHRANGE_TOKEN", self.token)
        if args:
            self.with_command(["serve", "--host", "0.0.0.0", *args])  # a command replaces the image's own

    @property
    def endpoint(self):
        """Where the server listens, seen from outside of the container: "http://localhost:49153"."""
        return f"http://{self.get_container_host_ip()}:{self.get_exposed_port(PORT)}"

    def start(self):
        """Starts the container. Returns it once the server answers. Raises RuntimeError when the container ends, and TimeoutError when
        the server does not answer in time; both have the end of the log. A container that fails is removed."""
        self._is_removed = False
        try:
            super().start()
            self._wait_for_answer()
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self, *arguments, **options):
        """Removes the container. A second call does nothing: a `with` block of Testcontainers may also stop what has failed."""
        if not self._is_removed:
            self._is_removed = True
            super().stop(*arguments, **options)

    def server(self, region=None):
        """Returns the server with its accounts, as the fixture `hashrange_server` has them: `seed`, and `account` for the tests."""
        return Server(self.endpoint, self.token, region)

    def environment(self):
        """Returns the variables with which the pytest plugin uses this server instead of starting one."""
        return {"HASHRANGE_ENDPOINT": self.endpoint, "HASHRANGE_TOKEN": self.token}

    def _wait_for_answer(self):
        deadline = time.monotonic() + READY_TIMEOUT_S
        while True:
            self._check_that_it_runs()
            try:
                if self._answers():
                    return
            except Exception:
                self._check_that_it_runs()  # a container that has just ended has no port
                raise
            if time.monotonic() > deadline:
                raise TimeoutError(f"hashrange: the container of {self.image} did not answer within {READY_TIMEOUT_S} s.{self._tail()}")
            time.sleep(PAUSE_S)

    def _check_that_it_runs(self):
        container = self.get_wrapped_container()
        container.reload()
        if container.status in ("exited", "dead"):
            code = container.attrs["State"]["ExitCode"]
            raise RuntimeError(f"hashrange: the container of {self.image} ended with {code} before it answered.{self._tail()}") from None

    def _tail(self):
        """Returns the last lines of the log, after a line break; empty if the log is empty."""
        lines = b"".join(self.get_logs()).decode(errors="replace").strip().splitlines()
        return "".join(f"\n{line}" for line in lines[-LOG_LINES:])

    def _answers(self):
        # Docker's proxy accepts connections before the server listens, and ends them.
        try:
            control(self.endpoint, self.token, "GET", "")
        except ConnectionError:
            return False
        return True
