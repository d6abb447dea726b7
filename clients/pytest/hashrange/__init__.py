"""Hashrange, an in-memory, DynamoDB-compatible server: `binary()` finds its program, `python -m hashrange serve` runs it.

The plugin for pytest is the package pytest_hashrange, the container for Testcontainers the module hashrange.testcontainers.
"""

import os
import pathlib
import platform

__all__ = ["__version__", "binary"]

__version__ = "0.1.0"

OWN = pathlib.Path(__file__).resolve().parent / "bin" / "hashrange"  # only in the wheels for one platform


def binary():
    """Returns the path of the server's program: the one that HASHRANGE_BINARY names, or the one in this package, or `hashrange` on
    PATH, in this order. HASHRANGE_BINARY is a path, from the current folder if it is relative. Raises RuntimeError when there is none."""
    named = os.environ.get("HASHRANGE_BINARY")
    if named:
        return named_program(named)
    found = next((str(path) for path in (OWN, *on_path()) if is_program(path)), None)
    if found:
        return found
    raise RuntimeError(
        f"hashrange: no server to start: this installation has no program for {platform.system()} {platform.machine()}, so put "
        "`hashrange` on PATH, or its path into HASHRANGE_BINARY (in a checkout, `scripts/build release hashrange` builds "
        "build/release/hashrange). With Node.js, `npx hashrange serve` serves on any system; pytest takes a server that runs already, such as "
        "this one or a container, from HASHRANGE_ENDPOINT.")


def named_program(path):
    """Returns the absolute path of the program that HASHRANGE_BINARY names. The command `hashrange` of a Python environment is none:
    it gets the same variable, so it would start itself for ever."""
    found = program(path, "HASHRANGE_BINARY")
    if is_own_command(found):
        raise RuntimeError(f"hashrange: HASHRANGE_BINARY names {found}, which is the command of a Python environment, and not the "
                           "server's program: name the program, or unset the variable.")
    return found


def program(path, source):
    """Returns the absolute path of a program that `source` names. Raises RuntimeError if it is no program."""
    absolute = pathlib.Path(path).absolute()
    if not is_program(absolute):
        raise RuntimeError(f"hashrange: {source} names {absolute}, which is no program.")
    return str(absolute)


def on_path():
    """Yields the files on PATH that may be the program. The command `hashrange` of a Python environment is left out: it calls
    binary() itself, so it would start itself for ever where there is no program."""
    for folder in os.get_exec_path():
        path = pathlib.Path(folder or ".").absolute() / "hashrange"
        if is_program(path) and not is_own_command(path):
            yield path


def is_own_command(path):
    try:
        with open(path, "rb") as file:
            start = file.read(4096)
    except OSError:  # a program that may be run and not read
        return False
    return start.startswith(b"#!") and b"hashrange.__main__" in start


def is_program(path):
    return path.is_file() and os.access(path, os.X_OK)


def misfit(version):
    """Returns a sentence if a server of this version does not fit this package, otherwise None. Before 1.0, both must have the same
    minor version; from 1.0 on, the same major version."""
    if series(version) == series(__version__):
        return None
    return (f"hashrange: the server has version {version}, and the Python package {__version__}: install the same version of both, "
            "or some calls may fail.")


def series(version):
    """Returns the part of a version that must be the same: ("0", "1") of "0.1.7", and ("2",) of "2.3.0"."""
    parts = version.split(".")
    return tuple(parts[:2] if parts[0] == "0" else parts[:1])
