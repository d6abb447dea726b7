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

TEST(UnsortedNumbersRule, NumbersOfSeveralLengthsAreAHint) {
  EXPECT_EQ(Judge("unsorted-numbers", Numbers(1, 2)),
            "hint [shop key SK=ITEM#{line}]: {line} has 1 to 2 digits in 12 items. (measured)");
  EXPECT_EQ(Judge("unsorted-numbers", Numbers(2, 2)), "clean");
}

TEST(UnsortedNumbersRule, ReadsInOrderMakeItAWarning) {
  Measurement measurement = Numbers(1, 2);
  PatternMeasure query = QueryPattern(1);
  query.members[0].key.push_back({"SK", "begins_with", "ITEM#", ""});
  measurement.patterns = {query};
  EXPECT_EQ(Judge("unsorted-numbers", measurement),
            "hint [shop key SK=ITEM#{line}]: {line} has 1 to 2 digits in 12 items. (measured)");
  measurement.patterns[0].members[0].backward = true;
  EXPECT_EQ(
      Judge("unsorted-numbers", measurement),
      "warning [shop key SK=ITEM#{line}]: {line} has 1 to 2 digits in 12 items, and calls read "
      "them in order. (measured)");
}

TEST(UnsortedNumbersRule, LeadingZerosAreClean) {
  Measurement measurement = Numbers(2, 3);
  measurement.key_templates[0].placeholders[0].has_leading_zeros = true;
  EXPECT_EQ(Judge("unsorted-numbers", measurement), "clean");
}

TEST(UnsortedNumbersRule, NeedsDigitsInSortKeys) {
  Measurement measurement = Numbers(1, 2);
  measurement.key_templates[0].attribute = "PK";
  EXPECT_EQ(Judge("unsorted-numbers", measurement),
            "not assessed: No stored sort key has digits in it.");
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

TEST(AmbiguousPrefixRule, BeginningOfTwoEntitiesIsFound) {
  EXPECT_EQ(
      Judge("ambiguous-prefix", Orders("ORDER#")),
      "hint [shop pattern p key SK begins_with ORDER#]: 5 calls met items of Order (CUST#{id}, "
      "ORDER#{id}) and Line (CUST#{id}, ORDER#{id}#ITEM#{line}). (measured)");
  EXPECT_EQ(Judge("ambiguous-prefix", Orders("ORDER#{id}")),
            "hint [shop pattern p key SK begins_with ORDER#{id}]: 5 calls met items of Order "
            "(CUST#{id}, ORDER#{id}) and Line (CUST#{id}, ORDER#{id}#ITEM#{line}). (measured)");
}

TEST(AmbiguousPrefixRule, FewEntitiesAreNamed) {
  Measurement measurement = Orders("ORDER#");
  for (const char* const type : {"Note", "Bill", "Mark"}) {
    measurement.entities.push_back(EntityOf(type, "CUST#{id}", "ORDER#{id}", 5));
  }
  EXPECT_EQ(
      Judge("ambiguous-prefix", measurement),
      "hint [shop pattern p key SK begins_with ORDER#]: 5 calls met items of Order (CUST#{id}, "
      "ORDER#{id}) and Line (CUST#{id}, ORDER#{id}#ITEM#{line}) and Note (CUST#{id}, ORDER#{id}) "
      "and 2 other entities. (measured)");
}

TEST(AmbiguousPrefixRule, BeginningOfOneEntityIsClean) {
  EXPECT_EQ(Judge("ambiguous-prefix", Orders("PRO")), "clean");
  EXPECT_EQ(Judge("ambiguous-prefix", Orders("ORDER#{id}#")), "clean");
}

TEST(AmbiguousPrefixRule, ItemsOfOneTypeAreOneEntity) {
  Measurement measurement = Orders("ORDER#");
  measurement.entities[1].type = "Order";
  EXPECT_EQ(Judge("ambiguous-prefix", measurement), "clean");
}

TEST(AmbiguousPrefixRule, NeedsItemsThatAQueryMeets) {
  EXPECT_EQ(Judge("ambiguous-prefix", Orders("INVOICE#")),
            "not assessed: No query by begins_with met stored items.");
}

Measurement TwoEntities(std::string one_sort_key, std::string other_sort_key) {
  Measurement measurement = ShopMeasurement();
  measurement.entities = {EntityOf("A", "USER#{id}", std::move(one_sort_key), 5),
                          EntityOf("B", "USER#{name}", std::move(other_sort_key), 5)};
  return measurement;
}

TEST(EqualTemplatesRule, KeysThatCanBeEqualAreFound) {
  EXPECT_EQ(Judge("equal-templates", TwoEntities("{date}", "PROFILE")),
            "warning [shop]: An item of A (USER#{id}, {date}) can have the key of an item of B "
            "(USER#{name}, PROFILE). (measured)");
}

// Names of tables, of which there were too many to keep them apart, may or may not be shared.
TEST(EqualTemplatesRule, MergedWordsTellNothing) {
  EXPECT_EQ(Judge("equal-templates", TwoEntities("{…}", "PROFILE")),
            "not assessed: No table has items of two entities whose keys are known by their "
            "words.");
  EXPECT_EQ(Judge("equal-templates", TwoEntities("ORDER#{…}", "PROFILE")), "clean");
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

TEST(EqualTemplatesRule, OtherLiteralsAndUniquePartsAreClean) {
  EXPECT_EQ(Judge("equal-templates", TwoEntities("ORDER#{date}", "PROFILE")), "clean");
  Measurement unique = TwoEntities("{event_id}", "{event_id}");
  unique.key_templates = {{.table = "shop", .attribute = "SK", .text = "{event_id}"}};
  unique.key_templates[0].placeholders = {{.text = "event_id", .kind = "ulid"}};
  EXPECT_EQ(Judge("equal-templates", unique), "clean");
}

TEST(EqualTemplatesRule, NeedsTwoEntities) {
  Measurement measurement = TwoEntities("{date}", "PROFILE");
  measurement.entities.pop_back();
  EXPECT_EQ(Judge("equal-templates", measurement),
            "not assessed: No table has items of two entities whose keys are known by their "
            "words.");
}

}  // namespace
}  // namespace hashrange
