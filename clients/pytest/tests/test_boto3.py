"""Which versions of boto3 the plugin works with, and what it says about others."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def test_a_boto3_that_is_too_old_is_told_at_once(run, pytester):
    pytester.mkpydir("boto3").joinpath("__init__.py").write_text('__version__ = "1.26.26"')
    pytester.mkpydir("botocore").joinpath("config.py").write_text("Config = None")
    pytester.path.joinpath("botocore/exceptions.py").write_text("ClientError = None")
    result = run("def test_it(hashrange): pass")
    result.assert_outcomes(errors=1)
    assert "hashrange: boto3 1.26.26 is installed, and 1.26.27 or newer is needed: pip install -U boto3" in result.stdout.str()


def test_without_boto3_only_its_clients_are_refused(run, pytester):
    pytester.mkpydir("boto3").joinpath("__init__.py").write_text("raise ImportError")
    pytester.makeconftest("")
    pytester.makepyfile(test_sample='''
    import pytest

    def test_it(hashrange):
        assert hashrange.control("GET", "clock")["mode"] == "real"
        with pytest.raises(ImportError, match="^hashrange: a client needs boto3 1.26.27 or newer, and there is none: pip install boto3$"):
            hashrange.client()
    ''')
    pytester.runpytest_subprocess("-p", "pytest_hashrange.plugin").assert_outcomes(passed=1)


def test_metadata_says_which_boto3_is_needed():
    from pytest_hashrange import boto3_version

    oldest = boto3_version.text_of(boto3_version.OLDEST)
    assert f'boto3 = ["boto3>={oldest}"]' in (ROOT / "pyproject.toml").read_text()
    assert f"boto3 {oldest}" in (ROOT / "README.md").read_text()
