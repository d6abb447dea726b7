#include "lab/run/call_runner.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/text/time_text.h"
#include "lab/run/layout_database.h"
#include "lab/run/layout_run.h"
#include "lab/run/request_sender.h"
#include "run_file.h"

namespace hashrange {
namespace {

constexpr const char* kThings = R"(
lab: 1
entities: {Thing: {count: 4, attributes: {id: {sequence: 4}, size: {constant: 1}}}}
access_patterns:
  ask: {get: Thing, by: [id], rate: 1/s}
  change: {update: Thing, by: [id], set: {size: 2}, rate: 1/s}
layouts: {only: {tables: {things: {key: [PK, SK], indexes: {ByB: {key: [B], projection: keys_only}}, items: {Thing: {PK: "{id}", SK: X, B: "{id}"}}}}}}
client: {attempts: 3, base_delay: 100ms, latency: 5ms}
)";

RequestTemplate Text(const std::string& operation, const std::string& json) {
  RequestTemplate request = {.operation = operation, .table = "things"};
  AppendText(json, request.nodes);
  return request;
}

// Runs calls of patterns whose steps are made by hand, on a table with ten large items.
class CallRunnerTest : public testing::Test {
 protected:
  CallRunnerTest() {
    EXPECT_TRUE(database_.MakeTables(plan_, 1).ok());
    const std::string large(300'000, 'x');
    for (int i = 0; i < 10; ++i) {
      const std::string sort_key = "SK" + std::to_string(i);
      EXPECT_TRUE(
          database_
              .CallForSetup("PutItem",
                            R"({"TableName":"things","Item":{"PK":{"S":"big"},"SK":{"S":")" +
                                sort_key + R"("},"B":{"S":"b"},"x":{"S":")" + large + R"("}}})")
              .ok());
    }
  }

  // Runs one call of the pattern with these steps, and returns when it ended.
  std::int64_t Run(int pattern, std::vector<PlanStep> steps) {
    plan_.patterns[static_cast<std::size_t>(pattern)].steps = std::move(steps);
    if (!runner_) {
      runner_ = std::make_unique<CallRunner>(CallRunner::Parts{.sender = sender_,
                                                               .file = file_,
                                                               .plan = plan_,
                                                               .population = population_,
                                                               .events = events_,
                                                               .patterns = counts_});
    }
    std::int64_t end_us = 0;
    runner_->Start(pattern, {.time_us = 0, .number = next_++}, {});
    while (!events_.empty()) {
      const LabEvent event = events_.Take();
      end_us = event.time_us;
      runner_->Continue(event);
    }
    return end_us;
  }
  void Throttle(int write_units) {
    database_.database().Control(
        "POST", "partitions",
        R"({"mode":"enforce","parameters":{"burst":"1ms","new_table_write_units":1,"new_table_read_units":1,"read_units":)" +
            std::to_string(write_units) + R"(,"write_units":)" + std::to_string(write_units) +
            "}}");
  }

  const LabFile file_ = FileOf(kThings);
  LayoutDatabase database_{file_, file_.layouts[0], nullptr};
  Population population_{file_, 1};
  LayoutPlan plan_ = PlanOf(file_);
  EventQueue events_;
  DatabaseSender sender_{database_.database(), file_.start_epoch_ms};
  std::vector<PatternRun> counts_ = FreshPatternRuns(file_, 1);
  std::unique_ptr<CallRunner> runner_;
  std::uint64_t next_ = 0;
};

constexpr const char* kQueryBig =
    R"({"TableName":"things","KeyConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":"big"}},"ReturnConsumedCapacity":"TOTAL"})";

TEST_F(CallRunnerTest, PagesAreReadToTheEnd) {
  // Ten items of 300 kB are three pages of 1 MB.
  const std::int64_t end_us = Run(0, {{.request = Text("Query", kQueryBig), .is_paged = true}});
  EXPECT_EQ(counts_[0].requests, 3U);
  EXPECT_EQ(counts_[0].items, 10U);
  EXPECT_EQ(counts_[0].calls, 1U);
  EXPECT_NEAR(counts_[0].read_units.sum(), 10 * 300.0 / 8 * 1000 / 1024, 5);
  EXPECT_EQ(end_us, 2 * 5000);  // each page is asked for after the latency
  EXPECT_EQ(counts_[0].round_trips.sum(), 3);
}

TEST_F(CallRunnerTest, PagesEndWhenEnoughItemsAreThere) {
  Run(0, {{.request = Text("Query", kQueryBig), .is_paged = true, .items = 4}});
  EXPECT_EQ(counts_[0].requests, 1U);
  Run(0, {{.request = Text("Query", kQueryBig), .is_paged = true, .items = 5}});
  EXPECT_EQ(counts_[0].requests, 1U + 2U);
  EXPECT_EQ(counts_[0].call_requests.count(), 2U);
  EXPECT_EQ(counts_[0].call_requests.Percentile(0.5), 1);
  EXPECT_EQ(counts_[0].call_requests.max(), 2);
}

TEST_F(CallRunnerTest, ItemsAreFetchedByTheKeysThatAnIndexReturned) {
  const std::string index_query =
      R"({"TableName":"things","IndexName":"ByB","KeyConditionExpression":"B = :b","ExpressionAttributeValues":{":b":{"S":"b"}},"ReturnConsumedCapacity":"TOTAL"})";
  const std::string fetch =
      R"({"RequestItems":{"things":{"Keys":[],"ProjectionExpression":"SK"}},"ReturnConsumedCapacity":"TOTAL"})";
  const std::int64_t end_us = Run(0, {{.request = Text("Query", index_query)},
                                      {.kind = PlanStep::Kind::kFetch,
                                       .request = Text("BatchGetItem", fetch),
                                       .fetched_key = {{.name = "PK"}, {.name = "SK"}}}});
  EXPECT_EQ(counts_[0].requests, 2U);
  EXPECT_EQ(counts_[0].items, 10U);  // by the fetch only
  EXPECT_GT(counts_[0].read_units.sum(), 300);
  EXPECT_EQ(end_us, 5000);
  EXPECT_EQ(counts_[0].round_trips.sum(), 2);
  EXPECT_EQ(counts_[0].error, "");
}

TEST_F(CallRunnerTest, ShardsAreAskedAtOnce) {
  const std::int64_t end_us = Run(0, {{.request = Text("Query", kQueryBig), .shards = 3}});
  EXPECT_EQ(counts_[0].requests, 3U);
  EXPECT_EQ(counts_[0].calls, 1U);
  EXPECT_EQ(end_us, 0);
  EXPECT_EQ(counts_[0].round_trips.sum(), 1);
}

// A walk over the days from 2025-12-28 on, of which 2025-12-30 has three items, and 2025-12-29 ten.
TEST_F(CallRunnerTest, PeriodsOfAWalkAreAskedOneAfterAnother) {
  for (int i = 0; i < 13; ++i) {
    const std::string key = std::string(R"({"PK":{"S":"2025-12-)") + (i < 3 ? "30" : "29") +
                            R"("},"SK":{"S":")" + std::to_string(i) + R"("}})";
    EXPECT_TRUE(
        database_.CallForSetup("PutItem", R"({"TableName":"things","Item":)" + key + "}").ok());
  }
  const TimeBuckets days = {.form = LabTemplatePart::Form::kDay,
                            .from_ms = -10 * kDayMs,
                            .oldest_epoch_ms = file_.start_epoch_ms - 4 * kDayMs};
  RequestTemplate query = {.operation = "Query", .table = "things"};
  AppendText(
      R"({"TableName":"things","KeyConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":")",
      query.nodes);
  AppendSlot({.source = RequestSlot::Source::kBucket,
              .part = {.form = LabTemplatePart::Form::kDay},
              .buckets = days},
             query.nodes);
  AppendText(R"("}},"Limit":)", query.nodes);
  AppendSlot({.source = RequestSlot::Source::kMissing, .count = 5}, query.nodes);
  AppendText(R"(,"ReturnConsumedCapacity":"TOTAL"})", query.nodes);
  const auto walk = [&](bool is_backward, std::int64_t items) {
    return PlanStep{.request = query,
                    .buckets = days,
                    .walk = PeriodWalk{.is_backward = is_backward, .items = items},
                    .is_paged = true,
                    .items = items};
  };
  // 2026-01-01 and 2025-12-31 have nothing, 2025-12-30 three, and 2025-12-29 the two that are
  // missing.
  EXPECT_EQ(Run(0, {walk(true, 5)}), 3 * 5000);
  EXPECT_EQ(counts_[0].requests, 4U);
  EXPECT_EQ(counts_[0].items, 5U);
  EXPECT_EQ(Run(0, {walk(false, 5)}), 1 * 5000);  // from 2025-12-28
  EXPECT_EQ(counts_[0].requests, 4U + 2U);
  // There is nothing beyond the last of five days; the next step is made, too.
  EXPECT_EQ(Run(0, {walk(true, 20), walk(true, 1)}), (5 + 3 - 1) * 5000);
  EXPECT_EQ(counts_[0].requests, 6U + 5U + 3U);
  EXPECT_EQ(counts_[0].items, 10U + 13U + 1U);
  EXPECT_EQ(counts_[0].round_trips.sum(), 4 + 2 + 8);
}

TEST_F(CallRunnerTest, ConditionThatDoesNotHoldEndsTheCallAndIsUndone) {
  const std::string update =
      R"json({"TableName":"things","Key":{"PK":{"S":"none"},"SK":{"S":"X"}},"UpdateExpression":"SET a = :a","ConditionExpression":"attribute_exists(PK)","ExpressionAttributeValues":{":a":{"N":"1"}},"ReturnConsumedCapacity":"TOTAL"})json";
  Run(1, {{.request = Text("UpdateItem", update)}, {.request = Text("UpdateItem", update)}});
  EXPECT_EQ(counts_[1].conditions, 1U);
  EXPECT_EQ(counts_[1].requests, 1U);  // the second step is not made
  EXPECT_EQ(counts_[1].write_units.count(), 0U);
  for (std::uint64_t number = 0; number < 4; ++number) {
    EXPECT_EQ(population_.Value({0, number}, {0, 1}), "1");
  }
}

TEST_F(CallRunnerTest, ThrottledRequestIsSentAgainAndThenGivenUp) {
  Throttle(1);
  const std::string put =
      R"({"TableName":"things","Item":{"PK":{"S":"a"},"SK":{"S":"b"},"x":{"S":")" +
      std::string(200'000, 'x') + R"("}},"ReturnConsumedCapacity":"TOTAL"})";
  // The first takes the units of minutes in advance.
  Run(1, {{.request = Text("PutItem", put)}});
  EXPECT_EQ(counts_[1].failed, 0U);
  const std::int64_t end_us = Run(1, {{.request = Text("PutItem", put)}});
  EXPECT_EQ(counts_[1].failed, 1U);
  EXPECT_EQ(counts_[1].throttled, 3U);  // all of its attempts
  EXPECT_EQ(counts_[1].requests, 1U + 3U);
  EXPECT_LE(end_us, (100 + 200 + 2 * 5) * 1000);
  EXPECT_GT(end_us, 2 * 5 * 1000);
}

TEST_F(CallRunnerTest, UnprocessedMembersOfABatchAreSentAgain) {
  Throttle(1);
  const std::string batch =
      R"({"RequestItems":{"things":[{"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"S":"1"}}}},{"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"S":"2"}}}}]},"ReturnConsumedCapacity":"TOTAL"})";
  Run(1, {{.request = Text("BatchWriteItem", batch)}});
  EXPECT_EQ(counts_[1].calls, 1U);
  EXPECT_EQ(counts_[1].requests, 3U);
  EXPECT_EQ(counts_[1].throttled, 3U);
  EXPECT_EQ(counts_[1].failed, 1U);  // one unit a second does not come within 0.3 s
  EXPECT_EQ(
      database_.database()
              .Call("GetItem", R"({"TableName":"things","Key":{"PK":{"S":"a"},"SK":{"S":"1"}}})")
              .body.find("Item") != std::string::npos,
      true);
}

TEST_F(CallRunnerTest, InvalidRequestOfServeIsARefusal) {
  plan_.patterns[0].service = PlanService::kDeclared;
  Run(0, {{.request = Text("GetItem", R"({"TableName":"things","Key":{}})")}});
  EXPECT_EQ(counts_[0].failed, 1U);
  EXPECT_EQ(runner_->refusal(),
            "test.yaml:0:0: a request of `serve` for \"ask\" is refused: GetItem was answered by "
            "ValidationException: The provided key element does not match the schema");
}

}  // namespace
}  // namespace hashrange
