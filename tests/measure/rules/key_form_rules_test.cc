#include <gtest/gtest.h>

#include "measure/rules/judged_rule.h"

namespace hashrange {
namespace {

// --- Rule 34 ---

Measurement Numbers(std::uint32_t least_length, std::uint32_t greatest_length) {
  Measurement measurement = ShopMeasurement();
  KeyTemplateMeasure keys{.table = "shop", .attribute = "SK", .text = "ITEM#{line}"};
  keys.items = 12;
  keys.placeholders = {{.text = "line",
                        .kind = "digits",
                        .least_length = least_length,
                        .greatest_length = greatest_length}};
  measurement.key_templates = {keys};
  return measurement;
}

TEST(UnsortedNumbersRule, ReadsInOrderMakeItAWarning) {
  Measurement measurement = Numbers(1, 2);
  PatternMeasure query = QueryPattern(1);
  query.members[0].key.push_back({"SK", "begins_with", "ITEM#", ""});
  measurement.patterns = {query};
  EXPECT_EQ(Judge("unsorted-numbers", measurement),
            "hint [shop key SK=ITEM#{line}]: {line} has 1 to 2 digits in 12 items. (measured)");
  measurement.patterns[0].members[0].backward = true;
  EXPECT_EQ(Judge("unsorted-numbers", measurement),
            "warning [shop key SK=ITEM#{line}]: {line} has 1 to 2 digits in 12 items, and calls "
            "read them in order. (measured)");
}

TEST(UnsortedNumbersRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"numbers of several lengths are a hint", Numbers(1, 2),
       "hint [shop key SK=ITEM#{line}]: {line} has 1 to 2 digits in 12 items. (measured)"},
      {"numbers of one length are clean", Numbers(2, 2), "clean"},
      {"leading zeros are clean",
       Changed(Numbers(2, 3),
               [](auto& shop) { shop.key_templates[0].placeholders[0].has_leading_zeros = true; }),
       "clean"},
      {"needs digits in sort keys",
       Changed(Numbers(1, 2), [](auto& shop) { shop.key_templates[0].attribute = "PK"; }),
       "not assessed: No stored sort key has digits in it."},
  };
  ExpectJudged("unsorted-numbers", rows);
}

TEST(MixedTimesRule, SeveralEncodingsAreFound) {
  Measurement measurement = ShopMeasurement();
  EntityMeasure user = EntityOf("User", "CUST#{id}", "PROFILE", 1);
  user.attributes = {{.name = "created", .time_forms = "ISO, seconds"},
                     {.name = "changed", .time_forms = "seconds"}};
  EntityMeasure order = EntityOf("Order", "ORDER#{id}", "META", 1);
  order.attributes = {{.name = "changed", .time_forms = "milliseconds"}, {.name = "total"}};
  measurement.entities = {user, order};
  EXPECT_EQ(Judge("mixed-times", measurement),
            "warning [shop key changed]: The attribute holds milliseconds and seconds. (measured)\n"
            "warning [shop key created]: The attribute holds ISO and seconds. (measured)");
  measurement.entities = {user};
  measurement.entities[0].attributes.erase(measurement.entities[0].attributes.begin());
  EXPECT_EQ(Judge("mixed-times", measurement), "clean");
}

TEST(MixedTimesRule, NeedsTimes) {
  EXPECT_EQ(Judge("mixed-times", ShopMeasurement()),
            "not assessed: No stored attribute looks like a time.");
}

// --- Rule 35 ---

Measurement Orders(std::string begins_with) {
  Measurement measurement = ShopMeasurement();
  PatternMeasure query = QueryPattern(5);
  query.members[0].key.push_back({"SK", "begins_with", std::move(begins_with), ""});
  measurement.patterns = {query};
  measurement.entities = {EntityOf("Order", "CUST#{id}", "ORDER#{id}", 5),
                          EntityOf("Line", "CUST#{id}", "ORDER#{id}#ITEM#{line}", 5),
                          EntityOf("User", "CUST#{id}", "PROFILE", 5)};
  return measurement;
}

TEST(AmbiguousPrefixRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"beginning of two entities is found", Orders("ORDER#"),
       "hint [shop pattern p key SK begins_with ORDER#]: 5 calls met items of Order (CUST#{id}, "
       "ORDER#{id}) and Line (CUST#{id}, ORDER#{id}#ITEM#{line}). (measured)"},
      {"end within a token is found", Orders("ORDER#{id}"),
       "hint [shop pattern p key SK begins_with ORDER#{id}]: 5 calls met items of Order "
       "(CUST#{id}, ORDER#{id}) and Line (CUST#{id}, ORDER#{id}#ITEM#{line}). (measured)"},
      {"few entities are named",
       Changed(Orders("ORDER#"),
               [](auto& shop) {
                 for (const char* const type : {"Note", "Bill", "Mark"}) {
                   shop.entities.push_back(EntityOf(type, "CUST#{id}", "ORDER#{id}", 5));
                 }
               }),
       "hint [shop pattern p key SK begins_with ORDER#]: 5 calls met items of Order (CUST#{id}, "
       "ORDER#{id}) and Line (CUST#{id}, ORDER#{id}#ITEM#{line}) and Note (CUST#{id}, ORDER#{id}) "
       "and 2 other entities. (measured)"},
      {"beginning of one entity is clean", Orders("PRO"), "clean"},
      {"level of a hierarchy is clean", Orders("ORDER#{id}#"), "clean"},
      {"items of one type are one entity",
       Changed(Orders("ORDER#"), [](auto& shop) { shop.entities[1].type = "Order"; }), "clean"},
      {"needs items that a query meets", Orders("INVOICE#"),
       "not assessed: No query by begins_with met stored items."},
  };
  ExpectJudged("ambiguous-prefix", rows);
}

Measurement TwoEntities(std::string one_sort_key, std::string other_sort_key) {
  Measurement measurement = ShopMeasurement();
  measurement.entities = {EntityOf("A", "USER#{id}", std::move(one_sort_key), 5),
                          EntityOf("B", "USER#{name}", std::move(other_sort_key), 5)};
  return measurement;
}

TEST(EqualTemplatesRule, ManyPairsAreOneFinding) {
  Measurement measurement = TwoEntities("{date}", "{date}");
  measurement.entities.push_back(EntityOf("C", "USER#{id}", "{date}", 5));
  EXPECT_EQ(Judge("equal-templates", measurement),
            "warning [shop]: 3 pairs of entities: an item of A (USER#{id}, {date}) can have the "
            "key of an item of B (USER#{name}, {date}); an item of A (USER#{id}, {date}) can have "
            "the key of an item of C (USER#{id}, {date}); an item of B (USER#{name}, {date}) can "
            "have the key of an item of C (USER#{id}, {date}). (measured)");
  for (const char* const type : {"D", "E"}) {
    measurement.entities.push_back(EntityOf(type, "USER#{id}", "{date}", 5));
  }
  EXPECT_EQ(Judge("equal-templates", measurement),
            "warning [shop]: 10 pairs of entities: an item of A (USER#{id}, {date}) can have the "
            "key of an item of B (USER#{name}, {date}); an item of A (USER#{id}, {date}) can have "
            "the key of an item of C (USER#{id}, {date}); an item of A (USER#{id}, {date}) can "
            "have the key of an item of D (USER#{id}, {date}); … (measured)");
}

TEST(EqualTemplatesRule, JudgesWhatWasMeasured) {
  const JudgedRow rows[] = {
      {"keys that can be equal are found", TwoEntities("{date}", "PROFILE"),
       "warning [shop]: An item of A (USER#{id}, {date}) can have the key of an item of B "
       "(USER#{name}, PROFILE). (measured)"},
      // Names of tables, of which there were too many to keep them apart, may or may not be
      // shared.
      {"merged words tell nothing", TwoEntities("{…}", "PROFILE"),
       "not assessed: No table has items of two entities whose keys are known by their words."},
      {"merged words behind another literal are clean", TwoEntities("ORDER#{…}", "PROFILE"),
       "clean"},
      {"other literals are clean", TwoEntities("ORDER#{date}", "PROFILE"), "clean"},
      {"unique parts are clean",
       Changed(TwoEntities("{event_id}", "{event_id}"),
               [](auto& shop) {
                 shop.key_templates = {{.table = "shop", .attribute = "SK", .text = "{event_id}"}};
                 shop.key_templates[0].placeholders = {{.text = "event_id", .kind = "ulid"}};
               }),
       "clean"},
      {"needs two entities",
       Changed(TwoEntities("{date}", "PROFILE"), [](auto& shop) { shop.entities.pop_back(); }),
       "not assessed: No table has items of two entities whose keys are known by their words."},
  };
  ExpectJudged("equal-templates", rows);
}

}  // namespace
}  // namespace hashrange
