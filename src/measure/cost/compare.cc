#include "measure/cost/compare.h"

#include <utility>

#include "measure/cost/aligned_patterns.h"
#include "measure/cost/cost.h"
#include "measure/cost/regressions.h"
#include "measure/measured_tables.h"
#include "measure/named_patterns.h"

namespace hashrange {
namespace {

PatternSide PatternSideOf(const Measurement& measurement, const PatternMeasure& pattern,
                          const PriceList& prices) {
  PatternSide side{.is_present = true, .calls = CallsOf(pattern)};
  for (const ResourceUnits& units : pattern.units) {
    side.read_units_a_call += units.read_units;
    side.write_units_a_call += units.write_units;
  }
  if (side.calls > 0) {
    side.read_units_a_call /= side.calls;
    side.write_units_a_call /= side.calls;
  }
  side.p99_read_units = pattern.call.read_units.Percentile(0.99);
  side.p99_write_units = pattern.call.write_units.Percentile(0.99);
  side.examined_per_returned = ExaminedPerReturned(pattern);
  side.usd_per_million = PriceOfPattern(measurement, pattern, prices).usd_per_million;
  return side;
}

// Returns the rows of patterns, those of the first measurement first.
std::vector<PatternRow> PatternRowsOf(std::span<const Measurement> measurements,
                                      const PriceList& prices) {
  std::vector<const Measurement*> pointers;
  for (const Measurement& measurement : measurements) pointers.push_back(&measurement);
  std::vector<PatternRow> rows;
  for (AlignedPattern& aligned : AlignPatterns(pointers)) {
    PatternRow& row = rows.emplace_back();
    row.title = std::move(aligned.title);
    row.ids = std::move(aligned.ids);
    for (std::size_t side = 0; side < aligned.sides.size(); ++side) {
      const NamedPattern* const pattern = aligned.sides[side].get();
      row.sides.push_back(pattern ? PatternSideOf(measurements[side], pattern->sum, prices)
                                  : PatternSide());
    }
  }
  return rows;
}

StorageRow& RowFor(std::vector<StorageRow>& rows, const std::string& table,
                   const std::string& index, std::size_t sides) {
  for (StorageRow& row : rows) {
    if (row.table == table && row.index == index) return row;
  }
  StorageRow& row = rows.emplace_back(StorageRow{.table = table, .index = index});
  row.sides.resize(sides);
  return row;
}

void AddStorage(std::vector<StorageRow>& rows, const Measurement& measurement, std::size_t side,
                std::size_t sides) {
  const auto add = [&](const std::string& table, const std::string& index, std::int64_t items,
                       std::int64_t size_bytes) {
    RowFor(rows, table, index, sides).sides[side] = {
        true, items, BilledBytes(static_cast<double>(items), static_cast<double>(size_bytes))};
  };
  for (const TableMeasure& table : measurement.tables) {
    add(table.name, "", table.items, table.size_bytes);
    for (const IndexMeasure& index : table.indexes) {
      add(table.name, index.name, index.items, index.size_bytes);
    }
  }
}

MeasurementSide MeasurementSideOf(const Measurement& measurement, const CompareInput& input) {
  MeasurementSide side{.name = measurement.name};
  const Costs costs = ComputeCosts(measurement, {input.prices, input.rates});
  for (const PatternPrice& price : costs.patterns) side.calls += price.calls;
  side.usd_per_million = costs.usd_per_million;
  side.storage_usd = costs.storage.usd;
  side.limits = FirstLimits(measurement, input.rates);
  return side;
}

}  // namespace

Comparison Compare(std::span<const Measurement> measurements, const CompareInput& input) {
  Comparison comparison;
  for (std::size_t side = 0; side < measurements.size(); ++side) {
    comparison.sides.push_back(MeasurementSideOf(measurements[side], input));
    AddStorage(comparison.storage, measurements[side], side, measurements.size());
  }
  comparison.patterns = PatternRowsOf(measurements, input.prices);
  comparison.regressions = FindRegressions(comparison, input);
  return comparison;
}

}  // namespace hashrange
