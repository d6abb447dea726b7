#include "lab/endpoint/endpoint_lab.h"

#include <algorithm>
#include <string>

#include "endpoint_server.h"

namespace hashrange {
namespace {

// Two layouts that read in the same way from other keys, and a Scan that is one page.
constexpr const char* kReads = R"(
lab: 1
seed: 5
entities:
  Customer: {count: 60, attributes: {customer_id: {sequence: 8}, note: {text: [40, 9000]}}}
  Order: {of: Customer, count: {poisson: 4, max: 40}, attributes: {order_id: {ulid: created_at}, created_at: {time: {past: 365d}}, note: {text: [400, 3000]}}}
access_patterns:
  customer: {get: Customer, by: [customer_id], rate: 200/s, pick: zipf}
  orders of a customer: {query: Order, by: [customer_id], order: -created_at, limit: 3, rate: 100/s, pick: zipf}
  all orders of a customer: {query: Order, by: [customer_id], rate: 30/s, returns: [order_id, note]}
layouts:
  one table:
    tables:
      shop:
        key: [PK, SK]
        items:
          Customer: {PK: "CUST#{customer_id}", SK: METADATA}
          Order: {PK: "CUST#{customer_id}", SK: "ORDER#{created_at}#{order_id}"}
  two tables:
    tables:
      customers: {key: [customer_id], items: {Customer: {}}}
      orders: {key: [order_id], indexes: {ByCustomer: {key: [customer_id, created_at], projection: keys_only}}, items: {Order: {}}}
traffic: [{for: 1s, rate: 1}, {for: 1s, ramp: [1, 2]}]
client: {retries: none}
)";

class EndpointLabTest : public EndpointServerTest {};

// Returns the counts of a modelled run, in the form of CountsText.
std::string ModelledText(const LayoutRun& run) {
  EndpointLayoutRun as_endpoint;
  for (const PatternRun& pattern : run.patterns) {
    as_endpoint.patterns.push_back({.run = pattern});
  }
  return CountsText(as_endpoint);
}

TEST_F(EndpointLabTest, ReadsAreThoseOfTheModelledRun) {
  const LabFile file = FileOf(kReads);
  const auto result = Run(file);
  ASSERT_TRUE(result.ok()) << result.error().message;
  const EndpointResult& endpoint = *result->endpoint;
  EXPECT_EQ(endpoint.url, server_->endpoint());
  EXPECT_FALSE(HasTrouble(endpoint));
  ASSERT_EQ(endpoint.runs.size(), 2U);
  for (std::size_t at = 0; at < 2; ++at) {
    const EndpointLayoutRun& run = endpoint.runs[at];
    const LayoutRun& modelled = result->runs[at];
    EXPECT_EQ(run.layout, modelled.layout);
    EXPECT_EQ(CountsText(run), ModelledText(modelled));
    EXPECT_EQ(run.items_filled, modelled.items_loaded);
    EXPECT_EQ(run.traffic_s, 2);
    for (std::size_t pattern = 0; pattern < run.patterns.size(); ++pattern) {
      const EndpointPatternRun& here = run.patterns[pattern];
      EXPECT_EQ(here.run.read_units, modelled.patterns[pattern].read_units);
      EXPECT_EQ(here.latency_us.count(), here.run.calls);
      EXPECT_EQ(here.units.compared, here.run.requests);
      EXPECT_EQ(here.units.different, 0U);
      EXPECT_EQ(here.units.reported_units, here.units.twin_units);
      EXPECT_EQ(here.units.reported_units, here.run.read_units.sum());
    }
  }
  EXPECT_EQ(Tables(), kNoTables);
  ASSERT_EQ(notes_.size(), 1U);
  EXPECT_EQ(notes_[0], "The tables at " + server_->endpoint() + " are named " + endpoint.prefix +
                           "… and are removed at the end");
}

TEST_F(EndpointLabTest, AShareOfTheTrafficHasTheFirstCallsOfIt) {
  LabFile file = FileOf(kReads);
  file.layouts.pop_back();
  options_.traffic = {.rate = 0.1, .length_ms = 1000};
  const EndpointLayoutRun run = RunOne(file);
  EXPECT_EQ(run.traffic_s, 1);
  // The modelled run of the same arrivals.
  for (LabPattern& pattern : file.patterns) pattern.calls_per_second *= 0.1;
  file.traffic.pop_back();
  const auto modelled = RunLab(file, {.threads = 1, .confirms_first_limit = false});
  ASSERT_TRUE(modelled.ok());
  EXPECT_EQ(CountsText(run), ModelledText(modelled->runs[0]));
}

constexpr const char* kCreates = R"(
lab: 1
seed: 5
entities: {Thing: {count: 500, attributes: {id: {uuid: true}, note: {text: [40, 3000]}}}}
access_patterns:
  make: {create: Thing, rate: 100/s}
  make many: {create: Thing, batch: 30, rate: 5/s}
layouts: {only: {tables: {things: {key: [PK], indexes: {ByNote: {key: [N], projection: all}}, items: {Thing: {PK: "{id}", N: "{id}"}}}}}}
traffic: [{for: 1s, rate: 1}]
client: {attempts: 5, base_delay: 1ms}
)";

TEST_F(EndpointLabTest, WritesAreThoseOfTheModelledRunAndOfTheTwin) {
  const EndpointLayoutRun run = RunOne(FileOf(kCreates));
  EXPECT_EQ(CountsText(run), ModelledText(modelled_));
  EXPECT_EQ(run.items_filled, 500U);
  for (std::size_t pattern = 0; pattern < run.patterns.size(); ++pattern) {
    const EndpointPatternRun& here = run.patterns[pattern];
    EXPECT_EQ(here.run.write_units, modelled_.patterns[pattern].write_units);
    EXPECT_EQ(here.units.compared, here.run.requests);
    EXPECT_EQ(here.units.different, 0U);
  }
  EXPECT_EQ(Tables(), kNoTables);
}

// A table that the run would make under the prefix "mine-".
constexpr const char* kSameTable =
    R"({"TableName":"mine-1-things","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":)"
    R"([{"AttributeName":"PK","AttributeType":"S"}],"KeySchema":)"
    R"([{"AttributeName":"PK","KeyType":"HASH"}]})";

TEST_F(EndpointLabTest, ATableThatExistsIsNotTouched) {
  LabFile file = FileOf(kCreates);
  ASSERT_EQ(database_.Call("CreateTable", kSameTable).status, 200);
  options_.prefix = "mine-";
  const auto result = Run(file);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kValidationException);
  EXPECT_EQ(result.error().message,
            "The table mine-1-things exists already at " + server_->endpoint() +
                ", and a run touches no table that it has not made: choose another --prefix");
  EXPECT_EQ(Tables(), R"({"TableNames":["mine-1-things"]})");
}

TEST_F(EndpointLabTest, ATableThatAppearsMeanwhileIsNotTouchedEither) {
  const LabFile file = FileOf(kCreates);
  options_.prefix = "mine-";
  const auto lab = EndpointLab::Open(file, options_);
  ASSERT_TRUE(lab.ok());
  const auto modelled = RunLab(file, {.threads = 1, .confirms_first_limit = false});
  ASSERT_EQ(database_.Call("CreateTable", kSameTable).status, 200);
  const auto result = (*lab)->Run(*modelled);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(HasTrouble(*result));
  EXPECT_EQ(result->runs[0].ended_early_because,
            "The table mine-1-things exists already at " + server_->endpoint() +
                ", and a run touches no table that it has not made: choose another --prefix");
  EXPECT_EQ(Tables(), R"({"TableNames":["mine-1-things"]})");
}

TEST_F(EndpointLabTest, AnInterruptionRemovesTheTables) {
  options_.progress = [this](double done) { stop_ = stop_ || done > 0.5; };
  const EndpointLayoutRun run = RunOne(FileOf(kCreates));
  EXPECT_EQ(run.ended_early_because, "The run was interrupted");
  EXPECT_EQ(run.left_behind, "");
  EXPECT_EQ(Tables(), kNoTables);
}

TEST_F(EndpointLabTest, CallsBeyondTheBoundAreNotMade) {
  options_.limits.most_open_calls = 0;
  const EndpointLayoutRun run = RunOne(FileOf(kCreates));
  EXPECT_EQ(run.patterns[0].run.calls, 0U);
  EXPECT_EQ(run.patterns[0].not_made, modelled_.patterns[0].calls);
}

TEST_F(EndpointLabTest, WhatCostsMoneyIsSaidAndNeedsAnAmount) {
  const LabFile file = FileOf(kCreates);
  options_.is_charged = true;
  const auto without = Run(file);
  ASSERT_FALSE(without.ok());
  EXPECT_EQ(without.error().message,
            "calls of AWS cost money: --spend USD says how much the run may cost");
  ASSERT_EQ(notes_.size(), 3U);
  EXPECT_TRUE(notes_[1].starts_with("\"only\": about US$ 0.00")) << notes_[1];
  EXPECT_TRUE(notes_[2].starts_with("In all, the run costs about US$ 0.00")) << notes_[2];
  options_.spend_usd = 1e-6;
  const auto little = Run(file);
  ASSERT_FALSE(little.ok());
  EXPECT_TRUE(little.error().message.starts_with("the run would cost about US$ 0.00"))
      << little.error().message;
  EXPECT_EQ(Tables(), kNoTables);
  options_.spend_usd = 1;
  const EndpointLayoutRun run = RunOne(file);
  EXPECT_EQ(run.ended_early_because, "");
  EXPECT_GT(run.spent_usd, 500 * 2 * 0.625e-6);
}

TEST_F(EndpointLabTest, SearchesAreSentButNotToAws) {
  const LabFile file = FileOf(R"(
lab: 1
entities: {Thing: {count: 60, attributes: {thing_id: {sequence: 4}, kind: {choice: [a, b]}, v: {vector: 300}}}}
access_patterns:
  near: {search: Thing, by: [kind], limit: 3, returns: [thing_id], rate: 200/s}
  make: {create: Thing, rate: 50/s}
layouts: {only: {tables: {things: {key: [thing_id], vector_indexes: {byV: {attribute: v, hash: kind}}, items: {Thing: {thing_id: "{thing_id}"}}}}}}
traffic: [{for: 1s, rate: 1}]
)");
  const EndpointLayoutRun run = RunOne(file);
  EXPECT_EQ(run.ended_early_because, "");
  for (std::size_t i = 0; i < 2; ++i) {
    const PatternRun& here = modelled_.patterns[i];
    const EndpointPatternRun& there = run.patterns[i];
    EXPECT_GT(there.run.calls, 20U);
    EXPECT_EQ(there.run.failed, 0U) << there.run.error;
    EXPECT_EQ(there.units.different, 0U) << there.units.first_difference;
    EXPECT_GT(there.units.compared, 20U);
    const double share = static_cast<double>(there.run.calls) / static_cast<double>(here.calls);
    EXPECT_NEAR(there.run.searched_bytes, here.searched_bytes * share, 0.02 * here.searched_bytes);
    EXPECT_NEAR(there.run.vector_write_bytes, here.vector_write_bytes * share,
                0.02 * here.vector_write_bytes);
  }
  EXPECT_GT(run.patterns[0].run.searched_bytes, 0);
  EXPECT_GT(run.patterns[1].run.vector_write_bytes, 0);
  options_.is_charged = true;
  options_.spend_usd = 1;
  const auto lab = EndpointLab::Open(file, options_);
  ASSERT_FALSE(lab.ok());
  EXPECT_EQ(
      lab.error().message,
      "\"only\" has vector indexes, and no traffic is sent to those of AWS: take other layouts "
      "with --layout");
}

TEST_F(EndpointLabTest, APatternWhoseCostIsNotKnownIsNotRunWhereItCostsMoney) {
  const LabFile file = FileOf(kCreates);
  options_.is_charged = true;
  options_.spend_usd = 1;
  const auto lab = EndpointLab::Open(file, options_);
  ASSERT_TRUE(lab.ok());
  auto modelled = RunLab(file, {.threads = 1, .confirms_first_limit = false});
  ASSERT_TRUE(modelled.ok());
  PatternRun& make = modelled->runs[0].patterns[0];
  make.failed = make.calls;
  make.read_units = make.write_units = {};
  const auto result = (*lab)->Run(*modelled);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message,
            "what \"make\" costs in \"only\" is not known, since none of its calls succeeded in "
            "the modelled run: change the pattern, or take other layouts with --layout");
  EXPECT_EQ(Tables(), kNoTables);
}

TEST_F(EndpointLabTest, ARunThatCostsTooMuchIsGivenUp) {
  options_.spend_usd = 1e-5;  // 16 write units
  const EndpointLayoutRun run = RunOne(FileOf(kCreates));
  EXPECT_TRUE(run.ended_early_because.starts_with("The run has cost about US$"))
      << run.ended_early_because;
  EXPECT_LT(run.items_filled, 500U);
  EXPECT_EQ(Tables(), kNoTables);
}

TEST_F(EndpointLabTest, ALayoutWhoseFirstHourCostsTooMuchIsNotMade) {
  options_.spend_usd = 0.07;
  options_.prefix = "mine-";
  const auto result = Run(FileOf(R"(
lab: 1
entities: {Thing: {count: 4, attributes: {id: {sequence: 4}}}}
access_patterns: {ask: {get: Thing, by: [id], rate: 10/s}}
layouts:
  one: {tables: {things: {key: [PK], billing: {read: 10, write: 100}, items: {Thing: {PK: "{id}"}}}}}
  two: {tables: {things: {key: [PK], billing: {read: 10, write: 100}, items: {Thing: {PK: "{id}"}}}}}
traffic: [{for: 100ms, rate: 1}]
)"));
  ASSERT_TRUE(result.ok()) << result.error().message;
  const std::vector<EndpointLayoutRun>& runs = result->endpoint->runs;
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].ended_early_because, "");
  EXPECT_DOUBLE_EQ(runs[0].spent_usd, 0.0663);
  EXPECT_EQ(runs[1].ended_early_because,
            "The run would cost US$ 0.133 with the first hour of the layout, and --spend allows "
            "US$ 0.07");
  EXPECT_EQ(runs[1].spent_usd, 0);
}

TEST_F(EndpointLabTest, ADurationBeyondTheTrafficIsRefused) {
  options_.traffic.length_ms = 1001;
  const auto result = Run(FileOf(kCreates));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message,
            "--duration is longer than the traffic of the file, which is 1 s long");
}

}  // namespace
}  // namespace hashrange
