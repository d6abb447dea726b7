#include "lab/run/lab_call_maker.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "run_file.h"

namespace hashrange {
namespace {

// The entities and patterns of the small shop.
constexpr int kOrder = 1, kProduct = 3;
constexpr int kStatus = 2, kQuantity = 1, kStock = 1;
constexpr int kSignUp = 4, kPlaceAnOrder = 5, kPay = 6;

// Makes calls of the patterns of a file.
class CallsOfFile {
 public:
  explicit CallsOfFile(const char* yaml) : file_(FileOf(yaml)) {}

  bool Make(int pattern, std::uint64_t number, MadeCall& made) {
    const CallShape shape = Shape(pattern);
    return maker_.Make({.pattern = pattern,
                        .shape = shape,
                        .number = number,
                        .now_epoch_ms = file_.start_epoch_ms,
                        .hot = hot_},
                       made);
  }
  void Apply(int pattern, MadeCall& made) { maker_.Apply(pattern, Shape(pattern), made); }
  CallShape Shape(int pattern) const {
    return ShapeOfCalls(file_, file_.patterns[static_cast<std::size_t>(pattern)]);
  }
  std::string ValueOf(InstanceId id, int attribute) {
    return population_.Value(id, {.entity = id.entity, .attribute = attribute});
  }

  const LabFile file_;
  Population population_{file_, 1};
  LabCallMaker maker_{file_, population_};

 private:
  const std::map<int, double> hot_;
};

class LabCallMakerTest : public testing::Test, protected CallsOfFile {
 protected:
  LabCallMakerTest() : CallsOfFile(kSmallShop) {}
};

TEST_F(LabCallMakerTest, UpdateCountsForLaterCallsAndIsUndone) {
  MadeCall made;
  ASSERT_TRUE(Make(kPay, 0, made));
  const InstanceId order = made.call.roles[0].at(0);
  EXPECT_EQ(order.entity, kOrder);
  EXPECT_EQ(ValueOf(order, kStatus), "OPEN");
  ASSERT_EQ(made.call.new_values.size(), 1U);
  EXPECT_EQ(made.call.new_values.begin()->second, "PAID");
  Apply(kPay, made);
  EXPECT_EQ(ValueOf(order, kStatus), "PAID");
  maker_.Close(false, made);
  EXPECT_EQ(ValueOf(order, kStatus), "OPEN");
}

TEST_F(LabCallMakerTest, WhatIsConfirmedStaysWhenTheCallFails) {
  MadeCall made;
  ASSERT_TRUE(Make(kPlaceAnOrder, 3, made));
  Apply(kPlaceAnOrder, made);
  const auto& roles = made.call.roles;
  const InstanceId order = roles[1].at(0);
  const InstanceId line = roles[2].at(0);
  const InstanceId product = roles[3].at(0);
  const std::string stock = ValueOf(product, kStock);
  maker_.Confirm({order, product}, made);
  maker_.Close(false, made);
  EXPECT_TRUE(population_.Exists(order));
  EXPECT_FALSE(population_.Exists(line));
  EXPECT_EQ(ValueOf(product, kStock), stock);
}

TEST_F(LabCallMakerTest, PaidOrderIsNotPickedAgain) {
  std::set<std::uint64_t> paid;
  MadeCall made;
  for (std::uint64_t number = 0; number < 2000 && Make(kPay, number, made); ++number) {
    EXPECT_TRUE(paid.insert(made.call.roles[0].at(0).number).second);
    Apply(kPay, made);
    maker_.Close(true, made);
  }
  EXPECT_GT(paid.size(), 100U);
  EXPECT_FALSE(Make(kPay, 2001, made));  // none is open any more
}

TEST_F(LabCallMakerTest, OrderHasItsCustomerItsLinesAndTheirProducts) {
  const std::uint64_t orders = population_.Count(kOrder);
  MadeCall made;
  ASSERT_TRUE(Make(kPlaceAnOrder, 3, made));
  const auto& roles = made.call.roles;
  ASSERT_EQ(roles.size(), 4U);
  EXPECT_EQ(roles[1].at(0), (InstanceId{kOrder, orders}));
  EXPECT_EQ(population_.ParentOf(roles[1][0]), roles[0].at(0));
  EXPECT_EQ(ValueOf(roles[1][0], kStatus), "OPEN");  // as `set` says
  ASSERT_FALSE(roles[2].empty());
  ASSERT_EQ(roles[3].size(), roles[2].size());
  for (std::size_t i = 0; i < roles[2].size(); ++i) {
    EXPECT_EQ(population_.ParentOf(roles[2][i]), roles[1][0]);
    EXPECT_EQ(ValueOf(roles[2][i], 0), ValueOf(roles[3][i], 0));  // the sku
  }
}

TEST_F(LabCallMakerTest, SumIsTakenFromTheStockAndGivenBack) {
  MadeCall made;
  ASSERT_TRUE(Make(kPlaceAnOrder, 3, made));
  const InstanceId product = made.call.roles[3].at(0);
  EXPECT_EQ(product.entity, kProduct);
  const int before = std::stoi(ValueOf(product, kStock));
  const int quantity = std::stoi(ValueOf(made.call.roles[2].at(0), kQuantity));
  Apply(kPlaceAnOrder, made);
  EXPECT_EQ(std::stoi(ValueOf(product, kStock)), before - quantity);
  maker_.Close(false, made);
  EXPECT_EQ(std::stoi(ValueOf(product, kStock)), before);
  EXPECT_FALSE(population_.Exists(made.call.roles[1].at(0)));
  EXPECT_FALSE(population_.Exists(made.call.roles[2].at(0)));
}

TEST_F(LabCallMakerTest, CallsRepeat) {
  MadeCall one, other;
  ASSERT_TRUE(Make(0, 12, one));
  ASSERT_TRUE(Make(0, 12, other));
  EXPECT_EQ(one.call.roles, other.call.roles);
}

TEST_F(LabCallMakerTest, DiscardedCallLeavesNothing) {
  const std::uint64_t customers = population_.LiveCount(0);
  MadeCall made;
  ASSERT_TRUE(Make(kSignUp, 0, made));
  EXPECT_EQ(population_.LiveCount(0), customers + 1);
  maker_.Discard(Shape(kSignUp), made.call);
  EXPECT_EQ(population_.LiveCount(0), customers);
}

TEST(LabCallMaker, BatchHasDifferentInstancesAndADeletedOneComesBack) {
  CallsOfFile calls(R"(
lab: 1
entities: {User: {count: 30, attributes: {id: {sequence: 4}}}}
access_patterns:
  several: {get: User, by: [id], batch: 20, rate: 1/s, pick: zipf}
  leave: {delete: User, by: [id], rate: 1/s}
layouts: {only: {tables: {users: {key: [id], items: {User: {}}}}}}
)");
  MadeCall made;
  ASSERT_TRUE(calls.Make(0, 0, made));
  std::set<std::uint64_t> numbers;
  for (const InstanceId id : made.call.roles[0]) numbers.insert(id.number);
  EXPECT_EQ(numbers.size(), 20U);

  ASSERT_TRUE(calls.Make(1, 0, made));
  const InstanceId id = made.call.roles[0].at(0);
  calls.Apply(1, made);
  EXPECT_FALSE(calls.population_.Exists(id));
  calls.maker_.Close(false, made);
  EXPECT_TRUE(calls.population_.Exists(id));
}

// What an attribute is made of changes: so does the attribute, whatever the order in the file,
// unless the call gives it another value.
TEST(LabCallMaker, TemplatesFollowWhatTheyAreMadeOf) {
  CallsOfFile calls(R"(
lab: 1
entities:
  Visit: {count: 1, attributes: {id: {sequence: 2}, card: "{slot}!", slot: "{vet}@{at}", vet: VET, at: "9", note: "{at}"}}
access_patterns:
  move: {update: Visit, by: [id], set: {note: "was {slot}", at: "10"}, rate: 1/s}
  free: {update: Visit, by: [id], set: {vet: ANN}, remove: [at], rate: 1/s}
layouts:
  one: {tables: {visits: {key: [id], items: {Visit: {}}}}}
)");
  const auto changed_by = [&](int pattern) {
    MadeCall made;
    EXPECT_TRUE(calls.Make(pattern, 0, made));
    std::map<std::string, std::string> values;
    for (const auto& [of, value] : made.call.new_values) {
      const auto attribute = static_cast<std::size_t>(of.attribute);
      values[calls.file_.entities[0].attributes[attribute].name] = value.value_or("absent");
    }
    calls.Apply(pattern, made);
    calls.maker_.Close(true, made);
    return values;
  };
  using Values = std::map<std::string, std::string>;
  EXPECT_EQ(
      changed_by(0),
      (Values{{"at", "10"}, {"card", "VET@10!"}, {"note", "was VET@10"}, {"slot", "VET@10"}}));
  EXPECT_EQ(changed_by(1), (Values{{"at", "absent"},
                                   {"card", "absent"},
                                   {"note", "absent"},
                                   {"slot", "absent"},
                                   {"vet", "ANN"}}));
}

// Requests of one call ask for each key once, so a role has no two instances that give the same.
TEST(LabCallMaker, WhatIsAskedForEachIsAskedOnce) {
  CallsOfFile calls(R"(
lab: 1
entities:
  User: {count: 5, attributes: {user_id: {sequence: 3}}}
  Item: {count: 3, attributes: {item_id: {sequence: 3}, part_of: {ref: Item.item_id}}}
  Bid: {of: Item, count: 20, attributes: {bid_id: {sequence: 6}, bidder_id: {ref: User.user_id}}}
access_patterns:
  items: {get: Item, each: {query: Bid, by: [bidder_id]}, by: [item_id], rate: 1/s}
  bidders: {query: User, each: {query: Bid, by: [item_id]}, by: [bidder_id], rate: 1/s}
  parts: {query: Item, each: {query: Bid, by: [bidder_id]}, by: [part_of], rate: 1/s}
layouts: {only: {tables: {app: {key: [PK, SK], items: {
  User: {PK: "U#{user_id}", SK: U}, Item: {PK: "I#{item_id}", SK: I}, Bid: {PK: "I#{item_id}", SK: "B#{bid_id}"}}}}}}
)");
  // Each user bids on each of the three items, and each item has bids of each of the five users.
  const auto values_of = [&](int pattern) {
    MadeCall made;
    EXPECT_TRUE(calls.Make(pattern, 0, made));
    std::multiset<std::string> values;
    for (const InstanceId id : made.call.roles.back()) {
      for (const LabAttributeRef attribute : calls.Shape(pattern).asked_by) {
        values.insert(calls.population_.Value(id, attribute));
      }
    }
    return values;
  };
  using Values = std::multiset<std::string>;
  EXPECT_EQ(values_of(0), (Values{"001", "002", "003"}));
  EXPECT_EQ(values_of(1), (Values{"001", "002", "003", "004", "005"}));
  EXPECT_EQ(values_of(2), (Values{"001", "002", "003"}));
}

// A call may pick what another call creates, before that call fails.
TEST(LabCallMaker, WhatWasNeverCreatedDoesNotComeBack) {
  CallsOfFile calls(R"(
lab: 1
entities: {User: {count: 1, attributes: {id: {sequence: 4}}}}
access_patterns:
  join: {create: User, rate: 1/s}
  leave: {delete: User, by: [id], rate: 1/s, pick: {latest: 20}}
layouts: {only: {tables: {users: {key: [id], items: {User: {}}}}}}
)");
  MadeCall joining, leaving;
  ASSERT_TRUE(calls.Make(0, 0, joining));
  calls.Apply(0, joining);
  const InstanceId id = joining.call.roles[0].at(0);
  ASSERT_TRUE(calls.Make(1, 0, leaving));
  ASSERT_EQ(leaving.call.roles[0].at(0), id);
  calls.Apply(1, leaving);
  calls.maker_.Close(false, joining);
  calls.maker_.Close(false, leaving);
  EXPECT_FALSE(calls.population_.Exists(id));
  EXPECT_EQ(calls.population_.LiveCount(0), 1U);
}

constexpr const char* kStockedThings = R"(
lab: 1
entities: {Thing: {count: 3, attributes: {id: {sequence: 4}, name: a, stock: {number: 10}}}}
access_patterns: {ask: {get: Thing, by: [id], rate: 1/s}}
layouts: {only: {tables: {things: {key: [id], items: {Thing: {}}}}}}
)";
constexpr int kName = 1, kThingStock = 2;
constexpr InstanceId kFirst = {0, 0};

using Value = std::optional<std::string>;

class OpenWritesTest : public testing::Test {
 protected:
  Value ValueOf(InstanceId id, int attribute) {
    if (attribute == kLabNone) return population_.Exists(id) ? Value("") : Value();
    const LabAttributeRef ref = {.entity = id.entity, .attribute = attribute};
    return population_.Has(id, ref) ? Value(population_.Value(id, ref)) : Value();
  }

  const LabFile file_ = FileOf(kStockedThings);
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
  EXPECT_EQ(ValueOf(kFirst, kName), "early");  // as the call says that is still open
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
  const InstanceWrite take = {.id = kFirst, .attribute = kThingStock, .added = -3};
  const InstanceWrite set = {.id = kFirst, .attribute = kThingStock, .value = "50"};
  const InstanceWrite give = {.id = kFirst, .attribute = kThingStock, .added = 4};
  open_.Begin(1, take);
  open_.Begin(2, set);
  open_.Begin(3, give);
  EXPECT_EQ(ValueOf(kFirst, kThingStock), "54");
  open_.End(2, set, false);
  EXPECT_EQ(ValueOf(kFirst, kThingStock), "11");
  open_.End(1, take, false);
  open_.End(3, give, true);
  EXPECT_EQ(ValueOf(kFirst, kThingStock), "14");
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
  constexpr int kAttributes[] = {kLabNone, kName, kThingStock};
  for (std::uint64_t number = 0; number < 3; ++number) {
    for (const int attribute : kAttributes) {
      table[{number, attribute}] = ValueOf({0, number}, attribute);
    }
  }
  for (std::uint64_t call = 0; call < 20'000; ++call) {
    const int attribute = kAttributes[below(3)];
    InstanceWrite write = {.id = {0, below(3)}, .attribute = attribute};
    if (attribute == kThingStock && below(2) == 0) {
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
