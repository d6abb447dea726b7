"""A server that is killed, and clients that know what it has acknowledged."""

import pytest
from kept_server import PROGRAM


def pytest_collection_modifyitems(items):
    if not PROGRAM:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="an endpoint is tested, not a program"))
