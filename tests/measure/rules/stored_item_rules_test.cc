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

TEST(LargeItemsRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"items near the limit are found", Sizes(399.0 * 1024, 2),
       "warning [shop entity Order (ORDER#{id}, META)]: 350 KB are exceeded by 2 of 2 items; the "
       "largest has 399 KB. (measured)"},
      {"350 KB are clean", Sizes(350.0 * 1024, 2), "clean"},
      {"long list that only grows is a hint", GrowingList(100),
       "hint [shop entity Order (ORDER#{id}, META) key events]: The longest list has 100 elements; "
       "40 calls appended to such lists, and none did anything else to them. (measured)"},
      {"very long list is a warning", GrowingList(1000),
       "warning [shop entity Order (ORDER#{id}, META) key events]: The longest list has 1,000 "
       "elements; 40 calls appended to such lists, and none did anything else to them. (measured)"},
      {"shorter list is clean", GrowingList(99), "clean"},
      {"list that is also set is clean",
       Changed(GrowingList(100),
               [](auto& shop) {
                 shop.patterns.push_back(shop.patterns[0]);
                 shop.patterns[1].members[0].update = "SET events = ?";
               }),
       "clean"},
      {"needs items", ShopMeasurement(), "not assessed: No items are stored."},
  };
  ExpectJudged("large-items", rows);
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

TEST(OverStepRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      // Sizes of 1,050 bytes are counted in a bucket up to 1,055.5: 31.5 bytes over the step.
      {"names that cost a unit are found", OverStep(80, 100),
       "hint [shop entity Order (ORDER#{id}, META)]: Half of the items have at most 1,050 bytes "
       "and take 2 write units; names of half the length would save 40 bytes an item and 50 % of "
       "the units. (modelled); US$ 0.625 per million calls of this mix for the bytes over the "
       "step, written to the table (modelled)"},
      {"shorter names are clean", OverStep(50, 100), "clean"},
      {"needs a hundred items", OverStep(80, 99), "not assessed: No entity has 100 items."},
  };
  ExpectJudged("just-over-a-step", rows);
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

TEST(SmallChangeRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      // 3 of 4 units a call.
      {"small changes of large items are found", SmallUpdates(4096, 12),
       "warning [shop pattern p]: 100 updates set 12 bytes of 4 KB each, on average, and took 4 "
       "write units a call on the table. (measured); US$ 1.88 per million calls of this mix for "
       "writing the unchanged part (modelled)"},
      {"small items are clean", SmallUpdates(4095, 12), "clean"},
      {"large changes are clean", SmallUpdates(4096, 410), "clean"},
      {"needs a hundred updates",
       Changed(SmallUpdates(4096, 12), [](auto& shop) { shop.patterns[0].changed = 99; }),
       "not assessed: No pattern made 100 updates of items that were there."},
  };
  ExpectJudged("small-change-in-large-item", rows);
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

TEST(NoTypeRule, JudgesWhatWasMeasured) {
  const std::string missing = "not assessed: No table with several entities has 100 items.";
  const JudgedRow rows[] = {
      {"some items without type are a warning", Typed("Type", 3),
       "warning [shop key Type]: 3 of 100 items have no `Type`. (measured)"},
      {"no item with a type is a hint", Typed("", 100),
       "hint [shop]: None of 100 items of 2 entities has a type attribute that is known by its "
       "name. (measured)"},
      {"types of all items are clean", Typed("Type", 0), "clean"},
      {"values in keys are no entities",
       Changed(Typed("", 100),
               [](auto& shop) {
                 shop.entities = {EntityOf("", "USER#ann", "META", 50),
                                  EntityOf("", "USER#bob", "META", 50)};
               }),
       missing},
      {"needs several entities",
       Changed(Typed("Type", 3), [](auto& shop) { shop.entities.pop_back(); }), missing},
      {"needs 100 items",
       Changed(Typed("Type", 3), [](auto& shop) { shop.tables[0].walked_items = 99; }), missing},
  };
  ExpectJudged("no-type-attribute", rows);
}

// --- Rule 37 ---

TEST(KeysByCaseRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"keys that differ in case are found",
       Changed(Typed("Type", 0),
               [](auto& shop) { shop.tables[0].keys_that_differ_in_case_only = 1; }),
       "warning [shop]: Upper and lower case are all that tells 1 key from another, among 100 "
       "items. (measured)"},
      {"other keys are clean", Typed("Type", 0), "clean"},
      {"needs items", ShopMeasurement(), "not assessed: No items are stored."},
  };
  ExpectJudged("keys-by-case", rows);
}

// --- Rule 38 ---

Measurement Expiring() {
  Measurement measurement = ShopMeasurement();
  measurement.tables[0].walked_items = 10;
  measurement.tables[0].expiry.attribute = "ttl";
  measurement.tables[0].expiry.seconds = 10;
  return measurement;
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

TEST(TimeToLiveRule, JudgesWhatWasMeasured) {
  const std::string missing =
      "not assessed: No table with items has a time to live, or an attribute that looks like one.";
  const JudgedRow rows[] = {
      {"wrong times are found",
       Changed(Expiring(),
               [](auto& shop) {
                 ExpiryMeasure& expiry = shop.tables[0].expiry;
                 expiry.milliseconds = 1;
                 expiry.not_numbers = 2;
                 expiry.far_future = 3;
                 expiry.long_past = 4;
                 expiry.similar_attributes = {"expiresAt"};
               }),
       "severe [shop key ttl]: Milliseconds, which are read as seconds some 50,000 years ahead, "
       "are stored in 1 item. (measured)\n"
       "severe [shop key ttl]: Values of another type than Number, which are ignored, are stored "
       "in 2 items. (measured)\n"
       "warning [shop key ttl]: Times more than 50 years ahead are stored in 3 items. (measured)\n"
       "warning [shop key ttl]: Times more than 5 years ago, whose items are never deleted, are "
       "stored in 4 items. (measured)\n"
       "hint [shop key expiresAt]: Items have `expiresAt`, which looks like a time to live; the "
       "table's is `ttl`. (measured)"},
      {"right times are clean", Expiring(), "clean"},
      {"table without one may look like it",
       Changed(Expiring(),
               [](auto& shop) { shop.tables[0].expiry = {.similar_attributes = {"expiresAt"}}; }),
       "hint [shop key expiresAt]: Items have `expiresAt`, which looks like a time to live; the "
       "table's is not set. (measured)"},
      {"needs a time to live", Changed(Expiring(), [](auto& shop) { shop.tables[0].expiry = {}; }),
       missing},
      {"needs items", Changed(Expiring(), [](auto& shop) { shop.tables[0].walked_items = 0; }),
       missing},
  };
  ExpectJudged("time-to-live", rows);
}

}  // namespace
}  // namespace hashrange
