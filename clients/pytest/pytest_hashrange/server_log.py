"""The log of a server, which it writes to stderr."""

import os
import re
import tempfile

TAIL_BYTES = 4096
# Matches a line of the log: "2026-01-31 12:00:00.000 warning table app not found for …".
LINE = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (warning|error|critical) (.*)$", re.M)


class ServerLog:
    """The log of one server, in a file that is deleted when this process ends."""

    _all = []

    def __init__(self):
        self.file = tempfile.TemporaryFile()
        self._text = ""
        self._all.append(self)

    def text(self):
        """Returns the log so far; the whole log once it is closed. The server shares the position in the file, so the position
        is not changed."""
        if self.file.closed:
            return self._text
        size = os.fstat(self.file.fileno()).st_size
        return os.pread(self.file.fileno(), size, 0).decode(errors="replace")

    def tail(self):
        """Returns the end of the log, after a line break; empty if the log is empty."""
        text = self.text().strip()
        return f"\n{text[-TAIL_BYTES:]}" if text else ""

    def warnings(self):
        """Returns the warnings and errors in the log, each once: "hashrange server warning: …"."""
        return list(dict.fromkeys(f"hashrange server {level}: {message}" for level, message in LINE.findall(self.text())))

    def close(self):
        """Called when the server has ended."""
        self._text = self.text()
        self.file.close()

    @classmethod
    def all_warnings(cls):
        """Returns the warnings of all servers that were started in this process."""
        return [warning for log in cls._all for warning in log.warnings()]
