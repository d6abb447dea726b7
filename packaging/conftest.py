"""Lets the tests of all kinds import what is in packaging/, and finds what scripts/package has made."""

import pathlib
import shutil
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from machines import DIST, VERSION  # noqa: E402


@pytest.fixture(scope="session")
def dist():
    return DIST


@pytest.fixture(scope="session")
def architectures(dist):
    """The architectures that scripts/package has made programs for."""
    return sorted(path.name for path in (dist / "bin").iterdir())


@pytest.fixture(scope="session")
def version():
    return VERSION


@pytest.fixture
def large_folder(tmp_path):
    """A folder that is removed after the test; pytest keeps those of the last runs."""
    yield tmp_path
    shutil.rmtree(tmp_path)
