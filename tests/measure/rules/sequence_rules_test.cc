#include <gtest/gtest.h>

#include "measure/rules/judged_rule.h"

namespace hashrange {
namespace {

// Two patterns, "p" and "s", and a sequence of both.
Measurement Sequence(std::string kind, PatternMeasure first, PatternMeasure second,
                     std::uint64_t count) {
  Measurement measurement = ShopMeasurement();
  second.id = "s";
  measurement.patterns = {std::move(first), std::move(second)};
  measurement.sequences = {{.kind = std::move(kind), .first = "p", .second = "s", .count = count}};
  return measurement;
}

// --- Rule 6 ---

Measurement Collections(std::uint64_t together, std::uint64_t apart) {
  Measurement measurement = ShopMeasurement();
  PatternMeasure narrow = QueryPattern(apart);
  narrow.members[0].key.push_back({"SK", "begins_with", "ORDER#", ""});
  measurement.patterns = {QueryPattern(together), narrow};
  measurement.entities = {EntityOf("User", "CUST#{id}", "PROFILE", 5),
                          EntityOf("Order", "CUST#{id}", "ORDER#{id}", 5)};
  return measurement;
}

TEST(ReadApartRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"entities that are seldom read together are found", Collections(29, 71),
       "hint [shop key CUST#{id}]: 29 of 100 reads met several of the 2 entities under this key. "
       "(measured)"},
      {"30 % together are clean", Collections(30, 70), "clean"},
      {"needs reads", Collections(0, 99),
       "not assessed: No collections of several entities had 100 reads."},
  };
  ExpectJudged("read-apart", rows);
}

Measurement Together(std::uint64_t count, std::string second_key) {
  PatternMeasure second = QueryPattern(100, std::move(second_key));
  second.text = "Query the orders";
  return Sequence("together", QueryPattern(100), second, count);
}

TEST(ReadTogetherRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"collections that are read together are found", Together(51, "ORDERS#{id}"),
       "hint [shop pattern p]: 51 of 100 calls were followed by `Query the orders`. (measured)"},
      {"half of the calls is clean", Together(50, "ORDERS#{id}"), "clean"},
      {"one collection is clean", Together(100, "CUST#{id}"), "clean"},
      {"needs sequences",
       Changed(Together(51, "ORDERS#{id}"), [](auto& shop) { shop.sequences.clear(); }),
       "not assessed: No pattern with 100 calls was seen to be followed by a read of another "
       "collection."},
  };
  ExpectJudged("read-together", rows);
}

// --- Rule 9 ---

Measurement Bursts(std::uint64_t bursts, std::uint64_t calls) {
  Measurement measurement = ShopWith({OnePattern("GetItem", "get", 200)});
  measurement.sequences = {{"gets in a burst", "p", "p", bursts, calls, 8}};
  return measurement;
}

TEST(BurstRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"many reads in bursts are found", Bursts(10, 40),
       "hint [shop pattern p]: 40 of 200 calls came in 10 bursts, at most 8 in one. (measured)"},
      {"reads of one collection are said to be",
       Changed(Bursts(10, 40),
               [](auto& shop) { shop.sequences[0].kind = "gets of one collection in a burst"; }),
       "hint [shop pattern p]: 40 of 200 calls came in 10 bursts of one partition key, at most 8 "
       "in one. (measured)"},
      {"few bursts are clean", Bursts(9, 40), "clean"},
      {"few calls in bursts are clean", Bursts(10, 39), "clean"},
      {"needs reads of one item",
       Changed(Bursts(10, 40), [](auto& shop) { shop.patterns[0].calls = 99; }),
       "not assessed: No pattern of reads of one item had 100 calls."},
  };
  ExpectJudged("gets-in-a-burst", rows);
}

// --- Rule 10 ---

Measurement ReadAfter(std::string write_kind, std::uint64_t count) {
  PatternMeasure get = OnePattern("GetItem", "get", 50);
  get.text = "GetItem shop";
  get.units = {{"shop", "", 25, 0}};
  return Sequence("read after write", OnePattern("UpdateItem", std::move(write_kind), 50), get,
                  count);
}

TEST(ReadAfterUpdateRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      // 10 reads of half a unit in 100 calls.
      {"read of the same item is found", ReadAfter("update", 10),
       "hint [shop pattern p]: 10 of 50 updates were followed by a read of the same item, `GetItem "
       "shop`. (measured); US$ 0.00625 per million calls of this mix for reading what was written "
       "(modelled)"},
      {"few reads are clean", ReadAfter("update", 9), "clean"},
      {"needs updates", ReadAfter("put", 50), "not assessed: No UpdateItem had 10 calls."},
  };
  ExpectJudged("read-after-update", rows);
}

// --- Rule 16 ---

Measurement Checked(std::string condition, std::uint64_t count) {
  PatternMeasure get = OnePattern("GetItem", "get", 5);
  get.text = "GetItem shop";
  PatternMeasure put = OnePattern("PutItem", "put", 5);
  put.members[0].condition = std::move(condition);
  put.inserted = 5;
  return Sequence("read before create", get, put, count);
}

// A condition on the key of the item does not make another attribute unique.
TEST(CheckThenCreateRule, CheckInAnIndexIsGuardedByATransactionOnly) {
  Measurement measurement = Checked("attribute_not_exists(PK)", 3);
  measurement.patterns[0].members[0].kind = "query";
  EXPECT_EQ(Judge("check-then-create", measurement),
            "warning [shop pattern s]: 3 items were created right after `GetItem shop` had not "
            "found them; nothing makes the second of two callers fail. (measured)");
  measurement.patterns[1].operation = "TransactWriteItems";
  EXPECT_EQ(Judge("check-then-create", measurement), "clean");
}

TEST(CheckThenCreateRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"unguarded create is found", Checked("", 3),
       "warning [shop pattern s]: 3 items were created right after `GetItem shop` had not found "
       "them; nothing makes the second of two callers fail. (measured)"},
      {"few creates are clean", Checked("", 2), "clean"},
      {"guarded creates are clean", Checked("attribute_not_exists(PK)", 5), "clean"},
      {"needs created items",
       Changed(Checked("", 0), [](auto& shop) { shop.patterns[1].inserted = 0; }),
       "not assessed: No item was created."},
  };
  ExpectJudged("check-then-create", rows);
}

// --- Rule 18 ---

Measurement Batches(std::string kind, std::uint64_t abandoned) {
  PatternMeasure pattern = OnePattern("BatchWriteItem", std::move(kind), 5);
  pattern.unprocessed = 4;
  pattern.abandoned_unprocessed = abandoned;
  return ShopWith({pattern});
}

TEST(AbandonedRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"lost writes are severe", Batches("put", 1),
       "severe [shop pattern p]: Nobody sent 1 of 4 unprocessed members again. (measured)"},
      {"lost reads are a warning", Batches("get", 1),
       "warning [shop pattern p]: Nobody sent 1 of 4 unprocessed members again. (measured)"},
      {"members that were sent again are clean", Batches("put", 0), "clean"},
      {"needs unprocessed members", ShopMeasurement(),
       "not assessed: No member of a batch was left unprocessed."},
  };
  ExpectJudged("unprocessed-abandoned", rows);
}

}  // namespace
}  // namespace hashrange
