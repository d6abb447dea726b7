"""Prints CHANGELOG.md in the form of Debian's changelogs.

    python3 packaging/deb/changelog.py CHANGELOG.md MAINTAINER

A version that is not released yet has the date of the variable SOURCE_DATE_EPOCH.
"""

import datetime
import email.utils
import os
import re
import sys
import textwrap


def main():
    text, maintainer = open(sys.argv[1], encoding="utf-8").read(), sys.argv[2]
    entries = []
    for version, date, body in re.findall(r"^## \[(\d[^]]*)\] - (\S+)\n(.*?)(?=^## |^\[|\Z)", text, re.MULTILINE | re.DOTALL):
        entries.append(f"hashrange ({version}) unstable; urgency=medium\n\n{changes(body)}\n\n"
                       f" -- {maintainer}  {instant(date)}\n")
    print("\n".join(entries), end="")


def changes(body):
    """Returns the items of the section's lists. An item may go on in lines that are indented."""
    items = re.findall(r"^- (.*(?:\n  .*)*)", body, re.MULTILINE)
    return "\n".join(textwrap.fill(re.sub(r"\s+", " ", item), 78, initial_indent="  * ", subsequent_indent="    ",
                                   break_long_words=False, break_on_hyphens=False) for item in items)


def instant(date):
    if re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        return email.utils.format_datetime(datetime.datetime.fromisoformat(f"{date}T12:00:00+00:00"))
    return email.utils.formatdate(int(os.environ["SOURCE_DATE_EPOCH"]), localtime=False).replace("-0000", "+0000")


main()
