"""Hashrange for tests: `start()` starts a server, and an Account has the methods that tests use."""

from .account import Account
from .control import ControlError
from .server import Server, start

__all__ = ["Account", "ControlError", "Server", "start"]
