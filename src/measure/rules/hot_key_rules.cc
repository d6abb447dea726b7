// The rules that judge keys that take too much: rules 25 to 28 and 30 of design_rules.def.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "measure/call_rates.h"
#include "measure/key_templates.h"
#include "measure/number_text.h"
#include "measure/partition_load.h"
#include "measure/rules/declared_key_load.h"
#include "measure/rules/design_rules.h"

namespace hashrange {
namespace {

double SecondsOf(const Measurement& measurement) {
  return static_cast<double>(measurement.ended_epoch_ms - measurement.began_epoch_ms) /
         kMillisecondsPerSecond;
}

}  // namespace

// --- Rule 25 ---

namespace {

// Templates come from the items that are stored. Where there are few, a value such as USER#ann may
// look like a constant, as no other value was seen. So a key of several tokens needs many items,
// and a key that is one word, such as CUSTOMER, more than a test of one feature stores.
std::uint64_t LeastItemsOfConstant(const Measurement& measurement, std::string_view key) {
  constexpr std::uint64_t kOfWord = 10;
  return TemplateTokens(key, measurement.settings.separators).size() > 1 ? kLeastItems : kOfWord;
}

// The partition keys that the items of one kind have in a table or an index.
struct KeysOfKind {
  const EntityMeasure* first = nullptr;
  std::string attribute = {};
  std::set<std::string_view> keys = {};
  std::uint64_t entities = 0;
  std::uint64_t items = 0;
  double written_units = 0;
  bool has_others = false;  // not all items have the key that stands for them
};

using KindInResource = std::tuple<std::string, std::string, std::string>;  // table, index, kind

void AddKeys(const Measurement& measurement, const EntityMeasure& entity, const EntityIndex* part,
             std::map<KindInResource, KeysOfKind>* kinds) {
  const std::string index = part ? part->index : "";
  const KeyAttributes attributes = KeyAttributesOf(measurement, entity.table, index);
  const std::uint64_t items = part ? part->items : entity.items;
  if (attributes.hash.size() != 1 || items == 0) return;
  // Keys of a table that are one word, such as names, are told from constants by the sort key
  // alone.
  const bool is_untyped = entity.type.empty() && !part;
  KeysOfKind& kind =
      (*kinds)[{entity.table, index, is_untyped ? entity.sort_key : KindOf(measurement, entity)}];
  if (!kind.first) kind.first = &entity;
  kind.attribute = attributes.hash[0];
  kind.keys.insert(EntityKeysIn(entity, index).partition_key);
  ++kind.entities;
  kind.items += items;
  kind.written_units += UnitsOn(entity.units, entity.table, index).write_units;
  kind.has_others |= part && part->has_other_partition_keys;
}

void JudgeKeys(const Measurement& measurement, const KindInResource& where, const KeysOfKind& kind,
               RuleOutcome* outcome) {
  const auto& [table, index, name] = where;
  const std::string_view key = *kind.keys.begin();
  const bool is_constant = kind.keys.size() == 1 && IsConstantTemplate(key) && !kind.has_others;
  const bool is_enough = kind.items >= LeastItemsOfConstant(measurement, key);
  if (is_constant && !is_enough) return;
  outcome->has_evidence = true;
  if (!is_constant) return;
  FindingSeverity severity = FindingSeverity::kHint;
  if (kind.written_units > 0) severity = FindingSeverity::kWarning;
  if (kind.written_units > 0 && kind.items >= kLeastItems) severity = FindingSeverity::kSevere;
  FindingPlace place = PlaceOf(*kind.first, index);
  if (kind.entities > 1) place.entity = name;
  place.key = kind.attribute + "=" + std::string(key);
  outcome->Add(severity, place,
               CountedText(kind.items, "item") + " of the entity, all that the " +
                   (index.empty() ? "table" : "index") +
                   " has, are under this one key; writing them took " +
                   CountedText(kind.written_units, "write unit") + ".");
}

}  // namespace

RuleOutcome AssessConstantPartitionKeys(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing =
                          "Too few items of each entity are stored to tell a constant key "
                          "from a value."};
  std::map<KindInResource, KeysOfKind> kinds;
  for (const EntityMeasure& entity : measurement.entities) {
    AddKeys(measurement, entity, nullptr, &kinds);
    for (const EntityIndex& part : entity.indexes) AddKeys(measurement, entity, &part, &kinds);
  }
  for (const auto& [where, kind] : kinds) JudgeKeys(measurement, where, kind, &outcome);
  return outcome;
}

// --- Rule 26 ---

namespace {

constexpr std::string_view kKeyDirections[] = {"write", "read"};

void JudgeDirection(const Measurement& measurement, const PatternRates& rates,
                    const ResourceMeasure& resource, std::string_view direction,
                    RuleOutcome* outcome) {
  const auto share = GreatestKeyShare(resource, direction);
  if (!share) return;
  const auto declared =
      DeclaredUnitsOfKey(measurement, rates, resource, *share, {.direction = direction});
  if (!declared) return;
  outcome->has_evidence = true;
  const auto [least, most, strong_share] = *declared;
  const PartitionLimits& limits = PartitionLimitsOf(measurement, resource.table);
  const double limit_units =
      direction == "write" ? limits.write_units : PartitionReadUnitsOf(limits, strong_share);
  if (most <= limit_units) return;
  std::string range = NumberText(least);
  if (most > least) range += " to " + NumberText(most);
  Finding& finding =
      outcome->Add(least > limit_units ? FindingSeverity::kSevere : FindingSeverity::kWarning,
                   {.table = resource.table, .index = resource.index, .key = share->key},
                   "The key had " + PercentText(share->most) + " of the " + std::string(direction) +
                       " units; at the declared rates it needs " + range +
                       " units a second of at most " + NumberText(limit_units) + ".");
  finding.basis = FigureBasis::kExtrapolated;
}

}  // namespace

RuleOutcome AssessHotKeysAtPeak(const Measurement& measurement, const RuleInput& input) {
  RuleOutcome outcome{.missing = "No rates of patterns were declared."};
  if (!input.rates.empty()) {
    outcome.missing =
        "No pattern with a declared rate is known to use the hottest keys, or fewer than " +
        CountedText(kLeastUnitsOfShares, "unit") + " were seen.";
  }
  const PatternRates rates = RatesOfPatterns(measurement, input.rates);
  for (const ResourceMeasure& resource : measurement.resources) {
    if (IsLocalIndex(measurement, resource)) continue;
    const ResourceMeasure shared = WithLocalIndexes(measurement, resource);
    for (const std::string_view direction : kKeyDirections) {
      JudgeDirection(measurement, rates, shared, direction, &outcome);
    }
  }
  return outcome;
}

// --- Rule 27 ---

namespace {

// Whether one key of that shape had most of the writes of a window, or of all the measurement.
bool HasMostWrites(const ResourceMeasure& resource, std::string_view shape) {
  constexpr double kMost = 0.5;
  const auto is_most = [&](const KeyCount& key, double total_units) {
    return key.shape == shape && total_units >= kLeastUnitsOfShares &&
           key.units - key.error >= kMost * total_units;
  };
  const auto is_most_of_window = [&](const HotWindow& window) {
    return window.direction == "write" && is_most(window.key, window.total_units);
  };
  const TopKeys& written = resource.written_keys;
  return std::ranges::any_of(resource.hot_windows, is_most_of_window) ||
         (!written.keys.empty() && is_most(written.keys[0], written.total_units));
}

}  // namespace

// A rising number as partition key is not judged: its hash spreads it.
RuleOutcome AssessDatePartitionKeys(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing = "No items are stored."};
  for (const KeyTemplateMeasure& each : measurement.key_templates) {
    const KeyAttributes keys = KeyAttributesOf(measurement, each.table, each.index);
    const bool is_hash = keys.hash.size() == 1 && keys.hash[0] == each.attribute && each.items > 0;
    if (!is_hash) continue;
    outcome.has_evidence = true;
    const auto is_date = [](const PlaceholderMeasure& part) { return part.kind == "date"; };
    if (each.placeholders.empty() || !std::ranges::all_of(each.placeholders, is_date)) continue;
    const std::string shape = each.attribute + "=" + each.text;
    const ResourceMeasure* const resource =
        FindResourceMeasure(measurement, each.table, each.index);
    const bool is_hot = resource && HasMostWrites(*resource, shape);
    std::string evidence =
        CountedText(each.items, "item has", "items have") + " a partition key that is a date";
    if (is_hot) evidence += ", and one of these keys took most writes of a time";
    outcome.Add(is_hot ? FindingSeverity::kWarning : FindingSeverity::kHint,
                {.table = each.table, .index = each.index, .key = shape}, evidence + ".");
  }
  return outcome;
}

namespace {

// Units a second, and where they are from.
struct WriteRate {
  double units = 0;
  FigureBasis basis = FigureBasis::kMeasured;
};

// Returns what the first of the keys, or items, takes at least; nothing where that is not known.
std::optional<WriteRate> WriteRateOf(const Measurement& measurement, const PatternRates& rates,
                                     const ResourceMeasure& resource, const TopKeys& top) {
  // A shorter time is a burst, which no rate follows from.
  constexpr double kLeastSeconds = 60;
  const auto share = FirstKeyShare(top);
  if (!share) return std::nullopt;
  const auto declared =
      DeclaredUnitsOfKey(measurement, rates, resource, *share,
                         {.is_item = &top == &resource.written_items, .direction = "write"});
  if (declared) return WriteRate{declared->least, FigureBasis::kExtrapolated};
  const double of_mix = share->least * DeclaredWriteUnits(measurement, rates, resource);
  if (of_mix > 0) return WriteRate{of_mix, FigureBasis::kExtrapolated};
  const double seconds = SecondsOf(measurement);
  if (seconds < kLeastSeconds) return std::nullopt;
  return WriteRate{share->least * top.total_units / seconds, FigureBasis::kMeasured};
}

}  // namespace

RuleOutcome AssessRisingSortKeys(const Measurement& measurement, const RuleInput& input) {
  // A collection that takes less of what a partition serves is far from a limit.
  constexpr double kNearLimit = 0.5;
  constexpr double kNearlyAll = 0.9;
  constexpr double kBusyShare = 0.1;
  // A test that fills one collection writes some hundred items.
  constexpr double kLeastUnits = 1000;
  RuleOutcome outcome{.missing = "No table or index took " +
                                 CountedText(kLeastUnits, "write unit") +
                                 " in collections that were written repeatedly."};
  const PatternRates rates = RatesOfPatterns(measurement, input.rates);
  for (const ResourceMeasure& resource : measurement.resources) {
    const auto known = static_cast<double>(resource.writes_in_order_known);
    const auto share = FirstKeyShare(resource.written_keys);
    const bool is_judged = resource.writes_in_order_known >= kLeastCallsForShares && share &&
                           resource.written_keys.total_units >= kLeastUnits;
    if (!is_judged) continue;
    outcome.has_evidence = true;
    const double rising = static_cast<double>(resource.rising_writes) / known;
    if (rising < kNearlyAll || share->least < kBusyShare) continue;
    const auto rate = WriteRateOf(measurement, rates, resource, resource.written_keys);
    const double limit = PartitionLimitsOf(measurement, resource.table).write_units;
    if (rate && rate->units < kNearLimit * limit) continue;
    outcome.Add(rate ? FindingSeverity::kWarning : FindingSeverity::kHint,
                {.table = resource.table, .index = resource.index, .key = share->key},
                PercentText(rising) + " of " + CountedText(known, "write") +
                    " had a greater sort key than the write before in their collection, and this "
                    "collection took at least " +
                    PercentText(share->least) + " of the write units.");
  }
  return outcome;
}

// --- Rule 28 ---

namespace {

bool IsCounterUpdate(const PatternMember& member) {
  const auto has = [&](std::string_view part) { return Mentions(member.update, part); };
  return member.kind == "update" && (has("ADD ") || has(" + ?") || has(" - ?"));
}

// The shape of the keys that the member writes, as KeyCount has it: "PK=COUNTER, SK=TOTAL".
std::string ShapeOfKey(const PatternMember& member) {
  std::string shape;
  for (const KeyTerm& term : member.key) {
    shape += (shape.empty() ? "" : ", ") + term.attribute + "=" + term.value;
  }
  return shape;
}

}  // namespace

RuleOutcome AssessHotCounters(const Measurement& measurement, const RuleInput& input) {
  constexpr double kNearLimit = 0.8;  // of what a partition serves
  RuleOutcome outcome{.missing =
                          "No updates of counters were seen at declared rates, or for a "
                          "minute."};
  const PatternRates rates = RatesOfPatterns(measurement, input.rates);
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    if (!IsCounterUpdate(member) || pattern.calls == 0) return;
    const ResourceMeasure* const resource = FindResourceMeasure(measurement, member.table, {});
    if (!resource) return;
    // Without a sort key, items are not counted apart from their keys.
    const bool is_key = KeyAttributesOf(measurement, member.table, {}).range.empty();
    const TopKeys& top = is_key ? resource->written_keys : resource->written_items;
    if (top.keys.empty()) return;
    const bool is_it = top.keys[0].shape == ShapeOfKey(member);
    // Other counters are evidence only, of which one is enough.
    if (!is_it && outcome.has_evidence) return;
    const auto rate = WriteRateOf(measurement, rates, *resource, top);
    if (!rate) return;
    outcome.has_evidence = true;
    const double units = rate->units;
    const double limit = PartitionLimitsOf(measurement, member.table).write_units;
    if (!is_it || units < kNearLimit * limit) return;
    FindingPlace place = PlaceOf(pattern, member);
    place.key = top.keys[0].key;
    const bool is_declared = rate->basis == FigureBasis::kExtrapolated;
    outcome
        .Add(units >= limit ? FindingSeverity::kSevere : FindingSeverity::kWarning, place,
             "The counter " + std::string(is_declared ? "takes" : "took") + " at least " +
                 CountedText(units, "write unit") + " a second" +
                 (is_declared ? " at the declared rates" : "") + ", of " + NumberText(limit) +
                 " that an item has.")
        .basis = rate->basis;
  });
  return outcome;
}

// --- Rule 30 ---

namespace {

constexpr double kCollectionLimit = 10 * kBytesPerGigabyte;

// Days until the collection has 10 GB if it keeps its part of the growth of its table; nothing
// where the table did not grow, or the measurement is too short to say.
std::optional<double> DaysUntilFull(const Measurement& measurement, const TableMeasure& table,
                                    double collection_size) {
  constexpr double kLeastSeconds = 3600;
  constexpr double kSecondsPerDay = 86400;
  const double seconds = SecondsOf(measurement);
  const auto size = static_cast<double>(table.size_bytes);
  const double growth = size - static_cast<double>(table.size_bytes_at_begin);
  if (seconds < kLeastSeconds || growth <= 0 || collection_size <= 0) return std::nullopt;
  const double a_day = growth * (collection_size / size) / seconds * kSecondsPerDay;
  return std::max(0.0, kCollectionLimit - collection_size) / a_day;
}

// The size of the largest collection in the table, without its entries in local indexes.
double LargestCollection(const Measurement& measurement, const TableMeasure& table) {
  const ResourceMeasure* const resource = FindResourceMeasure(measurement, table.name, {});
  return resource ? resource->collections.size_bytes.max() : 0;
}

FindingSeverity SeverityOfLocalIndex(double size, std::optional<double> days) {
  constexpr double kSevereSize = 0.8 * kCollectionLimit;
  constexpr double kLargeSize = 0.1 * kCollectionLimit;
  constexpr double kSevereDays = 30;
  constexpr double kFewDays = 365;
  if (size >= kSevereSize || (days && *days < kSevereDays)) return FindingSeverity::kSevere;
  if (size >= kLargeSize || (days && *days < kFewDays)) return FindingSeverity::kWarning;
  return FindingSeverity::kHint;
}

}  // namespace

RuleOutcome AssessLocalIndexes(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing = "No tables are stored."};
  for (const TableMeasure& table : measurement.tables) {
    if (table.is_deleted) continue;  // the sizes of its collections are not known
    outcome.has_evidence = true;
    double local_size = 0;
    const IndexMeasure* local = nullptr;
    for (const IndexMeasure& index : table.indexes) {
      if (!index.is_local) continue;
      local = &index;
      local_size += static_cast<double>(index.size_bytes);
    }
    if (!local) continue;
    // Entries of local indexes count; the collection is taken to have its part of them.
    const auto table_size = static_cast<double>(table.size_bytes);
    const double with_indexes = table_size > 0 ? 1 + local_size / table_size : 1;
    const double size = LargestCollection(measurement, table) * with_indexes;
    const auto days = DaysUntilFull(measurement, table, size);
    std::string evidence = "The largest collection has about " + StoredSizeText(size) + " of 10 GB";
    if (days) {
      evidence += "; with its part of the table's growth it is full in " +
                  CountedText(std::max(1.0, std::ceil(*days)), "day");
    }
    outcome
        .Add(SeverityOfLocalIndex(size, days), {.table = table.name, .index = local->name},
             evidence + ".")
        .basis = days ? FigureBasis::kExtrapolated : FigureBasis::kModelled;
  }
  return outcome;
}

}  // namespace hashrange
