"""`hashrange completion SHELL`: the scripts, in their shells."""

import contextlib
import os
import pty
import select
import shutil
import subprocess
import time

import pytest

from conftest import run

WITHIN_S = 60


def needs(shell):
    return pytest.mark.skipif(not shutil.which(shell), reason=f"{shell} is not installed")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """A folder with the three scripts, by the names under which shells look for them."""
    folder = tmp_path_factory.mktemp("completions")
    for shell, name in (("bash", "hashrange.bash"), ("zsh", "_hashrange"), ("fish", "hashrange.fish")):
        code, out, err = run("completion", shell)
        assert (code, err) == (0, "")
        (folder / name).write_text(out)
    return folder


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    (folder / "shop file.yaml").write_text("")
    (folder / "shop.d").mkdir()
    return folder


# What may follow a line; a "|" is where the shell cuts the words. All shells offer the same words.
OFFERED = [
    ("hashrange |", {"serve", "healthcheck", "check", "compact", "repair", "console", "copy", "ctl", "lab", "mcp", "completion", "man"}),
    ("hashrange |he", {"healthcheck"}),
    ("hashrange |--stream-", {"--stream-shards", "--stream-buffer"}),
    ("hashrange |serve |--stream-", {"--stream-shards", "--stream-buffer"}),
    ("hashrange |--port |8000 |--log-level |", {"debug", "info", "warning", "error"}),
    ("hashrange |serve |--log-level |w", {"warning"}),
    ("hashrange |serve |--sync |", {"always", "never", "100ms", "1s"}),
    ("hashrange |ctl |sna", {"snapshot", "snapshots"}),
    ("hashrange |ctl |--port |1 |fo", {"fork"}),
    ("hashrange |ctl |--host |reset |fo", {"fork"}),  # "reset" is the value of --host
    ("hashrange |ctl |partitions |--mode |", {"watch", "enforce"}),
    ("hashrange |ctl |reset |--en", {"--endpoint"}),
    ("hashrange |ctl |clock |--fr", {"--freeze"}),
    ("hashrange |ctl |measure |w", {"what-if"}),
    ("hashrange |ctl |measure |stop |--o", {"--output"}),
    ("hashrange |lab |", {"run", "explain", "check", "init", "import", "propose", "schema"}),
    ("hashrange |lab |run |--no", {"--no-confirm"}),
    ("hashrange |lab |run |shop", {"shop file.yaml", "shop.d"}),
    ("hashrange |lab |run |--html |shop", {"shop file.yaml", "shop.d"}),
    ("hashrange |serve |--data |shop", {"shop.d"}),
    ("hashrange |check |shop", {"shop.d"}),
    ("hashrange |ctl |measure |report |a |b |shop", {"shop file.yaml", "shop.d"}),
    ("hashrange |completion |", {"bash", "zsh", "fish"}),
    ("hashrange |ctl |fork |", set()),
    ("hashrange |--host |", set()),
]
# Bash cuts words at "=" and ":", unlike the other shells.
OFFERED_BY_BASH = [
    ("hashrange |--log-level|=|w", {"warning"}),
    ("hashrange |--log-level|=|", {"debug", "info", "warning", "error"}),
    ("hashrange |serve |--data|=|shop", {"shop.d"}),
    ("hashrange |ctl |--endpoint |http|:|//localhost|:|8000 |for", {"fork"}),
    ("hashrange |ctl |--endpoint|=|http|:|//localhost|:|8000 |for", {"fork"}),
    ("hashrange |lab |check |a.yaml |", set()),
    ("hashrange |lab |schema |", {"-h", "--help"}),
    ("hashrange |lab |init |--h", {"--help"}),
]


def all_commands():
    """Returns "hashrange", "hashrange serve", …, as the help lists them."""
    found = ["hashrange"]
    for command in found:  # grows
        _, _, commands = run(*command.split()[1:], "--help")[1].partition("\nCommands:\n")
        found += [f"{command} {line.split()[0]}" for line in commands.split("\n\n")[0].splitlines() if line.startswith("  ")
                  and not line.startswith("   ")]
    return found


# ---- bash ----

def offered_by_bash(scripts, files, words):
    commands = f"""
      source {scripts}/hashrange.bash
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _hashrange
      printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "--noprofile", "--norc", "-u", "-c", commands, "bash", *words],
                          cwd=files, capture_output=True, text=True, timeout=WITHIN_S)
    assert (done.returncode, done.stderr) == (0, "")
    return set(done.stdout.splitlines()) - {""}


def test_bash_accepts_its_script(scripts):
    done = subprocess.run(["bash", "-n", scripts / "hashrange.bash"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("line, expected", OFFERED)
def test_bash_offers(scripts, files, line, expected):
    assert offered_by_bash(scripts, files, [word.strip() for word in line.split("|")]) == expected


@pytest.mark.parametrize("line, expected", OFFERED_BY_BASH)
def test_bash_offers_within_words(scripts, files, line, expected):
    assert offered_by_bash(scripts, files, [word.strip() for word in line.split("|")]) == expected


# ---- a shell on a terminal ----

class Terminal:
    """An interactive shell, which is asked for its line after keys were typed."""

    def __init__(self, command, folder, setup):
        self.process, self.its_line = None, folder / "line"
        mine, its = pty.openpty()
        self.descriptor = mine
        self.process = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, cwd=folder, start_new_session=True,
                                        env={**os.environ, "HOME": str(folder), "TERM": "dumb", "ZDOTDIR": str(folder)})
        os.close(its)
        self.output = ""
        self.type(setup + "\n")
        self.wait_for("<ready>")

    def type(self, keys):
        os.write(self.descriptor, keys.encode())

    def read(self, seconds):
        if select.select([self.descriptor], [], [], seconds)[0]:
            with contextlib.suppress(OSError):
                self.output += os.read(self.descriptor, 65536).decode(errors="replace")

    def wait_for(self, text):
        deadline = time.monotonic() + WITHIN_S
        while text not in self.output:
            assert time.monotonic() < deadline, self.output
            self.read(1)

    def completed(self, line):
        """Returns the line as it is after the key Tab, and removes it."""
        self.its_line.unlink(missing_ok=True)
        self.type(line + "\t\x1d")
        deadline = time.monotonic() + WITHIN_S
        while not self.its_line.exists() or not self.its_line.read_text().endswith("\n"):
            assert time.monotonic() < deadline, self.output
            self.read(0.02)
        return self.its_line.read_text().rstrip("\n")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.descriptor)


COMPLETED = [
    ("hashrange healthc", "hashrange healthcheck "),
    ("hashrange --thr", "hashrange --threads "),
    ("hashrange ctl for", "hashrange ctl fork "),
    ("hashrange ctl measure wh", "hashrange ctl measure what-if "),
    ("hashrange serve --log-level w", "hashrange serve --log-level warning "),
    ("hashrange serve --log-level=w", "hashrange serve --log-level=warning "),
    ("hashrange serve --data shop", "hashrange serve --data shop.d/"),
    ("hashrange check sh", "hashrange check shop.d/"),
    ("hashrange lab run shop\\ f", "hashrange lab run shop\\ file.yaml "),
    ("hashrange ctl --endpoint http://localhost:8000 for", "hashrange ctl --endpoint http://localhost:8000 fork "),
]


def typed(terminal, rows):
    return [(line, terminal.completed(line)) for line, _ in rows]


def test_a_line_in_bash_is_completed(scripts, files):
    setup = (f"source {scripts}/hashrange.bash; write_line() {{ printf '%s\\n' \"$READLINE_LINE\" >line; READLINE_LINE=; }}; "
             "bind 'set bell-style none'; bind -x '\"\\C-]\": write_line'; printf '<%s>' ready")
    terminal = Terminal(["bash", "--noprofile", "--norc", "-i"], files, setup)
    try:
        assert typed(terminal, COMPLETED) == COMPLETED
    finally:
        terminal.close()


# ---- zsh ----

@needs("zsh")
def test_zsh_accepts_its_script(scripts):
    done = subprocess.run(["zsh", "-n", scripts / "_hashrange"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


ZSH_START = {"a folder of fpath": "fpath=({} $fpath); autoload -U compinit; compinit -u -D; ",
             "source": "autoload -U compinit; compinit -u -D; source {}/_hashrange; "}
ZSH_SETUP = ("write_line() { print -r -- $BUFFER >line; BUFFER= }; zle -N write_line; bindkey '^]' write_line; "
             "unsetopt BEEP; setopt NO_AUTO_REMOVE_SLASH; PROMPT=; printf '<%s>' ready")


# zsh puts the value behind "=", which goes away when a blank is typed instead.
COMPLETED_BY_ZSH = [(line, completed.replace("--threads ", "--threads=")) for line, completed in COMPLETED]


@needs("zsh")
@pytest.mark.parametrize("start", ZSH_START.values(), ids=ZSH_START)
def test_a_line_in_zsh_is_completed(scripts, files, start):
    terminal = Terminal(["zsh", "-f", "-i"], files, start.format(scripts) + ZSH_SETUP)
    try:
        assert typed(terminal, COMPLETED_BY_ZSH) == COMPLETED_BY_ZSH
    finally:
        terminal.close()


@needs("zsh")
def test_zsh_has_a_function_for_each_command(scripts, files):
    terminal = Terminal(["zsh", "-f", "-i"], files, ZSH_START["source"].format(scripts) + ZSH_SETUP)
    try:
        for command in all_commands():
            assert terminal.completed(f"{command} --hel") == f"{command} --help "
    finally:
        terminal.close()


# ---- fish ----

@needs("fish")
def test_fish_accepts_its_script(scripts):
    done = subprocess.run(["fish", "--no-config", "--no-execute", scripts / "hashrange.fish"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@needs("fish")
def test_fish_offers(scripts, files):
    rows = [(line.replace("|", ""), expected) for line, expected in OFFERED]
    rows += [(f"{command} --hel", {"--help"}) for command in all_commands()]
    lines = [line for line, _ in rows]
    commands = f"source {scripts}/hashrange.fish; for line in $argv; echo '<line>'; complete -C $line; end"
    done = subprocess.run(["fish", "--no-config", "-c", commands, *lines], cwd=files, capture_output=True, text=True, timeout=WITHIN_S,
                          env={**os.environ, "HOME": str(files), "XDG_CONFIG_HOME": str(files)})
    assert (done.returncode, done.stderr) == (0, "")
    offered = [{each.split("\t")[0].rstrip("/") for each in block.splitlines() if each} for block in done.stdout.split("<line>\n")[1:]]
    assert list(zip(lines, offered)) == rows
