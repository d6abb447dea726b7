"""The blog through boto3: users, posts, comments, tags, categories, groups and metrics in one table."""

from boto3.dynamodb.conditions import Attr, Key
from conftest import CONDITION_FAILED, answer, cancelled, expect_answer, failure, page

APPLICATION = "blog"


def query(app, partition, condition=None, **options):
    whole = Key("PK").eq(partition) if condition is None else Key("PK").eq(partition) & condition
    return answer(app.table.query(KeyConditionExpression=whole, ConsistentRead=True, **options))


def index(partition, condition=None, **options):
    whole = Key("GSI1PK").eq(partition) if condition is None else Key("GSI1PK").eq(partition) & condition
    return dict(IndexName="GSI1", KeyConditionExpression=whole, **options)


def test_a_user_is_found_by_name_and_by_email(application):
    assert application.get("USER#ann", "PROFILE") == {"Item": application.at("USER#ann PROFILE")[0]}
    expect_answer(page(application.at("USER#bob PROFILE")), application.table.query, **index("USER", Key("GSI1SK").eq("bob@example.com")))
    expect_answer(page([]), application.table.query, **index("USER", Key("GSI1SK").eq("bob@example.co")))


def test_the_posts_of_a_user_come_latest_first(application):
    posts = ["USER#ann POST#2024-02-01-2", "USER#ann POST#2024-02-01-1", "USER#ann POST#2024-01-10-1"]
    options = dict(condition=Key("SK").begins_with("POST#"), ScanIndexForward=False)
    assert query(application, "USER#ann", **options) == page(application.at(*posts))
    assert query(application, "USER#ann", Limit=3, **options) == page(application.at(*posts), application.key(posts[2]))
    assert query(application, "USER#ann", ExclusiveStartKey=application.key(posts[2]), **options) == page([])


def test_published_posts_of_all_users_come_latest_first_without_drafts(application):
    expect_answer(page(application.at("USER#ann POST#2024-02-01-1", "USER#bob POST#2024-01-20-1", "USER#ann POST#2024-01-10-1")),
                  application.table.query, **index("POST#PUBLISHED", ScanIndexForward=False))


def test_posts_published_in_a_span_of_time(application):
    span = Key("GSI1SK").between("2024-01-10T09:00:00Z", "2024-01-31T23:59:59Z")
    expect_answer(page(application.at("USER#ann POST#2024-01-10-1", "USER#bob POST#2024-01-20-1")), application.table.query,
                  **index("POST#PUBLISHED", span))


def test_a_draft_is_published_once(application):
    key = {"PK": "USER#cyd", "SK": "POST#2024-06-01-1"}
    application.table.put_item(Item={**key, "status": "DRAFT", "GSI1PK": "POST#DRAFT-cyd", "GSI1SK": "1"})
    publish = dict(Key=key, UpdateExpression="SET #s = :s, GSI1PK = :pk, GSI1SK = :sk", ConditionExpression=Attr("status").eq("DRAFT"),
                   ExpressionAttributeNames={"#s": "status"}, ReturnValues="ALL_NEW",
                   ExpressionAttributeValues={":s": "PUBLISHED", ":pk": "POST#PUBLISHED-cyd", ":sk": "2"})
    published = {**key, "status": "PUBLISHED", "GSI1PK": "POST#PUBLISHED-cyd", "GSI1SK": "2"}
    assert answer(application.table.update_item(**publish)) == {"Attributes": published}
    assert failure(application.table.update_item, **publish) == CONDITION_FAILED
    expect_answer(page([]), application.table.query, **index("POST#DRAFT-cyd"))
    expect_answer(page([published]), application.table.query, **index("POST#PUBLISHED-cyd"))


def test_the_posts_under_a_tag(application):
    assert query(application, "TAG#dynamodb") == page(application.at("TAG#dynamodb POST#102", "TAG#dynamodb POST#104"))


def test_a_post_is_written_with_its_tags_or_not_at_all(application):
    post = [{"PK": "USER#dan", "SK": "POST#2024-07-01-1", "tags": {"x", "y"}}, {"PK": "TAG#x-dan", "SK": "POST#201"},
            {"PK": "TAG#y-dan", "SK": "POST#201"}]

    def write(items):
        return application.client.transact_write_items(TransactItems=[
            {"Put": {"TableName": application.name, "Item": item, "ConditionExpression": "attribute_not_exists(PK)"}} for item in items])

    def stored(items):
        gets = [{"Get": {"TableName": application.name, "Key": {"PK": item["PK"], "SK": item["SK"]}}} for item in items]
        return answer(application.client.transact_get_items(TransactItems=gets))

    assert answer(write(post)) == {}
    assert stored(post) == {"Responses": [{"Item": item} for item in post]}
    other = [{"PK": "TAG#z-dan", "SK": "POST#201"}, post[1]]
    assert failure(write, items=other) == cancelled("None", "ConditionalCheckFailed")
    assert stored(other) == {"Responses": [{}, {"Item": post[1]}]}


def test_the_comments_of_a_post_and_of_one_author(application):
    comments = ["POST#102 COMMENT#ann#2024-02-01T13:30:00Z", "POST#102 COMMENT#bob#2024-02-01T13:00:00Z", "POST#102 COMMENT#bob#2024-02-02T08:00:00Z"]
    assert query(application, "POST#102", Key("SK").begins_with("COMMENT#")) == page(application.at(*comments))
    assert query(application, "POST#102", Key("SK").begins_with("COMMENT#bob#")) == page(application.at(*comments[1:]))
    assert query(application, "POST#102", Select="COUNT") == {"Count": 3, "ScannedCount": 3}


def test_the_metrics_of_a_span_of_days(application):
    assert query(application, "BLOG", Key("SK").between("METRICS#2024-02-01", "METRICS#2024-02-03")) == page(application.at(
        "BLOG METRICS#2024-02-01", "BLOG METRICS#2024-02-02", "BLOG METRICS#2024-02-03"))


def test_a_hierarchy_in_the_partition_key(application):
    assert query(application, "CATEGORY#TECH#DATABASES#NOSQL") == page(application.at(
        "CATEGORY#TECH#DATABASES#NOSQL POST#102", "CATEGORY#TECH#DATABASES#NOSQL POST#104"))


def test_a_many_to_many_relation_from_both_sides(application):
    assert query(application, "USER#ann", Key("SK").begins_with("GROUP#")) == page(application.at("USER#ann GROUP#editors", "USER#ann GROUP#readers"))
    assert query(application, "GROUP#readers", Key("SK").begins_with("USER#")) == page(application.at("GROUP#readers USER#ann", "GROUP#readers USER#bob"))


def test_a_list_of_posts_reads_only_what_it_shows(application):
    assert query(application, "USER#ann", Key("SK").begins_with("POST#2024-02"), ProjectionExpression="title, #s",
                 ExpressionAttributeNames={"#s": "status"}) == page(
        [{"title": "Keys", "status": "PUBLISHED"}, {"title": "Later", "status": "DRAFT"}])
