#include "measure/cost/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "measure/four_partitions.h"
#include "measure/sign_up_measurement.h"

namespace hashrange {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Comparison CompareTwo(const Measurement& before, const Measurement& now,
                      const CompareInput& input = {}) {
  const Measurement both[] = {before, now};
  return Compare(both, input);
}

std::vector<std::string> Regressions(const Measurement& before, const Measurement& now,
                                     const CompareInput& input = {}) {
  std::vector<std::string> sentences;
  for (const Regression& each : CompareTwo(before, now, input).regressions) {
    sentences.push_back(each.sentence);
  }
  return sentences;
}

// A measurement whose order queries read so many units each.
Measurement WithQueriesOf(double units) {
  Measurement measurement = SignUpMeasurement();
  PatternMeasure& orders = measurement.patterns[1];
  orders.units[0].read_units = 400 * units;
  orders.call.read_units = {};
  orders.call.read_units.Add(units, 400);
  return measurement;
}

TEST(Compare, BytesOfVectorsAreCompared) {
  Measurement before = SignUpMeasurement();
  before.patterns[0].vector_bytes_written = 600 * 2000;
  before.patterns[1].vector_bytes_searched = 400 * 14'000;
  before.tables[0].vector_index_bytes = 3 << 20;
  Measurement now = before;
  now.patterns[0].vector_bytes_written = 600 * 2900;  // by less than 1 KB more
  now.patterns[1].vector_bytes_searched = 400 * 16'000;
  now.tables[0].vector_index_bytes = 5 << 20;
  std::vector<std::string> of_vectors;
  for (const std::string& sentence : Regressions(before, now)) {
    if (sentence.find("US$") == sentence.npos) of_vectors.push_back(sentence);
  }
  EXPECT_THAT(of_vectors,
              ElementsAre(testing::HasSubstr("bytes of vectors searched a call rose from 14,000 to "
                                             "16,000."),
                          testing::HasSubstr("vector indexes of shop: stored bytes rose "
                                             "from 3,145,728 to 5,242,880.")));
}

TEST(Compare, TheSameIsNoRegression) {
  const Comparison comparison = CompareTwo(SignUpMeasurement(), SignUpMeasurement());
  EXPECT_THAT(comparison.regressions, IsEmpty());
  ASSERT_EQ(comparison.patterns.size(), 2u);
  const PatternSide& sign_up = comparison.patterns[0].sides[1];
  EXPECT_EQ(sign_up.calls, 600);
  EXPECT_EQ(sign_up.write_units_a_call, 2);
  EXPECT_EQ(sign_up.p99_write_units, 2);
  EXPECT_DOUBLE_EQ(sign_up.usd_per_million, 1.25);
  EXPECT_EQ(comparison.patterns[1].sides[0].examined_per_returned, 2);
  EXPECT_EQ(comparison.sides[0].calls, 1000);
  EXPECT_DOUBLE_EQ(comparison.sides[0].usd_per_million, 0.775);
  ASSERT_EQ(comparison.storage.size(), 2u);
  EXPECT_EQ(comparison.storage[1].sides[1].items, 500);
  EXPECT_EQ(comparison.storage[1].sides[1].billed_bytes, 450'000);
}

// From 0.5 to 1.5 units: 0.0625 to 0.1875 dollars a million.
TEST(Compare, DearerCallsAreRegressions) {
  EXPECT_THAT(Regressions(WithQueriesOf(0.5), WithQueriesOf(1.5)),
              ElementsAre("Query shop.GSI1 CUST#{id}: read units a call rose from 0.5 to 1.5.",
                          "Query shop.GSI1 CUST#{id}: p99 of read units rose from 0.5 to 1.5.",
                          "Query shop.GSI1 CUST#{id}: US$ per million calls rose from 0.0625 to "
                          "0.188."));
  EXPECT_THAT(Regressions(WithQueriesOf(1.5), WithQueriesOf(0.5)), IsEmpty());
}

TEST(Compare, ARegressionExceedsBothTolerances) {
  EXPECT_THAT(Regressions(WithQueriesOf(1), WithQueriesOf(1.4)), IsEmpty());
  EXPECT_EQ(Regressions(WithQueriesOf(1), WithQueriesOf(1.5)).size(), 3u);
  // 0.5 units more are 5 % of 10, and not more.
  EXPECT_THAT(Regressions(WithQueriesOf(10), WithQueriesOf(10.5)), IsEmpty());
  EXPECT_EQ(Regressions(WithQueriesOf(10), WithQueriesOf(11)).size(), 3u);
  CompareInput strict;
  strict.tolerance = {.share = 0, .units = 0.1};
  EXPECT_EQ(Regressions(WithQueriesOf(10), WithQueriesOf(10.5), strict).size(), 3u);
}

TEST(Compare, ReadingMoreForTheSameAnswerIsARegression) {
  Measurement now = SignUpMeasurement();
  now.patterns[1].call.items_examined = {};
  now.patterns[1].call.items_examined.Add(50, 400);
  EXPECT_THAT(
      Regressions(SignUpMeasurement(), now),
      ElementsAre("Query shop.GSI1 CUST#{id}: items examined for each returned rose from 2 to "
                  "20."));
  now.patterns[1].call.items_returned = {};
  EXPECT_THAT(Regressions(SignUpMeasurement(), now),
              ElementsAre("Query shop.GSI1 CUST#{id}: items examined for each returned rose from 2 "
                          "to no bound."));
  EXPECT_THAT(Regressions(now, now), IsEmpty());
}

TEST(Compare, PatternsBelongTogetherByNameThenByIdThenByText) {
  Measurement now = SignUpMeasurement();
  now.patterns[0].id = "other";                                 // the name is the same
  now.patterns[1].text = "Query shop.GSI1 CUST#{customer_id}";  // the id is the same
  const Comparison by_id = CompareTwo(SignUpMeasurement(), now);
  ASSERT_EQ(by_id.patterns.size(), 2u);
  EXPECT_THAT(by_id.patterns[0].ids, ElementsAre("aaa", "other"));
  EXPECT_TRUE(by_id.patterns[0].sides[1].is_present);
  EXPECT_TRUE(by_id.patterns[1].sides[1].is_present);
  now.patterns[1] = OrdersPattern();
  now.patterns[1].name = "orders of a customer";  // the text is the same
  now.patterns[1].id = "another";
  EXPECT_EQ(CompareTwo(SignUpMeasurement(), now).patterns.size(), 2u);
  // Two names for one text are two patterns.
  Measurement before = SignUpMeasurement();
  before.patterns[1].name = "orders in the shop";
  EXPECT_EQ(CompareTwo(before, now).patterns.size(), 3u);
}

// The first measurement has no name for the orders, the second has their text and a name, and the
// third has this name only.
TEST(Compare, ARowTakesTheFirstNameOfItsPatterns) {
  Measurement all[] = {SignUpMeasurement(), SignUpMeasurement(), SignUpMeasurement()};
  all[1].patterns[1].name = all[2].patterns[1].name = "orders";
  all[1].patterns[1].id = "second";
  all[2].patterns[1].id = "third";
  all[2].patterns[1].text = "Query shop.GSI2 CUST#{id}";
  const Comparison comparison = Compare(all, {});
  ASSERT_EQ(comparison.patterns.size(), 2u);
  EXPECT_THAT(comparison.patterns[1].ids, ElementsAre("bbb", "second", "third"));
}

// Returns the number of the row of each pattern, as the comments of AlignPatterns say it: each
// pattern is compared with each row.
std::vector<std::vector<std::size_t>> RowsByComparing(std::span<const Measurement> measurements) {
  struct Row {
    std::string name, text;
    std::vector<std::string> ids;
    std::size_t last_side;
  };
  std::vector<Row> rows;
  std::vector<std::vector<std::size_t>> row_of(measurements.size());
  for (std::size_t side = 0; side < measurements.size(); ++side) {
    const std::vector<NamedPattern> patterns = PatternsByName(measurements[side]);
    row_of[side].resize(patterns.size());
    for (const bool by_name : {true, false}) {
      const std::size_t known = by_name ? rows.size() : 0;
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        const auto& [ids, sum] = patterns[i];
        const auto fits = [&](const Row& row) {
          if (by_name) return !sum.name.empty() && row.name == sum.name;
          const bool same_text =
              (row.name.empty() || sum.name.empty()) && !row.text.empty() && row.text == sum.text;
          const bool same_id = std::ranges::find_first_of(row.ids, ids) != row.ids.end();
          return row.last_side != side && (same_text || same_id);
        };
        if (!by_name && row_of[side][i] > 0) continue;
        const auto end = by_name ? rows.begin() + static_cast<std::ptrdiff_t>(known) : rows.end();
        auto row = std::find_if(rows.begin(), end, fits);
        if (row == end && by_name) continue;
        if (row == end) row = rows.insert(rows.end(), {sum.name, sum.text, {}, side});
        if (row->name.empty()) row->name = sum.name;
        row->ids.insert(row->ids.end(), ids.begin(), ids.end());
        row->last_side = side;
        row_of[side][i] = static_cast<std::size_t>(row - rows.begin()) + 1;
      }
    }
  }
  return row_of;
}

TEST(Compare, PatternsAreAlignedAsIfEachWereComparedWithEach) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<Measurement> measurements(3);
    for (Measurement& measurement : measurements) {
      measurement.patterns.resize(random.Next() % 8);
      for (PatternMeasure& pattern : measurement.patterns) {
        pattern.id = std::to_string(random.Next() % 8);
        if (random.Next() % 2 == 0) pattern.name = "n" + std::to_string(random.Next() % 4);
        if (random.Next() % 4 != 0) pattern.text = "t" + std::to_string(random.Next() % 4);
      }
    }
    const auto expected = RowsByComparing(measurements);
    std::vector<const Measurement*> pointers;
    for (const Measurement& each : measurements) pointers.push_back(&each);
    const std::vector<AlignedPattern> rows = AlignPatterns(pointers);
    for (std::size_t side = 0; side < 3; ++side) {
      const std::vector<NamedPattern> patterns = PatternsByName(measurements[side]);
      std::size_t present = 0;
      for (const AlignedPattern& row : rows) present += row.sides[side] != nullptr;
      EXPECT_EQ(present, patterns.size());
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        const std::size_t row = expected[side][i] - 1;
        ASSERT_LT(row, rows.size());
        ASSERT_TRUE(rows[row].sides[side]) << round;
        EXPECT_EQ(rows[row].sides[side]->ids, patterns[i].ids) << round;
        EXPECT_EQ(rows[row].sides[side]->sum.text, patterns[i].sum.text) << round;
      }
    }
  }
}

TEST(Compare, NewAndGonePatternsAreNoRegressions) {
  Measurement now = SignUpMeasurement();
  now.patterns[1].id = "ccc";
  now.patterns[1].text = "Scan shop";
  const Comparison comparison = CompareTwo(SignUpMeasurement(), now);
  EXPECT_THAT(comparison.regressions, IsEmpty());
  ASSERT_EQ(comparison.patterns.size(), 3u);
  EXPECT_TRUE(comparison.patterns[1].sides[0].is_present);
  EXPECT_FALSE(comparison.patterns[1].sides[1].is_present);
  EXPECT_EQ(comparison.patterns[2].title, "Scan shop");
  EXPECT_FALSE(comparison.patterns[2].sides[0].is_present);
  EXPECT_TRUE(comparison.patterns[2].sides[1].is_present);
}

// Two megabytes more of GSI1.
TEST(Compare, MoreStorageIsARegression) {
  Measurement now = SignUpMeasurement();
  now.tables[0].indexes[0].size_bytes += 2'000'000;
  EXPECT_THAT(Regressions(SignUpMeasurement(), now),
              ElementsAre("GSI1 of shop: stored bytes rose from 450,000 to 2,450,000."));
  now.tables[0].indexes[0].size_bytes -= 1'500'000;
  EXPECT_THAT(Regressions(SignUpMeasurement(), now), IsEmpty());
}

TEST(Compare, ALowerFirstLimitIsARegression) {
  Measurement now = SignUpMeasurement();
  now.resources[1].written_keys = {600, 0, {{"GSI1PK=CUSTOMER", "", 600, 0}}};
  EXPECT_THAT(Regressions(SignUpMeasurement(), now),
              ElementsAre("The first limit fell: it is at 1,667 calls/s of this mix: GSI1, key "
                          "GSI1PK=CUSTOMER, writes; it was at 66,667 calls/s of this mix: shop, "
                          "quota, writes."));
  EXPECT_THAT(Regressions(now, SignUpMeasurement()), IsEmpty());
  // The counters cannot tell whether the key has any units.
  now.resources[1].written_keys.keys[0].error = 600;
  EXPECT_THAT(Regressions(SignUpMeasurement(), now), IsEmpty());
}

// The partitions of only one of the two were modelled; they would meet their limit at 5 calls/s.
TEST(Compare, FirstLimitsOfModelledPartitionsAreNotCompared) {
  Measurement now = SignUpMeasurement();
  now.partitions = {FourPartitions(now.began_epoch_ms)};
  ASSERT_EQ(FirstLimits(now, {})[0].what, "partition");
  EXPECT_THAT(Regressions(SignUpMeasurement(), now), IsEmpty());
  EXPECT_THAT(Regressions(now, SignUpMeasurement()), IsEmpty());
  now.resources[1].written_keys = {600, 0, {{"GSI1PK=CUSTOMER", "", 600, 0}}};
  EXPECT_THAT(Regressions(SignUpMeasurement(), now),
              ElementsAre("The first limit fell: it is at 1,667 calls/s of this mix: GSI1, key "
                          "GSI1PK=CUSTOMER, writes; it was at 66,667 calls/s of this mix: shop, "
                          "quota, writes."));
}

TEST(Compare, SeveralMeasurementsAreComparedWithTheFirst) {
  const Measurement all[] = {WithQueriesOf(1), WithQueriesOf(3), WithQueriesOf(2)};
  const Comparison comparison = Compare(all, {});
  ASSERT_EQ(comparison.patterns.size(), 2u);
  EXPECT_EQ(comparison.patterns[1].sides[2].read_units_a_call, 2);
  ASSERT_EQ(comparison.regressions.size(), 6u);
  EXPECT_EQ(comparison.regressions[0].side, 1u);
  EXPECT_EQ(comparison.regressions[0].now, 3);
  EXPECT_EQ(comparison.regressions[3].side, 2u);
  EXPECT_EQ(comparison.regressions[3].before, 1);
}

TEST(Compare, ServerTimeIsNotCompared) {
  Measurement now = SignUpMeasurement();
  now.server_time = {{.pattern = "aaa"}};
  now.server_time[0].microseconds.Add(1e6);
  EXPECT_THAT(Regressions(SignUpMeasurement(), now), IsEmpty());
}

TEST(Compare, NothingIsComparedWithoutMeasurements) {
  EXPECT_THAT(Compare({}, {}).patterns, IsEmpty());
}

}  // namespace
}  // namespace hashrange
