"""Checks the version of boto3. Without boto3, the plugin works for tests that ask for no client."""

import re

OLDEST = (1, 26, 27)  # the oldest version that the plugin was tried with


def import_boto3():
    """Returns the module boto3. Raises RuntimeError if it is older than OLDEST, ImportError if it is not installed."""
    try:
        import boto3
    except ImportError:
        raise ImportError(f"hashrange: a client needs boto3 {text_of(OLDEST)} or newer, and there is none: pip install boto3") from None
    if tuple(map(int, re.findall(r"\d+", boto3.__version__)[:3])) < OLDEST:
        raise RuntimeError(f"hashrange: boto3 {boto3.__version__} is installed, and {text_of(OLDEST)} or newer is needed: pip install -U boto3")
    return boto3


def check_boto3():
    """Raises RuntimeError if the installed boto3 is older than OLDEST."""
    try:
        import_boto3()
    except ImportError:
        pass


def text_of(version):
    return ".".join(map(str, version))
