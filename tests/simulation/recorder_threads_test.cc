// Tests that a recorder that is switched on and off during calls lists only complete calls.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "simulation/recorder.h"
#include "support/api.h"

namespace hashrange {
namespace {

TEST(RecorderThreads, ListedCallsAreCompleteWhileItIsSwitched) {
  SystemClock clock;
  struct Parts {
    explicit Parts(const Clock& of_server) : recorder(chain, of_server) {}
    Recorder recorder;
    GateChain chain;
  } parts(clock);
  Api api({.gate = &parts.chain.slot()});
  api.Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})");
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      OutputBuffer out;
      const std::string get =
          R"({"TableName":"app","Key":{"k":{"S":")" + std::to_string(i) + "\"}}}";
      while (!stop) {
        out.Clear();
        api.dispatcher().Call({"GetItem", get, {}}, out);
      }
    });
  }
  for (int round = 0; round < 200; ++round) {
    parts.recorder.StartList(50);
    if (round == 100) parts.recorder.StartCounting();
    for (const auto& record : parts.recorder.list().Find({}).records) {
      EXPECT_EQ(record->operation, "GetItem");
      ASSERT_EQ(record->accesses.size(), 1u);
      EXPECT_EQ(record->accesses[0].count, 1);
      EXPECT_EQ(record->accesses[0].units, 0.5);
    }
    parts.recorder.list().Remove({.since = 5});
    parts.recorder.StopList();
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  for (const OperationTotals& totals : parts.recorder.statistics().Operations()) {
    EXPECT_EQ(totals.operation, "GetItem");
  }
}

}  // namespace
}  // namespace hashrange
