// All times that one call gives a table are from one reading of the clock.
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "engine/stream/stream_set.h"
#include "operation/dispatch.h"

namespace hashrange {
namespace {

// Each reading is a millisecond later than the one before.
class TickingClock : public Clock {
 public:
  std::int64_t NowEpochMs() const override { return ++now_epoch_ms_; }

 private:
  mutable std::atomic<std::int64_t> now_epoch_ms_{1'700'000'000'000};
};

class TableTimes : public testing::Test {
 protected:
  std::string Ok(std::string_view operation, std::string_view json) {
    OutputBuffer out;
    const ApiAnswer answer =
        dispatcher_.Call({operation, json, {.account_id = "000000000000", .region = "r"}}, out);
    EXPECT_EQ(answer.http_status, 200) << operation << ": " << out.view();
    return std::string(out.view());
  }
  // Returns the value of the first member of this name, as JSON text.
  static std::string MemberOf(const std::string& body, std::string_view member) {
    const std::string name = "\"" + std::string(member) + "\":";
    const std::size_t at = body.find(name);
    if (at == std::string::npos) return "absent";
    const std::size_t begin = at + name.size();
    return body.substr(begin, body.find_first_of(",}", begin) - begin);
  }
  // Returns the last three digits of a time, which are its milliseconds.
  static std::string MillisecondsOf(std::string text) {
    if (text.ends_with('"')) text.pop_back();
    return text.substr(text.rfind('.') + 1);
  }

  TickingClock clock_;
  StreamSet streams_{clock_, {}};
  Engine engine_{clock_};
  Dispatcher dispatcher_{engine_, streams_, {}};
};

TEST_F(TableTimes, OfCreateTableAreTheSame) {
  Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
    "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}})");
  const std::string table = Ok("DescribeTable", R"({"TableName":"app"})");
  const std::string created = MillisecondsOf(MemberOf(table, "CreationDateTime"));
  EXPECT_EQ(created.size(), 3u) << table;
  EXPECT_EQ(MillisecondsOf(MemberOf(table, "LastUpdateToPayPerRequestDateTime")), created);
  EXPECT_EQ(MillisecondsOf(MemberOf(table, "LatestStreamLabel")), created);
}

TEST_F(TableTimes, OfUpdateTableAreTheSame) {
  Ok("CreateTable", R"({"TableName":"app",
    "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})");
  const std::string answer =
      Ok("UpdateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
    "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}})");
  const std::string changed = MillisecondsOf(MemberOf(answer, "LastDecreaseDateTime"));
  EXPECT_EQ(changed.size(), 3u) << answer;
  EXPECT_EQ(MillisecondsOf(MemberOf(answer, "LatestStreamLabel")), changed);
  const std::string table = Ok("DescribeTable", R"({"TableName":"app"})");
  EXPECT_EQ(MillisecondsOf(MemberOf(table, "LastUpdateToPayPerRequestDateTime")), changed);
}

}  // namespace
}  // namespace hashrange
