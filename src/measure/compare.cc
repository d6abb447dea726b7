#include "measure/compare.h"

#include <algorithm>
#include <utility>

#include "measure/cost.h"
#include "measure/measured_tables.h"
#include "measure/named_patterns.h"
#include "measure/regressions.h"

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

bool HaveOneInCommon(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(
      a, [&b](const std::string& id) { return std::ranges::find(b, id) != b.end(); });
}

// The rows of patterns, filled with one measurement after another.
class PatternRows {
 public:
  explicit PatternRows(std::size_t sides) : sides_(sides) {}

  void Add(const Measurement& measurement, std::size_t side, const PriceList& prices) {
    const std::vector<NamedPattern> patterns = PatternsByName(measurement);
    // Names first: a row that another pattern's name fits is not taken by an id.
    std::vector<std::size_t> without_row;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const auto row = FindByName(patterns[i].sum.name);
      if (row == rows_.size()) {
        without_row.push_back(i);
      } else {
        Fill(row, patterns[i], PatternSideOf(measurement, patterns[i].sum, prices), side);
      }
    }
    for (const std::size_t i : without_row) {
      const auto row = FindUnnamed(patterns[i], side);
      if (row == rows_.size()) {
        rows_.push_back({.title = TitleOf(patterns[i].sum)});
        rows_.back().sides.resize(sides_);
        first_.push_back(patterns[i]);
      }
      Fill(row, patterns[i], PatternSideOf(measurement, patterns[i].sum, prices), side);
    }
  }

  std::vector<PatternRow> Finish() { return std::move(rows_); }

 private:
  // Each returns the number of the row, or the number of all rows when there is none.
  std::size_t FindByName(const std::string& name) const {
    if (name.empty()) return rows_.size();
    const auto same = [&name](const NamedPattern& each) { return each.sum.name == name; };
    return static_cast<std::size_t>(std::ranges::find_if(first_, same) - first_.begin());
  }
  // The id of a pattern depends on its name. So the text decides where one of two has no name.
  std::size_t FindUnnamed(const NamedPattern& pattern, std::size_t side) const {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const PatternMeasure& first = first_[row].sum;
      const bool one_is_unnamed = first.name.empty() || pattern.sum.name.empty();
      const bool same_text =
          one_is_unnamed && !first.text.empty() && first.text == pattern.sum.text;
      const bool is_same = same_text || HaveOneInCommon(rows_[row].ids, pattern.ids);
      if (is_same && !rows_[row].sides[side].is_present) return row;
    }
    return rows_.size();
  }

  void Fill(std::size_t row, const NamedPattern& pattern, PatternSide filled, std::size_t side) {
    for (const std::string& id : pattern.ids) {
      if (std::ranges::find(rows_[row].ids, id) == rows_[row].ids.end()) {
        rows_[row].ids.push_back(id);
      }
    }
    rows_[row].sides[side] = filled;
  }

  const std::size_t sides_;
  std::vector<PatternRow> rows_;
  std::vector<NamedPattern> first_;  // the pattern that began each row
};

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
  PatternRows patterns(measurements.size());
  for (std::size_t side = 0; side < measurements.size(); ++side) {
    comparison.sides.push_back(MeasurementSideOf(measurements[side], input));
    patterns.Add(measurements[side], side, input.prices);
    AddStorage(comparison.storage, measurements[side], side, measurements.size());
  }
  comparison.patterns = patterns.Finish();
  comparison.regressions = FindRegressions(comparison, input);
  return comparison;
}

}  // namespace hashrange
