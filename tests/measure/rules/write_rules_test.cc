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

TEST(TransactionOfOneRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      // One of two units a call on the table; those on the index are no dearer.
      {"single write is found", Transactions(1, 3),
       "warning [shop pattern p]: 3 of 3 transactions wrote one item. (measured); US$ 0.625 per "
       "million calls of this mix for the transaction (modelled)"},
      {"tokens that were used make it a hint",
       Changed(Transactions(1, 3), [](auto& shop) { shop.patterns[0].replays = 1; }),
       "hint [shop pattern p]: 3 of 3 transactions wrote one item. 1 call repeated another's "
       "client request token, which a single write cannot. (measured); US$ 0.625 per million calls "
       "of this mix for the transaction (modelled)"},
      {"two writes are clean", Transactions(2, 3), "clean"},
      {"needs transactions that write",
       Changed(Transactions(1, 3), [](auto& shop) { shop.patterns[0].members[0].kind = "get"; }),
       "not assessed: No transactions with writes were seen."},
  };
  ExpectJudged("transaction-of-one", rows);
}

// --- Rule 13 ---

Measurement WithBodyOf(double megabytes) {
  return Changed(Transactions(2, 1), [&](Measurement& shop) {
    shop.patterns[0].request_bytes.Add(megabytes * 1024 * 1024);
  });
}

TEST(LargeTransactionRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"90 members are found", Transactions(90, 1),
       "warning [shop pattern p]: A transaction had 90 of at most 100 members. (measured)"},
      {"89 members are clean", Transactions(89, 1), "clean"},
      {"large body is found", WithBodyOf(3.75),
       "warning [shop pattern p]: The body of a request had 3.75 MB; its items may have 4 MB "
       "together. (measured)"},
      {"smaller body is clean", WithBodyOf(3.5), "clean"},
      {"needs transactions", ShopMeasurement(), "not assessed: No transactions were seen."},
  };
  ExpectJudged("large-transaction", rows);
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

TEST(PhantomUpsertRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"created items are a warning", Updates(""),
       "warning [shop pattern p]: 3 of 10 updates created an item; no condition asks for one that "
       "is there. (measured)"},
      {"condition that lets an item be created is a warning",
       Updates("attribute_not_exists(locked)"),
       "warning [shop pattern p]: 3 of 10 updates created an item; no condition asks for one that "
       "is there. (measured)"},
      {"updates that created nothing are a hint",
       Changed(Updates(""), [](auto& shop) { shop.patterns[0].inserted = 0; }),
       "hint [shop pattern p]: 10 updates had no condition that asks for an item that is there. "
       "(measured)"},
      {"guarded updates are clean", Updates("attribute_exists(PK)"), "clean"},
      {"comparison with an attribute is clean", Updates("stock >= ?"), "clean"},
      {"if_not_exists is clean", Updates("", "SET n = if_not_exists(n, ?) + ?"), "clean"},
      {"ADD is clean", Updates("", "ADD n ?"), "clean"},
      {"statement is clean",
       Changed(Updates(""), [](auto& shop) { shop.patterns[0].operation = "ExecuteStatement"; }),
       "clean"},
      {"needs ten calls", Changed(Updates(""), [](auto& shop) { shop.patterns[0].calls = 9; }),
       "not assessed: No UpdateItem had 10 calls."},
  };
  ExpectJudged("phantom-upsert", rows);
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

TEST(BlindCreateRule, JudgesWhatWasMeasured) {
  const std::string missing = "not assessed: No PutItem that creates items had 10 calls.";
  const JudgedRow rows[] = {
      {"replaced items are a warning", Puts("", 4),
       "warning [shop pattern p]: 6 items were created and 4 replaced, without "
       "attribute_not_exists. (measured)"},
      {"created items are a hint", Puts("", 0),
       "hint [shop pattern p]: 10 items were created without attribute_not_exists. (measured)"},
      {"guarded puts are clean", Puts("attribute_not_exists(PK)", 0), "clean"},
      {"guard with NOT is clean", Puts("NOT attribute_exists(PK)", 0), "clean"},
      {"unique keys are clean",
       Changed(Puts("", 0),
               [](auto& shop) {
                 shop.key_templates = {{.table = "shop", .attribute = "PK", .text = "ORDER#{id}"}};
                 shop.key_templates[0].placeholders = {{.text = "id", .kind = "uuid"}};
               }),
       "clean"},
      {"needs puts that create", Puts("", 10), missing},
      {"needs puts outside of batches",
       Changed(Puts("", 0), [](auto& shop) { shop.patterns[0].operation = "BatchWriteItem"; }),
       missing},
  };
  ExpectJudged("blind-create", rows);
}

// --- Rule 17 ---

Measurement Conditional(std::uint64_t requests, std::uint64_t failed) {
  PatternMeasure pattern = OnePattern("PutItem", "put", requests);
  pattern.members[0].condition = "attribute_not_exists(PK)";
  pattern.failed_conditions = failed;
  pattern.failed_write_units = static_cast<double>(failed);
  return ShopWith({pattern});
}

TEST(FailedConditionsRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"more than 5 % are found", Conditional(100, 6),
       "warning [shop pattern p]: 6 of 100 requests failed by their condition, 6 %. (measured); "
       "US$ 0.0375 per million calls of this mix for calls that failed (measured)"},
      {"5 % are clean", Conditional(100, 5), "clean"},
      {"needs a hundred requests", Conditional(99, 50),
       "not assessed: No pattern of writes with a condition had 100 requests."},
  };
  ExpectJudged("failed-conditions", rows);
}

}  // namespace
}  // namespace hashrange
