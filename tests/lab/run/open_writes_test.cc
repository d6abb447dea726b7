#include "lab/run/open_writes.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "run_file.h"

namespace hashrange {
namespace {

using lab_run_test::FileOf;

constexpr const char* kThings = R"(
lab: 1
entities: {Thing: {count: 3, attributes: {id: {sequence: 4}, name: a, stock: {number: 10}}}}
access_patterns: {ask: {get: Thing, by: [id], rate: 1/s}}
layouts: {only: {tables: {things: {key: [id], items: {Thing: {}}}}}}
)";
constexpr int kName = 1, kStock = 2;
constexpr InstanceId kFirst = {0, 0};

using Value = std::optional<std::string>;

class OpenWritesTest : public testing::Test {
 protected:
  Value ValueOf(InstanceId id, int attribute) {
    if (attribute == kLabNone) return population_.Exists(id) ? Value("") : Value();
    const LabAttributeRef ref = {.entity = id.entity, .attribute = attribute};
    return population_.Has(id, ref) ? Value(population_.Value(id, ref)) : Value();
  }

  const LabFile file_ = FileOf(kThings);
  Population population_{file_, 1};
  Picker picker_{file_, population_};
  OpenWrites open_{population_, picker_};
};

TEST_F(OpenWritesTest, ValueIsThatOfTheTablesAndNotThatOfTheLatestCall) {
  const InstanceWrite early = {.id = kFirst, .attribute = kName, .value = "early"};
  const InstanceWrite late = {.id = kFirst, .attribute = kName, .value = "late"};
  open_.Begin(1, early);
  open_.Begin(2, late);
  EXPECT_EQ(ValueOf(kFirst, kName), "late");
  open_.End(2, late, true);
  EXPECT_EQ(ValueOf(kFirst, kName), "early");  // that of the call that is still open
  open_.End(1, early, true);                   // it was throttled, and written after the other
  EXPECT_EQ(ValueOf(kFirst, kName), "early");
}

TEST_F(OpenWritesTest, ValueThatWasNeverWrittenDoesNotComeBack) {
  const InstanceWrite early = {.id = kFirst, .attribute = kName, .value = "early"};
  const InstanceWrite late = {.id = kFirst, .attribute = kName, .value = "late"};
  open_.Begin(1, early);
  open_.Begin(2, late);
  open_.End(1, early, false);
  open_.End(2, late, false);
  EXPECT_EQ(ValueOf(kFirst, kName), "a");
}

TEST_F(OpenWritesTest, SumsOfOtherCallsStay) {
  const InstanceWrite take = {.id = kFirst, .attribute = kStock, .added = -3};
  const InstanceWrite set = {.id = kFirst, .attribute = kStock, .value = "50"};
  const InstanceWrite give = {.id = kFirst, .attribute = kStock, .added = 4};
  open_.Begin(1, take);
  open_.Begin(2, set);
  open_.Begin(3, give);
  EXPECT_EQ(ValueOf(kFirst, kStock), "54");
  open_.End(2, set, false);
  EXPECT_EQ(ValueOf(kFirst, kStock), "11");
  open_.End(1, take, false);
  open_.End(3, give, true);
  EXPECT_EQ(ValueOf(kFirst, kStock), "14");
}

TEST_F(OpenWritesTest, DeletionByTwoCallsIsNotUndoneByTheOneThatFails) {
  const InstanceWrite deletion = {.id = kFirst};
  open_.Begin(1, deletion);
  open_.Begin(2, deletion);
  open_.End(1, deletion, true);
  open_.End(2, deletion, false);
  EXPECT_FALSE(population_.Exists(kFirst));
}

TEST_F(OpenWritesTest, WhatWasCreatedAndNotWrittenDoesNotExist) {
  const InstanceId created = population_.Create(0, {}, 0);
  const InstanceWrite creation = {.id = created, .value = ""};
  open_.Begin(1, creation);
  EXPECT_TRUE(population_.Exists(created));
  open_.End(1, creation, false);
  EXPECT_FALSE(population_.Exists(created));
}

TEST_F(OpenWritesTest, RandomWritesLeaveWhatATableWouldHave) {
  std::mt19937 random(4);
  const auto below = [&](unsigned most) { return static_cast<unsigned>(random() % most); };
  std::map<std::pair<std::uint64_t, int>, Value> table;
  std::vector<std::pair<std::uint64_t, InstanceWrite>> open;
  const auto end_one = [&] {
    const std::size_t at = below(static_cast<unsigned>(open.size()));
    const auto [call, write] = open[at];
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    const bool is_written = below(2) == 0;
    open_.End(call, write, is_written);
    Value& stored = table[{write.id.number, write.attribute}];
    if (is_written) {
      stored = write.added ? Value(SumText(stored, *write.added)) : write.value;
    }
  };
  constexpr int kAttributes[] = {kLabNone, kName, kStock};
  for (std::uint64_t number = 0; number < 3; ++number) {
    for (const int attribute : kAttributes) {
      table[{number, attribute}] = ValueOf({0, number}, attribute);
    }
  }
  for (std::uint64_t call = 0; call < 20'000; ++call) {
    const int attribute = kAttributes[below(3)];
    InstanceWrite write = {.id = {0, below(3)}, .attribute = attribute};
    if (attribute == kStock && below(2) == 0) {
      write.added = static_cast<double>(below(9)) + 1;
    } else if (attribute != kLabNone && below(3) > 0) {
      write.value = std::to_string(below(100));
    }
    open_.Begin(call, write);
    open.emplace_back(call, write);
    while (open.size() > below(8)) end_one();
    if (!open.empty()) continue;
    for (const auto& [place, value] : table) {
      ASSERT_EQ(ValueOf({0, place.first}, place.second), value) << "after call " << call;
    }
  }
}

}  // namespace
}  // namespace hashrange
