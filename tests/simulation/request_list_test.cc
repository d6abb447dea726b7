// Tests of the list of the latest calls: its bounds and its filters.
#include "simulation/request_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  for (const auto& record : list.Find(filter)) ids.push_back(record->id);
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
