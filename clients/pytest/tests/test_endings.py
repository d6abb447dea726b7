"""What a test starts ends with the test; what the session starts stays."""


def test_simulation_ends_with_its_test(run):
    run('''
    RULE = {"name": "slow down", "match": {"operation": "GetItem", "times": 1},
            "do": {"error": {"type": "ThrottlingException", "message": "Rate exceeded"}}}

    def test_faults(hashrange):
        added, = hashrange.faults.add(RULE)
        assert (added["name"], added["hits"]) == ("slow down", 0)
        assert failure(once(hashrange).get_item, TableName="app", Key=KEY) == "ThrottlingException"
        assert "Item" in once(hashrange).get_item(TableName="app", Key=KEY)
        assert [(rule["id"], rule["hits"]) for rule in hashrange.faults.list()] == [(added["id"], 1)]
        hashrange.faults.add(RULE)

    def test_no_faults(hashrange):
        assert hashrange.faults.list() == []
        assert "Item" in once(hashrange).get_item(TableName="app", Key=KEY)

    def test_hold(hashrange):
        with hashrange.hold("app", KEY, "1m"):
            assert failure(once(hashrange).delete_item, TableName="app", Key=KEY) == "TransactionConflictException"
        once(hashrange).delete_item(TableName="app", Key=KEY)
        hashrange.hold("app", KEY)

    def test_no_hold(hashrange):
        once(hashrange).delete_item(TableName="app", Key=KEY)

    def test_requests(hashrange, app):
        hashrange.requests.record(limit=10)
        read(app)
        seen, = hashrange.requests.list(operation="GetItem")
        hashrange.requests.record()
        assert hashrange.requests.list() == []
        hashrange.requests.stop()
        access, = seen["accesses"]
        assert (seen["account"], seen["status"], access["table"], access["kind"]) == (hashrange.id, 200, "app", "read")
        hashrange.requests.clear()
        assert hashrange.requests.list() == []
    ''').assert_outcomes(passed=5)


def test_what_a_test_starts_ends_with_it(run):
    run('''
    import time

    def state(hashrange):
        own = lambda path, name: [each for each in hashrange.control("GET", path)[name] if each.get("account") == hashrange.id]
        return {"faults": hashrange.faults.list(), "throughput": own("throughput", "rules"), "partitions": own("partitions", "rules"), "holds": own("holds", "holds"),
                "consistency": own("consistency", "tables"), "measurements": own("measurements", "measurements"), "requests": hashrange.requests.list(),
                "status": hashrange.client().describe_table(TableName="app")["Table"]["TableStatus"],
                "is_now": abs(hashrange.clock.now()["epoch_ms"] / 1000 - time.time()) < 60}

    NOTHING = {"faults": [], "throughput": [], "partitions": [], "holds": [], "consistency": [], "measurements": [], "requests": [], "status": "ACTIVE", "is_now": True}

    def start_all(hashrange):
        mine = {"account": hashrange.id}
        table = {**mine, "table": "app"}
        hashrange.requests.record()
        hashrange.client().list_tables()
        hashrange.faults.add({"match": {"operation": "GetItem"}, "do": {"status": 503}})
        hashrange.hold("app", KEY)
        hashrange.measure("all")
        hashrange.control("POST", "throughput", {**mine, "enforce": True})
        hashrange.control("POST", "partitions", {**mine, "mode": "watch"})
        hashrange.control("POST", "consistency", {**table, "stale_reads": "1h"})
        hashrange.control("POST", "status", {**table, "status": "UPDATING"})
        hashrange.clock.advance("2d")

    def test_start(hashrange):
        start_all(hashrange)
        begun = state(hashrange)
        assert [name for name in NOTHING if begun[name] == NOTHING[name]] == []

    def test_end_before_any_fork(hashrange_server):
        assert state(hashrange_server.account) == NOTHING

    def test_a_rule_that_lets_all_through(hashrange):
        hashrange.control("POST", "throughput", {"account": hashrange.id, "enforce": True})
        hashrange.control("POST", "throughput", {"account": hashrange.id, "table": "app", "enforce": False})
        assert len(state(hashrange)["throughput"]) == 2

    def test_no_rule(hashrange_server):
        assert state(hashrange_server.account)["throughput"] == []

    OTHER = {"account": "424242424242"}

    @pytest.fixture(scope="module")
    def another(hashrange_server, dynamodb_seed):
        """Calls of the control API that the plugin does not record."""
        from pytest_hashrange.control import control

        def call(*words):
            return control(hashrange_server.endpoint, None, *words)

        call("POST", "fork", {"from": hashrange_server.seed.id, "to": OTHER["account"]})
        call("POST", "throughput", {**OTHER, "enforce": True})
        call("POST", "partitions", {**OTHER, "mode": "watch"})
        call("POST", "consistency", {**OTHER, "table": "app", "stale_reads": "1h"})
        return call

    def test_start_beside_another_account(another, hashrange):
        start_all(hashrange)

    def test_the_other_account_keeps_its_own(another):
        for path in ("throughput", "partitions"):
            assert [rule["account"] for rule in another("GET", path)["rules"]] == [OTHER["account"]]
        assert [table["account"] for table in another("GET", "consistency")["tables"]] == [OTHER["account"]]

    def test_fork(hashrange):
        start_all(hashrange)
        hashrange.control("POST", "requests", {"enabled": False})
        hashrange.fork()
        hashrange.clock.real()
        hashrange.requests.clear()
        assert [each["name"] for each in state(hashrange)["measurements"]] == [f"{hashrange.id}-all"]  # it only observes
        hashrange.control("DELETE", f"measurements/{hashrange.id}-all")
        assert state(hashrange) == NOTHING
    ''').assert_outcomes(passed=7)


def test_what_a_session_starts_stays(run):
    run('''
    @pytest.fixture(scope="session")
    def frozen(hashrange_server):
        return hashrange_server.account.clock.freeze("2026-01-01T00:00:00Z")["epoch_ms"]

    @pytest.mark.parametrize("number", [1, 2])
    def test_clock(frozen, hashrange, number):
        hashrange.faults.add({"do": {"status": 503}, "match": {"operation": "Scan"}})
        assert hashrange.clock.now()["epoch_ms"] == frozen
        hashrange.clock.advance("2d")

    def test_what_a_fixture_has_frozen_is_back_also_after_a_real_clock(frozen, hashrange):
        assert hashrange.clock.now()["epoch_ms"] == frozen
        hashrange.clock.real()
        hashrange.fork()
        assert hashrange.clock.now()["mode"] == "real"

    def test_scale(frozen, hashrange_server):
        account = hashrange_server.account
        assert account.clock.now()["epoch_ms"] == frozen
        account.clock.real()
        account.clock.scale(60)
        account.clock.advance("2d")

    @pytest.mark.parametrize("number", [1, 2])
    def test_scaled(hashrange, number):
        now = hashrange.clock.now()
        days = (now["epoch_ms"] / 1000 - datetime.datetime.now().timestamp()) / 86400
        assert (now["mode"], now["scale"], round(days)) == ("scaled", 60, 2)
        hashrange.clock.freeze()
        hashrange.clock.advance("2d")

    @pytest.fixture(scope="session")
    def limited(hashrange_server, dynamodb_seed):
        rule = {"table": "app", "enforce": True}  # for all accounts: a fork ends only the rules of its account
        hashrange_server.account.control("POST", "throughput", rule)
        return rule

    @pytest.mark.parametrize("number", [1, 2])
    def test_throughput(hashrange, limited, number):
        assert hashrange.control("GET", "throughput")["rules"] == [limited]
        hashrange.control("POST", "throughput", {"enforce": False})
        assert hashrange.control("GET", "throughput")["rules"] == []

    @pytest.fixture(scope="session")
    def modelled(hashrange_server, dynamodb_seed):
        rule = {"table": "app", "mode": "enforce", "seed": 7, "parameters": {"write_units": 5}}
        hashrange_server.account.control("POST", "partitions", rule)
        return rule

    @pytest.mark.parametrize("number", [1, 2])
    def test_partitions(hashrange, modelled, number):
        assert hashrange.control("GET", "partitions")["rules"] == [modelled]
        hashrange.control("POST", "partitions", {"mode": "watch"})
        assert hashrange.control("GET", "partitions")["rules"] == [{"mode": "watch", "seed": 0, "parameters": {}}]
    ''').assert_outcomes(passed=10)


def test_only_the_rules_that_a_test_has_replaced_start_again(run):
    run('''
    APP, OTHER = {"table": "app", "mode": "watch"}, {"table": "other", "mode": "watch"}
    REGION = {"region": "us-east-1", "mode": "watch"}

    @pytest.fixture(scope="session")
    def modelled(hashrange_server, dynamodb_seed):
        for rule in (APP, OTHER):
            hashrange_server.account.control("POST", "partitions", rule)

    def rules(hashrange):
        kept = ("region", "table", "mode")
        return [{name: rule[name] for name in kept if name in rule} for rule in hashrange.control("GET", "partitions")["rules"]]

    def test_one_is_replaced(hashrange, modelled):
        assert rules(hashrange) == [APP, OTHER]
        hashrange.control("POST", "partitions", {**APP, "mode": "enforce"})
        assert rules(hashrange) == [OTHER, {**APP, "mode": "enforce"}]

    def test_it_alone_starts_again(hashrange, modelled):
        assert rules(hashrange) == [OTHER, APP]
        hashrange.control("POST", "partitions", {"mode": "enforce"})
        assert rules(hashrange) == [{"mode": "enforce"}]

    def test_all_start_again_in_their_order(hashrange, modelled):
        assert rules(hashrange) == [APP, OTHER]

    @pytest.fixture(scope="session")
    def of_region(hashrange_server, modelled):
        hashrange_server.account.control("POST", "partitions", REGION)

    def test_an_earlier_rule_is_replaced(hashrange, of_region):
        assert rules(hashrange) == [APP, OTHER, REGION]
        hashrange.control("POST", "partitions", {**APP, "mode": "enforce"})

    def test_a_later_rule_is_the_latest_again(hashrange, of_region):
        assert rules(hashrange) == [OTHER, APP, REGION]
    ''').assert_outcomes(passed=5)


def test_the_clock_is_moved_and_set_right_after_the_test(run):
    run('''
    def test_clock(hashrange, app):
        client = hashrange.client()
        client.update_time_to_live(TableName="app", TimeToLiveSpecification={"AttributeName": "expires", "Enabled": True})
        frozen = hashrange.clock.freeze("2026-01-01T00:00:00Z")
        assert (frozen["mode"], frozen["epoch_ms"]) == ("frozen", 1767225600000)
        item = {**ADA, "expires": 1767225600 + 3600}
        app.put_item(Item=item)
        hashrange.clock.advance("59m")
        assert read(app) == item
        hashrange.clock.advance(datetime.timedelta(minutes=2))
        assert read(app) is None
        assert hashrange.clock.freeze(datetime.datetime(2026, 1, 3, tzinfo=datetime.timezone.utc))["epoch_ms"] == 1767398400000

    def is_now(hashrange):
        return abs(hashrange.clock.now()["epoch_ms"] - datetime.datetime.now().timestamp() * 1000) < 60_000

    def test_after(hashrange):
        assert hashrange.clock.now()["mode"] == "real"
        assert is_now(hashrange)
        hashrange.clock.advance("2d")
        assert not is_now(hashrange)

    def test_after_an_advance_of_a_clock_that_runs(hashrange):
        assert is_now(hashrange)
        assert hashrange.clock.scale(60)["scale"] == 60
        assert hashrange.clock.real()["mode"] == "real"
    ''').assert_outcomes(passed=3)
