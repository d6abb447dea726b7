"""Names the access pattern of calls, for measurements: a header of the requests that clients of boto3 send."""

import contextlib
import contextvars

from .arguments import text
from .boto3_version import import_boto3

HEADER = "X-Hashrange-Pattern"
NAME = contextvars.ContextVar("hashrange_pattern", default=None)


def add_header(params, **_):
    """Called by boto3 before each call of a client, in the thread and the task that make the call."""
    name = NAME.get()
    if name is not None:
        params["headers"][HEADER] = name


def name_calls(client):
    """Makes the calls of a client have the name of the `pattern` block in which they are made. Idempotent."""
    register(client.meta.events)
    return client


def name_calls_of_new_clients():
    """Does the same for the clients that boto3 makes from now on without a session of their own."""
    boto3 = import_boto3()
    if boto3.DEFAULT_SESSION is None:
        boto3.setup_default_session()
    register(boto3.DEFAULT_SESSION.events)


def register(events):
    events.register("before-call.dynamodb", add_header, unique_id="hashrange-pattern")


@contextlib.contextmanager
def pattern(name, *clients):
    """Names the calls that are made within the block. Threads that are started within it are not in it."""
    text("pattern", "name", name)
    name_calls_of_new_clients()
    for client in clients:
        name_calls(client.meta.client if hasattr(client.meta, "client") else client)
    token = NAME.set(name)
    try:
        yield
    finally:
        NAME.reset(token)
