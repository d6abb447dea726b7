"""The server's warnings, at the end of pytest's output."""

import pytest


def test_what_the_server_warns_of_is_shown_once(run):
    result = run('''
    from pytest_hashrange import start

    def look(account):
        client = account.client(aws_access_key_id="555555555555")
        assert failure(client.describe_table, TableName="app") == "ResourceNotFoundException"

    @pytest.mark.parametrize("number", [1, 2])
    def test_look(hashrange, number):
        look(hashrange)
        look(hashrange)

    def test_own_server(hashrange_server):
        with start() as server:
            for name in ("app", "more"):
                server.account.client().create_table(
                    TableName=name, BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
                    AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}])
            with pytest.raises(ClientError):
                server.account.client(aws_access_key_id="666666666666").describe_table(TableName="more")
    ''')
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["*= hashrange =*"])
    shown = [line for line in result.stdout.lines if "server warning" in line]
    assert [line.partition(" not found for ")[0] for line in shown] == [
        "hashrange server warning: table app", "hashrange server warning: table more"]


def test_where_the_server_warns_of_nothing_nothing_is_shown(run):
    result = run("def test_it(app): assert read(app) == ADA")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*= hashrange =*")


def test_what_the_servers_of_workers_warn_of_is_shown(run):
    pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    result = run('''
    @pytest.mark.parametrize("number", range(8))
    def test_look(hashrange, number):
        client = hashrange.client(aws_access_key_id="555555555555")
        assert failure(client.describe_table, TableName="app") == "ResourceNotFoundException"
    ''', "-p", "xdist", "-n", "2")
    result.assert_outcomes(passed=8)
    assert len([line for line in result.stdout.lines if "server warning: table app not found for 555555555555" in line]) == 1
