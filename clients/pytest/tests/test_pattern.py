"""Names of access patterns: which calls have which name."""


def test_calls_have_the_name_of_their_block(run):
    run('''
    import threading

    @pytest.fixture
    def named(hashrange):
        """Returns how many calls have each name since the test began; calls without a name have ""."""
        measured = hashrange.measure("named")

        def count():
            calls = {}
            for each in measured.read()["patterns"]:
                calls[each["name"]] = calls.get(each["name"], 0) + each["calls"]
            return calls

        return count

    def test_client_and_resource(app, hashrange, named):
        client = hashrange.client()
        read(app)
        with hashrange.pattern("a user"):
            read(app)
            client.get_item(TableName="app", Key=KEY)
            with hashrange.pattern("Käufe №1 ☂"):
                read(app)
            read(app)
        read(app)
        assert named() == {"": 2, "a user": 3, "Käufe №1 ☂": 1}

    def test_a_name_ends_with_an_error(app, hashrange, named):
        with pytest.raises(ZeroDivisionError):
            with hashrange.pattern("a user"):
                1 / 0
        read(app)
        assert named() == {"": 1}

    def test_threads(app, hashrange, named):
        def work(name):
            with hashrange.pattern(name):
                for _ in range(20):
                    read(app)

        threads = [threading.Thread(target=work, args=[name]) for name in ("one", "two", "three")]
        for thread in threads:
            thread.start()
        for _ in range(20):
            read(app)
        for thread in threads:
            thread.join()
        assert named() == {"": 20, "one": 20, "two": 20, "three": 20}

    def test_clients_of_the_tested_code(hashrange, named):
        own = boto3.session.Session()
        client, table = own.client("dynamodb", **hashrange.connection()), own.resource("dynamodb", **hashrange.connection()).Table("app")
        with hashrange.pattern("not given"):
            read(table)
            read(boto3.resource("dynamodb", **hashrange.connection()).Table("app"))
        with hashrange.pattern("given", client, table):
            client.get_item(TableName="app", Key=KEY)
            read(table)
        assert named() == {"": 1, "not given": 1, "given": 2}
    ''').assert_outcomes(passed=4)
