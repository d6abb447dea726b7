"""What a server writes to stderr: its log."""

import os
import re
import tempfile

TAIL_BYTES = 4096
# A line of the log: "2026-01-31 12:00:00.000 warning table app not found for …".
LINE = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} (warning|error|critical) (.*)$", re.M)


class ServerLog:
    """The log of one server, in a file that is gone with this process."""

    _all = []

    def __init__(self):
        self.file = tempfile.TemporaryFile()
        self._text = ""
        self._all.append(self)

    def text(self):
        """So far; all of it once the log is closed. The server goes on writing where it is: it shares the place in the file."""
        if self.file.closed:
            return self._text
        size = os.fstat(self.file.fileno()).st_size
        return os.pread(self.file.fileno(), size, 0).decode(errors="replace")

    def tail(self):
        """The last of it, below a line of its own, or nothing."""
        text = self.text().strip()
        return f"\n{text[-TAIL_BYTES:]}" if text else ""

    def warnings(self):
        """Its warnings and errors, each once: "hashrange server warning: …"."""
        return list(dict.fromkeys(f"hashrange server {level}: {message}" for level, message in LINE.findall(self.text())))

    def close(self):
        """Once the server has ended."""
        self._text = self.text()
        self.file.close()

    @classmethod
    def all_warnings(cls):
        """Those of all servers that were started in this process."""
        return [warning for log in cls._all for warning in log.warnings()]
