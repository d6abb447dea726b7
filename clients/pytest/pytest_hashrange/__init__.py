"""Hashrange for tests: `start()` a server, and what a test does with an account of it."""

from .account import Account
from .control import ControlError
from .server import Server, start

__all__ = ["Account", "ControlError", "Server", "start"]
