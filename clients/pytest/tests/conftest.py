"""Tests the plugin in a user's project: each test runs pytest on its own files."""

import os
import pathlib
import textwrap

import pytest

pytest_plugins = ["pytester"]

ROOT = pathlib.Path(__file__).resolve().parent.parent

CONFTEST = '''
    import pytest

    ADA = {"PK": "USER#ada", "name": "Ada"}

    @pytest.fixture(scope="session")
    def dynamodb_seed(hashrange_server):
        dynamodb = hashrange_server.seed.resource()
        table = dynamodb.create_table(
            TableName="app", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}])
        table.put_item(Item=ADA)

    @pytest.fixture
    def app(hashrange):
        return hashrange.resource().Table("app")
'''
HEAD = '''
    import datetime
    import os
    import boto3
    import pytest
    from botocore.config import Config
    from botocore.exceptions import ClientError
    from conftest import ADA

    KEY = {"PK": {"S": "USER#ada"}}

    def once(hashrange):
        return hashrange.client(config=Config(retries={"max_attempts": 0}))

    def failure(call, **request):
        with pytest.raises(ClientError) as caught:
            call(**request)
        return caught.value.response["Error"]["Code"]

    def read(app):
        return app.get_item(Key={"PK": "USER#ada"}, ConsistentRead=True).get("Item")
'''


@pytest.fixture(autouse=True)
def python_path(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])))


@pytest.fixture
def run(pytester):
    """Runs the text of a test file together with CONFTEST, in another process."""

    def run(text, *arguments):
        pytester.makeconftest(CONFTEST)
        pytester.makepyfile(test_sample=textwrap.dedent(HEAD) + textwrap.dedent(text))
        return pytester.runpytest_subprocess("-p", "pytest_hashrange.plugin", *arguments)

    return run
