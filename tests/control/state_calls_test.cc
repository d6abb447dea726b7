// Tests of reset and fork, with whole answers, and of what a client sees before and after.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "control/state_fixture.h"

namespace hashrange {
namespace {

class StateCalls : public StateFixture {};

TEST_F(StateCalls, ResetOfAllLeavesNothing) {
  MakeApp(kA);
  Ok("CreateTable", SimpleTable("one"), kB);
  Ok("CreateTable", SimpleTable("one"), kB, "eu-west-1");
  EXPECT_EQ(Post("reset"), R"(200 {"tables":3})");
  EXPECT_EQ(Call("ListTables", "{}", kA), kNoTables);
  EXPECT_EQ(Call("ListTables", "{}", kB), kNoTables);
  EXPECT_EQ(Call("ListTables", "{}", kB, "eu-west-1"), kNoTables);
  EXPECT_EQ(Post("reset"), R"(200 {"tables":0})");
  MakeApp(kA);
  EXPECT_EQ(Counts(kA), "3 3 3");
}

TEST_F(StateCalls, ResetDropsTheTablesOfItsScope) {
  for (const char* account : {kA, kB}) {
    for (const char* region : {"us-east-1", "eu-west-1"}) {
      Ok("CreateTable", SimpleTable("one"), account, region);
      Ok("CreateTable", SimpleTable("two"), account, region);
    }
  }
  constexpr char kBoth[] = R"(200 {"TableNames":["one","two"]})";
  EXPECT_EQ(Post("reset", R"({"account":"444455556666","region":"eu-west-1"})"),
            R"(200 {"tables":2})");
  EXPECT_EQ(Call("ListTables", "{}", kB, "eu-west-1"), kNoTables);
  EXPECT_EQ(Call("ListTables", "{}", kB), kBoth);
  EXPECT_EQ(Post("reset", R"({"account":"444455556666"})"), R"(200 {"tables":2})");
  EXPECT_EQ(Call("ListTables", "{}", kB), kNoTables);
  EXPECT_EQ(Post("reset", R"({"region":"eu-west-1"})"), R"(200 {"tables":2})");
  EXPECT_EQ(Call("ListTables", "{}", kA, "eu-west-1"), kNoTables);
  EXPECT_EQ(Call("ListTables", "{}", kA), kBoth);
  EXPECT_EQ(Post("reset", R"({"account":"000000000000"})"), R"(200 {"tables":0})");
}

TEST_F(StateCalls, ResetOfATableKeepsItsDefinition) {
  MakeApp(kA);
  const auto described = [this] {
    std::string body = Ok("DescribeTable", kListApp, kA);
    for (const char* other :
         {"TableId", "LatestStreamArn", "LatestStreamLabel", "ItemCount", "TableSizeBytes",
          "ItemCount", "ItemCount", "IndexSizeBytes", "IndexSizeBytes"}) {
      body = Without(body, other);
    }
    return body;
  };
  const std::string before = described();
  EXPECT_EQ(Post("reset", R"({"account":"111122223333","table":"app"})"), R"(200 {"tables":1})");
  EXPECT_EQ(described(), before);
  EXPECT_EQ(Counts(kA), "0 0 0");
  const std::string body = Ok("DescribeTable", kListApp, kA);
  EXPECT_NE(body.find(R"("ItemCount":0)"), std::string::npos);
  EXPECT_NE(body.find(R"("TableSizeBytes":0)"), std::string::npos);
  EXPECT_EQ(body.find(R"("ItemCount":3)"), std::string::npos);
  EXPECT_EQ(Call("ListTagsOfResource",
                 R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:111122223333:table/app"})", kA),
            R"(200 {"Tags":[{"Key":"team","Value":"red"}]})");
  EXPECT_EQ(Call("DescribeTimeToLive", kListApp, kA),
            R"(200 {"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED",)"
            R"("AttributeName":"ttl"}})");
  Put(7, kA);
  EXPECT_EQ(Counts(kA), "1 1 1");
}

TEST_F(StateCalls, ResetOfATableConcernsThatNameOnly) {
  Ok("CreateTable", SimpleTable("one"), kA);
  Ok("CreateTable", SimpleTable("one"), kB);
  Ok("CreateTable", SimpleTable("two"), kA);
  for (const char* table : {"one", "two"}) {
    Ok("PutItem", std::string(R"({"Item":{"k":{"S":"1"}},"TableName":")") + table + "\"}", kA);
  }
  EXPECT_EQ(Post("reset", R"({"table":"one"})"), R"(200 {"tables":2})");
  EXPECT_EQ(Call("Scan", R"({"TableName":"one"})", kA),
            R"(200 {"Items":[],"Count":0,"ScannedCount":0})");
  EXPECT_EQ(Call("Scan", R"({"TableName":"two"})", kA),
            R"(200 {"Items":[{"k":{"S":"1"}}],"Count":1,"ScannedCount":1})");
  EXPECT_EQ(Post("reset", R"({"table":"three"})"),
            R"(404 {"error":"There is no table \"three\" to reset."})");
}

TEST_F(StateCalls, AResetTableHasANewStream) {
  MakeApp(kA);
  const std::string first = StreamArn(kA);
  EXPECT_EQ(Records(first, kA), "123");
  Post("reset", R"({"table":"app"})");
  const std::string second = StreamArn(kA);
  EXPECT_NE(first, second);
  EXPECT_EQ(DescribeStream(first, kA), NoSuchStream(first));
  EXPECT_EQ(StreamStatus(second, kA), "ENABLED");
  Put(4, kA);
  EXPECT_EQ(Records(second, kA), "4");
}

TEST_F(StateCalls, OnlyTheNewStreamOfAResetTableIsListed) {
  MakeApp(kA);
  Post("clock", R"({"frozen":true})");
  std::set<std::string> arns = {StreamArn(kA)};
  for (int i = 0; i < 3; ++i) {
    Post("reset", R"({"table":"app"})");
    arns.insert(StreamArn(kA));
    EXPECT_EQ(Ok("ListStreams", "{}", kA), OneStream(StreamArn(kA)));
  }
  // All streams were created in one millisecond, and no two have the same ARN.
  EXPECT_EQ(arns.size(), 4u);
}

// This includes the streams of replaced tables, of a table deleted before, and a disabled stream.
TEST_F(StateCalls, AForkARestoreAndAResetEndTheStreamsOfTheAccount) {
  const auto make_closed_streams = [this] {
    Ok("CreateTable",
       With(R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})",
            SimpleTable("deleted")),
       kB);
    Ok("DeleteTable", R"({"TableName":"deleted"})", kB);
    Ok("UpdateTable", R"({"TableName":"app","StreamSpecification":{"StreamEnabled":false}})", kB);
    Ok("UpdateTable",
       R"({"TableName":"app","StreamSpecification":{"StreamEnabled":true,)"
       R"("StreamViewType":"KEYS_ONLY"}})",
       kB);
  };
  MakeApp(kA);
  const std::string of_a = StreamArn(kA);
  Post("fork", R"({"from":"111122223333","to":"444455556666"})");
  Post("snapshots", R"({"name":"b","account":"444455556666"})");
  make_closed_streams();
  Post("fork", R"({"from":"111122223333","to":"444455556666"})");
  EXPECT_EQ(Ok("ListStreams", "{}", kB), OneStream(StreamArn(kB)));
  EXPECT_EQ(Records(StreamArn(kB), kB), "");
  make_closed_streams();
  Post("snapshots/b/restore", "");
  EXPECT_EQ(Ok("ListStreams", "{}", kB), OneStream(StreamArn(kB)));
  make_closed_streams();
  Post("reset", R"({"account":"444455556666"})");
  EXPECT_EQ(Ok("ListStreams", "{}", kB), R"({"Streams":[]})");
  EXPECT_EQ(Ok("ListStreams", "{}", kA), OneStream(of_a));
}

TEST_F(StateCalls, ResetForgetsRequestTokens) {
  const auto write = [this](const char* value) {
    return Call("TransactWriteItems",
                std::string(R"({"ClientRequestToken":"token","TransactItems":[{"Put":{)") +
                    R"("TableName":"one","Item":{"k":{"S":")" + value + "\"}}}}]}",
                kA);
  };
  Ok("CreateTable", SimpleTable("one"), kA);
  EXPECT_EQ(write("1"), "200 {}");
  EXPECT_NE(write("2"), "200 {}");
  Post("reset", R"({"account":"444455556666"})");
  EXPECT_NE(write("2"), "200 {}");
  Ok("CreateTable", SimpleTable("two"), kA);
  Post("reset", R"({"account":"111122223333","table":"two"})");
  EXPECT_NE(write("2"), "200 {}") << "the transaction was on another table";
  Post("reset", R"({"account":"111122223333","table":"one"})");
  EXPECT_EQ(write("2"), "200 {}");
  EXPECT_NE(write("1"), "200 {}");
  Post("reset", R"({"account":"111122223333"})");
  Ok("CreateTable", SimpleTable("one"), kA);
  EXPECT_EQ(write("1"), "200 {}");
}

TEST_F(StateCalls, AForkHasAllThatTheAccountHad) {
  MakeApp(kA);
  Ok("CreateTable", SimpleTable("one"), kA, "eu-west-1");
  EXPECT_EQ(Post("fork", R"({"from":"111122223333","to":"444455556666"})"), R"(200 {"tables":2})");
  EXPECT_EQ(Counts(kB), "3 3 3");
  EXPECT_EQ(Call("ListTables", "{}", kB, "eu-west-1"), R"(200 {"TableNames":["one"]})");
  const std::string from = Ok("DescribeTable", kListApp, kA);
  std::string to = Ok("DescribeTable", kListApp, kB);
  EXPECT_NE(Text(from, "TableId"), Text(to, "TableId"));
  EXPECT_EQ(Text(to, "TableArn"), "arn:aws:dynamodb:us-east-1:444455556666:table/app");
  EXPECT_EQ(
      Text(to, "LatestStreamArn"),
      "arn:aws:dynamodb:us-east-1:444455556666:table/app/stream/" + Text(to, "LatestStreamLabel"));
  for (std::size_t at = to.find(kB); at != std::string::npos; at = to.find(kB)) {
    to.replace(at, 12, kA);
  }
  const auto same = [](std::string body) {
    for (const char* other : {"TableId", "LatestStreamArn", "LatestStreamLabel"}) {
      body = Without(body, other);
    }
    return body;
  };
  EXPECT_EQ(same(to), same(from));
  EXPECT_EQ(Call("ListTagsOfResource",
                 R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:444455556666:table/app"})", kB),
            R"(200 {"Tags":[{"Key":"team","Value":"red"}]})");
  EXPECT_EQ(Call("DescribeTimeToLive", kListApp, kB), Call("DescribeTimeToLive", kListApp, kA));
}

TEST_F(StateCalls, AForkAndItsOriginAreIndependent) {
  MakeApp(kA);
  Post("fork", R"({"from":"111122223333","to":"444455556666"})");
  Put(4, kB);
  Ok("DeleteItem", R"({"TableName":"app","Key":{"PK":{"S":"p"},"SK":{"S":"1"}}})", kA);
  Ok("TagResource",
     R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:444455556666:table/app",)"
     R"("Tags":[{"Key":"fork","Value":"b"}]})",
     kB);
  EXPECT_EQ(Counts(kA), "2 2 2");
  EXPECT_EQ(Counts(kB), "4 4 4");
  EXPECT_EQ(Records(StreamArn(kA), kA), "1231");
  EXPECT_EQ(Records(StreamArn(kB), kB), "4");
  EXPECT_EQ(Call("ListTagsOfResource",
                 R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:111122223333:table/app"})", kA),
            R"(200 {"Tags":[{"Key":"team","Value":"red"}]})");
  Post("reset", R"({"account":"111122223333"})");
  EXPECT_EQ(Counts(kB), "4 4 4");
}

TEST_F(StateCalls, AForkReplacesAllThatTheAccountHad) {
  MakeApp(kA);
  MakeApp(kB);
  const std::string closed = StreamArn(kB);
  Put(4, kB);
  Ok("CreateTable", SimpleTable("one"), kB, "eu-west-1");
  EXPECT_EQ(Post("fork", R"({"from":"111122223333","to":"444455556666"})"), R"(200 {"tables":1})");
  EXPECT_EQ(Counts(kB), "3 3 3");
  EXPECT_EQ(Call("ListTables", "{}", kB, "eu-west-1"), kNoTables);
  EXPECT_EQ(DescribeStream(closed, kB), NoSuchStream(closed));
  EXPECT_EQ(Post("fork", R"({"from":"000000000000","to":"444455556666"})"), R"(200 {"tables":0})");
  EXPECT_EQ(Call("ListTables", "{}", kB), kNoTables);
}

TEST_F(StateCalls, AKeyOfTheAccountsOwnMovesWithAFork) {
  Ok("CreateTable",
     With(R"("SSESpecification":{"Enabled":true,"SSEType":"KMS"})", SimpleTable("one")), kA);
  Ok("CreateTable",
     With(R"("SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":)"
          R"("arn:aws:kms:us-east-1:999999999999:key/shared"})",
          SimpleTable("two")),
     kA);
  Post("fork", R"({"from":"111122223333","to":"444455556666"})");
  const auto key = [this](const char* table, const char* account) {
    return Text(Ok("DescribeTable", std::string(R"({"TableName":")") + table + "\"}", account),
                "KMSMasterKeyArn");
  };
  std::string own = key("one", kA);
  EXPECT_EQ(own.replace(own.find(kA), 12, kB), key("one", kB));
  EXPECT_EQ(key("two", kB), "arn:aws:kms:us-east-1:999999999999:key/shared");
}

TEST_F(StateCalls, RecoveryPoliciesAndInsightsMoveWithAForkAndGoWithAReset) {
  MakeApp(kA);
  const auto of_resource = [](const std::string& arn, std::string_view more = "") {
    return R"({"ResourceArn":")" + arn + "\"" + std::string(more) + "}";
  };
  const auto table_arn = [](std::string_view account) {
    return "arn:aws:dynamodb:us-east-1:" + std::string(account) + ":table/app";
  };
  constexpr std::string_view kForkedPolicy =
      R"(,"Policy":"{\"Statement\":{\"Effect\":\"Deny\",\"Principal\":\"*\",)"
      R"(\"Action\":\"*\",\"Resource\":\"*\"}}")";
  Ok("UpdateContinuousBackups",
     R"({"TableName":"app","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})",
     kA);
  Ok("PutResourcePolicy", of_resource(table_arn(kA), kForkedPolicy), kA);
  Ok("PutResourcePolicy", of_resource(StreamArn(kA), kForkedPolicy), kA);
  Ok("UpdateContributorInsights", R"({"TableName":"app","ContributorInsightsAction":"ENABLE"})",
     kA);
  Post("fork", R"({"from":"111122223333","to":"444455556666"})");
  for (const char* operation : {"DescribeContinuousBackups", "DescribeContributorInsights"}) {
    EXPECT_EQ(Ok(operation, kListApp, kB), Ok(operation, kListApp, kA));
  }
  EXPECT_EQ(Ok("GetResourcePolicy", of_resource(table_arn(kB)), kB),
            Ok("GetResourcePolicy", of_resource(table_arn(kA)), kA));
  EXPECT_EQ(Ok("GetResourcePolicy", of_resource(StreamArn(kB)), kB),
            Ok("GetResourcePolicy", of_resource(StreamArn(kA)), kA));
  Post("reset", R"({"account":"444455556666"})");
  MakeApp(kB);
  EXPECT_EQ(Call("GetResourcePolicy", of_resource(table_arn(kB)), kB).substr(0, 3), "400");
  EXPECT_EQ(Call("GetResourcePolicy", of_resource(StreamArn(kB)), kB).substr(0, 3), "400");
  EXPECT_EQ(Ok("DescribeContributorInsights", kListApp, kB),
            R"({"TableName":"app","ContributorInsightsStatus":"DISABLED"})");
}

TEST_F(StateCalls, ResetKeepsTheSimulationByDefault) {
  MakeApp(kA);
  const auto simulated = [this] {
    return Control("GET", "faults") + Control("GET", "holds") + Control("GET", "consistency");
  };
  const std::string nothing = simulated();
  Post("faults", R"({"rules":[{"match":{"operation":"ListBackups"},"do":{"status":503}}]})");
  Post("consistency", R"({"account":"111122223333","table":"app","index_lag":"1h"})");
  Ok("CreateTable", kAppTable, kB);
  Post("status", R"({"account":"444455556666","table":"app","status":"UPDATING"})");
  const std::string both = simulated();
  EXPECT_NE(both, nothing);
  EXPECT_EQ(Post("reset", R"({"account":"111122223333","table":"app"})"), R"(200 {"tables":1})");
  EXPECT_EQ(simulated(), both);
  EXPECT_EQ(Post("reset", R"({"account":"111122223333","table":"app","simulation":true})"),
            R"(200 {"tables":1})");
  EXPECT_EQ(simulated(), nothing);
  EXPECT_EQ(Text(Ok("DescribeTable", kListApp, kB), "TableStatus"), "ACTIVE");
}

TEST_F(StateCalls, ErrorsSayWhatIsWrong) {
  const struct {
    const char* path;
    const char* json;
    const char* answer;
  } kRows[] = {
      {"reset", R"({"accuont":"111122223333"})",
       R"(400 {"error":"\"accuont\" is no member of the body, which may have \"account\", )"
       R"(\"region\", \"table\" and \"simulation\"."})"},
      {"reset", R"({"account":"1234"})",
       R"(400 {"error":"\"1234\" in \"account\" is not an account id, which has 12 digits."})"},
      {"reset", R"({"account":111122223333})",
       R"(400 {"error":"\"account\" in the body is not a text of at least one character."})"},
      {"reset", R"({"account":""})",
       R"(400 {"error":"\"account\" in the body is not a text of at least one character."})"},
      {"reset", R"({"simulation":"yes"})",
       R"(400 {"error":"\"simulation\" in the body is not true or false."})"},
      {"fork", "", R"(400 {"error":"\"from\" is missing in the body."})"},
      {"fork", R"({"from":"111122223333"})", R"(400 {"error":"\"to\" is missing in the body."})"},
      {"fork", R"({"from":"local","to":"111122223333"})",
       R"(400 {"error":"\"local\" in \"from\" is not an account id, which has 12 digits."})"},
      {"fork", R"({"from":"111122223333","to":"1111222233334"})",
       R"(400 {"error":"\"1111222233334\" in \"to\" is not an account id, which has 12 digits."})"},
      {"fork", R"({"from":"111122223333","to":"111122223333"})",
       R"(400 {"error":"\"from\" and \"to\" are the same account."})"},
      {"fork", R"({"from":"111122223333","to":"444455556666","region":"us-east-1"})",
       R"(400 {"error":"\"region\" is no member of the body, which may have \"from\", \"to\" and \"durable\"."})"},
      {"snapshots", "{}", R"(400 {"error":"\"name\" is missing in the body."})"},
      {"snapshots", R"({"name":"a/b"})",
       R"(400 {"error":"\"a/b\" is not a name of a snapshot, which has up to 100 of the characters a-z, A-Z, )"
       R"(0-9, '-', '_' and '.'."})"},
      {"snapshots", R"({"name":"a","account":"b"})",
       R"(400 {"error":"\"b\" in \"account\" is not an account id, which has 12 digits."})"},
      {"snapshots/none/restore", "{}", R"(404 {"error":"There is no snapshot \"none\"."})"},
      {"snapshots/none/restore", R"({"to":"a"})",
       R"(400 {"error":"\"to\" is no member of the body, which has no members."})"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Post(row.path, row.json), row.answer) << row.json;
  EXPECT_EQ(Post("snapshots", R"({"name":")" + std::string(101, 'x') + "\"}").substr(0, 4), "400 ");
  EXPECT_EQ(Post("snapshots", R"({"name":")" + std::string(100, 'x') + "\"}").substr(0, 4), "200 ");
}

class SharedStateCalls : public StateFixture {
 protected:
  SharedStateCalls() : StateFixture({.shared_tables = true}) {}
};

TEST_F(SharedStateCalls, OneSetOfTablesIsNotForked) {
  MakeApp(kA);
  EXPECT_EQ(Post("fork", R"({"from":"111122223333","to":"444455556666"})"),
            R"(400 {"error":"A server with --shared has one set of tables for all accounts, so )"
            R"(there is nothing to fork."})");
}

TEST_F(SharedStateCalls, EveryAccountAndRegionHasTheSameTables) {
  MakeApp(kA);
  Post("snapshots", R"({"name":"s","account":"444455556666"})");
  EXPECT_EQ(Post("reset", R"({"account":"444455556666","region":"eu-west-1","table":"app"})"),
            R"(200 {"tables":1})");
  EXPECT_EQ(Counts(kB), "0 0 0");
  EXPECT_EQ(Post("reset", R"({"account":"444455556666"})"), R"(200 {"tables":1})");
  EXPECT_EQ(Call("ListTables", "{}", kA), kNoTables);
  EXPECT_EQ(Post("snapshots/s/restore"), R"(200 {"tables":1})");
  EXPECT_EQ(Counts(kA), "3 3 3");
  // A shared table has the account's ARNs, with the Region in which it was created.
  EXPECT_EQ(StreamArn(kA).substr(0, 54), "arn:aws:dynamodb:us-east-1:000000000000:table/app/stre");
}

// Tests of snapshots, with whole answers, and of what a client sees when a snapshot is restored.

class SnapshotCalls : public StateFixture {};

TEST_F(SnapshotCalls, ASnapshotIsRestored) {
  MakeApp(kA);
  Post("clock", R"({"frozen":"2026-01-31T12:00:00Z"})");
  EXPECT_EQ(Post("snapshots", R"({"name":"three","account":"111122223333"})"),
            R"(200 {"name":"three","account":"111122223333","created":"2026-01-31T12:00:00.000Z",)"
            R"("tables":1,"items":3,"size_bytes":33})");
  Put(4, kA);
  Ok("CreateTable", SimpleTable("one"), kA);
  Ok("CreateTable", SimpleTable("one"), kB);
  EXPECT_EQ(Post("snapshots/three/restore"), R"(200 {"tables":1})");
  EXPECT_EQ(Counts(kA), "3 3 3");
  EXPECT_EQ(Call("ListTables", "{}", kA), R"(200 {"TableNames":["app"]})");
  EXPECT_EQ(Call("ListTables", "{}", kB), R"(200 {"TableNames":["one"]})");
  // A snapshot can be restored again.
  Put(5, kA);
  Post("reset");
  EXPECT_EQ(Post("snapshots/three/restore"), R"(200 {"tables":1})");
  EXPECT_EQ(Counts(kA), "3 3 3");
}

TEST_F(SnapshotCalls, ASnapshotWithoutAnAccountHasAllAccounts) {
  MakeApp(kA);
  EXPECT_EQ(Post("snapshots", R"({"name":"empty"})").substr(0, 4), "200 ");
  Post("reset", R"({"account":"111122223333"})");
  MakeApp(kB);
  Post("snapshots", R"({"name":"b"})");
  EXPECT_EQ(Post("snapshots/empty/restore"), R"(200 {"tables":1})");
  EXPECT_EQ(Call("ListTables", "{}", kB), kNoTables);
  EXPECT_EQ(Counts(kA), "3 3 3");
  EXPECT_EQ(Post("snapshots/b/restore"), R"(200 {"tables":1})");
  EXPECT_EQ(Call("ListTables", "{}", kA), kNoTables);
  EXPECT_EQ(Counts(kB), "3 3 3");
}

TEST_F(SnapshotCalls, ANameInAPathMayBePercentEncoded) {
  Post("snapshots", R"({"name":"a-b"})");
  EXPECT_EQ(Post("snapshots/%61%2Db/restore"), R"(200 {"tables":0})");
  EXPECT_EQ(Post("snapshots/a+%c3%A9%20%/restore"),
            "404 {\"error\":\"There is no snapshot \\\"a+\u00e9 %\\\".\"}");
}

TEST_F(SnapshotCalls, ThereAreAtMostAThousand) {
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(Post("snapshots", R"({"name":"s)" + std::to_string(i) + "\"}").substr(0, 4), "200 ");
  }
  EXPECT_EQ(Post("snapshots", R"({"name":"more"})"),
            R"(400 {"error":"There are 1000 snapshots, which is the limit: drop one, or use its )"
            R"(name again."})");
  EXPECT_EQ(Post("snapshots", R"({"name":"s7"})").substr(0, 4), "200 ");
  EXPECT_EQ(Control("DELETE", "snapshots/s7"), "200 {}");
  EXPECT_EQ(Post("snapshots", R"({"name":"more"})").substr(0, 4), "200 ");
}

TEST_F(SnapshotCalls, SnapshotsAreListedReplacedAndDropped) {
  Post("clock", R"({"frozen":"2026-01-31T12:00:00Z"})");
  EXPECT_EQ(Control("GET", "snapshots"), R"(200 {"snapshots":[]})");
  Post("snapshots", R"({"name":"b","account":"111122223333"})");
  Post("snapshots", R"({"name":"a"})");
  Ok("CreateTable", SimpleTable("one"), kA);
  Post("clock", R"({"advance":"1s"})");
  Post("snapshots", R"({"name":"b","account":"111122223333"})");
  EXPECT_EQ(Control("GET", "snapshots"),
            R"(200 {"snapshots":[{"name":"a","created":"2026-01-31T12:00:00.000Z","tables":0,)"
            R"("items":0,"size_bytes":0},{"name":"b","account":"111122223333",)"
            R"("created":"2026-01-31T12:00:01.000Z","tables":1,"items":0,"size_bytes":0}]})");
  EXPECT_EQ(Control("DELETE", "snapshots/a"), "200 {}");
  EXPECT_EQ(Control("DELETE", "snapshots/a"), R"(404 {"error":"There is no snapshot \"a\"."})");
  EXPECT_EQ(Post("snapshots/a/restore"), R"(404 {"error":"There is no snapshot \"a\"."})");
  EXPECT_EQ(Post("snapshots/b/restore"), R"(200 {"tables":1})");
  Post("reset");
  EXPECT_EQ(Post("snapshots/b/restore"), R"(200 {"tables":1})");
}

TEST_F(SnapshotCalls, ASnapshotHasTheTagsOfItsTime) {
  MakeApp(kA);
  Post("snapshots", R"({"name":"s"})");
  constexpr char kList[] = R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:111122223333:table/app"})";
  Ok("TagResource",
     R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:111122223333:table/app",)"
     R"("Tags":[{"Key":"later","Value":"1"}]})",
     kA);
  Post("snapshots/s/restore");
  EXPECT_EQ(Call("ListTagsOfResource", kList, kA),
            R"(200 {"Tags":[{"Key":"team","Value":"red"}]})");
}

}  // namespace
}  // namespace hashrange
