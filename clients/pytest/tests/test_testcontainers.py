"""hashrange.testcontainers, with a class in place of Testcontainers' DockerContainer (without_docker/): its container is a server on
this machine. There is no Docker in these tests, so they say nothing about images and about Docker itself."""

import importlib
import pathlib
import subprocess
import sys

import hashrange
import pytest
from pytest_hashrange import ControlError


WITHOUT_DOCKER = pathlib.Path(__file__).parent / "without_docker"


@pytest.fixture
def module(monkeypatch):
    """The module hashrange.testcontainers, imported with that class."""
    monkeypatch.syspath_prepend(WITHOUT_DOCKER)
    for name in [name for name in sys.modules if name.startswith(("testcontainers", "hashrange.testcontainers"))]:
        monkeypatch.delitem(sys.modules, name)
    yield importlib.import_module("hashrange.testcontainers")


def test_a_container_is_ready_when_its_block_begins(module):
    with module.HashrangeContainer(network="own") as container:
        assert (container.image, container.options, container.command) == (
            f"hashrange/hashrange:{hashrange.__version__}", {"network": "own"}, None)
        server = container.server("eu-west-1")
        assert (server.endpoint, server.is_own, server.account.region) == (container.endpoint, False, "eu-west-1")
        server.seed.client().create_table(
            TableName="app", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}])
        server.account.fork()
        assert server.account.client().list_tables()["TableNames"] == ["app"]
        assert container.environment() == {"HASHRANGE_ENDPOINT": container.endpoint, "HASHRANGE_TOKEN": container.token}
    assert container.calls == [("with_exposed_ports", 8000), ("start",), ("stop",)]


def test_only_callers_with_the_token_control_it(module):
    with module.HashrangeContainer() as one, module.HashrangeContainer() as two:
        assert one.token != two.token
        with pytest.raises(ControlError) as caught:
            module.control(one.endpoint, two.token, "GET", "")
        assert caught.value.status == 401


def test_image_token_and_arguments_are_given_on(module):
    with module.HashrangeContainer("example/hashrange:0.1.0", token="secret", args=["--stream-shards", "4"]) as container:
        assert (container.image, container.token, container.env) == ("example/hashrange:0.1.0", "secret", {"HASHRANGE_TOKEN": "secret"})
        assert container.command == ["serve", "--host", "0.0.0.0", "--stream-shards", "4"]


def test_a_container_that_does_not_answer_is_an_error_with_its_log(module, monkeypatch):
    monkeypatch.setattr(module, "READY_TIMEOUT_S", 0.2)
    monkeypatch.setattr(module.DockerContainer, "late", 1_000_000)
    container = module.HashrangeContainer("an/image")
    with pytest.raises(TimeoutError) as caught:
        container.start()
    assert str(caught.value) == ("hashrange: the container of an/image did not answer within 0.2 s.\n"
                                 "the output\nthe errors")
    assert container.calls[-2:] == [("start",), ("stop",)]
    container.stop()  # does nothing


def test_a_container_that_ends_is_an_error_with_the_end_of_its_log(module):
    container = module.HashrangeContainer("an/image", args=["--no-such-option"])
    with pytest.raises(RuntimeError, match=r"^hashrange: the container of an/image ended with [1-9]\d* before it answered\.\n.*--no-such-option"):
        with container:
            pytest.fail("the block has begun")
    assert container.calls == [("with_exposed_ports", 8000), ("start",), ("stop",)]


def test_only_the_end_of_a_log_is_shown(module, monkeypatch):
    monkeypatch.setattr(module.DockerContainer, "get_logs", lambda self: (b"", b"".join(b"line %d\n" % number for number in range(100))))
    with pytest.raises(RuntimeError) as caught:
        module.HashrangeContainer(args=["--no-such-option"]).start()
    assert str(caught.value).splitlines()[1:] == [f"line {number}" for number in range(80, 100)]


def test_a_container_that_ends_while_its_port_is_asked_for(module, monkeypatch):
    """Testcontainers' own errors for the port differ between its versions."""
    def get_exposed_port(self, port):
        self.wrapped._code = 3
        raise StopIteration("container status not valid for continuing: exited")

    monkeypatch.setattr(module.DockerContainer, "get_exposed_port", get_exposed_port)
    container = module.HashrangeContainer("an/image")
    with pytest.raises(RuntimeError) as caught:
        container.start()
    assert str(caught.value) == "hashrange: the container of an/image ended with 3 before it answered.\nthe output\nthe errors"
    assert container.calls[-1] == ("stop",)


def test_a_server_that_refuses_leaves_no_container(module, monkeypatch):
    container = module.HashrangeContainer()
    container.token = "another"
    with pytest.raises(ControlError):
        container.start()
    assert container.calls[-1] == ("stop",)


def test_without_testcontainers_the_import_says_what_to_install(tmp_path):
    (tmp_path / "testcontainers.py").write_text("raise ImportError('none')")
    done = subprocess.run([sys.executable, "-c", "import hashrange.testcontainers"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == ("ImportError: hashrange: a container needs the package testcontainers: "
                                            "pip install 'hashrange[testcontainers]'")
