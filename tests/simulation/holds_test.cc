// Tests of holds that are added and released while other threads write.
#include "simulation/holds.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/api.h"

namespace hashrange {
namespace {

constexpr char kPut[] = R"({"TableName":"app","Item":{"k":{"S":"1"}}})";

struct Gates {
  GateChain chain;
};

class HoldsTest : private Gates, public testing::Test {
 protected:
  HoldsTest() {
    api_.Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})");
    table_ = api_.engine().catalog().Find({"000000000000", "us-east-1"}, "app");
    const ValueView key(AttributeType::kS, "1");
    place_ = TablePosition(table_->key, {&key, 1}, arena_);
  }

  std::uint64_t Hold() {
    const auto id = holds_.Add(*table_, place_, "{}", std::nullopt);
    EXPECT_TRUE(id.ok());
    return *id;
  }

  Arena arena_;
  Api api_{{.gate = &chain.slot()}};
  TableRef table_;
  Position place_;
  Holds holds_{api_.engine().catalog(), api_.clock(), chain};
};

TEST_F(HoldsTest, SeveralMayHoldOneItem) {
  const std::uint64_t first = Hold(), second = Hold();
  EXPECT_TRUE(holds_.Release(first));
  EXPECT_EQ(api_.Call("PutItem", kPut).http_status, 400);
  EXPECT_TRUE(holds_.Release(second));
  EXPECT_FALSE(holds_.Release(second));
  EXPECT_EQ(api_.Call("PutItem", kPut).http_status, 200);
}

// A write succeeds while nothing is held; otherwise it gets the conflict.
TEST_F(HoldsTest, AreAddedAndReleasedUnderThreads) {
  std::atomic<bool> is_over{false};
  std::atomic<int> conflicts{0}, writes{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!is_over) {
        const Api::Reply reply = api_.Call("PutItem", kPut);
        if (reply.http_status == 200) {
          ++writes;
        } else {
          ++conflicts;
          EXPECT_NE(reply.body.find("#TransactionConflictException"), std::string::npos);
        }
      }
    });
  }
  while (conflicts < 20 || writes < 20) {
    const std::uint64_t id = Hold();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(holds_.List().size(), 1u);
    EXPECT_TRUE(holds_.Release(id));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(api_.Call("PutItem", kPut).http_status, 200);
}

}  // namespace
}  // namespace hashrange
