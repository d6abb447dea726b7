// The tables and indexes of a measurement, by name. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "measure/measurement.h"

namespace hashrange {

// Returns the table of that name; null when the measurement has none.
const TableMeasure* FindTable(const Measurement& measurement, std::string_view table);

// Returns the table's own name, without what tells it from others of this name in the measurement:
// "shop" of "111122223333 shop" and of "shop (2)" (TableMeasure::name).
std::string_view OwnTableName(std::string_view table);

// Returns whether the table has the class with dearer units and cheaper storage.
bool IsInfrequentAccess(const TableMeasure& table);

// Returns what the partitions of the table serve; what the service's do when the measurement has no
// table of that name.
const PartitionLimits& PartitionLimitsOf(const Measurement& measurement, std::string_view table);

// Returns the least and the greatest number of these units of the tables that were not deleted;
// what the service's partitions serve when there are none.
struct UnitsRange {
  double least = 0;
  double greatest = 0;
};
UnitsRange RangeOfTables(const Measurement& measurement, double PartitionLimits::*units);
// Returns "1,000", or "10 to 1,000".
std::string UnitsRangeText(const UnitsRange& range);

// Returns the index; null when the measurement has none of that name, or `index` is empty.
const IndexMeasure* FindIndex(const Measurement& measurement, std::string_view table,
                              std::string_view index);

// Returns the units and keys of the table or index; null when it was not used.
const ResourceMeasure* FindResourceMeasure(const Measurement& measurement, std::string_view table,
                                           std::string_view index);

// Return what a measurement has, for sentences: "the measurement has shop, users", "the measurement
// has shop/GSI1", "the measurement has no index".
std::string TablesText(const Measurement& measurement);
std::string IndexesText(const Measurement& measurement);

// Return an error, a ValidationException, which says what there is instead.
Error NoSuchTable(const Measurement& measurement, std::string_view table);
Error NoSuchIndex(const Measurement& measurement, std::string_view table, std::string_view index);

// Returns how sentences call a table or an index: "shop", "GSI1", or in a measurement of several
// tables "GSI1 of shop".
std::string ResourceTitle(const Measurement& measurement, std::string_view table,
                          std::string_view index);

// Returns how many bytes are billed for stored items: their sizes and 100 bytes each
// (docs/service/20-partition-model.md, section 6).
double BilledBytes(double items, double size_bytes);

}  // namespace hashrange
