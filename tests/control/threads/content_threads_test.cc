// The calls `collections`, `places` and `changes` during writes and resets: each answer is one that
// could be, and the changes of an item follow each other. It also runs under ThreadSanitizer
// (.ci/run).
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "hashrange/database.h"

namespace hashrange {
namespace {

constexpr char kTable[] =
    R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
    R"({"AttributeName":"p","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],)"
    R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],"GlobalSecondaryIndexes":[)"
    R"({"IndexName":"byG","Projection":{"ProjectionType":"ALL"},)"
    R"("KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}]})";

constexpr int kWriters = 2;
constexpr int kWrites = 300;

class ContentThreads : public testing::Test {
 protected:
  ContentThreads() { database_.Call("CreateTable", kTable); }

  // Counts an item of its own up, and drops another one now and then.
  void Write(int writer) {
    const std::string p = std::to_string(writer);
    for (int i = 1; i <= kWrites; ++i) {
      const std::string n = std::to_string(i);
      const Answer put = database_.Call("PutItem", R"({"TableName":"app","Item":{"p":{"S":")" + p +
                                                       R"("},"g":{"S":")" + std::to_string(i % 3) +
                                                       R"("},"n":{"N":")" + n + R"("}}})");
      EXPECT_EQ(put.status, 200) << put.body;
    }
  }
  void Look() {
    std::string directory;
    while (!is_done_) {
      for (const std::string_view source : {"", R"(,"index":"byG")"}) {
        for (const std::string order :
             {R"(,"order":"hash")", R"(,"order":"key")", R"(,"directory":"d1","entity":0)"}) {
          const Answer answer = database_.Control(
              "POST", "collections", R"({"table":"app")" + std::string(source) + order + "}");
          const bool has_no_entity = answer.status == 400 && order.ends_with("0");
          EXPECT_TRUE(answer.status == 200 || has_no_entity) << answer.body;
        }
      }
      const Answer places =
          database_.Control("POST", "places", R"({"table":"app","key":{"p":{"S":"1"}}})");
      EXPECT_TRUE(places.status == 200 || places.status == 404) << places.body;
      EXPECT_EQ(database_.Control("GET", "changes?table=app").status, 200);
    }
  }

  Database database_;
  std::atomic<bool> is_done_{false};
};

TEST_F(ContentThreads, LooksDisturbNoWriteAndMissNoChange) {
  ASSERT_EQ(database_.Control("POST", "changes", R"({"table":"app","limit":10000})").status, 200);
  std::vector<std::thread> writers, others;
  for (int i = 0; i < kWriters; ++i) writers.emplace_back([this, i] { Write(i); });
  others.emplace_back([this] { Look(); });
  others.emplace_back([this] {  // an account without tables: only the directories are dropped
    while (!is_done_) database_.Control("POST", "reset", R"({"account":"111122223333"})");
  });
  for (std::thread& each : writers) each.join();
  is_done_ = true;
  for (std::thread& each : others) each.join();
  const std::string body = database_.Control("GET", "changes?table=app").body;
  EXPECT_TRUE(body.starts_with(R"({"enabled":true,"limit":10000,"last_id":600,"forgotten":0,)"))
      << body.substr(0, 200);
  for (int writer = 0; writer < kWriters; ++writer) {
    // The changes of each item are in the order of its writes.
    std::size_t at = 0;
    for (int i = 1; i <= kWrites; ++i) {
      const std::string change = R"("new":{"p":{"S":")" + std::to_string(writer) +
                                 R"("},"g":{"S":")" + std::to_string(i % 3) + R"("},"n":{"N":")" +
                                 std::to_string(i) + "\"}}";
      at = body.find(change, at);
      ASSERT_NE(at, body.npos) << change;
    }
  }
}

TEST_F(ContentThreads, TailsBeginAndEndDuringWrites) {
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) writers.emplace_back([this, i] { Write(i); });
  std::thread switcher([this] {
    while (!is_done_) {
      database_.Control("POST", "changes", R"({"table":"app","limit":5})");
      EXPECT_EQ(database_.Control("GET", "changes?table=app&since=1").status, 200);
      database_.Control("POST", "changes", R"({"table":"app","enabled":false})");
    }
  });
  for (std::thread& each : writers) each.join();
  is_done_ = true;
  switcher.join();
  EXPECT_EQ(database_.Control("GET", "changes?table=app").body,
            R"({"enabled":false,"limit":1000,"last_id":0,"forgotten":0,"changes":[]})");
}

}  // namespace
}  // namespace hashrange
