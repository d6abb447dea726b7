// The rules that judge what traffic does to indexes: rules 19, 20 and 22 of design_rules.def.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "measure/number_text.h"
#include "measure/rules/design_rules.h"
#include "measure/rules/finding_text.h"
#include "measure/rules/rule_evidence.h"

namespace hashrange {
namespace {

std::uint64_t ReadCallsOfTable(const Measurement& measurement, std::string_view table) {
  std::uint64_t calls = 0;
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    if (IsRead(member) && member.table == table) calls += pattern.calls;
  });
  return calls;
}

}  // namespace

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
      finding.cost = MixCost(measurement, input.prices, {.write_units = units / 2},
                             "moving entries instead of changing them");
      finding.cost->basis = FigureBasis::kModelled;
    }
  }
  return outcome;
}

// --- Rule 20 ---

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
            "; none of " + CountedText(static_cast<double>(reads), "read") +
            " of the table used it.");
    finding.cost = MixCost(measurement, input.prices, {.write_units = resource->write_units},
                           "writing the index");
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
          CountedText(static_cast<double>(part->items), "item") + " of the entity, " +
              StoredSizeText(part->size_bytes) + ", are in the index and took " +
              CountedText(units, "write unit") + " there; no pattern reads them from it.");
      finding.cost = MixCost(measurement, input.prices, {.write_units = units},
                             "writing the entity to the index");
    }
  });
  return outcome;
}

}  // namespace hashrange
