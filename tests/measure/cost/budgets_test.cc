#include "measure/cost/budgets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "measure/cost/assessment.h"
#include "measure/cost/first_limit.h"
#include "measure/four_partitions.h"
#include "measure/sign_up_measurement.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The traffic of SignUpMeasurement with a few failures: 6 of 600 sign-ups fail, 3 of them because
// of their condition and 1 throttled.
Measurement WithFailures() {
  Measurement measurement = SignUpMeasurement();
  PatternMeasure& sign_up = measurement.patterns[0];
  sign_up.errors = {{"ConditionalCheckFailedException", 3}, {"ThrottlingException", 3}};
  sign_up.throttles = {{"TableWriteKeyRangeThroughputExceeded", 1}};
  sign_up.failed_conditions = 3;
  sign_up.pages_a_call.Add(1, 600);
  return measurement;
}

Result<Budgets> ReadFile(const std::string& text) {
  HR_ASSIGN(const OwnedJson json, OwnedJson::Parse(text, JsonDialect::kStrict));
  return ReadBudgets(json.value());
}

std::vector<std::string> Sentences(const Measurement& measurement, const std::string& file,
                                   const BudgetInput& input = {}) {
  const auto budgets = ReadFile(file);
  EXPECT_TRUE(budgets.ok()) << budgets.error().message;
  std::vector<std::string> sentences;
  for (const BudgetViolation& each : CheckBudgets(measurement, *budgets, input)) {
    sentences.push_back(each.sentence);
  }
  return sentences;
}

TEST(Budgets, WhatIsWithinTheBudgetIsNoViolation) {
  EXPECT_THAT(Sentences(WithFailures(), R"({
    "names": [{"name": "orders of a customer", "operation": "Query", "index": "GSI1"}],
    "rates": {"sign up": 1},
    "patterns": {
      "orders of a customer": {"read_units": {"p50": 0.5, "p95": 0.5, "p99": 0.5, "max": 0.5,
                                              "mean": 0.5},
                               "items_examined": 5, "items_returned": {"max": 3, "mean": 2.5},
                               "examined_per_returned": 2, "usd_per_million": 0.0625},
      "sign up": {"write_units": 2, "pages": 1, "errors": 0.01, "failed_conditions": 0.005,
                  "throttled": 0.002},
      "*": {"read_units": 0.5}},
    "no_scans": true,
    "tables": {"shop": {"usd_per_month": 4, "size_bytes": 1000000}},
    "first_limit": 1000,
    "findings": {"severe": 0}})"),
              IsEmpty());
}

TEST(Budgets, BytesOfVectorsAreOfACallInTheMean) {
  Measurement measurement = SignUpMeasurement();
  measurement.patterns[0].vector_bytes_written = 600 * 1024;
  measurement.patterns[0].vector_bytes_searched = 600 * 2048;
  EXPECT_THAT(Sentences(measurement, R"({"patterns": {"sign up": {"vector_bytes_written": 1000,
                                                          "vector_bytes_searched": 2000}}})"),
              ElementsAre("sign up: vector_bytes_searched is 2048; at most 2000 is allowed.",
                          "sign up: vector_bytes_written is 1024; at most 1000 is allowed."));
}

TEST(Budgets, EachFigureHasItsSentence) {
  struct Case {
    std::string limit;
    std::string sentence;
  };
  // A sign-up takes 2 write units, an order query 0.5 read units and 5 items for 2.5.
  const Case cases[] = {
      {R"("sign up":{"write_units":1})", "sign up: write_units max is 2; at most 1 is allowed."},
      {R"("sign up":{"write_units":{"mean":1.5}})",
       "sign up: write_units mean is 2; at most 1.5 is allowed."},
      {R"("bbb":{"read_units":{"p99":0.4}})",
       "Query shop.GSI1 CUST#{id}: read_units p99 is 0.5; at most 0.4 is allowed."},
      {R"("bbb":{"items_returned":{"p50":1}})",
       "Query shop.GSI1 CUST#{id}: items_returned p50 is 2; at most 1 is allowed."},
      {R"("bbb":{"items_returned":{"p95":2}})",
       "Query shop.GSI1 CUST#{id}: items_returned p95 is 3; at most 2 is allowed."},
      {R"("Query":{"examined_per_returned":1.5})",
       "Query shop.GSI1 CUST#{id}: examined_per_returned is 2; at most 1.5 is allowed."},
      {R"("sign up":{"errors":0})", "sign up: errors is 0.01; at most 0 is allowed."},
      {R"("sign up":{"throttled":0})", "sign up: throttled is 0.00167; at most 0 is allowed."},
      {R"("sign up":{"failed_conditions":0.004})",
       "sign up: failed_conditions is 0.005; at most 0.004 is allowed."},
      {R"("sign up":{"usd_per_million":1})",
       "sign up: usd_per_million is 1.25; at most 1 is allowed."},
      {R"("*":{"items_examined":4})",
       "Query shop.GSI1 CUST#{id}: items_examined max is 5; at most 4 is allowed."},
      {R"("misspelt":{})", "No call matches the budget of \"misspelt\"."},
  };
  for (const Case& each : cases) {
    EXPECT_THAT(Sentences(WithFailures(), "{\"patterns\":{" + each.limit + "}}"),
                ElementsAre(each.sentence));
  }
}

TEST(Budgets, AViolationHasItsFigures) {
  const auto budgets = ReadFile(R"({"patterns":{"sign up":{"write_units":{"p99":1}}}})");
  ASSERT_TRUE(budgets.ok());
  const auto violations = CheckBudgets(WithFailures(), *budgets, BudgetInput{});
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].what, "write_units p99");
  EXPECT_EQ(violations[0].where, "sign up");
  EXPECT_EQ(violations[0].is, 2);
  EXPECT_EQ(violations[0].allowed, 1);
}

// Two patterns of one name: 600 calls of 2 write units and 200 of 6.
TEST(Budgets, PatternsOfOneNameAreOne) {
  Measurement measurement = SignUpMeasurement();
  PatternMeasure more = SignUpPattern();
  more.id = "ccc";
  more.calls = more.requests = 200;
  more.call.write_units = {};
  more.call.write_units.Add(6, 200);
  measurement.patterns.push_back(more);
  EXPECT_THAT(Sentences(measurement, R"({"patterns":{"sign up":{"write_units":{"mean":2}}}})"),
              ElementsAre("sign up: write_units mean is 3; at most 2 is allowed."));
  // An id means its own calls only.
  EXPECT_THAT(Sentences(measurement, R"({"patterns":{"aaa":{"write_units":2}}})"), IsEmpty());
  EXPECT_THAT(Sentences(measurement, R"({"patterns":{"PutItem":{"write_units":2}}})"),
              ElementsAre("sign up: write_units max is 6; at most 2 is allowed."));
}

TEST(Budgets, AStarYieldsToThePatternsOwnMember) {
  EXPECT_THAT(Sentences(WithFailures(), R"({"patterns":{
                "*": {"write_units": 0, "errors": 0}, "sign up": {"write_units": 2}}})"),
              ElementsAre("sign up: errors is 0.01; at most 0 is allowed."));
}

TEST(Budgets, APatternThatFindsNothingExceedsEveryRatio) {
  Measurement measurement = SignUpMeasurement();
  measurement.patterns[1].call.items_returned = {};
  EXPECT_THAT(Sentences(measurement, R"({"patterns":{"bbb":{"examined_per_returned":100}}})"),
              ElementsAre("Query shop.GSI1 CUST#{id}: examined_per_returned is without bound (none "
                          "was returned); at most 100 is allowed."));
}

TEST(Budgets, ScansAreFoundInStatementsToo) {
  Measurement measurement = SignUpMeasurement();
  measurement.patterns[1].operation = "ExecuteStatement";
  measurement.patterns[1].members[0].kind = "scan";
  EXPECT_THAT(Sentences(measurement, R"({"no_scans":true})"),
              ElementsAre("Query shop.GSI1 CUST#{id}: 400 calls scan; no scans are allowed."));
  EXPECT_THAT(Sentences(measurement, R"({"no_scans":false,"findings":{"hint":9}})"), IsEmpty());
}

TEST(Budgets, TablesHaveSizesAndPrices) {
  Measurement measurement = SignUpMeasurement();
  measurement.resources[0].collections.count = 2;
  measurement.resources[0].collections.size_bytes.Add(40);
  measurement.resources[0].collections.size_bytes.Add(100);
  EXPECT_THAT(Sentences(measurement, R"({"tables":{"shop":{"size_bytes":999999,
                "largest_collection_bytes":99, "usd_per_month": 0.5}}})"),
              // 876,000 write units of 0.625 and 146,000 read units of 0.125 a million.
              ElementsAre("shop: usd_per_month is 0.566; at most 0.5 is allowed.",
                          "shop: largest_collection_bytes is 100; at most 99 is allowed.",
                          "shop: size_bytes is 1,000,000; at most 999,999 is allowed."));
}

TEST(Budgets, WhatIsNotKnownIsAViolation) {
  Measurement measurement = SignUpMeasurement();
  measurement.ended_epoch_ms = measurement.began_epoch_ms + 1000;
  EXPECT_THAT(
      Sentences(measurement, R"({"tables":{"shop":{"usd_per_month":9,
                "largest_collection_bytes":9}, "shoop":{}}})"),
      ElementsAre("shop: usd_per_month is not known: a month is computed from declared rates, or "
                  "from an hour of the server's clock.",
                  "shop: largest_collection_bytes is not known: item collections were not walked.",
                  "The measurement has no table \"shoop\"."));
  EXPECT_THAT(Sentences({}, R"({"first_limit":1})"),
              ElementsAre("The first limit is not known: no call succeeded."));
}

TEST(Budgets, TheFirstLimitIsAtLeast) {
  Measurement measurement = SignUpMeasurement();
  measurement.resources[1].written_keys = {600, 0, {{"GSI1PK=CUSTOMER", "", 600, 0}}};
  EXPECT_THAT(Sentences(measurement, R"({"first_limit":2000})"),
              ElementsAre("The first limit is at 1,667 calls/s of this mix: GSI1, key "
                          "GSI1PK=CUSTOMER, writes; at least 2,000 calls/s are wanted."));
}

// A modelled partition meets its limit at 5 calls/s; when partitions are cut differs from run to
// run.
TEST(Budgets, TheFirstLimitIsNotOfAModelledPartition) {
  Measurement measurement = SignUpMeasurement();
  measurement.resources[1].written_keys = {600, 0, {{"GSI1PK=CUSTOMER", "", 600, 0}}};
  measurement.partitions = {FourPartitions(measurement.began_epoch_ms)};
  ASSERT_EQ(FirstLimits(measurement, {})[0].what, "partition");
  EXPECT_THAT(Sentences(measurement, R"({"first_limit":1000})"), IsEmpty());
  EXPECT_THAT(Sentences(measurement, R"({"first_limit":2000})"),
              ElementsAre("The first limit is at 1,667 calls/s of this mix: GSI1, key "
                          "GSI1PK=CUSTOMER, writes; at least 2,000 calls/s are wanted."));
}

// Findings of modelled partitions are not counted.
TEST(Budgets, FindingsAreCountedBySeverity) {
  BudgetInput input;
  input.findings.findings = {{.slug = "scan", .severity = FindingSeverity::kSevere},
                             {.slug = "hot-partition", .severity = FindingSeverity::kSevere},
                             {.slug = "constant-key", .severity = FindingSeverity::kSevere},
                             {.slug = "strong-reads", .severity = FindingSeverity::kWarning}};
  EXPECT_THAT(Sentences({}, R"({"findings":{"severe":1,"warning":1,"hint":0}})", input),
              ElementsAre("Findings that are severe: 2; at most 1 allowed (scan, constant-key)."));
}

TEST(Budgets, ErrorsOfTheFileNameTheMember) {
  struct Case {
    std::string text;
    std::string sentence;
  };
  const Case cases[] = {
      {"[]", "The file is not an object."},
      {"{}", "There is no budget."},
      {R"({"no_scans":false,"rates":{"a":1},"patterns":{}})", "There is no budget."},
      {R"({"patterns":{"*":{}}})", "There is no budget."},
      {R"({"pattern":{}})",
       R"("pattern" is not known here. The members are "names", "rates", "patterns", "no_scans", )"
       R"("tables", "first_limit", "findings".)"},
      {R"({"no_scans":1})", R"("no_scans" is neither true nor false.)"},
      {R"({"first_limit":"1"})", R"("first_limit" is not a number of 0 or more.)"},
      {R"({"names":{}})", R"("names" is not a list.)"},
      {R"({"rates":[]})", R"("rates" is not an object.)"},
      {R"({"patterns":[]})", R"("patterns" is not an object.)"},
      {R"({"patterns":{"a":1}})", R"("patterns.a" is not an object.)"},
      {R"({"patterns":{"a":{"read_unit":1}}})",
       R"("patterns.a.read_unit" is not known here. The members are "read_units", "write_units", )"
       R"("items_examined", "items_returned", "bytes_examined", "bytes_returned", "pages", )"
       R"("examined_per_returned", "errors", "throttled", "failed_conditions", )"
       R"("vector_bytes_searched", "vector_bytes_written", "usd_per_million".)"},
      {R"({"patterns":{"a":{"read_units":{"p90":1}}}})",
       R"("patterns.a.read_units.p90" is not known here. The members are "p50", "p95", "p99", )"
       R"("max", "mean".)"},
      {R"({"patterns":{"a":{"read_units":{"p99":-1}}}})",
       R"("patterns.a.read_units.p99" is not a number of 0 or more.)"},
      {R"({"patterns":{"a":{"read_units":"1"}}})",
       R"("patterns.a.read_units" is not a number of 0 or more.)"},
      {R"({"patterns":{"a":{"errors":{"max":1}}}})",
       R"("patterns.a.errors" is not a number of 0 or more.)"},
      {R"({"tables":{"t":{"size":1}}})",
       R"("tables.t.size" is not known here. The members are "usd_per_month", )"
       R"("largest_collection_bytes", "size_bytes".)"},
      {R"({"findings":{"bad":0}})",
       R"("findings.bad" is not known here. The members are "severe", "warning", "hint".)"},
      {R"({"findings":[]})", R"("findings" is not an object.)"},
  };
  for (const Case& each : cases) {
    const auto read = ReadFile(each.text);
    ASSERT_FALSE(read.ok()) << each.text;
    EXPECT_EQ(read.error().message, each.sentence);
  }
  EXPECT_FALSE(ReadFile("{").ok());
  EXPECT_FALSE(ReadFile(R"({"no_scans":true,"no_scans":true})").ok());
}

}  // namespace
}  // namespace hashrange
