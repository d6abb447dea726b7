"""The fixtures. Each worker of pytest-xdist is a session, and so has its own server."""

import contextlib
import os

import pytest

from hashrange import misfit

from .boto3_version import check_boto3
from .control import ControlError
from .server import Server, start
from .server_log import ServerLog

# The package does not depend on pytest, because its program is also of use without it.
if not hasattr(pytest, "StashKey"):
    raise pytest.UsageError(f"hashrange: the plugin needs pytest 7 or newer, and pytest {pytest.__version__} is installed: "
                            "pip install -U pytest, or leave the plugin out with -p no:hashrange")

OWN = pytest.StashKey()  # the plugin's own warnings
FROM_WORKERS = pytest.StashKey()  # all warnings of pytest-xdist's workers


def pytest_addoption(parser):
    group = parser.getgroup("hashrange")
    group.addoption("--hashrange-binary", help="the server (else HASHRANGE_BINARY, else that of the package, else `hashrange` on PATH)")
    group.addoption("--hashrange-endpoint", help="a server that runs already (else HASHRANGE_ENDPOINT)")
    parser.addini("hashrange_binary", "the server, from the root of the project")
    parser.addini("hashrange_args", "further arguments for `hashrange serve`", type="args")


def pytest_configure(config):
    config.stash[OWN], config.stash[FROM_WORKERS] = [], []


def pytest_sessionfinish(session):
    """A worker of pytest-xdist has no terminal: the session that started it shows the warnings of its server."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["hashrange_warnings"] = warnings_of(session.config)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    node.config.stash[FROM_WORKERS] += getattr(node, "workeroutput", {}).get("hashrange_warnings", [])


def pytest_terminal_summary(terminalreporter, config):
    warnings = dict.fromkeys([*warnings_of(config), *config.stash[FROM_WORKERS]])
    if warnings:
        terminalreporter.section("hashrange")
        for warning in warnings:
            terminalreporter.line(warning, yellow=True)


def warnings_of(config):
    return [*config.stash[OWN], *ServerLog.all_warnings()]


@pytest.fixture(scope="session")
def hashrange_server(pytestconfig):
    """The server of this session: `endpoint`, the account `seed` and the tests' account."""
    with failing_in_a_sentence():
        check_boto3()
        server = server_of(pytestconfig)
    try:
        check_version(server, pytestconfig)
        yield server
        if not server.is_own:
            server.begun.end_all()
    finally:
        server.stop()


@contextlib.contextmanager
def failing_in_a_sentence():
    """Makes a test fail with the text of an error only."""
    try:
        yield
    except (RuntimeError, ControlError, ConnectionError) as problem:
        raise pytest.fail.Exception(str(problem), pytrace=False) from None


def server_of(config):
    endpoint = config.getoption("--hashrange-endpoint") or os.environ.get("HASHRANGE_ENDPOINT")
    if endpoint:
        return Server(endpoint.rstrip("/"), os.environ.get("HASHRANGE_TOKEN"))
    binary = config.getoption("--hashrange-binary")
    if not binary and config.getini("hashrange_binary"):
        binary = config.rootpath / config.getini("hashrange_binary")
    return start(binary, config.getini("hashrange_args"))


def check_version(server, config):
    """Notes a warning if the server's version does not fit the plugin's. A server that does not tell its version is left to the
    calls that follow, whose errors say more."""
    try:
        answer = server.seed.control("GET", "")
    except Exception:
        return
    version = answer.get("version") if isinstance(answer, dict) else None
    warning = misfit(version) if version and isinstance(version, str) else None
    if warning:
        config.stash[OWN].append(warning)


@pytest.fixture(scope="session")
def dynamodb_seed(hashrange_server):
    """Override this fixture in conftest.py to create the tables and items with which every test begins:

        @pytest.fixture(scope="session")
        def dynamodb_seed(hashrange_server):
            hashrange_server.seed.client().create_table(…)
    """


@pytest.fixture
def hashrange(hashrange_server, dynamodb_seed, monkeypatch):
    """The tests' account, with the seeded tables. SDKs without a configuration connect to it. What the test starts (faults,
    holds, lags, limits, a changed clock) ends with the test."""
    account = hashrange_server.account
    with failing_in_a_sentence():
        account.fork()
    for name, value in account.environment().items():
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    with hashrange_server.begun.ends_here():
        yield account
