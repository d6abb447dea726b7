#include "lab/run/lab_call_maker.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "run_file.h"

namespace hashrange {
namespace {

using lab_run_test::FileOf;
using lab_run_test::kSmallShop;

// The entities and patterns of the small shop.
constexpr int kOrder = 1, kProduct = 3;
constexpr int kStatus = 2, kQuantity = 1, kStock = 1;
constexpr int kSignUp = 4, kPlaceAnOrder = 5, kPay = 6;

class LabCallMakerTest : public testing::Test {
 protected:
  bool Make(int pattern, std::uint64_t number, MadeCall& made) {
    return maker_.Make({.pattern = pattern,
                        .shape = Shape(pattern),
                        .number = number,
                        .now_epoch_ms = file_.start_epoch_ms,
                        .hot = hot_},
                       made);
  }
  const CallShape& Shape(int pattern) {
    shape_ = ShapeOfCalls(file_, file_.patterns[static_cast<std::size_t>(pattern)]);
    return shape_;
  }
  std::string ValueOf(InstanceId id, int attribute) {
    return population_.Value(id, {.entity = id.entity, .attribute = attribute});
  }

  const LabFile file_ = FileOf(kSmallShop);
  Population population_{file_, 1};
  LabCallMaker maker_{file_, population_};
  CallShape shape_;
  const std::map<int, double> hot_;
};

TEST_F(LabCallMakerTest, UpdateCountsForLaterCallsAndIsUndone) {
  MadeCall made;
  ASSERT_TRUE(Make(kPay, 0, made));
  const InstanceId order = made.call.roles[0].at(0);
  EXPECT_EQ(order.entity, kOrder);
  EXPECT_EQ(ValueOf(order, kStatus), "OPEN");
  ASSERT_EQ(made.call.new_values.size(), 1U);
  EXPECT_EQ(made.call.new_values[0].value, "PAID");
  maker_.Apply(kPay, Shape(kPay), made);
  EXPECT_EQ(ValueOf(order, kStatus), "PAID");
  maker_.Close(false, made);
  EXPECT_EQ(ValueOf(order, kStatus), "OPEN");
}

TEST_F(LabCallMakerTest, WhatIsConfirmedStaysWhenTheCallFails) {
  MadeCall made;
  ASSERT_TRUE(Make(kPlaceAnOrder, 3, made));
  maker_.Apply(kPlaceAnOrder, Shape(kPlaceAnOrder), made);
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
    maker_.Apply(kPay, Shape(kPay), made);
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
  maker_.Apply(kPlaceAnOrder, Shape(kPlaceAnOrder), made);
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
  const LabFile file = FileOf(R"(
lab: 1
entities: {User: {count: 30, attributes: {id: {sequence: 4}}}}
access_patterns:
  several: {get: User, by: [id], batch: 20, rate: 1/s, pick: zipf}
  leave: {delete: User, by: [id], rate: 1/s}
layouts: {only: {tables: {users: {key: [id], items: {User: {}}}}}}
)");
  Population population(file, 1);
  LabCallMaker maker(file, population);
  const std::map<int, double> hot;
  MadeCall made;
  const CallShape several = ShapeOfCalls(file, file.patterns[0]);
  ASSERT_TRUE(maker.Make({.pattern = 0, .shape = several, .hot = hot}, made));
  std::set<std::uint64_t> numbers;
  for (const InstanceId id : made.call.roles[0]) numbers.insert(id.number);
  EXPECT_EQ(numbers.size(), 20U);

  const CallShape leave = ShapeOfCalls(file, file.patterns[1]);
  ASSERT_TRUE(maker.Make({.pattern = 1, .shape = leave, .hot = hot}, made));
  const InstanceId id = made.call.roles[0].at(0);
  maker.Apply(1, leave, made);
  EXPECT_FALSE(population.Exists(id));
  maker.Close(false, made);
  EXPECT_TRUE(population.Exists(id));
}

// A call may pick what another call creates, before that call fails.
// What an attribute is made of changes: so does the attribute, whatever the order in the file,
// unless the call gives it another value.
TEST(LabCallMaker, TemplatesFollowWhatTheyAreMadeOf) {
  const LabFile file = FileOf(R"(
lab: 1
entities:
  Visit: {count: 1, attributes: {id: {sequence: 2}, card: "{slot}!", slot: "{vet}@{at}", vet: VET, at: "9", note: "{at}"}}
access_patterns:
  move: {update: Visit, by: [id], set: {note: "was {slot}", at: "10"}, rate: 1/s}
  free: {update: Visit, by: [id], set: {vet: ANN}, remove: [at], rate: 1/s}
layouts:
  one: {tables: {visits: {key: [id], items: {Visit: {}}}}}
)");
  Population population(file, 1);
  LabCallMaker maker(file, population);
  const std::map<int, double> no_hot;
  const auto changed_by = [&](int pattern) {
    MadeCall made;
    const CallShape shape = ShapeOfCalls(file, file.patterns[static_cast<std::size_t>(pattern)]);
    EXPECT_TRUE(maker.Make({.pattern = pattern,
                            .shape = shape,
                            .number = 0,
                            .now_epoch_ms = file.start_epoch_ms,
                            .hot = no_hot},
                           made));
    std::map<std::string, std::string> values;
    for (const LabNewValue& value : made.call.new_values) {
      values[file.entities[0].attributes[static_cast<std::size_t>(value.attribute)].name] =
          value.value.value_or("absent");
    }
    maker.Apply(pattern, shape, made);
    maker.Close(true, made);
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

TEST(LabCallMaker, WhatWasNeverCreatedDoesNotComeBack) {
  const LabFile file = FileOf(R"(
lab: 1
entities: {User: {count: 1, attributes: {id: {sequence: 4}}}}
access_patterns:
  join: {create: User, rate: 1/s}
  leave: {delete: User, by: [id], rate: 1/s, pick: {latest: 20}}
layouts: {only: {tables: {users: {key: [id], items: {User: {}}}}}}
)");
  Population population(file, 1);
  LabCallMaker maker(file, population);
  const std::map<int, double> hot;
  const CallShape join = ShapeOfCalls(file, file.patterns[0]);
  const CallShape leave = ShapeOfCalls(file, file.patterns[1]);
  MadeCall joining, leaving;
  ASSERT_TRUE(maker.Make({.pattern = 0, .shape = join, .hot = hot}, joining));
  maker.Apply(0, join, joining);
  const InstanceId id = joining.call.roles[0].at(0);
  ASSERT_TRUE(maker.Make({.pattern = 1, .shape = leave, .hot = hot}, leaving));
  ASSERT_EQ(leaving.call.roles[0].at(0), id);
  maker.Apply(1, leave, leaving);
  maker.Close(false, joining);
  maker.Close(false, leaving);
  EXPECT_FALSE(population.Exists(id));
  EXPECT_EQ(population.LiveCount(0), 1U);
}

}  // namespace
}  // namespace hashrange
