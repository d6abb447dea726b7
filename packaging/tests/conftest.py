"""The repository that the tests change: a copy of this one, which is as it was before each test."""

import shutil

import pytest

from clone import clone, restore


@pytest.fixture(scope="session")
def copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("repository")
    yield clone(folder)
    shutil.rmtree(folder)


@pytest.fixture
def repository(copy):
    restore(copy)
    return copy
