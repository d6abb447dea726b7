"""The wheel for this machine, and environments in which it is installed."""

import pytest
from python_wheels import DIST, PYTHON, install, run, with_program, without_program


@pytest.fixture(scope="session")
def wheel():
    """The wheel for this machine."""
    assert without_program().is_file(), f"{DIST}/python has no wheels: run scripts/package first"
    return with_program()


@pytest.fixture(scope="session")
def new_environment(tmp_path_factory):
    """Makes a Python environment in an empty folder. Debian's packages stand for the package index, which may not be reachable."""

    def new(*options):
        folder = tmp_path_factory.mktemp("environment")
        run(PYTHON, "-m", "venv", *options, folder)
        return folder / "bin"

    return new


@pytest.fixture(scope="session")
def bin(wheel, new_environment):
    """The programs of an environment that has the wheel and nothing else."""
    folder = new_environment()
    install(folder, "hashrange")
    return folder


@pytest.fixture(scope="session")
def bin_with_pytest(wheel, new_environment):
    """The same with pytest and boto3, which are Debian's."""
    folder = new_environment("--system-site-packages")
    install(folder, "hashrange[pytest,boto3]")
    return folder


@pytest.fixture(scope="session")
def bin_without_program(wheel, new_environment):
    """An environment, with Debian's pytest and boto3, that has the wheel for systems for which there is no program."""
    folder = new_environment("--system-site-packages")
    install(folder, f"hashrange[pytest,boto3] @ file://{without_program()}")
    return folder
