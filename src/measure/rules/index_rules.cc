// The rules that judge indexes: rules 19 to 24 and 29 of design_rules.def.
#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/call_rates.h"
#include "measure/key_templates.h"
#include "measure/number_text.h"
#include "measure/partition_load.h"
#include "measure/rules/declared_key_load.h"
#include "measure/rules/design_rules.h"

namespace hashrange {

// --- Rule 19 ---

RuleOutcome AssessIndexKeyChurn(const Measurement& measurement, const RuleInput& input) {
  constexpr double kOften = 0.5;
  RuleOutcome outcome{.missing = "No pattern changed " + CountedText(kLeastCalls, "item") +
                                 " that were there, in a table with an index."};
  const double all_write_units = UnitsOfMeasurement(measurement).write_units;
  for (const PatternMeasure& pattern : measurement.patterns) {
    if (pattern.members.empty() || pattern.changed < kLeastCalls) continue;
    const TableMeasure* const table = FindTable(measurement, pattern.members[0].table);
    if (table && table->indexes.empty()) continue;
    outcome.has_evidence = true;
    for (const IndexMoves& moves : pattern.index_moves) {
      const auto moved = static_cast<double>(moves.moved);
      const auto changed = static_cast<double>(pattern.changed);
      if (moves.moved < kLeastCalls || moved < kOften * changed) continue;
      const double units = UnitsOn(pattern.units, moves.table, moves.index).write_units;
      // A move is how a status changes in many good designs; it is worth a warning where it is a
      // large part of the bill.
      const bool is_dominant =
          units >= kDominantShare * all_write_units && all_write_units >= kLeastUnitsOfShares;
      Finding& finding =
          outcome.Add(is_dominant ? FindingSeverity::kWarning : FindingSeverity::kHint,
                      {.table = moves.table, .index = moves.index, .pattern = pattern.id},
                      NumberText(moved) + " of " + CountedText(changed, "change") +
                          " moved the item within the index, which took " +
                          CountedText(units, "write unit") + ".");
      finding.cost = Modelled(MixCost(measurement, input.prices, {.write_units = units / 2},
                                      "moving entries instead of changing them"));
    }
  }
  return outcome;
}

// --- Rule 20 ---

namespace {

std::uint64_t ReadCallsOfTable(const Measurement& measurement, std::string_view table) {
  std::uint64_t calls = 0;
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    if (IsRead(member) && member.table == table) calls += pattern.calls;
  });
  return calls;
}

}  // namespace

RuleOutcome AssessWriteOnlyIndexes(const Measurement& measurement, const RuleInput& input) {
  RuleOutcome outcome{.missing = "No index was written in a table that was read."};
  ForEachIndex(measurement, [&](const TableMeasure& table, const IndexMeasure& index) {
    const ResourceMeasure* const resource =
        FindResourceMeasure(measurement, table.name, index.name);
    const std::uint64_t reads = ReadCallsOfTable(measurement, table.name);
    if (!resource || resource->write_units == 0 || reads == 0) return;
    outcome.has_evidence = true;
    const bool is_read =
        resource->read_units > 0 || !ReadersOf(measurement, table.name, index.name).empty();
    if (is_read) return;
    Finding& finding = outcome.Add(
        FindingSeverity::kWarning, {.table = table.name, .index = index.name},
        "The index took " + CountedText(resource->write_units, "write unit") +
            (index.is_deleted
                 ? std::string()
                 : " and stores " + StoredSizeText(static_cast<double>(index.size_bytes))) +
            "; none of " + CountedText(reads, "read") + " of the table used it.");
    finding.cost = MixCost(measurement, input.prices, {.write_units = resource->write_units},
                           "writing the index");
  });
  return outcome;
}

// --- Rule 21 ---

namespace {

bool IsKeyOf(const TableMeasure& table, const IndexMeasure& index, std::string_view name) {
  return HoldsName(table.hash, name) || HoldsName(table.range, name) ||
         HoldsName(index.hash, name) || HoldsName(index.range, name);
}

bool IsUsed(const std::vector<const PatternMember*>& readers, std::string_view name) {
  return std::ranges::any_of(readers, [&](const PatternMember* reader) {
    return HoldsName(reader->projected_attributes, name) ||
           HoldsName(reader->condition_attributes, name);
  });
}

bool UsesAll(const PatternMember* reader) {
  return reader->projection.empty() && !reader->counts_only;
}

// The share of the bytes of the index's entries that its readers use, or -1 where the attributes
// of the entries are not known.
double UsedShare(const Measurement& measurement, const TableMeasure& table,
                 const IndexMeasure& index, const std::vector<const PatternMember*>& readers) {
  double used = 0, all = 0;
  for (const EntityMeasure& entity : measurement.entities) {
    const EntityIndex* const part =
        entity.table == table.name ? FindEntityIndex(entity, index.name) : nullptr;
    if (!part || entity.items == 0) continue;
    const double share = static_cast<double>(part->items) / static_cast<double>(entity.items);
    for (const AttributeMeasure& attribute : entity.attributes) {
      all += attribute.size_bytes * share;
      if (IsKeyOf(table, index, attribute.name) || IsUsed(readers, attribute.name)) {
        used += attribute.size_bytes * share;
      }
    }
  }
  return all > 0 ? used / all : -1;
}

}  // namespace

RuleOutcome AssessWideProjections(const Measurement& measurement, const RuleInput& input) {
  constexpr double kFew = 0.5;
  RuleOutcome outcome{.missing = "No index that projects all attributes of at least " +
                                 CountedText(kLeastItems, "item") + " was read."};
  ForEachIndex(measurement, [&](const TableMeasure& table, const IndexMeasure& index) {
    const auto readers = ReadersOf(measurement, table.name, index.name);
    const auto items = static_cast<std::uint64_t>(index.items);
    if (index.projection != "ALL" || readers.empty() || items < kLeastItems) return;
    const double used = UsedShare(measurement, table, index, readers);
    if (used < 0) return;
    outcome.has_evidence = true;
    if (used >= kFew || std::ranges::any_of(readers, UsesAll)) return;
    Finding& finding =
        outcome.Add(FindingSeverity::kHint, {.table = table.name, .index = index.name},
                    CountedText(readers.size(), "pattern") + " read the index and used " +
                        PercentText(used) + " of the " +
                        StoredSizeText(static_cast<double>(index.size_bytes)) + " that it stores.");
    finding.basis = FigureBasis::kModelled;
    finding.cost =
        Modelled(StorageCost(input.prices, static_cast<double>(index.size_bytes) * (1 - used),
                             "storing what no reader of the index uses"));
  });
  return outcome;
}

RuleOutcome AssessProjectionsWithoutType(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing =
                          "No index includes some attributes only (INCLUDE) in a table whose "
                          "items have a type attribute."};
  ForEachIndex(measurement, [&](const TableMeasure& table, const IndexMeasure& index) {
    if (index.projection != "INCLUDE" || table.type_attribute.empty()) return;
    outcome.has_evidence = true;
    const std::string& type = table.type_attribute;
    if (HoldsName(index.non_key_attributes, type) || IsKeyOf(table, index, type)) return;
    const auto entities =
        std::ranges::count_if(measurement.entities, [&](const EntityMeasure& entity) {
          const EntityIndex* const part = FindEntityIndex(entity, index.name);
          return entity.table == table.name && part && part->items > 0;
        });
    if (entities < 2) return;
    outcome.Add(FindingSeverity::kHint, {.table = table.name, .index = index.name, .key = type},
                "The index has items of " + NumberText(entities) + " entities and includes " +
                    CountedText(index.non_key_attributes.size(), "attribute") + ", without " +
                    InBackticks(type) + ".");
  });
  return outcome;
}

// --- Rule 22 ---

namespace {

// Whether every item of the table is in the index, because the index's key is of the table's key.
bool HasAllItems(const TableMeasure& table, const IndexMeasure& index) {
  const auto is_table_key = [&](const std::string& name) {
    return HoldsName(table.hash, name) || HoldsName(table.range, name);
  };
  return std::ranges::all_of(index.hash, is_table_key) &&
         std::ranges::all_of(index.range, is_table_key);
}

}  // namespace

RuleOutcome AssessUnreadEntitiesInIndexes(const Measurement& measurement, const RuleInput& input) {
  RuleOutcome outcome{.missing = "No entity with " + CountedText(kLeastItems, "item") +
                                 " is in an index that was read."};
  ForEachIndex(measurement, [&](const TableMeasure& table, const IndexMeasure& index) {
    const auto readers = ReadersOf(measurement, table.name, index.name);
    if (readers.empty() || HasAllItems(table, index)) return;
    for (const EntityMeasure& entity : measurement.entities) {
      const EntityIndex* const part = FindEntityIndex(entity, index.name);
      if (entity.table != table.name || !part || part->items < kLeastItems) continue;
      outcome.has_evidence = true;
      const auto reads_it = [&](const PatternMember* reader) {
        return MayMeet(measurement, *reader, entity);
      };
      if (std::ranges::any_of(readers, reads_it)) continue;
      const double units = UnitsOn(entity.units, table.name, index.name).write_units;
      Finding& finding = outcome.Add(
          FindingSeverity::kWarning, PlaceOf(entity, index.name),
          CountedText(part->items, "item") + " of the entity, " + StoredSizeText(part->size_bytes) +
              ", are in the index and took " + CountedText(units, "write unit") +
              " there; no pattern reads them from it.");
      finding.cost = MixCost(measurement, input.prices, {.write_units = units},
                             "writing the entity to the index");
    }
  });
  return outcome;
}

// --- Rule 23 ---

namespace {

bool IsPrefix(const std::vector<std::string>& shorter, const std::vector<std::string>& longer) {
  return shorter.size() <= longer.size() &&
         std::ranges::equal(shorter, std::span(longer).first(shorter.size()));
}

std::string KeyText(const std::vector<std::string>& hash, const std::vector<std::string>& range) {
  std::string text;
  for (const auto* list : {&hash, &range}) {
    for (const std::string& name : *list) text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

// The other index, or the table, whose keys begin with the keys of `index`; its name is empty where
// there is none. Of two equal indexes the later one is redundant.
std::string LongerKey(const TableMeasure& table, const IndexMeasure& index) {
  if (index.hash == table.hash && IsPrefix(index.range, table.range)) return "the table";
  for (const IndexMeasure& other : table.indexes) {
    if (&other == &index || other.hash != index.hash) continue;
    const bool is_equal = other.range == index.range;
    if (is_equal ? &other < &index : IsPrefix(index.range, other.range)) return other.name;
  }
  return {};
}

}  // namespace

RuleOutcome AssessRedundantIndexes(const Measurement& measurement, const RuleInput& input) {
  RuleOutcome outcome{.missing = "No table has an index."};
  ForEachIndex(measurement, [&](const TableMeasure& table, const IndexMeasure& index) {
    outcome.has_evidence = true;
    const std::string longer = LongerKey(table, index);
    if (longer.empty()) return;
    const ResourceMeasure* const resource =
        FindResourceMeasure(measurement, table.name, index.name);
    const double units = resource ? resource->write_units : 0;
    Finding& finding = outcome.Add(
        FindingSeverity::kWarning, {.table = table.name, .index = index.name},
        "The key of the index is " + KeyText(index.hash, index.range) + ", with which the key of " +
            longer + " begins; the index took " + CountedText(units, "write unit") + ".");
    finding.cost =
        units > 0 ? MixCost(measurement, input.prices, {.write_units = units}, "writing the index")
                  : StorageCost(input.prices,
                                BilledBytes(static_cast<double>(index.items),
                                            static_cast<double>(index.size_bytes)),
                                "storing the index");
  });
  return outcome;
}

// --- Rule 24 ---

namespace {

// Templates of one partition key that differ in their last token only, such as STATUS#open and
// STATUS#done, or one template with a placeholder.
struct ValueGroup {
  std::uint64_t values = 0;
  std::uint64_t items = 0;
};

std::map<std::string, ValueGroup> GroupPartitionKeys(const Measurement& measurement,
                                                     std::string_view table,
                                                     const IndexMeasure& index) {
  std::map<std::string, ValueGroup> groups;
  const ResourceMeasure* const resource = FindResourceMeasure(measurement, table, index.name);
  const std::uint64_t counted = resource ? resource->collections.count : 0;
  for (const KeyTemplateMeasure& each : measurement.key_templates) {
    const std::uint64_t stored = counted > 0 ? counted : each.items;
    const bool is_hash = each.table == table && each.index == index.name &&
                         index.hash.size() == 1 && each.attribute == index.hash[0];
    if (!is_hash || each.items == 0) continue;
    std::string name = each.text;
    std::uint64_t values = 1;
    if (IsConstantTemplate(each.text)) {
      name = std::string(WithoutLastToken(each.text, measurement.settings.separators)) + "…";
    }
    // A shard behind a status makes as many keys as both together, at most the stored ones.
    for (const PlaceholderMeasure& placeholder : each.placeholders) {
      const std::uint64_t distinct = std::max<std::uint64_t>(1, placeholder.distinct);
      values = distinct > stored / values ? stored : values * distinct;
    }
    ValueGroup& group = groups[name];
    group.values += values;
    group.items += each.items;
  }
  return groups;
}

// Returns whether the declared rates need less than half of what a partition serves of each key
// that is written with that template, `name` as in GroupPartitionKeys; false where it is not known.
bool IsFarFromLimit(const Measurement& measurement, const PatternRates& rates,
                    const ResourceMeasure& resource, std::string_view name) {
  const double far = 0.5 * PartitionLimitsOf(measurement, resource.table).write_units;
  constexpr std::string_view kCut = "…";
  const bool is_cut = name.ends_with(kCut);
  if (is_cut) name.remove_suffix(kCut.size());
  TopKeys top{.total_units = resource.written_keys.total_units};
  for (const KeyCount& key : resource.written_keys.keys) {
    if (is_cut ? key.shape.starts_with(name) : key.shape == name) top.keys.push_back(key);
  }
  const auto share = FirstKeyShare(top);
  if (!share) return false;
  const auto needed =
      DeclaredUnitsOfKey(measurement, rates, resource, *share, {.direction = "write"});
  if (needed) return needed->most < far;
  const double of_mix = share->most * DeclaredWriteUnits(measurement, rates, resource);
  return of_mix > 0 && of_mix < far;
}

}  // namespace

RuleOutcome AssessFewIndexValues(const Measurement& measurement, const RuleInput& input) {
  constexpr std::uint64_t kFewValues = 100;
  constexpr std::uint64_t kVeryFewValues = 10;
  // Below, each value has so few items that the index is a small one, not one with few values.
  constexpr std::uint64_t kLeastItemsOfKey = 1000;
  RuleOutcome outcome{.missing = "No index has " + CountedText(kLeastItemsOfKey, "item") +
                                 " whose partition keys have one template."};
  const PatternRates rates = RatesOfPatterns(measurement, input.rates);
  ForEachIndex(measurement, [&](const TableMeasure& table, const IndexMeasure& index) {
    const ResourceMeasure* const resource =
        FindResourceMeasure(measurement, table.name, index.name);
    for (const auto& [name, group] : GroupPartitionKeys(measurement, table.name, index)) {
      if (group.items < kLeastItemsOfKey) continue;
      outcome.has_evidence = true;
      // One value is a constant, which is rule 25.
      if (group.values < 2 || group.values >= kFewValues) continue;
      const std::string key = index.hash[0] + "=" + name;
      if (resource && IsFarFromLimit(measurement, rates, *resource, key)) continue;
      outcome.Add(
          group.values < kVeryFewValues ? FindingSeverity::kWarning : FindingSeverity::kHint,
          {.table = table.name, .index = index.name, .key = key},
          CountedText(group.items, "item") + " have " + NumberText(group.values) +
              " values of the partition key: " +
              NumberText(static_cast<double>(group.values) * table.partition_limits.write_units) +
              " write units a second at most, if all values are written alike.");
    }
  });
  return outcome;
}

// --- Rule 29 ---

RuleOutcome AssessIndexCapacity(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing = "No provisioned table has a global index."};
  ForEachIndex(measurement, [&](const TableMeasure& table, const IndexMeasure& index) {
    if (table.on_demand || index.is_local || table.provisioned_write_units == 0) return;
    outcome.has_evidence = true;
    if (index.provisioned_write_units >= table.provisioned_write_units) return;
    const auto table_units = static_cast<double>(table.provisioned_write_units);
    const auto index_units = static_cast<double>(index.provisioned_write_units);
    const FindingPlace place{.table = table.name, .index = index.name};
    const std::string declared = "The index has " + CountedText(index_units, "write unit") +
                                 " a second and its table " + NumberText(table_units);
    const ResourceMeasure* const of_table = FindResourceMeasure(measurement, table.name, {});
    const ResourceMeasure* const of_index =
        FindResourceMeasure(measurement, table.name, index.name);
    if (!of_table || of_table->write_units < kLeastUnitsOfShares) {
      outcome.Add(FindingSeverity::kHint, place, declared + "; too few writes were seen to judge.");
      return;
    }
    // A sparse index may well have less: what it needs when the table uses all its units.
    const double written = of_index ? of_index->write_units : 0;
    const double needed = table_units * written / of_table->write_units;
    if (needed <= index_units) return;
    outcome
        .Add(FindingSeverity::kSevere, place,
             declared + ", whose writes as measured would need " + NumberText(needed) +
                 " of the index.")
        .basis = FigureBasis::kExtrapolated;
  });
  return outcome;
}

}  // namespace hashrange
