"""Checks the arguments of an account's methods: an argument that would be ignored is a TypeError."""

import collections.abc
import datetime


def given(**members):
    """Returns the members that are not None."""
    return {name: value for name, value in members.items() if value is not None}


def text(function, name, value, may_be_empty=False):
    if not isinstance(value, str) or not (value or may_be_empty):
        raise refuse(function, name, "a text", value)
    return value


def mapping(function, name, value):
    if not isinstance(value, collections.abc.Mapping):
        raise refuse(function, name, "a dict", value)
    return value


def time_of(function, name, value):
    """Returns a time in the form of the control API: "2d"."""
    if isinstance(value, datetime.timedelta):
        return f"{round(value.total_seconds() * 1000)}ms"
    if not isinstance(value, str):
        raise refuse(function, name, '"2d" or a timedelta', value)
    return value


def refuse(function, name, form, value):
    return TypeError(f"hashrange: {function}() takes {form} as `{name}`, not {value!r}.")
