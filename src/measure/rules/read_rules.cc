// The rules that judge what reads ask for: rules 1 to 5, 7, 8 and 11 of design_rules.def.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "measure/number_text.h"
#include "measure/rules/design_rules.h"
#include "value/capacity.h"

namespace hashrange {
namespace {

constexpr char kNoRangeReads[] = "No queries or scans were seen.";

}  // namespace

// --- Rule 1 ---

RuleOutcome AssessScans(const Measurement& measurement, const RuleInput& input) {
  RuleOutcome outcome{.missing = "No reads were seen."};
  const double all_read_units = UnitsOfMeasurement(measurement).read_units;
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    outcome.has_evidence |= IsRead(member) && pattern.calls > 0;
    if (member.kind != "scan" || pattern.calls == 0) return;
    const UnitSums units = UnitsOn(pattern.units, member.table, member.index);
    const bool is_dominant = all_read_units >= kLeastUnitsOfShares &&
                             units.read_units >= kDominantShare * all_read_units;
    const auto calls = static_cast<double>(pattern.calls);
    std::string evidence = CountedText(calls, "call") + " scanned " +
                           CountedText(pattern.call.items_examined.sum(), "item") + " and took " +
                           CountedText(units.read_units, "read unit");
    if (is_dominant) {
      evidence += ", " + PercentText(units.read_units / all_read_units) + " of all";
    }
    Finding& finding =
        outcome.Add(is_dominant ? FindingSeverity::kSevere : FindingSeverity::kWarning,
                    PlaceOf(pattern, member), evidence + ".");
    finding.cost = MixCost(measurement, input.prices, units, "the scan");
  });
  return outcome;
}

// --- Rule 2 ---

RuleOutcome AssessFilteredReads(const Measurement& measurement, const RuleInput& input) {
  constexpr double kManyExamined = 2;
  constexpr double kSevereExamined = 10;
  RuleOutcome outcome{.missing = "No pattern of " + CountedText(kLeastCalls, "query", "queries") +
                                 " or scans examined " + CountedText(kLeastItemsRead, "item") +
                                 "."};
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    const double examined = pattern.call.items_examined.sum();
    const double returned = pattern.call.items_returned.sum();
    const bool is_judged = IsRangeRead(member) && pattern.calls >= kLeastCalls;
    if (!is_judged || examined < kLeastItemsRead) return;
    outcome.has_evidence = true;
    if (examined < kManyExamined * returned) return;
    const std::string each = returned > 0
                                 ? NumberText(examined / returned) + " for one"
                                 : std::string("none of them was what the calls looked for");
    Finding& finding = outcome.Add(
        examined >= kSevereExamined * returned ? FindingSeverity::kSevere
                                               : FindingSeverity::kWarning,
        PlaceOf(pattern, member),
        CountedText(pattern.calls, "call") + " examined " + CountedText(examined, "item") +
            " to return " + NumberText(returned) + ": " + each + ".");
    const double dropped = 1 - returned / examined;
    finding.cost = Modelled(MixCost(measurement, input.prices,
                                    {.read_units = AllUnits(pattern.units).read_units * dropped},
                                    "reading what the filter drops"));
  });
  return outcome;
}

// --- Rule 3 ---

namespace {

// The attribute whose value begins the sort keys, such as `status` of "{status}#{date}", if the
// member's filter tests it and its key condition does not.
std::string_view FilteredSortKeyPart(const Measurement& measurement, const PatternMember& member) {
  const KeyAttributes keys = KeyAttributesOf(measurement, member.table, member.index);
  if (keys.range.size() != 1 || SortKeyTerm(measurement, member)) return {};
  for (const KeyTemplateMeasure& each : measurement.key_templates) {
    const bool is_sort_key = each.table == member.table && each.index == member.index &&
                             each.attribute == keys.range[0] && !each.placeholders.empty();
    if (!is_sort_key) continue;
    const std::string& attribute = each.placeholders[0].attribute;
    if (!attribute.empty() && HoldsName(member.condition_attributes, attribute)) return attribute;
  }
  return {};
}

}  // namespace

// Only queries are judged: a scan has no condition on keys at all, which is rule 1.
RuleOutcome AssessFiltersForKeys(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing = "No queries were seen."};
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    if (member.kind != "query" || pattern.calls == 0) return;
    outcome.has_evidence = true;
    if (member.condition_attributes.empty()) return;
    const TableMeasure* const table = FindTable(measurement, member.table);
    const std::string calls = CountedText(pattern.calls, "call");
    const bool tests_type = table && !table->type_attribute.empty() &&
                            HoldsName(member.condition_attributes, table->type_attribute);
    FindingPlace place = PlaceOf(pattern, member);
    if (tests_type) {
      place.key = table->type_attribute;
      outcome.Add(FindingSeverity::kWarning, place,
                  "The filter of " + calls + " tests " + InBackticks(table->type_attribute) +
                      ", which tells the type of the entity.");
      return;
    }
    const std::string_view part = FilteredSortKeyPart(measurement, member);
    if (part.empty()) return;
    place.key = part;
    outcome.Add(FindingSeverity::kWarning, place,
                "The filter of " + calls + " tests " + InBackticks(part) +
                    ", with whose value the sort keys begin.");
  });
  return outcome;
}

// --- Rule 4 ---

namespace {

// Returns by how many items the entities that the member reads grew, and whether that is known:
// somebody wrote them.
std::pair<double, bool> GrowthOfRead(const Measurement& measurement, const PatternMember& member) {
  double growth = 0;
  bool is_known = false;
  for (const EntityMeasure& entity : measurement.entities) {
    if (!MayMeet(measurement, member, entity)) continue;
    is_known |= entity.inserted + entity.changed + entity.removed > 0;
    growth += static_cast<double>(entity.inserted) - static_cast<double>(entity.removed);
  }
  return {growth, is_known};
}

}  // namespace

RuleOutcome AssessUnboundedQueries(const Measurement& measurement, const RuleInput&) {
  // A collection such as an order with its lines has dozens of items, and reading all of them is
  // the point of it.
  constexpr double kManyItems = 100;
  constexpr double kSevereItems = 1000;
  RuleOutcome outcome{
      .missing = "No query without a Limit was seen on entities that were written meanwhile."};
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    const bool is_unbounded = member.kind == "query" && member.limit == 0 && pattern.calls > 0 &&
                              !SortKeyTerm(measurement, member);
    if (!is_unbounded) return;
    const auto [growth, is_known] = GrowthOfRead(measurement, member);
    if (!is_known) return;
    outcome.has_evidence = true;
    const double most = pattern.call.items_examined.Percentile(0.99);
    if (most < kManyItems || growth <= 0) return;
    outcome.Add(most >= kSevereItems ? FindingSeverity::kSevere : FindingSeverity::kWarning,
                PlaceOf(pattern, member),
                "A call reads up to " + CountedText(most, "item") +
                    " (p99), and the entities that it reads grew by " +
                    CountedText(growth, "item") + ".");
  });
  return outcome;
}

// --- Rule 5 ---

RuleOutcome AssessLargePages(const Measurement& measurement, const RuleInput&) {
  constexpr double kLargePage = 900.0 * 1024;
  RuleOutcome outcome{.missing = kNoRangeReads};
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    if (!IsRangeRead(member) || pattern.calls == 0) return;
    outcome.has_evidence = true;
    const bool has_pages = pattern.page.bytes_examined.count() > 0;
    const Distribution& sizes = (has_pages ? pattern.page : pattern.call).bytes_examined;
    const std::uint64_t large = sizes.CountAbove(kLargePage);
    if (large > 0) {
      outcome.Add(FindingSeverity::kWarning, PlaceOf(pattern, member),
                  NumberText(large) + " of " + CountedText(sizes.count(), "page") +
                      " examined more than 900 KB, at most " + StoredSizeText(sizes.max()) + ".");
      return;
    }
    // With a Limit, several pages are what the caller asked for.
    const double pages = pattern.pages_a_call.Percentile(0.5);
    if (member.limit > 0 || pages < 2 || pattern.calls < kLeastCalls) return;
    outcome.Add(FindingSeverity::kWarning, PlaceOf(pattern, member),
                "Half of " + CountedText(pattern.calls, "call") + " needed at least " +
                    CountedText(pages, "page") + ".");
  });
  return outcome;
}

// --- Rule 7 ---

namespace {

bool HasAttribute(const EntityMeasure& entity, std::string_view name) {
  return std::ranges::find(entity.attributes, name, &AttributeMeasure::name) !=
         entity.attributes.end();
}

// Returns the entity of `met` that alone has an attribute of `names`, with the attribute's name.
std::pair<const EntityMeasure*, std::string_view> OnlyOwner(
    const std::vector<const EntityMeasure*>& met, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto has = [&](const EntityMeasure* entity) { return HasAttribute(*entity, name); };
    if (std::ranges::count_if(met, has) == 1) return {*std::ranges::find_if(met, has), name};
  }
  return {};
}

}  // namespace

// What a caller uses cannot be seen. It can be inferred where a filter or a projection names an
// attribute that only one of the entities has.
RuleOutcome AssessMixedPages(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing =
                          "No query with a filter or a projection, of pages with several "
                          "entities, had " +
                          CountedText(kLeastCalls, "call") + "."};
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    const bool names_attributes =
        !member.condition_attributes.empty() || !member.projected_attributes.empty();
    if (member.kind != "query" || !names_attributes || pattern.calls < kLeastCalls) return;
    const std::vector<const EntityMeasure*> met = KindsMetBy(measurement, member);
    if (met.size() < 2) return;
    outcome.has_evidence = true;
    auto [owner, attribute] = OnlyOwner(met, member.condition_attributes);
    if (!owner) std::tie(owner, attribute) = OnlyOwner(met, member.projected_attributes);
    if (!owner) return;
    FindingPlace place = PlaceOf(pattern, member);
    place.entity = EntityText(*owner);
    outcome.Add(FindingSeverity::kHint, place,
                CountedText(pattern.calls, "call") + " asked for " + InBackticks(attribute) +
                    ", which of " + CountedText(met.size(), "kind") +
                    " of items on these pages only one has.");
  });
  return outcome;
}

// --- Rule 8 ---

RuleOutcome AssessNarrowProjections(const Measurement& measurement, const RuleInput& input) {
  constexpr double kKeptShare = 0.25;
  RuleOutcome outcome{.missing = "No pattern with a projection had " +
                                 CountedText(kLeastCalls, "call") + "."};
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    const CallSizes& call = pattern.call;
    const bool is_judged = IsRead(member) && !member.projection.empty() &&
                           pattern.calls >= kLeastCalls && call.items_returned.sum() > 0 &&
                           call.bytes_examined.sum() > 0;
    if (!is_judged) return;
    outcome.has_evidence = true;
    // By item, so that what a filter drops does not count: that is rule 2.
    const double kept = (call.bytes_returned.sum() / call.items_returned.sum()) /
                        (call.bytes_examined.sum() / call.items_examined.sum());
    const double read_size = call.bytes_examined.mean();
    const double saved = 1 - ReadUnitsOfMean(read_size * kept) / ReadUnitsOfMean(read_size);
    // A projection of what is charged as 4 KB at least cannot be made cheaper.
    if (kept >= kKeptShare || saved <= 0) return;
    Finding& finding =
        outcome.Add(FindingSeverity::kWarning, PlaceOf(pattern, member),
                    CountedText(pattern.calls, "call") + " read " + StoredSizeText(read_size) +
                        " each, and the projection kept " + PercentText(kept) + " of an item.");
    const double read_units = UnitsOn(pattern.units, member.table, member.index).read_units;
    finding.cost = Modelled(MixCost(measurement, input.prices, {.read_units = read_units * saved},
                                    "reading what the projection drops"));
  });
  return outcome;
}

// --- Rule 11 ---

namespace {

// Transactions are no choice of consistency.
bool IsStrongRead(const PatternMeasure& pattern, const PatternMember& member) {
  return member.consistent && IsRead(member) && !IsTransaction(pattern);
}

double StrongReadUnits(const Measurement& measurement) {
  double units = 0;
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    if (IsStrongRead(pattern, member)) {
      units += UnitsOn(pattern.units, member.table, member.index).read_units;
    }
  });
  return units;
}

}  // namespace

RuleOutcome AssessStrongReads(const Measurement& measurement, const RuleInput& input) {
  constexpr double kLargeShare = 0.1;
  constexpr double kLeastShareOfPattern = 0.01;
  RuleOutcome outcome{.missing = "No reads were seen, or all calls took fewer than " +
                                 CountedText(kLeastUnitsOfShares, "unit") + "."};
  const UnitSums all = UnitsOfMeasurement(measurement);
  if (all.read_units == 0 || all.read_units + all.write_units < kLeastUnitsOfShares) {
    return outcome;
  }
  outcome.has_evidence = true;
  const double bill = UsdOf(all, input.prices);
  const auto share_of_bill = [&](double read_units) {
    return bill > 0 ? UsdOf({.read_units = read_units}, input.prices) / bill : 0;
  };
  const double strong_share = share_of_bill(StrongReadUnits(measurement));
  if (strong_share <= kLargeShare) return outcome;
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    const double read_units = UnitsOn(pattern.units, member.table, member.index).read_units;
    if (!IsStrongRead(pattern, member) || share_of_bill(read_units) < kLeastShareOfPattern) return;
    Finding& finding = outcome.Add(
        FindingSeverity::kWarning, PlaceOf(pattern, member),
        CountedText(pattern.calls, "call") + " took " + CountedText(read_units, "read unit") +
            " with strong consistency, " + PercentText(share_of_bill(read_units)) +
            " of the bill for calls; all such reads are " + PercentText(strong_share) + " of it.");
    // An eventually consistent read takes half the units.
    finding.cost = Modelled(
        MixCost(measurement, input.prices, {.read_units = read_units / 2}, "strong consistency"));
  });
  return outcome;
}

}  // namespace hashrange
