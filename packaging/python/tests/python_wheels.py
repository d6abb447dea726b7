"""What the tests of the wheels share: the wheels in $DIST/python (default: dist/python), Debian's Python, and no package index."""

import os
import platform
import re
import subprocess
import sys

from machines import DIST, REPOSITORY

PYTHON = "/usr/bin/python3"
ARCH = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
VERSION = re.search(r'^__version__ = "(.+)"$', (REPOSITORY / "clients/pytest/hashrange/__init__.py").read_text(), re.M)[1]
sys.path.insert(0, str(REPOSITORY / "clients/docs"))


def environment(**more):
    """Returns the variables of a user who has set nothing for Python, pip, pytest, Hashrange or AWS."""
    own = {name: value for name, value in os.environ.items()
           if not name.startswith(("PIP_", "PYTHON", "PYTEST_", "HASHRANGE_", "AWS_", "VIRTUAL_ENV", "DIST"))}
    return {**own, "PATH": "/usr/bin:/bin", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_CACHE_DIR": "1", **more}


def run(*command, folder=None, status=0, **more):
    """Runs a command. Returns all that it has printed."""
    done = subprocess.run([str(each) for each in command], cwd=folder, env=environment(**more), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    assert done.returncode == status, done.stdout
    return done.stdout


def make(dist, arches=ARCH, status=0, version=VERSION, **more):
    """Makes wheels in another folder. Returns what packaging/python/make has printed."""
    return run(REPOSITORY / "packaging/python/make", status=status, DIST=str(dist), ARCHES=arches, VERSION=version, **more)


def with_program(dist=DIST):
    """Returns the wheel for this machine."""
    wheel, = [path for path in (dist / "python").glob("*.whl") if platform.machine() in path.name]
    return wheel


def without_program(dist=DIST):
    """Returns the wheel for all other systems."""
    return dist / "python" / f"hashrange-{VERSION}-py3-none-any.whl"


def install(bin, *what):
    return run(bin / "python", "-m", "pip", "install", "--no-index", "--find-links", DIST / "python", *what)
