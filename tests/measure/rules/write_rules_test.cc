#include <gtest/gtest.h>

#include "measure/rules/judged_rule.h"

namespace hashrange {
namespace {

// --- Rule 12 ---

Measurement Transactions(double members, std::uint64_t calls) {
  PatternMeasure pattern = OnePattern("TransactWriteItems", "put", calls);
  pattern.members_a_call.Add(members, calls);
  pattern.units = {{"shop", "", 0, 2 * members * static_cast<double>(calls)},
                   {"shop", "GSI1", 0, static_cast<double>(calls)}};
  return ShopWith({pattern});
}

TEST(TransactionOfOneRule, SingleWriteIsFound) {
  // One of two units a call on the table; those on the index are no dearer.
  EXPECT_EQ(Judge("transaction-of-one", Transactions(1, 3)),
            "warning [shop pattern p]: 3 of 3 transactions wrote one item. (measured); US$ 0.625 "
            "per million calls of this mix for the transaction (modelled)");
}

TEST(TransactionOfOneRule, TokensThatWereUsedMakeItAHint) {
  Measurement measurement = Transactions(1, 3);
  measurement.patterns[0].replays = 1;
  EXPECT_EQ(Judge("transaction-of-one", measurement),
            "hint [shop pattern p]: 3 of 3 transactions wrote one item. 1 call repeated another's "
            "client request token, which a single write cannot. (measured); US$ 0.625 per million "
            "calls of this mix for the transaction (modelled)");
}

TEST(TransactionOfOneRule, TwoWritesAreClean) {
  EXPECT_EQ(Judge("transaction-of-one", Transactions(2, 3)), "clean");
}

TEST(TransactionOfOneRule, NeedsTransactionsThatWrite) {
  Measurement measurement = Transactions(1, 3);
  measurement.patterns[0].members[0].kind = "get";
  EXPECT_EQ(Judge("transaction-of-one", measurement),
            "not assessed: No transactions with writes were seen.");
}

// --- Rule 13 ---

TEST(LargeTransactionRule, ManyMembersAreFound) {
  EXPECT_EQ(Judge("large-transaction", Transactions(90, 1)),
            "warning [shop pattern p]: A transaction had 90 of at most 100 members. (measured)");
  EXPECT_EQ(Judge("large-transaction", Transactions(89, 1)), "clean");
}

TEST(LargeTransactionRule, LargeBodyIsFound) {
  Measurement measurement = Transactions(2, 1);
  measurement.patterns[0].request_bytes.Add(3.75 * 1024 * 1024);
  EXPECT_EQ(Judge("large-transaction", measurement),
            "warning [shop pattern p]: The body of a request had 3.75 MB; its items may have 4 MB "
            "together. (measured)");
  measurement.patterns[0].request_bytes = {};
  measurement.patterns[0].request_bytes.Add(3.5 * 1024 * 1024);
  EXPECT_EQ(Judge("large-transaction", measurement), "clean");
}

TEST(LargeTransactionRule, NeedsTransactions) {
  EXPECT_EQ(Judge("large-transaction", ShopMeasurement()),
            "not assessed: No transactions were seen.");
}

// --- Rule 14 ---

Measurement Updates(std::string condition, std::string update = "SET a = ?") {
  PatternMeasure pattern = OnePattern("UpdateItem", "update", 10);
  pattern.members[0].condition = std::move(condition);
  pattern.members[0].update = std::move(update);
  pattern.changed = 7;
  pattern.inserted = 3;
  return ShopWith({pattern});
}

TEST(PhantomUpsertRule, CreatedItemsAreAWarning) {
  EXPECT_EQ(Judge("phantom-upsert", Updates("")),
            "warning [shop pattern p]: 3 of 10 updates created an item; no condition asks for one "
            "that is there. (measured)");
  EXPECT_EQ(Judge("phantom-upsert", Updates("attribute_not_exists(locked)")),
            "warning [shop pattern p]: 3 of 10 updates created an item; no condition asks for one "
            "that is there. (measured)");
}

TEST(PhantomUpsertRule, UpdatesThatCreatedNothingAreAHint) {
  Measurement measurement = Updates("");
  measurement.patterns[0].inserted = 0;
  EXPECT_EQ(
      Judge("phantom-upsert", measurement),
      "hint [shop pattern p]: 10 updates had no condition that asks for an item that is there. "
      "(measured)");
}

TEST(PhantomUpsertRule, GuardedAndDeliberateUpdatesAreClean) {
  EXPECT_EQ(Judge("phantom-upsert", Updates("attribute_exists(PK)")), "clean");
  EXPECT_EQ(Judge("phantom-upsert", Updates("stock >= ?")), "clean");
  EXPECT_EQ(Judge("phantom-upsert", Updates("", "SET n = if_not_exists(n, ?) + ?")), "clean");
  EXPECT_EQ(Judge("phantom-upsert", Updates("", "ADD n ?")), "clean");
  Measurement statement = Updates("");
  statement.patterns[0].operation = "ExecuteStatement";
  EXPECT_EQ(Judge("phantom-upsert", statement), "clean");
}

TEST(PhantomUpsertRule, NeedsTenCalls) {
  Measurement measurement = Updates("");
  measurement.patterns[0].calls = 9;
  EXPECT_EQ(Judge("phantom-upsert", measurement), "not assessed: No UpdateItem had 10 calls.");
}

// --- Rule 15 ---

Measurement Puts(std::string condition, std::uint64_t changed) {
  PatternMeasure pattern = OnePattern("PutItem", "put", 10);
  pattern.members[0].condition = std::move(condition);
  pattern.members[0].key = {{"PK", "=", "ORDER#{id}", ""}, {"SK", "=", "META", ""}};
  pattern.inserted = 10 - changed;
  pattern.changed = changed;
  return ShopWith({pattern});
}

TEST(BlindCreateRule, ReplacedItemsAreAWarning) {
  EXPECT_EQ(Judge("blind-create", Puts("", 4)),
            "warning [shop pattern p]: 6 items were created and 4 replaced, without "
            "attribute_not_exists. (measured)");
}

TEST(BlindCreateRule, CreatedItemsAreAHint) {
  EXPECT_EQ(
      Judge("blind-create", Puts("", 0)),
      "hint [shop pattern p]: 10 items were created without attribute_not_exists. (measured)");
}

TEST(BlindCreateRule, GuardedPutsAndUniqueKeysAreClean) {
  EXPECT_EQ(Judge("blind-create", Puts("attribute_not_exists(PK)", 0)), "clean");
  EXPECT_EQ(Judge("blind-create", Puts("NOT attribute_exists(PK)", 0)), "clean");
  Measurement unique = Puts("", 0);
  unique.key_templates = {{.table = "shop", .attribute = "PK", .text = "ORDER#{id}"}};
  unique.key_templates[0].placeholders = {{.text = "id", .kind = "uuid"}};
  EXPECT_EQ(Judge("blind-create", unique), "clean");
}

TEST(BlindCreateRule, NeedsPutsThatCreate) {
  EXPECT_EQ(Judge("blind-create", Puts("", 10)),
            "not assessed: No PutItem that creates items had 10 calls.");
  Measurement batches = Puts("", 0);
  batches.patterns[0].operation = "BatchWriteItem";
  EXPECT_EQ(Judge("blind-create", batches),
            "not assessed: No PutItem that creates items had 10 calls.");
}

// --- Rule 17 ---

Measurement Conditional(std::uint64_t requests, std::uint64_t failed) {
  PatternMeasure pattern = OnePattern("PutItem", "put", requests);
  pattern.members[0].condition = "attribute_not_exists(PK)";
  pattern.failed_conditions = failed;
  pattern.failed_write_units = static_cast<double>(failed);
  return ShopWith({pattern});
}

TEST(FailedConditionsRule, MoreThanFivePercentAreFound) {
  EXPECT_EQ(
      Judge("failed-conditions", Conditional(100, 6)),
      "warning [shop pattern p]: 6 of 100 requests failed by their condition, 6 %. "
      "(measured); US$ 0.0375 per million calls of this mix for calls that failed (measured)");
  EXPECT_EQ(Judge("failed-conditions", Conditional(100, 5)), "clean");
}

TEST(FailedConditionsRule, NeedsAHundredRequests) {
  EXPECT_EQ(Judge("failed-conditions", Conditional(99, 50)),
            "not assessed: No pattern of writes with a condition had 100 requests.");
}

}  // namespace
}  // namespace hashrange
