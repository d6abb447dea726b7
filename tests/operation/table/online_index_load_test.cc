// Indexes that are created and deleted while many threads write through one Dispatcher.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "engine/backfill/backfiller.h"
#include "support/api.h"

namespace hashrange {
namespace {

constexpr int kWriters = 4;
constexpr int kLoadRounds = 10;
constexpr int kItems = 400;

constexpr char kLoadTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"},
    {"AttributeName":"owner","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}],
  "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],
  "GlobalSecondaryIndexes":[{"IndexName":"from-the-start","KeySchema":[
    {"AttributeName":"owner","KeyType":"HASH"},{"AttributeName":"n","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"ALL"}}]})";
constexpr char kAdd[] = R"({"TableName":"app",
  "AttributeDefinitions":[{"AttributeName":"owner","AttributeType":"S"},
    {"AttributeName":"n","AttributeType":"N"}],
  "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"added","KeySchema":[
    {"AttributeName":"owner","KeyType":"HASH"},{"AttributeName":"n","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"ALL"}}}]})";
constexpr char kDelete[] =
    R"({"TableName":"app","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"added"}}]})";
constexpr char kScanAdded[] = R"({"TableName":"app","IndexName":"added"})";
constexpr char kScanFromTheStart[] = R"({"TableName":"app","IndexName":"from-the-start"})";

class OnlineIndexLoadTest : public testing::Test {
 protected:
  OnlineIndexLoadTest() {
    api_.Ok("CreateTable", kLoadTable);
    for (int i = 0; i < kItems; ++i) {
      const std::string n = std::to_string(i);
      api_.Ok("PutItem", R"({"TableName":"app","Item":{"k":{"S":")" + n +
                             R"("},"owner":{"S":"o1"},"n":{"N":")" + n + R"("}}})");
    }
  }

  void Write(int writer, const std::atomic<bool>& stop) {
    Random random(static_cast<std::uint64_t>(writer));
    for (; !stop; ++writes_) {
      const std::string key = R"("k":{"S":")" + std::to_string(random.Next() % kItems) + R"("})";
      const std::string n = std::to_string(random.Next() % 50);
      const std::string item = "{" + key + R"(,"owner":{"S":"o)" + n + R"("},"n":{"N":")" + n +
                               R"("},"by":{"N":")" + std::to_string(writer) + R"("}})";
      switch (random.Next() % 4) {
        case 0:
          api_.Ok("PutItem", R"({"TableName":"app","Item":)" + item + "}");
          break;
        case 1:
          api_.Ok("DeleteItem", R"({"TableName":"app","Key":{)" + key + "}}");
          break;
        case 2:
          api_.Ok("UpdateItem", R"({"TableName":"app","Key":{)" + key +
                                    R"(},"UpdateExpression":"SET n = :n REMOVE #o",
              "ExpressionAttributeNames":{"#o":"owner"},
              "ExpressionAttributeValues":{":n":{"N":")" +
                                    n + R"("}}})");
          break;
        default:
          api_.Ok("TransactWriteItems",
                  R"({"TransactItems":[{"Put":{"TableName":"app","Item":)" + item +
                      R"(}},{"Delete":{"TableName":"app","Key":{"k":{"S":"other"}}}}]})");
      }
    }
  }
  void AwaitWrites(int count) {
    for (const int enough = writes_ + count; writes_ < enough;) std::this_thread::yield();
  }
  bool IsActive() {
    return api_.Ok("DescribeTable", R"({"TableName":"app"})").find("\"CREATING\"") ==
           std::string::npos;
  }
  void AwaitActive() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!IsActive()) {
      const Api::Reply read = api_.Call("Scan", kScanAdded);
      EXPECT_TRUE(read.http_status == 200 ||
                  read.body.find("Cannot read from backfilling global secondary index: added") !=
                      std::string::npos)
          << read.body;
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    }
  }

  std::atomic<int> writes_{0};
  Api api_{{.backfiller = &backfiller_}};
  Backfiller backfiller_{api_.engine(), {.at_once = 10}};
};

TEST_F(OnlineIndexLoadTest, AnAddedIndexEqualsOneThatExistedFromTheStart) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w) writers.emplace_back([this, w, &stop] { Write(w, stop); });
  for (int round = 0; round < kLoadRounds; ++round) {
    api_.Ok("UpdateTable", kAdd);
    // Every other index is deleted without waiting for it, perhaps before it is filled.
    if (round % 2 == 0) AwaitActive();
    AwaitWrites(round * 10);
    api_.Ok("UpdateTable", kDelete);
  }
  api_.Ok("UpdateTable", kAdd);
  AwaitActive();
  AwaitWrites(500);
  stop = true;
  for (std::thread& writer : writers) writer.join();
  const std::string added = api_.Ok("Scan", kScanAdded);
  EXPECT_EQ(added, api_.Ok("Scan", kScanFromTheStart));
  EXPECT_NE(added.find("\"owner\""), std::string::npos);
}

}  // namespace
}  // namespace hashrange
