#include "measure/measured_tables.h"

#include <algorithm>

namespace hashrange {

const TableMeasure* FindTable(const Measurement& measurement, std::string_view table) {
  const auto found = std::ranges::find(measurement.tables, table, &TableMeasure::name);
  return found == measurement.tables.end() ? nullptr : &*found;
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
