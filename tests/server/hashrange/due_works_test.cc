// What a host without threads does for a database: it holds answers back, and lets the database do
// what is due. With threads, the same calls change nothing.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "base/threads.h"
#include "hashrange/database.h"

namespace hashrange {
namespace {

constexpr const char* kCreateApp =
    R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",)"
    R"("AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"}]})";

std::string PutInApp(int number) {
  return R"({"TableName":"app","Item":{"p":{"S":")" + std::to_string(number) +
         R"("},"g":{"S":"x"},"expires":{"N":"1"}}})";
}

TEST(DueWorks, ADelayedAnswerIsTheCallersToHold) {
  Database database;
  ASSERT_TRUE(database.Call("CreateTable", kCreateApp).ok());
  ASSERT_EQ(database.Call("GetItem", R"({"TableName":"app","Key":{"p":{"S":"a"}}})").send_after_ms,
            0);
  const Answer fault = database.Control(
      "POST", "faults", R"({"rules":[{"match":{"operation":"GetItem"},"do":{"latency":"20ms"}}]})");
  ASSERT_TRUE(fault.ok()) << fault.body;
  const auto start = std::chrono::steady_clock::now();
  const Answer answer = database.Call("GetItem", R"({"TableName":"app","Key":{"p":{"S":"a"}}})");
  const auto took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(answer.body, "{}");
  EXPECT_EQ(answer.send_after_ms, kHasThreads ? 0 : 20);
  EXPECT_GE(took, std::chrono::milliseconds(kHasThreads ? 20 : 0));
}

// The table has so many items that its new index is not filled within UpdateTable.
TEST(DueWorks, AnIndexIsFilled) {
  Database database;
  ASSERT_TRUE(database.Call("CreateTable", kCreateApp).ok());
  constexpr int kItems = 5000;
  for (int i = 0; i < kItems; ++i) ASSERT_TRUE(database.Call("PutItem", PutInApp(i)).ok());
  const Answer update = database.Call(
      "UpdateTable",
      R"({"TableName":"app","AttributeDefinitions":[{"AttributeName":"g","AttributeType":"S"}],)"
      R"("GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by_g","KeySchema":)"
      R"([{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}}]})");
  ASSERT_TRUE(update.ok()) << update.body;
  const auto is_active = [&database] {
    const std::string text = database.Call("DescribeTable", R"({"TableName":"app"})").body;
    return text.find(R"("IndexStatus":"ACTIVE")") != std::string::npos;
  };
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!is_active() && std::chrono::steady_clock::now() < deadline) {
    Database::RunDueWorks(10);
    SleepFor(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(is_active());
}

TEST(DueWorks, TheHostLearnsWhenTheNextWorkIsDue) {
  Database database({.ttl_interval_ms = 60'000});
  ASSERT_TRUE(database.Call("CreateTable", kCreateApp).ok());
  ASSERT_TRUE(database
                  .Call("UpdateTimeToLive", R"({"TableName":"app","TimeToLiveSpecification":)"
                                            R"({"Enabled":true,"AttributeName":"expires"}})")
                  .ok());
  ASSERT_TRUE(database.Call("PutItem", PutInApp(1)).ok());
  const std::int64_t next_ms = Database::RunDueWorks(10);
  if (kHasThreads) {
    EXPECT_EQ(next_ms, -1);
  } else {
    EXPECT_GE(next_ms, 0);
    EXPECT_LE(next_ms, 60'000);
  }
}

}  // namespace
}  // namespace hashrange
