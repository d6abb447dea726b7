// Tests of the counters by operation and by table: exact sums over threads, bounded series.
#include "simulation/call_statistics.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace hashrange {
namespace {

TableVersion TableOf(std::uint64_t number, std::string name, int indexes = 0) {
  TableVersion table;
  table.number = number;
  table.account_id = "000000000000";
  table.region = "us-east-1";
  table.name = std::move(name);
  for (int i = 0; i < indexes; ++i) {
    IndexVersion index;
    index.schema.name = "index" + std::to_string(i);
    index.id = static_cast<std::uint32_t>(i + 1);
    table.indexes.push_back(std::move(index));
  }
  return table;
}

Access AccessTo(const TableVersion& table, const IndexVersion* index = nullptr,
                Access::Kind kind = Access::Kind::kRead) {
  Access access;
  access.kind = kind;
  access.table = &table;
  access.index = index;
  return access;
}

TEST(CallStatistics, CountsByOperationAndError) {
  CallStatistics statistics;
  const Error error{ErrorCode::kValidationException, "no", nullptr};
  const std::chrono::nanoseconds duration(7'000);
  statistics.Count(
      {.operation = "GetItem", .request_bytes = 10, .answer_bytes = 20, .duration = &duration});
  statistics.Count({.operation = "GetItem", .error = &error, .answer_bytes = 5});
  statistics.Count({.operation = "Invented", .error = &error});
  const auto operations = statistics.Operations();
  ASSERT_EQ(operations.size(), 2u);
  EXPECT_EQ(operations[0].operation, "");
  EXPECT_EQ(operations[0].requests, 1u);
  const OperationTotals& get = operations[1];
  EXPECT_EQ(get.operation, "GetItem");
  EXPECT_EQ(get.requests, 2u);
  ASSERT_EQ(get.errors.size(), 1u);
  EXPECT_EQ(get.errors[0].error, "ValidationException");
  EXPECT_EQ(get.errors[0].count, 1u);
  EXPECT_EQ(get.durations[1], 1u) << "between 5 and 10 µs";
  EXPECT_EQ(std::accumulate(get.durations.begin(), get.durations.end(), std::uint64_t{0}), 1u);
  EXPECT_EQ(get.duration_ns, 7'000u);
  EXPECT_EQ(get.request_bytes, 10u);
  EXPECT_EQ(get.answer_bytes, 25u);
}

TEST(CallStatistics, OperationsOfTheServiceHaveTheirNamesAndAllOthersNone) {
  CallStatistics statistics;
  const Error error{ErrorCode::kUnknownOperationException, {}, nullptr};
  for (const char* operation : {"CreateBackup", "DynamoDB_20120810.Nope", "X", "", "UpdateTable"}) {
    statistics.Count({.operation = operation, .error = &error});
  }
  const auto totals = statistics.Operations();
  ASSERT_EQ(totals.size(), 3u);
  EXPECT_EQ(totals[0].operation, "");
  EXPECT_EQ(totals[0].requests, 3u);
  EXPECT_EQ(totals[1].operation, "CreateBackup");
  EXPECT_EQ(totals[1].requests, 1u);
  EXPECT_EQ(totals[1].errors[0].error, "UnknownOperationException");
  EXPECT_EQ(totals[2].operation, "UpdateTable");
}

TEST(CallStatistics, DurationsFallIntoTheBucketOfTheirBound) {
  CallStatistics statistics;
  for (const std::int64_t us : {5, 6, 10'000'000, 10'000'001}) {
    const std::chrono::nanoseconds duration = std::chrono::microseconds(us);
    statistics.Count({.operation = "Scan", .duration = &duration});
  }
  const auto totals = statistics.Operations()[0];
  EXPECT_EQ(totals.durations[0], 1u);
  EXPECT_EQ(totals.durations[1], 1u);
  EXPECT_EQ(totals.durations[14], 1u);
  EXPECT_EQ(totals.durations[15], 1u);
}

TEST(CallStatistics, UnitsOfAWriteCountForTheIndexThatUsedThem) {
  CallStatistics statistics;
  const TableVersion table = TableOf(1, "app", 2);
  const double index_units[] = {1, 0.5};
  statistics.Count(AccessTo(table, nullptr, Access::Kind::kWrite),
                   {.units = 3.5, .index_units = index_units, .items_written = 1});
  statistics.Count(AccessTo(table, &table.indexes[1], Access::Kind::kQuery),
                   {.units = 1, .index_units = {}, .items_examined = 4, .items_returned = 3});
  const auto series = statistics.Series();
  ASSERT_EQ(series.size(), 3u);
  EXPECT_EQ(series[0].write_units, 2);
  EXPECT_EQ(series[0].read_units, 1);
  EXPECT_EQ(series[0].written, 1u);
  EXPECT_EQ(series[1].index, "index0");
  EXPECT_EQ(series[1].write_units, 1);
  EXPECT_EQ(series[2].write_units, 0.5);
  EXPECT_EQ(series[2].examined, 4u);
  EXPECT_EQ(series[2].returned, 3u);
}

TEST(CallStatistics, NewVersionOfATableKeepsItsCounters) {
  CallStatistics statistics;
  const TableVersion first = TableOf(1, "app"), second = TableOf(2, "app", 1);
  statistics.Count(AccessTo(first), {.units = 0.5});
  statistics.Count(AccessTo(second), {.units = 0.5});
  ASSERT_EQ(statistics.Series().size(), 1u);
  EXPECT_EQ(statistics.Series()[0].read_units, 1);
}

TEST(CallStatistics, TablesBeyondTheBoundAreCountedTogether) {
  CallStatistics statistics;
  constexpr std::uint64_t kTables = CallStatistics::kMaxSeries + 50;
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t i = 0; i < kTables; ++i) {
      const TableVersion table = TableOf(i + 1, "table" + std::to_string(i));
      statistics.Count(AccessTo(table), {.units = 1});
    }
  }
  const auto series = statistics.Series();
  ASSERT_EQ(series.size(), CallStatistics::kMaxSeries + 1);
  EXPECT_EQ(series.back().table, "");
  EXPECT_EQ(series.back().read_units, 100);
  EXPECT_EQ(series.front().read_units, 2);
}

TEST(CallStatistics, TwoObjectsOnOneThreadCountSeparately) {
  const TableVersion a = TableOf(1, "a"), b = TableOf(1, "b");
  CallStatistics one, two;
  one.Count(AccessTo(a), {.units = 1});
  two.Count(AccessTo(b), {.units = 2});
  one.Count(AccessTo(a), {.units = 1});
  ASSERT_EQ(one.Series().size(), 1u);
  EXPECT_EQ(one.Series()[0].table, "a");
  EXPECT_EQ(one.Series()[0].read_units, 2);
  EXPECT_EQ(two.Series()[0].table, "b");
}

// More threads than stripes count, while the sums are read all the time.
TEST(CallStatistics, NothingIsLostBetweenThreads) {
  constexpr int kThreads = 20, kCalls = 2000;
  CallStatistics statistics;
  const TableVersion table = TableOf(1, "app", 1);
  std::atomic<bool> stop{false};
  std::thread reader([&] {
    while (!stop) {
      statistics.Operations();
      statistics.Series();
    }
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < kCalls; ++call) {
        statistics.Count({.operation = "GetItem", .request_bytes = 1});
        statistics.Count(AccessTo(table), {.units = 0.5, .items_examined = 1});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  stop = true;
  reader.join();
  EXPECT_EQ(statistics.Operations()[0].requests, std::uint64_t{kThreads * kCalls});
  EXPECT_EQ(statistics.Series()[0].read_units, kThreads * kCalls / 2);
}

}  // namespace
}  // namespace hashrange
