#include "measure/rules/design_rules.h"

#include <algorithm>
#include <map>
#include <utility>

#include "measure/key_templates.h"
#include "measure/number_text.h"

namespace hashrange {
namespace {

constexpr DesignRule kDesignRules[] = {
#define HR_DESIGN_RULE(number, slug, profiles, function, what, advice) \
  {number, slug, profiles, what, advice, function},
#include "measure/rules/design_rules.def"
};

constexpr double kMillion = 1e6;
constexpr std::string_view kRangeReadKinds[] = {"query", "scan"};
constexpr std::string_view kReadKinds[] = {"get", "query", "scan"};
constexpr std::string_view kWriteKinds[] = {"put", "update", "delete"};
constexpr std::string_view kTransactions[] = {"TransactGetItems", "TransactWriteItems",
                                              "ExecuteTransaction"};

bool Holds(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

template <typename List, typename IsWanted>
auto FindIn(const List& list, const IsWanted& is_wanted) -> decltype(list.data()) {
  const auto at = std::ranges::find_if(list, is_wanted);
  return at == list.end() ? nullptr : &*at;
}

bool SortKeyMayMeet(const KeyTerm* term, std::string_view sort_key, std::string_view separators) {
  if (term && term->op == "=") return CanBeEqual(sort_key, term->value, separators);
  if (term && term->op == "begins_with") return CanBeginWith(sort_key, term->value, separators);
  if (term && term->op == "BETWEEN") {
    // What lies between two keys begins with what both of them begin with.
    const std::string_view lower = LiteralBeginning(term->value);
    const std::string_view upper = LiteralBeginning(term->upper);
    const auto differs = std::ranges::mismatch(lower, upper).in1;
    return CanBeginWith(sort_key, {lower.begin(), differs}, separators);
  }
  return true;
}

bool KeysMayMeet(const Measurement& measurement, const PatternMember& member,
                 const EntityKeys& keys) {
  const std::string& separators = measurement.settings.separators;
  const std::string_view wanted = PartitionKeyTemplate(measurement, member);
  if (!wanted.empty() && !CanBeEqual(keys.partition_key, wanted, separators)) return false;
  // The templates of a sort key of several attributes are not compared.
  const bool is_single = KeyAttributesOf(measurement, member.table, member.index).range.size() == 1;
  return !is_single || SortKeyMayMeet(SortKeyTerm(measurement, member), keys.sort_key, separators);
}

}  // namespace

Finding& RuleOutcome::Add(FindingSeverity severity, FindingPlace place, std::string evidence) {
  has_evidence = true;
  Finding& finding = findings.emplace_back();
  finding.severity = severity;
  finding.place = std::move(place);
  finding.evidence = std::move(evidence);
  return finding;
}

std::span<const DesignRule> DesignRules() { return kDesignRules; }

UnitSums UnitsOn(std::span<const ResourceUnits> units, std::string_view table,
                 std::string_view index) {
  UnitSums sums;
  for (const ResourceUnits& part : units) {
    if (part.table == table && part.index == index) sums.Add(part);
  }
  return sums;
}

UnitSums AllUnits(std::span<const ResourceUnits> units) {
  UnitSums sums;
  for (const ResourceUnits& part : units) sums.Add(part);
  return sums;
}

UnitSums UnitsOfMeasurement(const Measurement& measurement) {
  UnitSums sums;
  for (const PatternMeasure& pattern : measurement.patterns) sums.Add(AllUnits(pattern.units));
  return sums;
}

double UsdOf(const UnitSums& units, const UnitPrices& prices) {
  return (units.read_units * prices.read_usd_per_million +
          units.write_units * prices.write_usd_per_million) /
         kMillion;
}

FindingCost MixCost(const Measurement& measurement, const UnitPrices& prices, const UnitSums& units,
                    std::string of) {
  double calls = 0;
  for (const PatternMeasure& pattern : measurement.patterns) {
    calls += static_cast<double>(pattern.calls);
  }
  const double usd = calls > 0 ? UsdOf(units, prices) / calls * kMillion : 0;
  return {usd, "million calls of this mix", std::move(of)};
}

FindingCost StorageCost(const UnitPrices& prices, double size_bytes, std::string of) {
  return {size_bytes / kBytesPerGigabyte * prices.storage_usd_per_gb_month, "month", std::move(of)};
}

FindingCost Modelled(FindingCost cost) {
  cost.basis = FigureBasis::kModelled;
  return cost;
}

const PatternMeasure* FindPattern(const Measurement& measurement, std::string_view id) {
  return FindIn(measurement.patterns, [&](const PatternMeasure& each) { return each.id == id; });
}

const EntityIndex* FindEntityIndex(const EntityMeasure& entity, std::string_view index) {
  return FindIn(entity.indexes, [&](const EntityIndex& each) { return each.index == index; });
}

KeyAttributes KeyAttributesOf(const Measurement& measurement, std::string_view table,
                              std::string_view index) {
  const TableMeasure* const found = FindTable(measurement, table);
  if (!found) return {};
  if (index.empty()) return {found->hash, found->range};
  const IndexMeasure* const keys = FindIndex(measurement, table, index);
  if (!keys) return {};
  return {keys->hash, keys->range};
}

EntityKeys EntityKeysIn(const EntityMeasure& entity, std::string_view index) {
  if (index.empty()) return {entity.partition_key, entity.sort_key};
  const EntityIndex* const part = FindEntityIndex(entity, index);
  if (!part) return {};
  return {part->partition_key, part->sort_key};
}

bool IsRangeRead(const PatternMember& member) { return Holds(kRangeReadKinds, member.kind); }
bool IsRead(const PatternMember& member) { return Holds(kReadKinds, member.kind); }
bool IsWrite(const PatternMember& member) { return Holds(kWriteKinds, member.kind); }

bool IsTransaction(const PatternMeasure& pattern) {
  return Holds(kTransactions, pattern.operation);
}

const KeyTerm* SortKeyTerm(const Measurement& measurement, const PatternMember& member) {
  const KeyAttributes keys = KeyAttributesOf(measurement, member.table, member.index);
  return FindIn(member.key, [&](const KeyTerm& term) {
    return std::ranges::find(keys.range, term.attribute) != keys.range.end();
  });
}

std::string_view PartitionKeyTemplate(const Measurement& measurement, const PatternMember& member) {
  const KeyAttributes keys = KeyAttributesOf(measurement, member.table, member.index);
  if (keys.hash.size() != 1) return {};
  for (const KeyTerm& term : member.key) {
    if (term.attribute == keys.hash[0]) return term.value;
  }
  return {};
}

bool MayMeet(const Measurement& measurement, const PatternMember& member,
             const EntityMeasure& entity) {
  if (member.table != entity.table) return false;
  const EntityIndex* const part = FindEntityIndex(entity, member.index);
  if (!member.index.empty() && !part) return false;
  if (member.kind == "scan") return true;
  if (KeysMayMeet(measurement, member, EntityKeysIn(entity, member.index))) return true;
  // Other items of the entity may have the key that is asked for.
  return part && (part->has_other_partition_keys || part->has_other_sort_keys);
}

std::vector<const PatternMember*> ReadersOf(const Measurement& measurement, std::string_view table,
                                            std::string_view index) {
  std::vector<const PatternMember*> readers;
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    const bool reads_it = IsRead(member) && member.table == table && member.index == index;
    if (reads_it && pattern.calls > 0) readers.push_back(&member);
  });
  return readers;
}

bool HoldsName(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string KindOf(const Measurement& measurement, const EntityMeasure& entity) {
  if (!entity.type.empty()) return entity.type;
  std::string kind;
  for (const std::string* text : {&entity.partition_key, &entity.sort_key}) {
    const std::string_view stem = WithoutLastToken(*text, measurement.settings.separators);
    const bool is_value = IsConstantTemplate(*text) && !stem.empty();
    kind.append(is_value ? stem : std::string_view(*text)).append(" ");
  }
  return kind;
}

std::vector<const EntityMeasure*> KindsMetBy(const Measurement& measurement,
                                             const PatternMember& member) {
  std::map<std::string, const EntityMeasure*> kinds;
  std::vector<const EntityMeasure*> met;
  for (const EntityMeasure& entity : measurement.entities) {
    if (entity.items == 0 || !MayMeet(measurement, member, entity)) continue;
    if (kinds.emplace(KindOf(measurement, entity), &entity).second) met.push_back(&entity);
  }
  return met;
}

bool HasUniquePart(const Measurement& measurement, std::string_view table, std::string_view text) {
  return std::ranges::any_of(measurement.key_templates, [&](const KeyTemplateMeasure& each) {
    const bool is_it = each.table == table && each.index.empty() && each.text == text;
    return is_it && std::ranges::any_of(each.placeholders, [](const PlaceholderMeasure& part) {
             return part.kind == "uuid" || part.kind == "ulid";
           });
  });
}

bool ForbidsItem(std::string_view condition) {
  return Mentions(condition, "attribute_not_exists(") ||
         Mentions(condition, "NOT attribute_exists(");
}

bool Mentions(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

FindingPlace PlaceOf(const PatternMeasure& pattern) {
  return pattern.members.empty() ? FindingPlace{.pattern = pattern.id}
                                 : PlaceOf(pattern, pattern.members[0]);
}

FindingPlace PlaceOf(const PatternMeasure& pattern, const PatternMember& member) {
  return {.table = member.table, .index = member.index, .pattern = pattern.id};
}

FindingPlace PlaceOf(const EntityMeasure& entity, std::string_view index) {
  return {.table = entity.table, .index = std::string(index), .entity = EntityText(entity)};
}

std::string EntityText(const EntityMeasure& entity) {
  std::string keys = entity.partition_key;
  if (!entity.sort_key.empty()) keys += ", " + entity.sort_key;
  return entity.type.empty() ? keys : entity.type + " (" + keys + ")";
}

std::string StoredSizeText(double size_bytes) {
  return size_bytes < 1024 ? CountedText(size_bytes, "byte") : BytesText(size_bytes);
}

std::string InBackticks(std::string_view text) { return "`" + std::string(text) + "`"; }

}  // namespace hashrange
