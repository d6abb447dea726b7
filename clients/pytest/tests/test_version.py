"""Versions of the plugin and of the server that do not fit: one warning at the end of pytest's output."""

import contextlib
import http.server
import subprocess
import sys
import threading

import hashrange
import pytest

TEST = '''
    @pytest.mark.parametrize("number", range(4))
    def test_it(app, number):
        assert read(app) == ADA
'''
ONE = "hashrange: the server has version *, and the Python package 0.99.0: install the same version of both, or some calls may fail."


@pytest.fixture
def other_version(pytester, monkeypatch):
    """Makes the plugin of the inner runs one of another version."""
    (pytester.path / "older.py").write_text("import hashrange\nhashrange.__version__ = '0.99.0'\n")
    monkeypatch.syspath_prepend(pytester.path)
    monkeypatch.setenv("PYTEST_PLUGINS", "older")
    monkeypatch.setenv("PYTHONPATH", f"{pytester.path}:{hashrange.OWN.parents[2]}")


def shown(result):
    return [line for line in result.stdout.lines if "install the same version of both" in line]


def test_another_version_is_said_once(run, other_version):
    result = run(TEST)
    result.assert_outcomes(passed=4)
    result.stdout.fnmatch_lines(["*= hashrange =*", ONE])
    assert len(shown(result)) == 1


def test_workers_say_it_once(run, other_version):
    pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    result = run(TEST, "-p", "xdist", "-n", "2")
    result.assert_outcomes(passed=4)
    assert len(shown(result)) == 1


def test_the_same_version_is_not_said(run):
    result = run(TEST)
    result.assert_outcomes(passed=4)
    assert shown(result) == []


@contextlib.contextmanager
def a_server_that_answers(status, text):
    """The endpoint of a server that has the same answer for all questions."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("status, text", [
    (200, "{}"), (200, '{"version": null}'), (200, '{"version": ""}'), (200, '{"version": 7}'), (200, "[]"), (200, "no JSON"), (200, ""),
    (404, '{"error": "there is no such call"}'),
])
def test_a_server_that_does_not_tell_its_version(pytester, status, text):
    pytester.makepyfile("def test_it(hashrange_server): pass")
    with a_server_that_answers(status, text) as endpoint:
        result = pytester.runpytest_subprocess("-p", "pytest_hashrange.plugin", f"--hashrange-endpoint={endpoint}")
    result.assert_outcomes(passed=1)
    assert "= hashrange =" not in result.stdout.str()


def test_a_server_that_does_not_answer_fails_the_first_call_in_one_sentence(pytester):
    pytester.makepyfile("def test_server(hashrange_server): pass\ndef test_account(hashrange): pass")
    result = pytester.runpytest_subprocess("-p", "pytest_hashrange.plugin", "--hashrange-endpoint=http://127.0.0.1:1")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["hashrange: http://127.0.0.1:1 does not answer: *"])
    assert "Traceback" not in result.stdout.str() and "urllib" not in result.stdout.str()


def test_a_server_whose_check_fails_is_stopped(pytester, monkeypatch):
    pytester.makepyfile(failing="""
        from pytest_hashrange import plugin

        started = []

        def check_version(server, config):
            started.append(server)
            raise ValueError("the check fails")

        plugin.check_version = check_version

        def pytest_unconfigure():
            server, = started
            print("the server ended with", server._process.poll())
    """)
    pytester.makepyfile("def test_it(hashrange_server): pass")
    monkeypatch.syspath_prepend(pytester.path)
    monkeypatch.setenv("PYTHONPATH", f"{pytester.path}:{hashrange.OWN.parents[2]}")
    result = pytester.runpytest_subprocess("-p", "pytest_hashrange.plugin", "-p", "failing")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["the server ended with 0"])


def test_an_old_pytest_is_said(pytester, monkeypatch):
    (pytester.path / "old.py").write_text("import pytest\ndel pytest.StashKey\n")
    monkeypatch.setenv("PYTHONPATH", f"{pytester.path}:{hashrange.OWN.parents[2]}")
    result = pytester.runpytest_subprocess("-p", "old", "-p", "pytest_hashrange.plugin")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: hashrange: the plugin needs pytest 7 or newer, and pytest {pytest.__version__} is installed: *"])


@pytest.mark.parametrize("own, server, fits", [
    ("0.1.0", "0.1.0", True),
    ("0.1.0", "0.1.9", True),
    ("0.1.0", "0.2.0", False),
    ("0.1.0", "0.10.0", False),
    ("0.1.0", "1.1.0", False),
    ("1.4.0", "1.9.2", True),
    ("1.4.0", "2.4.0", False),
    ("1.0.0", "0.9.0", False),
    ("1.0.0", "10.0.0", False),
])
def test_which_versions_fit(monkeypatch, own, server, fits):
    monkeypatch.setattr(hashrange, "__version__", own)
    assert (hashrange.misfit(server) is None) == fits


def test_an_old_python_is_told_what_to_do():
    old = "import sys; sys.version_info = (3, 8, 18, 'final', 0); import pytest_hashrange.plugin"
    done = subprocess.run([sys.executable, "-c", old], env={"PYTHONPATH": str(hashrange.OWN.parents[2])}, capture_output=True, text=True, timeout=30)
    assert done.stderr.splitlines()[-1] == ("ImportError: hashrange: the plugin needs Python 3.9 or newer, and " + sys.executable + " is Python 3.8: "
                                            "run pytest with a newer Python, for example in a virtual environment of it")
