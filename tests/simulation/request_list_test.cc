// Tests of the list of the latest calls: its bounds and its filters.
#include "simulation/request_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "simulation/recorder.h"
#include "support/api.h"
#include "support/log_lines.h"
#include "wire/json.h"

namespace hashrange {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RequestRecord Record(std::string operation, std::string account, std::string table) {
  RequestRecord record;
  record.operation = std::move(operation);
  record.account_id = std::move(account);
  record.region = "us-east-1";
  record.accesses.emplace_back().table = std::move(table);
  return record;
}

std::vector<std::uint64_t> Ids(const RequestList& list, const RequestFilter& filter = {}) {
  std::vector<std::uint64_t> ids;
  for (const auto& record : list.Find(filter).records) ids.push_back(record->id);
  return ids;
}

TEST(RequestList, ForgetsTheOldestBeyondItsLimit) {
  RequestList list;
  list.SetLimit(3);
  for (int i = 0; i < 5; ++i) list.Add(Record("GetItem", "1", "app"));
  EXPECT_THAT(Ids(list), ElementsAre(3, 4, 5));
  list.SetLimit(1);
  EXPECT_THAT(Ids(list), ElementsAre(5));
  const RequestList::State state = list.state();
  EXPECT_EQ(state.limit, 1u);
  EXPECT_EQ(state.size, 1u);
  EXPECT_EQ(state.last_id, 5u);
  EXPECT_EQ(state.forgotten, 4u);
}

TEST(RequestList, ForgetsTheOldestBeyondItsBytes) {
  RequestList list;
  list.SetLimit(RequestList::kMaxLimit);
  const std::string name(1 << 20, 'x');
  for (int i = 0; i < 200; ++i) list.Add(Record("GetItem", "1", name));
  const auto ids = Ids(list);
  EXPECT_EQ(ids.back(), 200u);
  EXPECT_LE(ids.size() << 20, RequestList::kMaxBytes);
  EXPECT_GE((ids.size() + 2) << 20, RequestList::kMaxBytes);
}

TEST(RequestList, MessagesCountAmongItsBytes) {
  RequestList list;
  list.SetLimit(RequestList::kMaxLimit);
  for (int i = 0; i < 200; ++i) {
    RequestRecord record = Record("GetItem", "1", "app");
    record.message.assign(1 << 20, 'x');
    list.Add(std::move(record));
  }
  EXPECT_LE(Ids(list).size() << 20, RequestList::kMaxBytes);
}

TEST(RequestList, WhatWasRemovedTakesNoBytes) {
  RequestList list;
  list.SetLimit(RequestList::kMaxLimit);
  const std::string name(1 << 20, 'x');
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 40; ++i) list.Add(Record("GetItem", "1", name));
    EXPECT_EQ(list.Remove({}), 40u);
  }
  EXPECT_EQ(list.state().forgotten, 0u);
}

TEST(RequestList, FiltersByEachMember) {
  RequestList list;
  list.Add(Record("GetItem", "1", "app"));
  list.Add(Record("Scan", "1", "app"));
  list.Add(Record("GetItem", "2", "other"));
  EXPECT_THAT(Ids(list, {.account_id = "1"}), ElementsAre(1, 2));
  EXPECT_THAT(Ids(list, {.table = "other"}), ElementsAre(3));
  EXPECT_THAT(Ids(list, {.operation = "GetItem"}), ElementsAre(1, 3));
  EXPECT_THAT(Ids(list, {.since = 1}), ElementsAre(2, 3));
  EXPECT_THAT(Ids(list, {.account_id = "1", .operation = "GetItem"}), ElementsAre(1));
  EXPECT_THAT(Ids(list, {.region = "eu-west-1"}), IsEmpty());
}

std::uint64_t MissedSince(const RequestList& list, std::uint64_t since) {
  return list.Find({.since = since}).missed;
}

void AddCalls(RequestList& list, int count) {
  for (int i = 0; i < count; ++i) list.Add(Record("GetItem", "1", "app"));
}

TEST(RequestList, CountsWhatWasDroppedAfterAnId) {
  RequestList list;
  list.SetLimit(3);
  EXPECT_EQ(MissedSince(list, 0), 0u);
  AddCalls(list, 5);  // 1 and 2 are dropped
  EXPECT_EQ(MissedSince(list, 0), 2u);
  EXPECT_EQ(MissedSince(list, 1), 1u);
  EXPECT_EQ(MissedSince(list, 2), 0u);
  EXPECT_EQ(MissedSince(list, UINT64_MAX), 0u);
}

TEST(RequestList, WhatWasRemovedOnRequestIsNotMissed) {
  RequestList list;
  list.SetLimit(3);
  AddCalls(list, 5);  // 1 and 2 are dropped
  list.Remove({});    // 3, 4 and 5
  AddCalls(list, 3);
  EXPECT_EQ(MissedSince(list, 0), 2u);
  EXPECT_EQ(MissedSince(list, 2), 0u);
  AddCalls(list, 2);  // 6 and 7 are dropped
  EXPECT_EQ(MissedSince(list, 0), 4u);
  for (const std::uint64_t since : {2, 3, 4, 5}) EXPECT_EQ(MissedSince(list, since), 2u) << since;
  EXPECT_EQ(MissedSince(list, 6), 1u);
  EXPECT_EQ(MissedSince(list, 7), 0u);
  EXPECT_EQ(MissedSince(list, UINT64_MAX), 0u);
}

// The list is compared with plain counting, whatever is removed in between.
TEST(RequestList, CountsMissedCallsRightAfterAnyRemovals) {
  RequestList list;
  list.SetLimit(4);
  std::vector<std::uint64_t> kept, dropped;
  std::uint64_t last_id = 0, state = 7;
  for (int i = 0; i < 2000; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    if (state >> 61 == 0) {
      const std::uint64_t since = last_id - std::min<std::uint64_t>(last_id, state >> 32 & 3);
      list.Remove({.since = since});
      std::erase_if(kept, [since](std::uint64_t id) { return id > since; });
      continue;
    }
    AddCalls(list, 1);
    kept.push_back(++last_id);
    if (kept.size() <= 4) continue;
    dropped.push_back(kept.front());
    kept.erase(kept.begin());
  }
  for (std::uint64_t since = 0; since <= last_id; ++since) {
    const auto later = std::ranges::count_if(dropped, [since](auto id) { return id > since; });
    ASSERT_EQ(MissedSince(list, since), static_cast<std::uint64_t>(later)) << since;
  }
}

TEST(RequestList, RemovesWhatMatchesAndGoesOnCounting) {
  RequestList list;
  list.Add(Record("GetItem", "1", "app"));
  list.Add(Record("GetItem", "2", "app"));
  EXPECT_EQ(list.Remove({.account_id = "1"}), 1u);
  EXPECT_THAT(Ids(list), ElementsAre(2));
  EXPECT_EQ(list.Remove({}), 1u);
  EXPECT_THAT(Ids(list), IsEmpty());
  list.Add(Record("Scan", "1", "app"));
  EXPECT_THAT(Ids(list), ElementsAre(3));
  EXPECT_EQ(list.state().forgotten, 0u);
}

// Tests of the line of the log for a call, and of when it is written.

using testing::ElementsAre;

TEST(RequestLine, ContainsWhatIsKnownAboutTheCall) {
  RequestRecord record;
  record.duration_us = 41;
  EXPECT_EQ(RequestLine(record, nullptr), "(no operation) 200") << "it took nothing";
  const JsonValue request = JsonValue();
  record.operation = "BatchGetItem";
  record.account_id = "000000000000";
  record.region = "us-east-1";
  for (const char* table : {"app", "other", "app"}) {
    RequestAccess& access = record.accesses.emplace_back();
    access.table = table;
    access.units = 0.5;
  }
  EXPECT_EQ(RequestLine(record, &request),
            "BatchGetItem app,other 000000000000/us-east-1 200 1.5 units 0.041 ms");
  record.accesses.resize(1);
  record.accesses[0].index = "GSI1";
  record.http_status = 400;
  record.error = "ValidationException";
  record.delay_ms = 7;
  record.dropped = true;
  EXPECT_EQ(RequestLine(record, &request),
            "BatchGetItem app/GSI1 000000000000/us-east-1 400 0.5 units 0.041 ms, held back 7 ms, "
            "dropped ValidationException");
  record.message = "No.";
  EXPECT_TRUE(RequestLine(record, &request).ends_with("dropped ValidationException: No."));
}

// Returns the lines without the parts that differ from run to run.
std::vector<std::string> WithoutTimes(const std::vector<std::string>& lines) {
  std::vector<std::string> texts;
  for (const std::string& line : lines) {
    texts.push_back(std::regex_replace(line, std::regex(R"(\d+\.\d{3} ms)"), "T"));
  }
  return texts;
}

class RequestLog : public testing::Test {
 protected:
  void Run() {
    api_.Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"p","KeyType":"HASH"}],
      "GlobalSecondaryIndexes":[{"IndexName":"GSI","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"p","KeyType":"HASH"}]}]})");
    api_.Ok("PutItem", R"({"TableName":"app","Item":{"p":{"S":"a"}}})");
    api_.Ok("Scan", R"({"TableName":"app","IndexName":"GSI"})");
    api_.Call("PutItem", R"j({"TableName":"app","Item":{"p":{"S":"a"}},
      "ConditionExpression":"attribute_not_exists(p)"})j");
    api_.Call("GetItem", R"({"TableName":"no\nne","Key":{"p":{"S":"a"}}})");
    api_.Call("CreateBackup", "{}");
    api_.Call("GetItem", "{");
  }

  ManualClock clock_{1'800'000'000'000};
  Recorder recorder_{chain_, clock_};
  GateChain chain_;
  Api api_{{.gate = &chain_.slot()}};
};

TEST_F(RequestLog, HasALineForEachCall) {
  recorder_.StartLog();
  std::vector<std::string> lines;
  SetLogSink(
      [&](LogLevel level, std::string_view line) {
        if (level == LogLevel::kDebug) lines.emplace_back(line);
      },
      LogLevel::kDebug);
  Run();
  SetLogSink(nullptr);
  EXPECT_THAT(
      WithoutTimes(lines),
      ElementsAre(
          "CreateTable app 000000000000/us-east-1 200 0 units T",
          "PutItem app 000000000000/us-east-1 200 2 units T",
          "Scan app/GSI 000000000000/us-east-1 200 0.5 units T",
          "PutItem app 000000000000/us-east-1 400 1 units T ConditionalCheckFailedException: The "
          "conditional request failed",
          "GetItem 000000000000/us-east-1 400 ValidationException: 1 validation error "
          "detected: Value 'no\\x0ane' at 'tableName' failed to satisfy constraint: Member must "
          "satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
          "CreateBackup 000000000000/us-east-1 400 UnknownOperationException: Hashrange "
          "does not implement CreateBackup.",
          "(no operation) 400 SerializationException"));
  EXPECT_EQ(recorder_.list().state().last_id, 0u) << "no list was asked for";
}

// There is neither a gate nor a line, so a request pays nothing.
TEST_F(RequestLog, WritesNothingUntilItIsAskedFor) {
  const test::LogLines logged(LogLevel::kDebug);
  EXPECT_EQ(chain_.slot().load(), nullptr);
  api_.Call("GetItem", "{");
  EXPECT_THAT(logged.lines(), testing::IsEmpty());
  recorder_.StartLog();
  EXPECT_EQ(chain_.slot().load(), &chain_);
  recorder_.StartList(10);
  recorder_.StopList();
  EXPECT_EQ(chain_.slot().load(), &chain_) << "it is for good";
}

// Tests what the clauses of a Query say about its sort key.

constexpr AttributeType kS = AttributeType::kS;
const KeySchema kSimple{{{"PK", kS}}, {{"SK", kS}}};
const KeySchema kComposite{{{"a", kS}, {"b", kS}}, {{"s", kS}, {"t", kS}}};

KeyClause On(std::string_view attribute, KeyOperator op) { return {attribute, op, {}, {}}; }

TEST(SortKeyCondition, IsTheOperatorOnTheRangeAttribute) {
  const struct {
    KeyOperator op;
    std::string_view text;
  } rows[] = {
      {KeyOperator::kEqual, "="},
      {KeyOperator::kLess, "<"},
      {KeyOperator::kLessOrEqual, "<="},
      {KeyOperator::kGreater, ">"},
      {KeyOperator::kGreaterOrEqual, ">="},
      {KeyOperator::kBetween, "BETWEEN"},
      {KeyOperator::kBeginsWith, "begins_with"},
  };
  const KeyClause hash = On("PK", KeyOperator::kEqual);
  for (const auto& [op, text] : rows) {
    EXPECT_EQ(SortKeyConditionOf(std::vector{hash, On("SK", op)}, kSimple), text);
    EXPECT_EQ(SortKeyConditionOf(std::vector{On("SK", op), hash}, kSimple), text);
  }
  EXPECT_EQ(SortKeyConditionOf(std::vector{hash}, kSimple), "none");
  EXPECT_EQ(SortKeyConditionOf({}, kSimple), "none");
}

TEST(SortKeyCondition, IsTheConditionThatIsNotAnEquality) {
  std::vector<KeyClause> clauses = {On("a", KeyOperator::kEqual), On("b", KeyOperator::kEqual)};
  EXPECT_EQ(SortKeyConditionOf(clauses, kComposite), "none");
  clauses.push_back(On("s", KeyOperator::kEqual));
  EXPECT_EQ(SortKeyConditionOf(clauses, kComposite), "=");
  clauses.push_back(On("t", KeyOperator::kGreater));
  EXPECT_EQ(SortKeyConditionOf(clauses, kComposite), ">");
  const std::vector<KeyClause> both = {On("PK", KeyOperator::kEqual),
                                       On("SK", KeyOperator::kGreaterOrEqual),
                                       On("SK", KeyOperator::kLess)};
  EXPECT_EQ(SortKeyConditionOf(both, kSimple), "BETWEEN");
}

}  // namespace
}  // namespace hashrange
