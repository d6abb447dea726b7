// Tests of the list of the latest calls: its bounds and its filters.
#include "simulation/request_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace
}  // namespace hashrange
