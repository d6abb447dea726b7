// Tests of the throughput gate with several threads: rules that change during calls, and the units
// of calls that are made at the same time.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "operation/call/caller.h"
#include "simulation/throughput.h"
#include "simulation/throughput_fixture.h"
#include "support/api.h"

namespace hashrange {
namespace {

constexpr int kThreads = 4;

class ThroughputThreadsTest : public ThroughputTest {
 protected:
  ThroughputThreadsTest() {
    api_.Ok("CreateTable", TableJson(R"("BillingMode":"PAY_PER_REQUEST")", ""));
  }
  // Makes calls on several threads until `stop` is set, or `count` on each. A put of 1.5 KB costs 2
  // units of the table and 2 of the index.
  std::vector<std::thread> StartCalls(const std::atomic<bool>& stop, int count) {
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([this, &stop, count, t] {
        OutputBuffer out;
        for (int i = 0; i < count && !stop; ++i) {
          out.Clear();
          const std::string put = PutJson(std::to_string(t) + "-" + std::to_string(i),
                                          R"(,"g":{"S":"g)" + std::to_string(t) +
                                              R"("},"b":{"S":")" + std::string(1500, 'x') + "\"}");
          api_.dispatcher().Call({"PutItem", put, {}}, out);
          out.Clear();
          api_.dispatcher().Call(
              {"Query",
               R"({"TableName":"app","KeyConditionExpression":"pk = :a","Limit":2,
                 "ExpressionAttributeValues":{":a":{"S":"a"}}})",
               {}},
              out);
        }
      });
    }
    return threads;
  }
};

TEST_F(ThroughputThreadsTest, NothingIsLostOfCallsAtTheSameTime) {
  PartitionRule rule;
  rule.parameters.burst_ms = 300'000;  // the clock stands still
  ASSERT_TRUE(throughput_.ModelPartitions(rule).ok());
  const std::atomic<bool> stop{false};
  constexpr int kCalls = 50;
  for (std::thread& thread : StartCalls(stop, kCalls)) thread.join();
  const std::vector<PartitionMap> maps = Maps();
  ASSERT_EQ(maps.size(), 2u);
  for (const PartitionMap& map : maps) {
    double writes = 0;
    for (const PartitionMeasure& each : map.partitions) writes += each.write_units;
    EXPECT_EQ(writes, 2 * kCalls * kThreads);
    EXPECT_TRUE(map.throttles.empty());
  }
}

TEST_F(ThroughputThreadsTest, RulesChangeDuringCalls) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads = StartCalls(stop, 1'000'000);
  for (int round = 0; round < 100; ++round) {
    PartitionRule rule{.mode = round % 2 == 0 ? PartitionMode::kEnforce : PartitionMode::kWatch};
    rule.parameters.write_units = 50;
    rule.parameters.average_ms = 1000;
    rule.parameters.split_after_ms = 2000;
    rule.parameters.least_split_delay_ms = rule.parameters.greatest_split_delay_ms = 0;
    EXPECT_TRUE(throughput_.ModelPartitions(rule).ok());
    if (round % 3 == 0) {
      EXPECT_TRUE(throughput_.Enforce({}, round % 6 == 0).ok());
    }
    for (int i = 0; i < 10; ++i) {
      api_.clock().Advance(700);
      for (const PartitionMap& map : Maps()) {
        EXPECT_GE(map.partitions.size(), 4u);
        EXPECT_EQ(map.partitions[0].number, 1);
      }
    }
    if (round % 5 == 0) throughput_.Clear();
    if (round % 7 == 0) throughput_.EndPartitions();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace hashrange
