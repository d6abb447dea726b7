#include <gtest/gtest.h>

#include "measure/rules/judged_rule.h"

namespace hashrange {
namespace {

// --- Rule 31 ---

Measurement Sizes(double size_bytes, std::uint64_t items) {
  Measurement measurement = ShopMeasurement();
  EntityMeasure order = EntityOf("Order", "ORDER#{id}", "META", items);
  order.size_bytes.Add(size_bytes, items);
  measurement.entities = {order};
  return measurement;
}

TEST(LargeItemsRule, ItemsNearTheLimitAreFound) {
  EXPECT_EQ(Judge("large-items", Sizes(399.0 * 1024, 2)),
            "warning [shop entity Order (ORDER#{id}, META)]: 350 KB are exceeded by 2 of 2 items; "
            "the largest has 399 KB. (measured)");
  EXPECT_EQ(Judge("large-items", Sizes(350.0 * 1024, 2)), "clean");
}

Measurement GrowingList(std::uint64_t elements) {
  Measurement measurement = Sizes(2000, 5);
  measurement.entities[0].attributes = {{.name = "events", .largest_list = elements}};
  PatternMeasure append = OnePattern("UpdateItem", "update", 40);
  append.members[0].key = {{"PK", "=", "ORDER#{id}", ""}, {"SK", "=", "META", ""}};
  append.members[0].update = "SET events = list_append(events, ?)";
  append.members[0].updated_attributes = {"events"};
  measurement.patterns = {append};
  return measurement;
}

TEST(LargeItemsRule, ListsThatOnlyGrowAreFound) {
  EXPECT_EQ(Judge("large-items", GrowingList(100)),
            "hint [shop entity Order (ORDER#{id}, META) key events]: The longest list has 100 "
            "elements; 40 calls appended to such lists, and none did anything else to them. "
            "(measured)");
  EXPECT_EQ(Judge("large-items", GrowingList(1000)),
            "warning [shop entity Order (ORDER#{id}, META) key events]: The longest list has 1,000 "
            "elements; 40 calls appended to such lists, and none did anything else to them. "
            "(measured)");
  EXPECT_EQ(Judge("large-items", GrowingList(99)), "clean");
}

TEST(LargeItemsRule, ListThatIsAlsoSetIsClean) {
  Measurement measurement = GrowingList(100);
  measurement.patterns.push_back(measurement.patterns[0]);
  measurement.patterns[1].members[0].update = "SET events = ?";
  EXPECT_EQ(Judge("large-items", measurement), "clean");
}

TEST(LargeItemsRule, NeedsItems) {
  EXPECT_EQ(Judge("large-items", ShopMeasurement()), "not assessed: No items are stored.");
}

// --- Rule 32 ---

Measurement OverStep(double name_bytes, std::uint64_t items) {
  Measurement measurement = Sizes(1050, items);
  EntityMeasure& order = measurement.entities[0];
  order.attributes = {{.name = "PK", .name_bytes = name_bytes * static_cast<double>(items)}};
  order.units = {{"shop", "", 0, 200}};
  PatternMeasure put = OnePattern("PutItem", "put", 100);
  measurement.patterns = {put};
  return measurement;
}

TEST(OverStepRule, NamesThatCostAUnitAreFound) {
  // Sizes of 1,050 bytes are counted in a bucket up to 1,055.5: 31.5 bytes over the step.
  EXPECT_EQ(
      Judge("just-over-a-step", OverStep(80, 100)),
      "hint [shop entity Order (ORDER#{id}, META)]: Half of the items have at most 1,050 bytes "
      "and take 2 write units; names of half the length would save 40 bytes an item and 50 % "
      "of the units. (modelled); US$ 0.625 per million calls of this mix for the bytes over "
      "the step, written to the table (modelled)");
  EXPECT_EQ(Judge("just-over-a-step", OverStep(50, 100)), "clean");
}

TEST(OverStepRule, NeedsAHundredItems) {
  EXPECT_EQ(Judge("just-over-a-step", OverStep(80, 99)), "not assessed: No entity has 100 items.");
}

// --- Rule 33 ---

Measurement SmallUpdates(double item_size, double changed_size) {
  PatternMeasure update = OnePattern("UpdateItem", "update", 100);
  update.changed = 100;
  update.item_bytes_written = 100 * item_size;
  update.changed_bytes = 100 * changed_size;
  update.units = {{"shop", "", 0, 400}};
  return ShopWith({update});
}

TEST(SmallChangeRule, SmallChangesOfLargeItemsAreFound) {
  // 3 of 4 units a call.
  EXPECT_EQ(
      Judge("small-change-in-large-item", SmallUpdates(4096, 12)),
      "warning [shop pattern p]: 100 updates set 12 bytes of 4 KB each, on average, and took 4 "
      "write units a call on the table. (measured); US$ 1.88 per million calls of this mix for "
      "writing the unchanged part (modelled)");
}

TEST(SmallChangeRule, SmallItemsAndLargeChangesAreClean) {
  EXPECT_EQ(Judge("small-change-in-large-item", SmallUpdates(4095, 12)), "clean");
  EXPECT_EQ(Judge("small-change-in-large-item", SmallUpdates(4096, 410)), "clean");
}

TEST(SmallChangeRule, NeedsAHundredUpdates) {
  Measurement measurement = SmallUpdates(4096, 12);
  measurement.patterns[0].changed = 99;
  EXPECT_EQ(Judge("small-change-in-large-item", measurement),
            "not assessed: No pattern made 100 updates of items that were there.");
}

// --- Rule 36 ---

Measurement Typed(std::string type_attribute, std::uint64_t without) {
  Measurement measurement = ShopMeasurement();
  TableMeasure& table = measurement.tables[0];
  table.type_attribute = std::move(type_attribute);
  table.walked_items = 100;
  table.items_without_type = without;
  measurement.entities = {EntityOf("User", "CUST#{id}", "META", 5), EntityOf("", "A#{id}", "B", 5)};
  return measurement;
}

TEST(NoTypeRule, ItemsWithoutTypeAreFound) {
  EXPECT_EQ(Judge("no-type-attribute", Typed("Type", 3)),
            "warning [shop key Type]: 3 of 100 items have no `Type`. (measured)");
  EXPECT_EQ(
      Judge("no-type-attribute", Typed("", 100)),
      "hint [shop]: None of 100 items of 2 entities has a type attribute that is known by its "
      "name. (measured)");
  EXPECT_EQ(Judge("no-type-attribute", Typed("Type", 0)), "clean");
}

TEST(NoTypeRule, ValuesInKeysAreNoEntities) {
  Measurement measurement = Typed("", 100);
  measurement.entities = {EntityOf("", "USER#ann", "META", 50),
                          EntityOf("", "USER#bob", "META", 50)};
  EXPECT_EQ(Judge("no-type-attribute", measurement),
            "not assessed: No table with several entities has 100 items.");
}

TEST(NoTypeRule, NeedsSeveralEntities) {
  const std::string missing = "not assessed: No table with several entities has 100 items.";
  Measurement one = Typed("Type", 3);
  one.entities.pop_back();
  EXPECT_EQ(Judge("no-type-attribute", one), missing);
  Measurement few = Typed("Type", 3);
  few.tables[0].walked_items = 99;
  EXPECT_EQ(Judge("no-type-attribute", few), missing);
}

// --- Rule 37 ---

TEST(KeysByCaseRule, KeysThatDifferInCaseAreFound) {
  Measurement measurement = Typed("Type", 0);
  measurement.tables[0].keys_that_differ_in_case_only = 1;
  EXPECT_EQ(Judge("keys-by-case", measurement),
            "warning [shop]: Upper and lower case are all that tells 1 key from another, among 100 "
            "items. (measured)");
  measurement.tables[0].keys_that_differ_in_case_only = 0;
  EXPECT_EQ(Judge("keys-by-case", measurement), "clean");
}

TEST(KeysByCaseRule, NeedsItems) {
  EXPECT_EQ(Judge("keys-by-case", ShopMeasurement()), "not assessed: No items are stored.");
}

// --- Rule 38 ---

Measurement Expiring() {
  Measurement measurement = ShopMeasurement();
  measurement.tables[0].walked_items = 10;
  measurement.tables[0].expiry.attribute = "ttl";
  measurement.tables[0].expiry.seconds = 10;
  return measurement;
}

TEST(TimeToLiveRule, WrongTimesAreFound) {
  Measurement measurement = Expiring();
  ExpiryMeasure& expiry = measurement.tables[0].expiry;
  expiry.milliseconds = 1;
  expiry.not_numbers = 2;
  expiry.far_future = 3;
  expiry.long_past = 4;
  expiry.similar_attributes = {"expiresAt"};
  EXPECT_EQ(
      Judge("time-to-live", measurement),
      "severe [shop key ttl]: Milliseconds, which are read as seconds some 50,000 years ahead, "
      "are stored in 1 item. (measured)\n"
      "severe [shop key ttl]: Values of another type than Number, which are ignored, are "
      "stored in 2 items. (measured)\n"
      "warning [shop key ttl]: Times more than 50 years ahead are stored in 3 items. "
      "(measured)\n"
      "warning [shop key ttl]: Times more than 5 years ago, whose items are never deleted, are "
      "stored in 4 items. (measured)\n"
      "hint [shop key expiresAt]: Items have `expiresAt`, which looks like a time to live; the "
      "table's is `ttl`. (measured)");
  EXPECT_EQ(Judge("time-to-live", Expiring()), "clean");
}

TEST(TimeToLiveRule, TableWithoutOneMayLookLikeIt) {
  Measurement measurement = Expiring();
  measurement.tables[0].expiry = {.similar_attributes = {"expiresAt"}};
  EXPECT_EQ(
      Judge("time-to-live", measurement),
      "hint [shop key expiresAt]: Items have `expiresAt`, which looks like a time to live; the "
      "table's is not set. (measured)");
}

TEST(TimeToLiveRule, ReadsThatIgnoreExpiryAreFound) {
  Measurement measurement = Expiring();
  measurement.tables[0].expiry.expired = 4;
  measurement.patterns = {QueryPattern(10)};
  EXPECT_EQ(Judge("time-to-live", measurement),
            "hint [shop pattern p key ttl]: 10 calls had no filter on the time, and 4 items of the "
            "table are due and still stored. (measured)");
  measurement.patterns[0].members[0].condition_attributes = {"ttl"};
  EXPECT_EQ(Judge("time-to-live", measurement), "clean");
  measurement.patterns = {QueryPattern(9)};
  EXPECT_EQ(Judge("time-to-live", measurement), "clean");
}

TEST(TimeToLiveRule, NeedsATimeToLiveAndItems) {
  const std::string missing =
      "not assessed: No table with items has a time to live, or an attribute that looks like one.";
  Measurement none = Expiring();
  none.tables[0].expiry = {};
  EXPECT_EQ(Judge("time-to-live", none), missing);
  Measurement empty = Expiring();
  empty.tables[0].walked_items = 0;
  EXPECT_EQ(Judge("time-to-live", empty), missing);
}

}  // namespace
}  // namespace hashrange
