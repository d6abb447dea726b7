#include "lab/run/lab_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/memory/output_buffer.h"
#include "lab/run/explanation.h"
#include "lab/run/layout_database.h"
#include "lab/run/run_figures.h"
#include "measure/call_rates.h"
#include "measure/cost/throughput_load.h"
#include "measure/measurement_json.h"
#include "run_file.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

LabResult RunOf(const LabFile& file, const LabRunOptions& options) {
  auto result = RunLab(file, options);
  if (!result.ok()) {
    ADD_FAILURE() << result.error().message;
    return {};
  }
  return std::move(*result);
}

// Returns everything of a run that has to reproduce, as text.
std::string TextOf(const LayoutRun& run) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteMeasurement(run.measurement, writer);
  std::string text(out.view());
  for (const PatternRun& pattern : run.patterns) {
    for (const std::uint64_t count :
         {pattern.calls, pattern.failed, pattern.conditions, pattern.skipped, pattern.requests,
          pattern.throttled, pattern.items}) {
      text += std::to_string(count) + " ";
    }
    text += std::to_string(pattern.weight) + pattern.error;
  }
  for (const LimitTrial& trial : run.trials) {
    text += std::to_string(trial.multiple) + " " + std::to_string(trial.throttled) + " ";
  }
  return text + std::to_string(run.items_loaded) + " " + std::to_string(run.bytes_loaded);
}

TEST(LabRun, SameFileGivesTheSameBytesWhateverTheThreads) {
  const LabFile file = FileOf(kSmallShop);
  LabRunOptions options = {.scales = {1, 2}, .threads = 1, .confirms_first_limit = false};
  const LabResult one = RunOf(file, options);
  ASSERT_EQ(one.runs.size(), 4U);
  for (const int threads : {2, 4}) {
    options.threads = threads;
    const LabResult other = RunOf(file, options);
    ASSERT_EQ(other.runs.size(), 4U);
    for (std::size_t i = 0; i < one.runs.size(); ++i) {
      EXPECT_EQ(one.runs[i].layout, i < 2 ? "items" : "lines inside");
      EXPECT_EQ(one.runs[i].scale, i % 2 + 1);
      EXPECT_EQ(TextOf(one.runs[i]), TextOf(other.runs[i])) << threads << " threads";
    }
  }
  EXPECT_GT(one.runs[1].items_loaded, one.runs[0].items_loaded * 3 / 2);
}

TEST(LabRun, LayoutsGetTheSameCalls) {
  const LabResult result = RunOf(FileOf(kSmallShop), {.confirms_first_limit = false});
  ASSERT_EQ(result.runs.size(), 2U);
  const auto& items = result.runs[0].patterns;
  const auto& inside = result.runs[1].patterns;
  for (std::size_t i = 0; i < items.size(); ++i) {
    SCOPED_TRACE(items[i].name);
    EXPECT_EQ(items[i].error, "");
    EXPECT_EQ(inside[i].error, "");
    EXPECT_EQ(items[i].failed, 0U);
    EXPECT_EQ(items[i].conditions, 0U);
    EXPECT_EQ(items[i].calls, inside[i].calls);
    EXPECT_GT(items[i].calls, 50U);
  }
  // 45 s at the factor 1 of 40 calls a second.
  EXPECT_NEAR(static_cast<double>(items[0].calls), 45 * 40, 170);
  EXPECT_EQ(items[0].items, items[0].calls);  // each customer was found
}

TEST(LabRun, MeasurementNamesThePatternsAndHasNothingOfTheMachine) {
  const LabResult result =
      RunOf(FileOf(kSmallShop), {.confirms_first_limit = false, .only_layouts = {"items"}});
  ASSERT_EQ(result.runs.size(), 1U);
  const LayoutRun& run = result.runs[0];
  EXPECT_EQ(run.measurement.name, "items");
  EXPECT_TRUE(run.measurement.server_time.empty());
  // The latest calls may have ended a little later than the traffic.
  const std::int64_t measured_ms = run.measurement.ended_epoch_ms - run.measurement.began_epoch_ms;
  EXPECT_GE(measured_ms, 30'000);
  EXPECT_LE(measured_ms, 30'100);
  EXPECT_EQ(run.simulated_ms, 30'000);
  ASSERT_EQ(run.measurement.tables.size(), 1U);
  EXPECT_EQ(static_cast<std::uint64_t>(run.measurement.tables[0].items_at_begin), run.items_loaded);
  for (const PatternRun& pattern : run.patterns) {
    std::uint64_t requests = 0;
    for (const PatternMeasure& measured : run.measurement.patterns) {
      if (measured.name == pattern.name) requests += measured.requests;
    }
    EXPECT_EQ(requests, pattern.requests) << pattern.name;
  }
}

// The heat of each of 13 tables and indexes in each of 300 seconds is a quarter of a million of
// numbers.
// An update of an embedded item names it, so each ticket has a request of its own shape.
TEST(LabRun, UnitsOfManyEmbeddedItemsCountForTheirPattern) {
  const LabFile file = FileOf(R"(
lab: 1
seed: 3
entities:
  Order: {count: 1000, attributes: {order_id: {sequence: 6}}}
  Ticket: {of: Order, count: 4, attributes: {ticket_id: {sequence: 8}, status: {choice: [VALID, USED]}}}
access_patterns:
  order: {get: Order, by: [order_id], rate: 10/s}
  admit: {update: Ticket, by: [order_id, ticket_id], set: {status: USED}, rate: 100/s}
layouts:
  tickets inside:
    tables:
      orders: {key: [pk], billing: on_demand, items: {Order: {pk: "{order_id}"}, Ticket: {embed: Order.tickets, map_by: ticket_id}}}
traffic: [{for: 30s, rate: 1}]
)");
  const LabResult result = RunOf(file, {.confirms_first_limit = false});
  ASSERT_EQ(result.runs.size(), 1U);
  const LayoutRun& run = result.runs[0];
  for (const PatternRun& pattern : run.patterns) {
    std::uint64_t requests = 0;
    for (const PatternMeasure& measured : run.measurement.patterns) {
      if (measured.name == pattern.name) requests += measured.requests;
    }
    EXPECT_EQ(requests, pattern.requests) << pattern.name;
  }
  const std::vector<ThroughputLoad> hour =
      DeclaredLoads(run.measurement, RatesOfPatterns(run.measurement, MeteredRates(run)));
  ASSERT_EQ(hour.size(), 1U);
  EXPECT_NEAR(hour[0].read_units, 3600 * 10 * 0.5, 1e-6);
  EXPECT_NEAR(hour[0].write_units, 3600 * 100 * 1, 1e-6);
}

TEST(LabRun, MinutesOfTrafficOfManyTablesAreMeasured) {
  std::string entities, patterns, tables;
  for (const char* const name : {"A", "B", "C", "D", "E", "F", "G", "H", "J", "K", "L", "M", "N"}) {
    const std::string one = name;
    entities += "  " + one + ": {count: 5, attributes: {id: {sequence: 4}}}\n";
    patterns += "  " + one + ": {get: " + one + ", by: [id], rate: 3/s}\n";
    tables += "   " + one + "-table: {key: [id], items: {" + one + ": {}}}\n";
  }
  const LabFile file =
      FileOf("lab: 1\nentities:\n" + entities + "access_patterns:\n" + patterns +
             "layouts:\n only:\n  tables:\n" + tables + "traffic: [{for: 5m, rate: 1}]\n");
  const auto result = RunLab(file, {.confirms_first_limit = false});
  ASSERT_TRUE(result.ok()) << result.error().message;
  ASSERT_EQ(result->runs[0].measurement.resources.size(), 13U);
  std::size_t numbers = 0;
  for (const ResourceMeasure& resource : result->runs[0].measurement.resources) {
    for (const HeatSlice& slice : resource.heat_over_time) {
      numbers += slice.read_units.size() + slice.write_units.size();
    }
  }
  EXPECT_GT(numbers, 200'000U);
}

// The table serves what eventually consistent reads of one item need 30 times; what it has saved
// when a trial begins does not hide that.
TEST(LabRun, FirstLimitsOfReadsAndOfProvisionedTablesAreTriedBelowAndAbove) {
  constexpr const char* kOneItem = R"(
lab: 1
entities: {Page: {count: 1, attributes: {id: {sequence: 4}, text: {text: [100, 100]}}}}
access_patterns: {look: {get: Page, by: [id], rate: 100/s}}
layouts: {only: {tables: {pages: {key: [id], billing: on_demand, items: {Page: {}}}}}}
traffic: [{for: 20s, rate: 1}]
)";
  LabFile file = FileOf(kOneItem);
  const auto check = [&](double multiple, const std::string& where) {
    const LabResult result = RunOf(file, {});
    const auto& trials = result.runs.at(0).trials;
    ASSERT_EQ(trials.size(), 2U);
    EXPECT_EQ(result.runs[0].no_trial_because, "");
    EXPECT_NEAR(trials[0].multiple, multiple / 1.048, 0.01 * multiple);
    EXPECT_NEAR(trials[1].multiple, multiple * 1.048, 0.01 * multiple);
    EXPECT_EQ(OutcomeOf(trials[0]), TrialOutcome::kHolds);
    EXPECT_EQ(trials[0].throttled, 0);
    EXPECT_EQ(trials[0].place.pattern, "");
    EXPECT_EQ(OutcomeOf(trials[1]), TrialOutcome::kBreaks);
    EXPECT_LT(trials[1].throttled, 0.5);  // retries included
    const ThrottlePlace& place = trials[1].place;
    EXPECT_EQ(place.pattern + ": " + place.table + ", " + place.key + ", " + place.reason, where);
  };
  // 4,500 units a second, of 50
  check(90, "look: pages, id=0001, TableReadKeyRangeThroughputExceeded");
  file.layouts[0].tables[0].throughput = {.on_demand = false, .read_units = 60, .write_units = 5};
  check(1.2, "look: pages, id=0001, TableReadProvisionedThroughputExceeded");
}

// A key of an index takes 1,000 write units a second, whatever the table has left.
TEST(LabRun, TheHottestKeyOfAnIndexBreaksAtAThousandWrites) {
  const LabFile file = FileOf(R"(
lab: 1
entities: {Person: {count: 100, attributes: {id: {sequence: 6}, name: {text: [20, 20]}}}}
access_patterns: {sign up: {create: Person, rate: 20/s}}
layouts: {only: {tables: {people: {key: [id], billing: on_demand, indexes: {all: {key: [kind, id]}}, items: {Person: {kind: PERSON}}}}}}
traffic: [{for: 10s, rate: 1}]
)");
  const LabResult result = RunOf(file, {});
  const LayoutRun& run = result.runs.at(0);
  const auto rows = FirstLimits(run.measurement, MeteredRates(run));
  const DeclaredLimit limit = TriedLimit(run, FirstDeclaredLimit(run, rows).value(), rows);
  EXPECT_NEAR(limit.multiple, 50, 0.01);
  EXPECT_EQ(limit.not_confirmed_because, "");
  EXPECT_EQ(limit.row.reason, "IndexWriteKeyRangeThroughputExceeded");
  EXPECT_EQ(run.trials.back().place.key, "kind=PERSON");
}

// 1,600 calls of 25 units each would take more than an hour at one unit a second.
TEST(LabRun, ATrialThatTakesTooLongIsNotMade) {
  const LabFile file = FileOf(R"(
lab: 1
entities: {Page: {count: 1, attributes: {id: {sequence: 4}, text: {text: [200000, 200000]}}}}
access_patterns: {look: {get: Page, by: [id], rate: 1/s}}
layouts: {only: {tables: {pages: {key: [id], billing: {read: 1, write: 1}, items: {Page: {}}}}}}
traffic: [{for: 20s, rate: 1}]
)");
  const LabResult result = RunOf(file, {});
  EXPECT_TRUE(result.runs.at(0).trials.empty());
  EXPECT_EQ(result.runs[0].no_trial_because, "a trial would take too many requests");
}

TEST(LabRun, WithoutTrialsTheReasonIsTold) {
  const LabFile file = FileOf(kSmallShop);
  EXPECT_EQ(RunOf(file, {.confirms_first_limit = false, .only_layouts = {"items"}})
                .runs.at(0)
                .no_trial_because,
            "no trial was asked for");
  EXPECT_EQ(RunOf(file, {.thin = 5, .only_layouts = {"items"}}).runs.at(0).no_trial_because,
            "no trial follows a run that is thinned");
}

TEST(LabRun, TrialsOfOtherLayoutsThanTheFirstTakeNoMoreThanIsAllowed) {
  const LabFile file = FileOf(R"(
lab: 1
entities: {Page: {count: 1, attributes: {id: {sequence: 4}, text: {text: [100, 100]}}}}
access_patterns: {look: {get: Page, by: [id], rate: 1/s}}
layouts:
  first: {tables: {pages: {key: [id], billing: {read: 5, write: 5}, items: {Page: {}}}}}
  other: {tables: {pages: {key: [id], billing: {read: 5, write: 5}, items: {Page: {}}}}}
traffic: [{for: 20s, rate: 1}]
)");
  const LabResult result = RunOf(file, {.trial_work_of_others = 10});
  ASSERT_EQ(result.runs.size(), 2U);
  EXPECT_FALSE(result.runs[0].trials.empty());
  EXPECT_EQ(result.runs[0].no_trial_because, "");
  EXPECT_TRUE(result.runs[1].trials.empty());
  EXPECT_EQ(result.runs[1].no_trial_because, "a trial would take too many requests");
}

TEST(LabRun, ItemsThatReplaceOthersAreCounted) {
  const LabFile file = FileOf(R"(
lab: 1
entities: {Page: {count: 100, attributes: {id: {sequence: 4}, kind: {choice: [a, b]}}}}
access_patterns: {look: {get: Page, by: [id], rate: 1/s}}
layouts:
  own: {tables: {pages: {key: [PK], items: {Page: {PK: "PAGE#{id}"}}}}}
  shared: {tables: {pages: {key: [PK], items: {Page: {PK: "PAGE#{kind}"}}}}}
traffic: [{for: 10s, rate: 1}]
)");
  const LabResult result = RunOf(file, {.confirms_first_limit = false});
  EXPECT_EQ(result.runs.at(0).items_replaced, 0U);
  EXPECT_EQ(result.runs.at(1).items_replaced, 98U);
}

// The reader cannot know how many values a text has, so they are compared.
TEST(LabRun, ValuesThatAreToBeUniqueAreCompared) {
  const auto message_of = [](const std::string& customer, const std::string& order) {
    const LabFile file = FileOf(R"(
lab: 1
entities:
  Customer: {count: 1000, attributes: {id: {sequence: 4}, code: )" +
                                customer + R"(}}
  Order: {of: Customer, count: 4, distinct: place, attributes: {place: )" +
                                order + R"(}}
access_patterns: {join: {create: Customer, unique: [code], rate: 1/s}}
layouts: {only: {tables: {all: {key: [PK, SK], items: {Customer: {PK: "{id}", SK: A}, Order: {PK: "{id}", SK: "{place}"}}}}}}
traffic: [{for: 1s, rate: 1}]
)");
    const auto result = RunLab(file, {.confirms_first_limit = false});
    return result.ok() ? std::string() : result.error().message;
  };
  EXPECT_EQ(message_of("{text: 40}", "{text: 12}"), "");
  EXPECT_EQ(message_of("\"x{id}\"", "{choice: [a, b, c, d]}"), "");
  EXPECT_EQ(message_of("{text: 3}", "{text: 12}"),
            "test.yaml:4:59: \"code\" is to be `unique`, and Customer 0002 and 0013 both have "
            "\"foo\"; a sequence, as {sequence: 4}, a ulid or a uuid is always different, and so "
            "is a template with {id}; of values that are drawn, about 50000000 possible ones would "
            "do");
  EXPECT_EQ(message_of("{uuid: true}", "\"{id}\""),
            "test.yaml:5:65: \"place\" is to be `distinct`, and two of Order of Customer 0001 have "
            "\"0001\"; let its generator have more values");
}

TEST(LabRun, ThinRunMakesOneOfSoManyCalls) {
  const LabResult result = RunOf(FileOf(kSmallShop), {.thin = 5, .only_layouts = {"items"}});
  const PatternRun& customer = result.runs.at(0).patterns[0];
  EXPECT_EQ(customer.weight, 5);
  EXPECT_NEAR(static_cast<double>(customer.calls), 45 * 40 / 5, 80);
}

TEST(LabRun, ProvisionedTablesLimitAndAreReportedAsDeclared) {
  LabFile file = FileOf(kSmallShop);
  LabTable& table = file.layouts[0].tables[0];
  table.throughput = {.on_demand = false, .read_units = 30, .write_units = 20};
  for (LabIndex& index : table.indexes) index.throughput = table.throughput;
  const LabResult result =
      RunOf(file, {.thin = 3, .confirms_first_limit = false, .only_layouts = {"items"}});
  const LayoutRun& run = result.runs.at(0);
  EXPECT_EQ(run.measurement.tables.at(0).provisioned_write_units, 20);
  EXPECT_EQ(run.measurement.tables.at(0).indexes.at(0).provisioned_read_units, 30);
  std::uint64_t throttled = 0;
  for (const PatternRun& pattern : run.patterns) throttled += pattern.throttled;
  EXPECT_GT(throttled, 0U);
}

TEST(LabRun, RequestsAreWrittenInTheOrderOfTheLayouts) {
  const std::string path = testing::TempDir() + "/lab_run_requests.jsonl";
  const LabFile file = FileOf(kSmallShop);
  const LabResult result = RunOf(file, {.threads = 2, .requests_file = path});
  std::ifstream in(path);
  std::uint64_t lines = 0;
  std::vector<std::string> layouts;
  std::string latest;
  std::string line;
  while (std::getline(in, line)) {
    ++lines;
    const std::string layout = line.substr(11, line.find('"', 11) - 11);
    if (layouts.empty() || layouts.back() != layout) layouts.push_back(layout);
    EXPECT_EQ(line.find(R"("operation":"CreateTable","input":{)") != line.npos,
              layouts.back() != latest);
    latest = layouts.back();
  }
  EXPECT_EQ(layouts, (std::vector<std::string>{"items", "lines inside"}));
  EXPECT_GT(lines, result.runs.at(0).requests + result.runs.at(1).requests);
  std::remove(path.c_str());
}

TEST(LabRun, StopReportsWhatThereIs) {
  std::atomic<bool> stop = false;
  const LabFile file = FileOf(kSmallShop);
  LabRunOptions options = {.threads = 1, .only_layouts = {"items"}, .stop = &stop};
  options.progress = [&](double done) { stop = stop || done > 0.5; };
  const LabResult result = RunOf(file, options);
  ASSERT_EQ(result.runs.size(), 1U);
  EXPECT_TRUE(result.runs[0].is_partial);
  EXPECT_TRUE(result.runs[0].trials.empty());
  EXPECT_EQ(result.runs[0].no_trial_because, "the run was interrupted");
  EXPECT_LT(result.runs[0].simulated_ms, 30'000);
  EXPECT_FALSE(result.runs[0].measurement.patterns.empty());
}

TEST(LabRun, StopBeforeTheTrafficMakesNoCalls) {
  std::atomic<bool> stop = false;
  const LabFile file = FileOf(kSmallShop);
  LabRunOptions options = {.threads = 1, .only_layouts = {"items"}, .stop = &stop};
  options.progress = [&](double) { stop = true; };
  options.scales = {2};  // its fill says once how much is done, and ends before it says so again
  const LabResult result = RunOf(file, options);
  ASSERT_EQ(result.runs.size(), 1U);
  EXPECT_GT(result.runs[0].items_loaded, 5000U);
  EXPECT_TRUE(result.runs[0].is_partial);
  EXPECT_EQ(result.runs[0].simulated_ms, 0);
  EXPECT_EQ(result.runs[0].requests, 0U);
}

TEST(LabRun, StopEndsTheCountOfInstances) {
  std::atomic<bool> stop = true;
  const LabFile file = FileOf(kSmallShop);
  const LabRunOptions options = {.threads = 1, .only_layouts = {"items"}, .stop = &stop};
  const LabResult result = RunOf(file, options);
  ASSERT_EQ(result.runs.size(), 1U);
  EXPECT_TRUE(result.runs[0].is_partial);
  EXPECT_EQ(result.runs[0].items_loaded, 0U);
}

TEST(LabRun, TooMuchDataEndsTheRun) {
  const LabFile file = FileOf(kSmallShop);
  const auto result = RunLab(file, {.only_layouts = {"items"}, .max_memory_bytes = 1});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message,
            "Layout \"items\": the data takes more memory than the run may take. Give entities a "
            "smaller `count`, run fewer layouts at a time, or at a smaller scale.");
  EXPECT_TRUE(RunLab(file, {.confirms_first_limit = false,
                            .only_layouts = {"items"},
                            .max_memory_bytes = std::int64_t{1} << 40})
                  .ok());
}

TEST(LabRun, UnknownLayoutAndUnwritableFileAreErrors) {
  const LabFile file = FileOf(kSmallShop);
  const auto unknown = RunLab(file, {.only_layouts = {"item"}});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().message,
            "There is no layout \"item\"; the file has items, lines inside.");
  const auto unwritable = RunLab(file, {.requests_file = "/nowhere/at/all"});
  ASSERT_FALSE(unwritable.ok());
  EXPECT_EQ(unwritable.error().message,
            "/nowhere/at/all: it cannot be written: No such file or directory");
}

TEST(LabRun, ExpiredItemsAreDeletedEachMinute) {
  const LabFile file = FileOf(R"(
lab: 1
entities: {Session: {count: 100, attributes: {id: {sequence: 4}, expires: {time: {ahead: 100s}, form: seconds}}}}
access_patterns: {look: {get: Session, by: [id], rate: 10/s}}
layouts: {only: {tables: {sessions: {key: [id], ttl: expires, items: {Session: {}}}}}}
traffic: [{for: 3m, rate: 1}]
)");
  const LabResult result = RunOf(file, {.confirms_first_limit = false});
  ASSERT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(result.runs[0].measurement.tables.at(0).items_at_begin, 100);
  EXPECT_EQ(result.runs[0].measurement.tables[0].items, 0);
  const PatternRun& look = result.runs[0].patterns[0];
  EXPECT_LT(look.items, look.calls * 3 / 4);
  EXPECT_GT(look.items, look.calls / 4);
}

TEST(LayoutDatabase, WhatTablesProvisionIsDividedWhenARunIsThinned) {
  LabTable table;
  table.throughput = {.on_demand = false, .read_units = 100, .write_units = 7};
  table.indexes.resize(1);
  table.indexes[0].throughput = {.on_demand = false, .read_units = 1, .write_units = 13};
  const LabTable thinned = ThinnedTable(table, 5);
  EXPECT_FALSE(thinned.throughput.on_demand);
  EXPECT_EQ(thinned.throughput.read_units, 20);
  EXPECT_EQ(thinned.throughput.write_units, 1);
  EXPECT_EQ(thinned.indexes[0].throughput.read_units, 1);
  EXPECT_EQ(thinned.indexes[0].throughput.write_units, 3);
}

TEST(ExplainLab, UnitsOfGetsAndWritesAreComputedAndThoseOfQueriesMeasured) {
  const auto explained = ExplainLab(FileOf(kSmallShop));
  ASSERT_TRUE(explained.ok()) << explained.error().message;
  ASSERT_EQ(explained->size(), 2U);
  const ExplainedLayout& items = (*explained)[0];
  EXPECT_EQ(items.name, "items");
  const auto pattern = [&](std::string_view name) {
    return *std::find_if(items.patterns.begin(), items.patterns.end(),
                         [&](const ExplainedPattern& one) { return one.name == name; });
  };
  EXPECT_TRUE(pattern("customer").read_units.is_computed);
  EXPECT_EQ(pattern("customer").read_units.mean, 0.5);
  EXPECT_TRUE(pattern("sign up").write_units.is_computed);
  EXPECT_EQ(pattern("sign up").write_units.mean, 4);  // two items, in a transaction
  const UnitSpread query = pattern("orders of a customer").read_units;
  EXPECT_FALSE(query.is_computed);
  EXPECT_EQ(query.calls, 100U);
  EXPECT_EQ(query.least, 0.5);
  EXPECT_LE(query.least, query.mean);
  EXPECT_LE(query.mean, query.greatest);
}

// Returns a file of two patterns, of 1,000 and of 2,000 calls a second.
LabFile FileOfTraffic(LabPhase phase) {
  LabFile file;
  file.patterns = {{.name = "read", .calls_per_second = 1000},
                   {.name = "write", .calls_per_second = 2000},
                   {.name = "without a rate"}};
  file.traffic = {phase};
  return file;
}

constexpr std::int64_t kDayMs = 86'400'000;

TEST(CallBound, TrafficOfAFewHoursOfWorkMayRun) {
  EXPECT_TRUE(CheckCallCount(FileOfTraffic({.length_ms = kDayMs}), 1).ok());
}

TEST(CallBound, MoreCallsAreRefusedWithTheirNumberAndWhatToDo) {
  const LabFile file = FileOfTraffic({.length_ms = 10 * kDayMs});
  const Status refused = CheckCallCount(file, 1);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message,
            "the traffic would make 2,592,000,000 calls in each layout, and a run makes "
            "1,000,000,000 at most; make the phases of `traffic` shorter, or run with --thin 3, "
            "which makes one of 3 calls");
  EXPECT_FALSE(CheckCallCount(file, 2).ok());
  EXPECT_TRUE(CheckCallCount(file, 3).ok());
  // The number can be given to the option as it stands.
  const LabFile longer = FileOfTraffic({.length_ms = 10'000 * kDayMs});
  EXPECT_TRUE(CheckCallCount(longer, 1).error().message.ends_with(
      "or run with --thin 2592, which makes one of 2592 calls"));
}

TEST(CallBound, FactorsOfTheTrafficCount) {
  EXPECT_FALSE(CheckCallCount(FileOfTraffic({.length_ms = kDayMs, .from = 4, .to = 4}), 1).ok());
}

TEST(CallBound, MoreCallsThanAnyThinRunMakesAreRefusedWithoutTheirNumber) {
  const std::string sentence =
      "the traffic has more than 1,000,000,000,000,000 calls in each layout, and a run makes "
      "1,000,000,000 at most; make the phases of `traffic` shorter, or its rates lower";
  // The second one is infinite.
  for (const double factor : {1e10, 1e308}) {
    const LabFile file = FileOfTraffic({.length_ms = kDayMs, .from = factor, .to = factor});
    const Status refused = CheckCallCount(file, 1);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message, sentence);
    EXPECT_FALSE(CheckCallCount(file, kGreatestThin).ok());
  }
}

TEST(CallBound, ARunChecksItFirst) {
  LabFile file = FileOf(kSmallShop);
  file.patterns.front().calls_per_second = 1e9;
  const auto result = RunLab(file, {});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("--thin 46"), std::string::npos) << result.error().message;
}

}  // namespace
}  // namespace hashrange
