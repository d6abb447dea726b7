// The rules that judge stored items and their sizes: rules 31 to 33 and 36 to 38 of
// design_rules.def.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "measure/number_text.h"
#include "measure/rules/design_rules.h"
#include "value/capacity.h"

namespace hashrange {
namespace {

constexpr char kNoItems[] = "No items are stored.";

}  // namespace

// --- Rule 31 ---

namespace {

// The calls that append to a list, and the calls that may make it shorter.
struct ListUpdates {
  double appends = 0;
  double others = 0;
};

ListUpdates UpdatesOfList(const Measurement& measurement, const EntityMeasure& entity,
                          const std::string& attribute) {
  ListUpdates updates;
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    const bool sets_it = HoldsName(member.updated_attributes, attribute);
    if (!sets_it || !MayMeet(measurement, member, entity)) return;
    const bool appends = Mentions(member.update, "list_append(");
    (appends ? updates.appends : updates.others) += static_cast<double>(pattern.calls);
  });
  return updates;
}

void JudgeLists(const Measurement& measurement, const EntityMeasure& entity, RuleOutcome* outcome) {
  constexpr std::uint64_t kLongList = 100;
  constexpr std::uint64_t kVeryLongList = 1000;
  for (const AttributeMeasure& attribute : entity.attributes) {
    if (attribute.largest_list < kLongList) continue;
    const ListUpdates updates = UpdatesOfList(measurement, entity, attribute.name);
    if (updates.appends == 0 || updates.others > 0) continue;
    FindingPlace place = PlaceOf(entity);
    place.key = attribute.name;
    outcome->Add(attribute.largest_list >= kVeryLongList ? FindingSeverity::kWarning
                                                         : FindingSeverity::kHint,
                 place,
                 "The longest list has " + CountedText(attribute.largest_list, "element") + "; " +
                     CountedText(updates.appends, "call") +
                     " appended to such lists, and none did anything else to them.");
  }
}

}  // namespace

RuleOutcome AssessLargeItems(const Measurement& measurement, const RuleInput&) {
  constexpr double kItemLimit = 400.0 * 1024;
  constexpr double kNearLimit = kItemLimit * (1 - 0.125);
  RuleOutcome outcome{.missing = kNoItems};
  for (const EntityMeasure& entity : measurement.entities) {
    if (entity.size_bytes.count() == 0) continue;
    outcome.has_evidence = true;
    const std::uint64_t large = entity.size_bytes.CountAbove(kNearLimit);
    if (large > 0) {
      outcome.Add(FindingSeverity::kWarning, PlaceOf(entity),
                  "350 KB are exceeded by " + NumberText(large) + " of " +
                      CountedText(entity.size_bytes.count(), "item") + "; the largest has " +
                      StoredSizeText(entity.size_bytes.max()) + ".");
    }
    JudgeLists(measurement, entity, &outcome);
  }
  return outcome;
}

// --- Rule 32 ---

namespace {

// What names of half their length would save: `size_bytes` an item, and so `units` of the write
// units of all items. Modelled.
struct ShorterNames {
  double size_bytes = 0;
  double units_before = 0;
  double units_after = 0;
};

ShorterNames WithShorterNames(const EntityMeasure& entity) {
  double name_bytes = 0;
  for (const AttributeMeasure& attribute : entity.attributes) name_bytes += attribute.name_bytes;
  ShorterNames shorter{.size_bytes =
                           name_bytes / static_cast<double>(entity.size_bytes.count()) / 2};
  for (const Distribution::Bucket& bucket : entity.size_bytes.buckets()) {
    const double size = Distribution::GreatestOf(bucket.number);
    const auto count = static_cast<double>(bucket.count);
    shorter.units_before += count * WriteUnitsOfMean(size);
    shorter.units_after += count * WriteUnitsOfMean(size - shorter.size_bytes);
  }
  return shorter;
}

}  // namespace

RuleOutcome AssessSizesOverSteps(const Measurement& measurement, const RuleInput& input) {
  constexpr double kWorthwhile = 0.1;  // of the entity's write units
  RuleOutcome outcome{.missing = "No entity has " + CountedText(kLeastItems, "item") + "."};
  for (const EntityMeasure& entity : measurement.entities) {
    if (entity.size_bytes.count() < kLeastItems) continue;
    outcome.has_evidence = true;
    const double median = entity.size_bytes.Percentile(0.5);
    const ShorterNames shorter = WithShorterNames(entity);
    const double saved = 1 - shorter.units_after / shorter.units_before;
    const bool is_over = WriteUnitsOfMean(median - shorter.size_bytes) < WriteUnitsOfMean(median);
    if (!is_over || saved < kWorthwhile) continue;
    Finding& finding =
        outcome.Add(FindingSeverity::kHint, PlaceOf(entity),
                    "Half of the items have at most " + CountedText(std::floor(median), "byte") +
                        " and take " + CountedText(WriteUnitsOfMean(median), "write unit") +
                        "; names of half the length would save " +
                        CountedText(std::round(shorter.size_bytes), "byte") + " an item and " +
                        PercentText(saved) + " of the units.");
    finding.basis = FigureBasis::kModelled;
    const double units = UnitsOn(entity.units, entity.table, {}).write_units;
    finding.cost = Modelled(MixCost(measurement, input.prices, {.write_units = units * saved},
                                    "the bytes over the step, written to the table"));
  }
  return outcome;
}

// --- Rule 33 ---

RuleOutcome AssessSmallChanges(const Measurement& measurement, const RuleInput& input) {
  constexpr double kLargeItem = 4.0 * 1024;
  constexpr double kSmallShare = 0.1;
  RuleOutcome outcome{.missing = "No pattern made " + CountedText(kLeastCallsForShares, "update") +
                                 " of items that were there."};
  for (const PatternMeasure& pattern : measurement.patterns) {
    const bool is_update = pattern.members.size() == 1 && pattern.members[0].kind == "update";
    if (!is_update || pattern.changed < kLeastCallsForShares) continue;
    outcome.has_evidence = true;
    const auto writes = static_cast<double>(pattern.inserted + pattern.changed);
    const double item_size = pattern.item_bytes_written / writes;
    const double changed_size = pattern.changed_bytes / writes;
    if (item_size < kLargeItem || changed_size > kSmallShare * item_size) continue;
    const PatternMember& member = pattern.members[0];
    const double units = UnitsOn(pattern.units, member.table, {}).write_units;
    Finding& finding =
        outcome.Add(FindingSeverity::kWarning, PlaceOf(pattern, member),
                    CountedText(writes, "update") + " set " + StoredSizeText(changed_size) +
                        " of " + StoredSizeText(item_size) + " each, on average, and took " +
                        CountedText(units / writes, "write unit") + " a call on the table.");
    const double needed = WriteUnitsOfMean(changed_size) / WriteUnitsOfMean(item_size);
    finding.cost = Modelled(MixCost(measurement, input.prices,
                                    {.write_units = units * std::max(0.0, 1 - needed)},
                                    "writing the unchanged part"));
  }
  return outcome;
}

// --- Rule 36 ---

RuleOutcome AssessItemsWithoutType(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing = "No table with several entities has " +
                                 CountedText(kLeastItems, "item") + "."};
  for (const TableMeasure& table : measurement.tables) {
    std::set<std::string> kinds;
    for (const EntityMeasure& entity : measurement.entities) {
      if (entity.table == table.name) kinds.insert(KindOf(measurement, entity));
    }
    // In fewer items, values may look like entities of their own.
    if (kinds.size() < 2 || table.walked_items < kLeastItems) continue;
    outcome.has_evidence = true;
    const bool has_attribute = !table.type_attribute.empty();
    if (has_attribute && table.items_without_type == 0) continue;
    const std::string of_all = CountedText(table.walked_items, "item");
    outcome.Add(has_attribute ? FindingSeverity::kWarning : FindingSeverity::kHint,
                {.table = table.name, .key = table.type_attribute},
                has_attribute ? NumberText(table.items_without_type) + " of " + of_all +
                                    (table.items_without_type == 1 ? " has no " : " have no ") +
                                    InBackticks(table.type_attribute) + "."
                              : "None of " + of_all + " of " + NumberText(kinds.size()) +
                                    " entities has a type attribute that is known by its name.");
  }
  return outcome;
}

// --- Rule 37 ---

RuleOutcome AssessKeysByCase(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing = kNoItems};
  for (const TableMeasure& table : measurement.tables) {
    if (table.walked_items == 0) continue;
    outcome.has_evidence = true;
    if (table.keys_that_differ_in_case_only == 0) continue;
    outcome.Add(FindingSeverity::kWarning, {.table = table.name},
                "Upper and lower case are all that tells " +
                    CountedText(table.keys_that_differ_in_case_only, "key") +
                    " from another, among " + CountedText(table.walked_items, "item") + ".");
  }
  return outcome;
}

// --- Rule 38 ---

namespace {

// What is wrong with times that the service should act on.
struct WrongTime {
  std::uint64_t ExpiryMeasure::*count;
  FindingSeverity severity;
  std::string_view what;
};

constexpr WrongTime kWrongTimes[] = {
    {&ExpiryMeasure::milliseconds, FindingSeverity::kSevere,
     "Milliseconds, which are read as seconds some 50,000 years ahead,"},
    {&ExpiryMeasure::not_numbers, FindingSeverity::kSevere,
     "Values of another type than Number, which are ignored,"},
    {&ExpiryMeasure::far_future, FindingSeverity::kWarning, "Times more than 50 years ahead"},
    {&ExpiryMeasure::long_past, FindingSeverity::kWarning,
     "Times more than 5 years ago, whose items are never deleted,"},
};

void JudgeExpiryReads(const Measurement& measurement, const TableMeasure& table,
                      RuleOutcome* outcome) {
  const ExpiryMeasure& expiry = table.expiry;
  if (expiry.expired == 0) return;
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    // A GetItem has no filter; its caller may look at the time itself.
    const bool is_judged =
        IsRangeRead(member) && member.table == table.name && pattern.calls >= kLeastCalls;
    if (!is_judged) return;
    if (HoldsName(member.condition_attributes, expiry.attribute)) return;
    FindingPlace place = PlaceOf(pattern, member);
    place.key = expiry.attribute;
    outcome->Add(FindingSeverity::kHint, place,
                 CountedText(pattern.calls, "call") + " had no filter on the time, and " +
                     CountedText(expiry.expired, "item of the table is", "items of the table are") +
                     " due and still stored.");
  });
}

}  // namespace

RuleOutcome AssessTimeToLive(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing =
                          "No table with items has a time to live, or an attribute that looks "
                          "like one."};
  for (const TableMeasure& table : measurement.tables) {
    const ExpiryMeasure& expiry = table.expiry;
    const std::uint64_t others = expiry.similar_attributes.size();
    if (table.walked_items == 0 || (expiry.attribute.empty() && others == 0)) continue;
    outcome.has_evidence = true;
    const FindingPlace place{.table = table.name, .key = expiry.attribute};
    for (const WrongTime& wrong : kWrongTimes) {
      const std::uint64_t count = expiry.*wrong.count;
      if (count == 0) continue;
      outcome.Add(wrong.severity, place,
                  std::string(wrong.what) + " are stored in " + CountedText(count, "item") + ".");
    }
    for (const std::string& name : expiry.similar_attributes) {
      outcome.Add(FindingSeverity::kHint, {.table = table.name, .key = name},
                  "Items have " + InBackticks(name) +
                      ", which looks like a time to live; the table's is " +
                      (expiry.attribute.empty() ? "not set" : InBackticks(expiry.attribute)) + ".");
    }
    JudgeExpiryReads(measurement, table, &outcome);
  }
  return outcome;
}

}  // namespace hashrange
