"""Measurements of the tests' account: what they count, when they end, and what fails a test."""

import json


def test_a_measurement_has_the_calls_of_its_account_and_ends_with_its_block_or_test(run):
    run('''
    def counted(measurement):
        return [(each["operation"], each["calls"], sum(units["read_units"] for units in each["units"])) for each in measurement["patterns"]]

    def names(hashrange):
        return [each["name"] for each in hashrange.control("GET", "measurements")["measurements"]]

    @pytest.fixture(scope="session", autouse=True)
    def whole(hashrange_server, dynamodb_seed):
        with hashrange_server.account.measure("whole") as measured:
            yield measured
            assert sum(calls for _, calls, _ in counted(measured.read())) == 6

    def test_block(app, hashrange, hashrange_server):
        read(app)
        with hashrange.measure("reads", tables=["app"], window="10s", separators="#", type_attribute="kind") as measured:
            read(app)
            read(app)
            hashrange_server.seed.resource().Table("app").get_item(Key={"PK": "USER#ada"})
            found = measured.read()
            assert names(hashrange) == [f"{hashrange.id}-reads", f"{hashrange.id}-whole"]
        assert (found["name"], found["account"], found["only_tables"], found["is_running"]) == ("reads", hashrange.id, ["app"], True)
        assert found["settings"] == {"separators": "#", "window_ms": 10000, "type_attribute": "kind"}
        assert counted(found) == [("GetItem", 2, 2)]
        assert names(hashrange) == [f"{hashrange.id}-whole"]

    def test_stop(app, hashrange):
        with hashrange.measure("reads", window=datetime.timedelta(seconds=10)) as measured:
            read(app)
            ended = measured.stop()
        assert (ended["name"], ended["is_running"], counted(ended)) == ("reads", False, [("GetItem", 1, 1)])

    def test_until_the_end_of_the_test(app, hashrange):
        measured = hashrange.measure("reads")
        hashrange.fork()
        read(app)
        assert counted(measured.read()) == [("GetItem", 1, 1)]

    def test_it_has_ended(app, hashrange):
        assert names(hashrange) == [f"{hashrange.id}-whole"]
        read(app)
    ''').assert_outcomes(passed=4)


CHECKED = '''
    BUDGETS = {"patterns": {"GetItem": {"read_units": {"max": 1}}}, "no_scans": True}
'''


def test_check_fails_a_test_with_a_line_for_each_violation(run):
    run(CHECKED + '''
    def test_kept(app, hashrange):
        with hashrange.measure("checkout") as measured:
            read(app)
            assert measured.check(BUDGETS)["passed"]

    def test_exceeded(app, hashrange, tmp_path):
        budgets = tmp_path / "budgets.json"
        budgets.write_text('{"patterns": {"GetItem": {"read_units": {"max": 0.5}}}, "no_scans": true}')
        with hashrange.measure("checkout") as measured:
            read(app)
            app.scan()
            for given in (budgets, str(budgets)):
                with pytest.raises(AssertionError) as failure:
                    measured.check(given)
                first, *lines = str(failure.value).split("\\n  ")
                assert (first, len(lines)) == ("hashrange: checkout exceeds its budgets:", 2)
                assert any("read_units" in line for line in lines) and any("can" in line for line in lines)

    def test_names(app, hashrange):
        with hashrange.measure("checkout") as measured:
            read(app)
            budgets = {"patterns": {"a user": {"read_units": 1}}}
            with pytest.raises(AssertionError, match="a user"):
                measured.check(budgets)
            measured.check(budgets, names=[{"name": "a user", "operation": "GetItem", "partition_key": "USER#*"}])

    def test_report(app, hashrange):
        with hashrange.measure("checkout") as measured:
            read(app)
            assert "GetItem" in measured.report()
            assert measured.report("html", rates={"GetItem": 10}).lower().startswith("<!doctype html>")
            before = measured.read()
            app.scan()
            assert "Scan" in str(measured.report("json", against=[before]))
    ''').assert_outcomes(passed=4)


def test_a_test_that_fails_shows_the_violations(run):
    result = run(CHECKED + '''
    def test_scan(app, hashrange):
        measured = hashrange.measure("checkout")
        app.scan()
        measured.check({"no_scans": True})
    ''')
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *AssertionError: hashrange: checkout exceeds its budgets:", "E *can*"])


def test_compare_writes_a_baseline_and_fails_what_got_worse(run, pytester, monkeypatch):
    text = '''
    @pytest.mark.parametrize("path", ["baseline.json"])
    def test_compare(app, hashrange, path):
        item = {**ADA, "text": "x" * int(os.environ.get("ITEM_BYTES", 10))}
        app.put_item(Item=item)
        with hashrange.measure("checkout") as measured:
            read(app)
            measured.compare(path)
    '''
    result = run(text)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *FileNotFoundError: hashrange: there is no file *baseline.json. To write it: HASHRANGE_UPDATE_BASELINE=1."])
    monkeypatch.setenv("HASHRANGE_UPDATE_BASELINE", "1")
    run(text).assert_outcomes(passed=1)
    monkeypatch.delenv("HASHRANGE_UPDATE_BASELINE")
    baseline = json.loads((pytester.path / "baseline.json").read_text())
    assert (baseline["name"], [each["calls"] for each in baseline["patterns"]]) == ("checkout", [1])
    assert [name for name in [*baseline, *baseline["resources"][0]] if "time" in name or "heat" in name] == []
    run(text).assert_outcomes(passed=1)
    monkeypatch.setenv("ITEM_BYTES", "40000")
    result = run(text)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *AssertionError: hashrange: checkout is worse than its baseline:", "E *GetItem*"])
    run(text.replace("measured.compare(path)", "assert measured.compare(path, update=True) is None")).assert_outcomes(passed=1)
    run(text).assert_outcomes(passed=1)


def test_arguments_that_would_not_be_obeyed_are_refused(run):
    run(r'''
    CALLS = [
        (lambda it: it.measure(7), "measure() takes a text as `name`, not 7."),
        (lambda it: it.measure("a b"), 'measure() takes a text of a-z, A-Z, 0-9, "-", "_" and "." as `name`, not \'a b\'.'),
        (lambda it: it.measure("a", window=60), 'measure() takes "2d" or a timedelta as `window`, not 60.'),
        (lambda it: it.measure("a").check(None), "check() takes a dict as `budgets`, not None."),
        (lambda it: it.measure("a").compare([]), "compare() takes a dict as `baseline`, not []."),
        (lambda it: it.measure("a").report(7), "report() takes a text as `format`, not 7."),
        (lambda it: it.pattern("").__enter__(), "pattern() takes a text as `name`, not ''."),
    ]

    @pytest.mark.parametrize("call, message", CALLS)
    def test_call(hashrange, call, message):
        with pytest.raises(TypeError) as caught:
            call(hashrange)
        assert str(caught.value) == f"hashrange: {message}"
    ''').assert_outcomes(passed=7)
