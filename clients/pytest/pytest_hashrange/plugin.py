"""The fixtures. Each worker of pytest-xdist is a session, and so has its own server."""

import os

import pytest

from .boto3_version import check_boto3
from .server import Server, start
from .server_log import ServerLog

FROM_WORKERS = pytest.StashKey()  # the warnings of the servers of pytest-xdist's workers


def pytest_addoption(parser):
    group = parser.getgroup("hashrange")
    group.addoption("--hashrange-binary", help="the server (else HASHRANGE_BINARY, else `hashrange` on PATH)")
    group.addoption("--hashrange-endpoint", help="a server that runs already (else HASHRANGE_ENDPOINT)")
    parser.addini("hashrange_binary", "the server, from the root of the project")
    parser.addini("hashrange_args", "further arguments for `hashrange serve`", type="args")


def pytest_configure(config):
    config.stash[FROM_WORKERS] = []


def pytest_sessionfinish(session):
    """A worker of pytest-xdist has no terminal: the session that started it shows the warnings of its server."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["hashrange_warnings"] = ServerLog.all_warnings()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    node.config.stash[FROM_WORKERS] += getattr(node, "workeroutput", {}).get("hashrange_warnings", [])


def pytest_terminal_summary(terminalreporter, config):
    warnings = dict.fromkeys([*ServerLog.all_warnings(), *config.stash[FROM_WORKERS]])
    if warnings:
        terminalreporter.section("hashrange")
        for warning in warnings:
            terminalreporter.line(warning, yellow=True)


@pytest.fixture(scope="session")
def hashrange_server(pytestconfig):
    """The server of this session: `endpoint`, the account `seed` and the tests' account."""
    try:
        check_boto3()
        server = server_of(pytestconfig)
    except RuntimeError as problem:
        pytest.fail(str(problem), pytrace=False)
    yield server
    if not server.is_own:
        server.begun.end_all()
    server.stop()


def server_of(config):
    endpoint = config.getoption("--hashrange-endpoint") or os.environ.get("HASHRANGE_ENDPOINT")
    if endpoint:
        return Server(endpoint.rstrip("/"), os.environ.get("HASHRANGE_TOKEN"))
    binary = config.getoption("--hashrange-binary")
    if not binary and config.getini("hashrange_binary"):
        binary = config.rootpath / config.getini("hashrange_binary")
    return start(binary, config.getini("hashrange_args"))


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
    account.fork()
    for name, value in account.environment().items():
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    with hashrange_server.begun.ends_here():
        yield account
