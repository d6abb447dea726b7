// Tests of the fault rules behind a dispatcher: rules are added, asked and removed, by one thread
// and by many.
#include "simulation/fault_plan.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/api.h"

namespace hashrange {
namespace {

constexpr char kGet[] = R"({"TableName":"app","Key":{"k":{"S":"1"}}})";

FaultSpec Failing(std::optional<std::uint64_t> times = {}) {
  FaultSpec spec;
  spec.match.operations = {"GetItem"};
  spec.action.kind = FaultAction::Kind::kStatus;
  spec.times = times;
  return spec;
}

class FaultPlanTest : public testing::Test {
 protected:
  FaultPlanTest() {
    api_.Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})");
  }

  std::uint64_t Add(FaultSpec spec) {
    auto added = plan_.Add({std::move(spec)});
    EXPECT_TRUE(added.ok());
    return (*added)[0]->id();
  }

  GateChain gates_;
  FaultPlan plan_{gates_};
  Api api_{{.gate = &gates_.slot()}};
};

TEST_F(FaultPlanTest, WithoutRulesThereIsNoGate) {
  EXPECT_EQ(gates_.slot().load(), nullptr);
  const std::uint64_t id = Add(Failing());
  EXPECT_NE(gates_.slot().load(), nullptr);
  EXPECT_TRUE(plan_.Remove(id));
  EXPECT_FALSE(plan_.Remove(id));
  EXPECT_EQ(gates_.slot().load(), nullptr);
  Add(Failing());
  Add(Failing());
  EXPECT_EQ(plan_.Clear(), 2u);
  EXPECT_EQ(plan_.Clear(), 0u);
  EXPECT_EQ(gates_.slot().load(), nullptr);
}

TEST_F(FaultPlanTest, IdsAreNotUsedAgain) {
  EXPECT_EQ(Add(Failing()), 1u);
  plan_.Clear();
  EXPECT_EQ(Add(Failing()), 2u);
  EXPECT_EQ(plan_.Find(1), nullptr);
  ASSERT_NE(plan_.Find(2), nullptr);
  EXPECT_EQ(plan_.List().size(), 1u);
}

TEST_F(FaultPlanTest, FirstRuleThatRefusesEndsTheCall) {
  const std::uint64_t first = Add(Failing(1)), second = Add(Failing(1));
  EXPECT_EQ(api_.Call("GetItem", kGet).http_status, 500);
  EXPECT_EQ(plan_.Find(first)->hits(), 1u);
  EXPECT_EQ(plan_.Find(second)->matches(), 0u);
  EXPECT_EQ(api_.Call("GetItem", kGet).http_status, 500);
  EXPECT_EQ(plan_.Find(second)->hits(), 1u);
  EXPECT_EQ(api_.Call("GetItem", kGet).http_status, 200);
}

TEST_F(FaultPlanTest, NumberOfRulesIsLimited) {
  std::vector<FaultSpec> specs(FaultPlan::kMaxRules - 1, Failing());
  ASSERT_TRUE(plan_.Add(specs).ok());
  const auto refused = plan_.Add({Failing(), Failing()});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kLimitExceededException);
  EXPECT_EQ(refused.error().message,
            "There may be 1000 fault rules, and with these there would be 1001.");
  EXPECT_EQ(plan_.List().size(), FaultPlan::kMaxRules - 1);
  EXPECT_TRUE(plan_.Add({Failing()}).ok());
}

// Each thread makes calls; the counts are exact while rules are added and removed.
TEST_F(FaultPlanTest, IsExactUnderThreads) {
  constexpr int kThreads = 4, kCalls = 500;
  const std::uint64_t id = Add(Failing(333));
  std::atomic<int> failed{0}, working{kThreads};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < kCalls; ++call) {
        failed += api_.Call("GetItem", kGet).http_status == 500;
      }
      --working;
    });
  }
  while (working > 0) {
    FaultSpec harmless;
    harmless.match.table = "app";
    harmless.match.operations = {"PutItem"};
    plan_.Remove(Add(std::move(harmless)));
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 333);
  EXPECT_EQ(plan_.Find(id)->hits(), 333u);
  EXPECT_EQ(plan_.Find(id)->matches(), std::uint64_t{kThreads} * kCalls);
}

}  // namespace
}  // namespace hashrange
