// Tests of the clock: its answers, and everything that depends on it.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>

#include "control/control_fixture.h"

namespace hashrange {
namespace {

constexpr char kFreeze[] = R"({"frozen":"2026-01-31T12:00:00Z"})";
constexpr char kFrozen[] =
    R"(200 {"mode":"frozen","now":"2026-01-31T12:00:00.000Z","epoch_ms":1769860800000,)"
    R"("scale":0.0})";

std::int64_t MachineMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

class ClockCalls : public ControlFixture {
 protected:
  explicit ClockCalls(const Database::Options& options = {.ttl_interval_ms = 0})
      : ControlFixture(options) {}

  std::int64_t NowMs() {
    const std::string clock = Control("GET", "clock");
    return std::atoll(clock.c_str() + clock.find("epoch_ms") + 10);
  }
  void MakeStreamed() {
    Ok("CreateTable",
       With(R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})",
            SimpleTable("tab")));
    arn_ = Text(Ok("DescribeTable", R"({"TableName":"tab"})"), "LatestStreamArn");
    const std::string stream = Ok("DescribeStream", R"({"StreamArn":")" + arn_ + "\"}");
    shard_ = Text(stream, "ShardId");
  }
  void Put(const char* key, const std::string& more = "") {
    Ok("PutItem",
       std::string(R"({"TableName":"tab","Item":{"k":{"S":")") + key + "\"}" + more + "}}");
  }
  std::string Iterator() {
    return Text(Ok("GetShardIterator", R"({"ShardIteratorType":"TRIM_HORIZON","StreamArn":")" +
                                           arn_ + R"(","ShardId":")" + shard_ + "\"}"),
                "ShardIterator");
  }
  std::string Records(const std::string& iterator) {
    return Call("GetRecords", R"({"ShardIterator":")" + iterator + "\"}");
  }
  static int CountOf(std::string_view what, std::string_view text) {
    int count = 0;
    for (std::size_t at = text.find(what); at != std::string_view::npos;
         at = text.find(what, at + 1)) {
      ++count;
    }
    return count;
  }

  std::string arn_;
  std::string shard_;
};

TEST_F(ClockCalls, RunsLikeTheMachinesClock) {
  const std::int64_t before = MachineMs();
  const std::string clock = Control("GET", "clock");
  EXPECT_EQ(clock.substr(0, 25), R"(200 {"mode":"real","now":)");
  EXPECT_EQ(clock.substr(clock.find(R"(,"scale")")), R"(,"scale":1.0})");
  EXPECT_GE(NowMs(), before);
  EXPECT_LE(NowMs(), MachineMs());
}

TEST_F(ClockCalls, FrozenClockStandsStill) {
  EXPECT_EQ(Post("clock", kFreeze), kFrozen);
  EXPECT_EQ(Control("GET", "clock"), kFrozen);
  EXPECT_EQ(Post("clock", R"({"frozen":1769860800})"), kFrozen);
  EXPECT_EQ(Post("clock", R"({"frozen":true})"), kFrozen);
  Ok("CreateTable", SimpleTable("tab"));
  const std::string table = Ok("DescribeTable", R"({"TableName":"tab"})");
  EXPECT_NE(table.find(R"("CreationDateTime":1769860800)"), std::string::npos) << table;
}

TEST_F(ClockCalls, AdvancesInEveryMode) {
  EXPECT_EQ(Post("clock", R"({"frozen":"2026-01-31T12:00:00Z","advance":"1500ms"})"),
            R"(200 {"mode":"frozen","now":"2026-01-31T12:00:01.500Z","epoch_ms":1769860801500,)"
            R"("scale":0.0})");
  EXPECT_EQ(Post("clock", R"({"advance":"2d"})"),
            R"(200 {"mode":"frozen","now":"2026-02-02T12:00:01.500Z","epoch_ms":1770033601500,)"
            R"("scale":0.0})");
  EXPECT_EQ(Post("clock", R"({"mode":"real","advance":"1h"})").substr(0, 20),
            R"(200 {"mode":"real",")");
  EXPECT_GE(NowMs(), MachineMs() + 3'599'000);
  Post("clock", R"({"mode":"real"})");
  EXPECT_LE(NowMs(), MachineMs());
  const std::int64_t before = NowMs();
  Post("clock", R"({"scale":1,"advance":"1h"})");
  EXPECT_GE(NowMs(), before + 3'600'000);
}

TEST_F(ClockCalls, ScaledClockRunsFaster) {
  Post("clock", kFreeze);
  const auto start = std::chrono::steady_clock::now();
  const std::string clock = Post("clock", R"({"scale":1000})");
  EXPECT_EQ(clock.substr(0, 21), R"(200 {"mode":"scaled",)");
  EXPECT_EQ(clock.substr(clock.find(R"(,"scale")")), R"(,"scale":1000.0})");
  while (NowMs() < 1769860800000 + 20'000) {
    ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  }
  const auto passed = std::chrono::steady_clock::now() - start;
  EXPECT_GE(passed, std::chrono::milliseconds(19));
  EXPECT_LE(NowMs(), 1769860800000 + 1000 * std::chrono::duration_cast<std::chrono::milliseconds>(
                                                std::chrono::steady_clock::now() - start +
                                                std::chrono::milliseconds(2))
                                                .count());
}

TEST_F(ClockCalls, ErrorsSayWhatIsWrong) {
  Post("clock", kFreeze);
  const std::string instant =
      R"(neither true nor an instant such as \"2026-01-31T12:00:00Z\", or seconds since 1970, )"
      R"(before the year 10000."})";
  const std::string no_time =
      R"(\"advance\" in the body is not a time with its unit, such as \"500ms\", \"3s\", \"5m\", )"
      R"(\"2h\" or \"2d\"."})";
  const struct {
    const char* json;
    std::string sentence;
  } kRows[] = {
      {"{}", R"(The body has none of \"mode\", \"frozen\", \"scale\" and \"advance\"."})"},
      {R"({"freeze":true})",
       R"(\"freeze\" is no member of the body, which may have \"mode\", \"frozen\", \"scale\" )"
       R"(and \"advance\"."})"},
      {R"({"mode":"frozen"})",
       R"(\"mode\" can only be \"real\"; \"frozen\" stops the clock, and \"scale\" changes its )"
       R"(speed."})"},
      {R"({"frozen":false})", R"(\"frozen\" in the body is )" + instant},
      {R"({"frozen":"yesterday"})", R"(\"frozen\" in the body is )" + instant},
      {R"({"frozen":-1})", R"(\"frozen\" in the body is )" + instant},
      {R"({"frozen":1769860800000})", R"(\"frozen\" in the body is )" + instant},
      {R"({"scale":0})", R"(\"scale\" is a number from 0.001 to 1000000."})"},
      {R"({"scale":1e-300})", R"(\"scale\" is a number from 0.001 to 1000000."})"},
      {R"({"scale":-1})", R"(\"scale\" is a number from 0.001 to 1000000."})"},
      {R"({"scale":1e300})", R"(\"scale\" is a number from 0.001 to 1000000."})"},
      {R"({"scale":99999999999999999999})", R"(\"scale\" is a number from 0.001 to 1000000."})"},
      {R"({"scale":"2"})", R"(\"scale\" in the body is not a number."})"},
      {R"({"frozen":true,"scale":2})",
       R"(A call has only one of \"mode\", \"frozen\" and \"scale\"."})"},
      {R"({"mode":"real","frozen":true})",
       R"(A call has only one of \"mode\", \"frozen\" and \"scale\"."})"},
      {R"({"advance":"2 days"})", no_time},
      {R"({"advance":5000})", no_time},
      {R"({"advance":"5000"})", no_time},
      {R"({"advance":-1})", no_time},
      {R"({"advance":"2912500d"})", R"(\"advance\" would go beyond the year 9999."})"},
      {R"({"frozen":"9999-12-31","advance":"1d"})",
       R"(\"advance\" would go beyond the year 9999."})"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Post("clock", row.json), R"(400 {"error":")" + row.sentence) << row.json;
    EXPECT_EQ(Control("GET", "clock"), kFrozen) << row.json;
  }
}

TEST_F(ClockCalls, ExpiredItemsAreDeletedAndInTheStreamWhenItAnswers) {
  Post("clock", kFreeze);
  MakeStreamed();
  Ok("UpdateTimeToLive",
     R"({"TableName":"tab","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})");
  Put("stays", R"(,"ttl":{"N":"1770033601"})");
  Put("goes", R"(,"ttl":{"N":"1770033599"})");
  Post("clock", R"({"advance":"2d"})");
  EXPECT_EQ(Call("Scan", R"({"TableName":"tab","ProjectionExpression":"k"})"),
            R"(200 {"Items":[{"k":{"S":"stays"}}],"Count":1,"ScannedCount":1})");
  const std::string records = Records(Iterator());
  // The records of the items' insertion are older than a day.
  EXPECT_EQ(CountOf("eventName", records), 1);
  EXPECT_EQ(CountOf(R"("userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"})",
                    records),
            1)
      << records;
  EXPECT_NE(records.find(R"("ApproximateCreationDateTime":1770033600,"Keys":{"k":{"S":"goes"}})"),
            std::string::npos)
      << records;
}

TEST_F(ClockCalls, RequestTokensAreKnownForTenMinutes) {
  const auto write = [this](const char* value) {
    return Call("TransactWriteItems",
                std::string(R"({"ClientRequestToken":"token","TransactItems":[{"Put":{)") +
                    R"("TableName":"tab","Item":{"k":{"S":")" + value + "\"}}}}]}")
        .substr(0, 3);
  };
  Ok("CreateTable", SimpleTable("tab"));
  Post("clock", kFreeze);
  EXPECT_EQ(write("1"), "200");
  EXPECT_EQ(write("2"), "400");
  Post("clock", R"({"advance":"599s"})");
  EXPECT_EQ(write("2"), "400");
  Post("clock", R"({"advance":"1s"})");
  EXPECT_EQ(write("2"), "200");
  // With the clock set back a little the token is known a little longer; set back far, it is
  // unknown.
  Post("clock", kFreeze);
  EXPECT_EQ(write("1"), "400");
  Post("clock", R"({"frozen":"2025-01-31T12:00:00Z"})");
  EXPECT_EQ(write("1"), "200");
  EXPECT_EQ(write("2"), "400");
  Post("clock", R"({"advance":"10m"})");
  EXPECT_EQ(write("2"), "200");
}

TEST_F(ClockCalls, IteratorsLastForFifteenMinutesAndRecordsForADay) {
  Post("clock", kFreeze);
  MakeStreamed();
  Put("1");
  const std::string iterator = Iterator();
  Post("clock", R"({"advance":"15m"})");
  EXPECT_EQ(CountOf("eventName", Records(iterator)), 1);
  Post("clock", R"({"advance":"1ms"})");
  EXPECT_EQ(Records(iterator).substr(0, 4), "400 ");
  EXPECT_EQ(CountOf("eventName", Records(Iterator())), 1);
  Post("clock", R"({"frozen":"2026-02-01T12:00:00Z"})");
  EXPECT_EQ(CountOf("eventName", Records(Iterator())), 0);
}

// The clock is set back and forth at every step, while requests depend on the order of times.
TEST_F(ClockCalls, MayBeSetBack) {
  MakeStreamed();
  Ok("UpdateTimeToLive",
     R"({"TableName":"tab","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})");
  const char* kTimes[] = {R"({"frozen":"2026-01-31T12:00:00Z"})",
                          R"({"frozen":0})",
                          R"({"frozen":"9999-12-31T23:59:59.999Z"})",
                          R"({"frozen":"2026-01-31T12:00:00Z"})",
                          R"({"mode":"real"})",
                          R"({"scale":1000000})",
                          R"({"frozen":1})"};
  int written = 0;
  for (const char* time : kTimes) {
    for (const char* other : kTimes) {
      Post("clock", time);
      const std::string iterator = Iterator();
      Put(("item" + std::to_string(written++)).c_str());
      Post("clock", other);
      EXPECT_NE(Records(iterator).substr(0, 4), "500 ");
      EXPECT_NE(Call("DescribeStream", R"({"StreamArn":")" + arn_ + "\"}").substr(0, 4), "500 ");
      Ok("DescribeTable", R"({"TableName":"tab"})");
      Ok("ListStreams", "{}");
    }
  }
  const std::string scan = Ok("Scan", R"({"TableName":"tab","Select":"COUNT"})");
  EXPECT_EQ(scan, "{\"Count\":" + std::to_string(written) +
                      ",\"ScannedCount\":" + std::to_string(written) + "}");
}

class SlowClockCalls : public ClockCalls {
 protected:
  SlowClockCalls() : ClockCalls({.transition_ms = 5000, .ttl_interval_ms = 0}) {}
  std::string Status(const char* account = "000000000000") {
    const std::string body = Call("DescribeTable", R"({"TableName":"tab"})", account);
    return body.starts_with("200") ? Text(body, "TableStatus") : "gone";
  }
};

TEST_F(SlowClockCalls, TablesAreCreatedAndDeletedByIt) {
  Post("clock", kFreeze);
  Ok("CreateTable", SimpleTable("tab"));
  EXPECT_EQ(Status(), "CREATING");
  Post("clock", R"({"advance":"4999ms"})");
  EXPECT_EQ(Status(), "CREATING");
  Post("clock", R"({"advance":"1ms"})");
  EXPECT_EQ(Status(), "ACTIVE");
  Ok("DeleteTable", R"({"TableName":"tab"})");
  EXPECT_EQ(Status(), "DELETING");
  Post("clock", R"({"advance":"5s"})");
  EXPECT_EQ(Status(), "gone");
}

// A transition of the table is also a transition of the fork.
TEST_F(SlowClockCalls, AForkOfATableInTransitionSettlesLikeIt) {
  constexpr char kFork[] = R"({"from":"000000000000","to":"444455556666"})";
  constexpr char kTo[] = "444455556666";
  Post("clock", kFreeze);
  Ok("CreateTable",
     With(R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})",
          SimpleTable("tab")));
  Post("fork", kFork);
  EXPECT_EQ(Status(kTo), "CREATING");
  Post("clock", R"({"advance":"5s"})");
  EXPECT_EQ(Status(kTo), "ACTIVE");
  Ok("PutItem", R"({"TableName":"tab","Item":{"k":{"S":"1"},"g":{"S":"g"}}})");
  Ok("UpdateTable",
     R"({"TableName":"tab","AttributeDefinitions":[{"AttributeName":"g","AttributeType":"S"}],)"
     R"("GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"byG","Projection":)"
     R"({"ProjectionType":"ALL"},"KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}}]})");
  Post("fork", kFork);
  EXPECT_EQ(Status(kTo), "UPDATING");
  Post("clock", R"({"advance":"5s"})");
  EXPECT_EQ(Status(kTo), "ACTIVE");
  EXPECT_EQ(Text(Ok("DescribeTable", R"({"TableName":"tab"})", kTo), "IndexStatus"), "CREATING");
  Post("clock", R"({"advance":"5s"})");
  EXPECT_EQ(Text(Ok("DescribeTable", R"({"TableName":"tab"})", kTo), "IndexStatus"), "ACTIVE");
  constexpr char kQuery[] =
      R"({"TableName":"tab","IndexName":"byG","KeyConditionExpression":"g = :g",)"
      R"("ExpressionAttributeValues":{":g":{"S":"g"}}})";
  EXPECT_EQ(Call("Query", kQuery, kTo), Call("Query", kQuery));
  EXPECT_EQ(CountOf(R"("k":{"S":"1"})", Call("Query", kQuery, kTo)), 1);
  // The fork has a stream of its own, which is enabled.
  const std::string arn =
      Text(Ok("DescribeTable", R"({"TableName":"tab"})", kTo), "LatestStreamArn");
  EXPECT_EQ(Text(Ok("DescribeStream", R"({"StreamArn":")" + arn + "\"}", kTo), "StreamStatus"),
            "ENABLED");
  // A table that is being deleted is neither forked nor truncated.
  Ok("DeleteTable", R"({"TableName":"tab"})");
  EXPECT_EQ(Post("reset", R"({"account":"000000000000","table":"tab"})"),
            R"(404 {"error":"There is no table \"tab\" to reset."})");
  EXPECT_EQ(Post("fork", kFork), R"(200 {"tables":0})");
  EXPECT_EQ(Status(kTo), "gone");
}

}  // namespace
}  // namespace hashrange
