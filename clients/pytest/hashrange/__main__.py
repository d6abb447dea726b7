"""Runs the server's program in place of Python: `python -m hashrange serve`, and the command `hashrange` of an environment."""

import os
import sys

from . import binary

# Has the id of the process that this command has handed to a program. If the program leads back to this command, as pyenv's commands
# do, the process finds its own id.
GUARD = "HASHRANGE_COMMAND_PID"


def main():
    """Does not return: the program gets the process, its arguments, its descriptors and its signals."""
    own = str(os.getpid())
    try:
        found = binary()
        if os.environ.get(GUARD) == own:
            sys.exit(f"hashrange: {found} is not the server's program, but starts this command again: put the path of the program into "
                     "HASHRANGE_BINARY.")
        os.environ[GUARD] = own
        os.execv(found, [found, *sys.argv[1:]])
    except RuntimeError as problem:
        sys.exit(str(problem))
    except OSError as problem:
        sys.exit(f"hashrange: {found} does not run on this machine: {problem.strerror}.")


if __name__ == "__main__":
    main()
