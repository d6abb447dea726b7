"""Hashrange for tests: `start()` starts a server, and an Account has the methods that tests use."""

import sys

# pip checks this, but a plugin on PYTHONPATH may come to any Python.
if sys.version_info < (3, 9):
    raise ImportError("hashrange: the plugin needs Python 3.9 or newer, and {} is Python {}.{}: run pytest with a newer Python, for example in "
                      "a virtual environment of it".format(sys.executable, *sys.version_info[:2]))

from .account import Account  # noqa: E402
from .control import ControlError  # noqa: E402
from .server import Server, start  # noqa: E402

__all__ = ["Account", "ControlError", "Server", "start"]
