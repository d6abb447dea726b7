#include "measure/measured_tables.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "measure/number_text.h"

namespace hashrange {
namespace {

std::string WhatThereIs(const std::vector<std::string>& names, const char* noun) {
  std::string text = "the measurement has ";
  if (names.empty()) return text + "no " + noun;
  for (const std::string& name : names)
    text.append(&name == &names.front() ? "" : ", ").append(name);
  return text;
}

}  // namespace

const TableMeasure* FindTable(const Measurement& measurement, std::string_view table) {
  const auto found = std::ranges::find(measurement.tables, table, &TableMeasure::name);
  return found == measurement.tables.end() ? nullptr : &*found;
}

const PartitionLimits& PartitionLimitsOf(const Measurement& measurement, std::string_view table) {
  static constexpr PartitionLimits kUsual;
  const TableMeasure* const found = FindTable(measurement, table);
  return found ? found->partition_limits : kUsual;
}

UnitsRange RangeOfTables(const Measurement& measurement, double PartitionLimits::*units) {
  std::optional<UnitsRange> range;
  for (const TableMeasure& table : measurement.tables) {
    if (table.is_deleted) continue;  // no rule is known of it
    const double of_table = table.partition_limits.*units;
    if (!range) range = {of_table, of_table};
    range = {std::min(range->least, of_table), std::max(range->greatest, of_table)};
  }
  const double usual = PartitionLimits().*units;
  return range.value_or(UnitsRange{usual, usual});
}

std::string UnitsRangeText(const UnitsRange& range) {
  const std::string least = NumberText(range.least);
  const std::string greatest = NumberText(range.greatest);
  return least == greatest ? least : least + " to " + greatest;
}

std::string_view OwnTableName(std::string_view table) {
  // The name of a table has neither blanks nor brackets.
  if (table.ends_with(')')) table = table.substr(0, table.rfind(" ("));
  return table.substr(table.rfind(' ') + 1);
}

bool IsInfrequentAccess(const TableMeasure& table) {
  return table.table_class == "STANDARD_INFREQUENT_ACCESS";
}

const IndexMeasure* FindIndex(const Measurement& measurement, std::string_view table,
                              std::string_view index) {
  const TableMeasure* const owner = FindTable(measurement, table);
  if (!owner) return nullptr;
  const auto found = std::ranges::find(owner->indexes, index, &IndexMeasure::name);
  return found == owner->indexes.end() ? nullptr : &*found;
}

const ResourceMeasure* FindResourceMeasure(const Measurement& measurement, std::string_view table,
                                           std::string_view index) {
  for (const ResourceMeasure& resource : measurement.resources) {
    if (resource.table == table && resource.index == index) return &resource;
  }
  return nullptr;
}

std::string TablesText(const Measurement& measurement) {
  std::vector<std::string> names;
  for (const TableMeasure& table : measurement.tables) names.push_back(table.name);
  return WhatThereIs(names, "table");
}

std::string IndexesText(const Measurement& measurement) {
  std::vector<std::string> names;
  for (const TableMeasure& table : measurement.tables) {
    for (const IndexMeasure& index : table.indexes) names.push_back(table.name + "/" + index.name);
  }
  return WhatThereIs(names, "index");
}

Error NoSuchTable(const Measurement& measurement, std::string_view table) {
  return ValidationError("There is no table \"" + std::string(table) + "\"; " +
                         TablesText(measurement) + ".");
}

Error NoSuchIndex(const Measurement& measurement, std::string_view table, std::string_view index) {
  return ValidationError("There is no index \"" + std::string(table) + "/" + std::string(index) +
                         "\"; " + IndexesText(measurement) + ".");
}

std::string ResourceTitle(const Measurement& measurement, std::string_view table,
                          std::string_view index) {
  if (index.empty()) return std::string(table);
  std::string title(index);
  if (measurement.tables.size() > 1) title.append(" of ").append(table);
  return title;
}

double BilledBytes(double items, double size_bytes) {
  constexpr double kBytesAnItem = 100;
  return size_bytes + kBytesAnItem * items;
}

}  // namespace hashrange
