"""A repository in a temporary folder with the files of this one, as they are now."""

import shutil
import subprocess

from machines import REPOSITORY, command


def clone(folder):
    """Copies all files that git does not ignore into the folder, as one commit. Returns the folder."""
    names = command("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=REPOSITORY).splitlines()
    for name in names:
        if (REPOSITORY / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, folder / name)
    command("git", "init", "--quiet", cwd=folder)
    commit(folder)
    return folder


def restore(folder):
    """Undoes all that was changed after clone()."""
    command("git", "reset", "--quiet", "--hard", command("git", "rev-list", "--max-parents=0", "HEAD", cwd=folder).strip(), cwd=folder)
    command("git", "clean", "--quiet", "-dffx", cwd=folder)


def commit(folder):
    command("git", "add", "--all", cwd=folder)
    command("git", "-c", "user.name=Test", "-c", "user.email=test@localhost", "commit", "--quiet", "--message=A test", cwd=folder)


def replace(path, old, new):
    text = path.read_text()
    assert old in text, f"{path} has no {old}"
    path.write_text(text.replace(old, new, 1))


def run(folder, *words):
    """Returns (exit code, output, errors)."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr
