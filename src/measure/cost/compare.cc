#include "measure/cost/compare.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "measure/cost/cost.h"
#include "measure/json_members.h"
#include "measure/measured_tables.h"
#include "measure/number_text.h"
#include "measure/pattern_names.h"

namespace hashrange {

// --- Patterns of several measurements ---

namespace {

// The pattern that began a row, with the first name that the row's patterns have.
struct FirstPattern {
  std::string name;
  std::string text;
};

// The numbers of rows, ascending. Rows that are taken are dropped from the front.
struct RowQueue {
  std::vector<std::size_t> rows = {};
  std::size_t next = 0;
};

// The rows without a pattern of one measurement, which a pattern finds by an id or by its text. All
// look-ups together take time in proportion to the rows and patterns.
class FreeRows {
 public:
  FreeRows(const std::vector<AlignedPattern>& rows, const std::vector<FirstPattern>& first,
           std::size_t side)
      : rows_(rows), side_(side) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (rows[row].sides[side]) continue;
      for (const std::string& id : rows[row].ids) by_id_[id].rows.push_back(row);
      if (first[row].text.empty()) continue;
      (first[row].name.empty() ? unnamed_ : named_)[first[row].text].rows.push_back(row);
    }
  }

  // Returns the first row that fits the pattern, or the number of all rows when none does. The id
  // of a pattern depends on its name. So the text decides where one of two has no name.
  std::size_t Find(const NamedPattern& pattern) {
    std::size_t row = rows_.size();
    for (const std::string& id : pattern.ids) row = std::min(row, FirstIn(by_id_, id));
    row = std::min(row, FirstIn(unnamed_, pattern.sum.text));
    return pattern.sum.name.empty() ? std::min(row, FirstIn(named_, pattern.sum.text)) : row;
  }

 private:
  using QueuesByText = std::unordered_map<std::string, RowQueue>;

  std::size_t FirstIn(QueuesByText& queues, const std::string& text) const {
    const auto found = queues.find(text);
    if (found == queues.end()) return rows_.size();
    auto& [rows, next] = found->second;
    while (next < rows.size() && rows_[rows[next]].sides[side_]) ++next;
    return next < rows.size() ? rows[next] : rows_.size();
  }

  const std::vector<AlignedPattern>& rows_;
  const std::size_t side_;
  QueuesByText by_id_;
  // By the text of the row's first pattern: rows with a name, and those without.
  QueuesByText named_, unnamed_;
};

// The rows, filled with one measurement after another.
class AlignedRows {
 public:
  explicit AlignedRows(std::size_t sides) : sides_(sides) {}

  void Add(const Measurement& measurement, std::size_t side) {
    // Names first: a row that another pattern's name fits is not taken by an id.
    std::vector<NamedPattern> without_row;
    for (NamedPattern& pattern : PatternsByName(measurement)) {
      const auto row = row_of_.find(pattern.sum.name);
      if (row == row_of_.end()) {
        without_row.push_back(std::move(pattern));
      } else {
        Fill(row->second, std::move(pattern), side);
      }
    }
    FreeRows free_rows(rows_, first_, side);
    for (NamedPattern& pattern : without_row) {
      const std::size_t row = free_rows.Find(pattern);
      if (row == rows_.size()) {
        rows_.push_back({.title = TitleOf(pattern.sum)});
        rows_.back().sides.resize(sides_);
        first_.push_back({pattern.sum.name, pattern.sum.text});
      }
      Fill(row, std::move(pattern), side);
    }
  }

  std::vector<AlignedPattern> Finish() { return std::move(rows_); }

 private:
  void Fill(std::size_t row, NamedPattern pattern, std::size_t side) {
    std::vector<std::string>& ids = rows_[row].ids;
    std::unordered_set<std::string> known(ids.begin(), ids.end());
    for (const std::string& id : pattern.ids) {
      if (known.insert(id).second) ids.push_back(id);
    }
    // Later measurements, whose ids may be others, find the row by this name.
    if (first_[row].name.empty()) first_[row].name = pattern.sum.name;
    if (!first_[row].name.empty()) row_of_.try_emplace(first_[row].name, row);
    rows_[row].sides[side] = std::make_unique<NamedPattern>(std::move(pattern));
  }

  const std::size_t sides_;
  std::vector<AlignedPattern> rows_;
  std::vector<FirstPattern> first_;                      // for each row
  std::unordered_map<std::string, std::size_t> row_of_;  // by the name of the first pattern
};

}  // namespace

std::vector<AlignedPattern> AlignPatterns(std::span<const Measurement* const> measurements) {
  AlignedRows rows(measurements.size());
  for (std::size_t side = 0; side < measurements.size(); ++side) {
    rows.Add(*measurements[side], side);
  }
  return rows.Finish();
}

// --- The rows of a comparison ---

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
    side.vector_bytes_searched_a_call = pattern.vector_bytes_searched / side.calls;
    side.vector_bytes_written_a_call = pattern.vector_bytes_written / side.calls;
  }
  side.p99_read_units = pattern.call.read_units.Percentile(0.99);
  side.p99_write_units = pattern.call.write_units.Percentile(0.99);
  side.examined_per_returned = ExaminedPerReturned(pattern);
  side.usd_per_million = PriceOfPattern(measurement, pattern, prices).usd_per_million;
  return side;
}

// Returns the rows of patterns; the patterns of the first measurement come first.
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
    if (table.vector_index_bytes > 0) {
      RowFor(rows, table.name, "vector indexes", sides).sides[side] = {
          true, 0, static_cast<double>(table.vector_index_bytes)};
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

// --- What got worse ---

// The figures of a pattern in one measurement.
struct SideFigure {
  enum class Unit : std::uint8_t { kUnits, kUsd, kVectorBytes };
  std::string_view name;  // in JSON, which lacks bytes of vectors where there are none
  double PatternSide::*of;
  std::string_view what;  // in sentences; empty: a greater figure is not worse
  Unit unit = Unit::kUnits;
};
constexpr SideFigure kSideFigures[] = {
    {"calls", &PatternSide::calls, ""},
    {"read_units_a_call", &PatternSide::read_units_a_call, "read units a call"},
    {"write_units_a_call", &PatternSide::write_units_a_call, "write units a call"},
    {"p99_read_units", &PatternSide::p99_read_units, "p99 of read units"},
    {"p99_write_units", &PatternSide::p99_write_units, "p99 of write units"},
    {"examined_per_returned", &PatternSide::examined_per_returned,
     "items examined for each returned"},
    {"usd_per_million", &PatternSide::usd_per_million, "US$ per million calls",
     SideFigure::Unit::kUsd},
    {"vector_bytes_searched_a_call", &PatternSide::vector_bytes_searched_a_call,
     "bytes of vectors searched a call", SideFigure::Unit::kVectorBytes},
    {"vector_bytes_written_a_call", &PatternSide::vector_bytes_written_a_call,
     "bytes of vectors written a call", SideFigure::Unit::kVectorBytes},
};

// Keeps a difference of exactly the tolerated amount from being lost in rounding.
constexpr double kAmountRounding = 1e-9;

// Finds what got worse than in the first measurement, in every measurement after it: of patterns,
// then of storage, then of the first limit. A pattern or index that is new has none.
class RegressionSearch {
 public:
  RegressionSearch(const Comparison& comparison, const CompareInput& input)
      : comparison_(comparison), tolerance_(input.tolerance) {
    // As much money as the tolerated units would be if they were reads.
    const std::string_view reads = UsageTypeOf(Charge::kReadRequest, false);
    tolerated_usd_ = 1e6 * tolerance_.units * UnitUsd(input.prices, reads);
  }

  std::vector<Regression> Run() && {
    for (std::size_t side = 1; side < comparison_.sides.size(); ++side) {
      for (const PatternRow& row : comparison_.patterns) ComparePattern(row, side);
      for (const StorageRow& row : comparison_.storage) CompareStorage(row, side);
      CompareFirstLimit(side);
    }
    return std::move(found_);
  }

 private:
  bool IsWorse(double before, double now, double amount) const {
    return now > before * (1 + tolerance_.share) && now - before >= amount - kAmountRounding;
  }

  void ComparePattern(const PatternRow& row, std::size_t side) {
    if (!row.sides[0].is_present || !row.sides[side].is_present) return;
    for (const SideFigure& figure : kSideFigures) {
      if (figure.what.empty()) continue;
      const double before = row.sides[0].*figure.of;
      const double now = row.sides[side].*figure.of;
      const double amount = figure.unit == SideFigure::Unit::kUsd ? tolerated_usd_
                            : figure.unit == SideFigure::Unit::kVectorBytes
                                ? tolerance_.vector_bytes
                                : tolerance_.units;
      if (!IsWorse(before, now, amount)) continue;
      AddRise(side, std::string(figure.what), row.title, before, now);
    }
  }

  void CompareStorage(const StorageRow& row, std::size_t side) {
    const StorageSide& before = row.sides[0];
    const StorageSide& now = row.sides[side];
    if (!before.is_present || !now.is_present) return;
    if (!IsWorse(before.billed_bytes, now.billed_bytes, tolerance_.bytes)) return;
    const std::string where = row.index.empty() ? row.table : row.index + " of " + row.table;
    AddRise(side, "stored bytes", where, before.billed_bytes, now.billed_bytes);
  }

  void CompareFirstLimit(std::size_t side) {
    const LimitRow* const before = FirstReproducibleLimit(comparison_.sides[0].limits);
    const LimitRow* const now = FirstReproducibleLimit(comparison_.sides[side].limits);
    if (!before || !now) return;
    // The counters have an error: only intervals that do not meet are a difference.
    const double tolerated = before->least_calls_per_second * (1 - tolerance_.share);
    if (now->greatest_calls_per_second >= tolerated) return;
    found_.push_back(
        {side, "first limit", now->index.empty() ? now->table : now->index,
         before->least_calls_per_second, now->least_calls_per_second,
         "The first limit fell: it is " + now->sentence + "; it was " + before->sentence + "."});
  }

  void AddRise(std::size_t side, std::string what, const std::string& where, double before,
               double now) {
    std::string sentence =
        where + ": " + what + " rose from " + NumberText(before) + " to " + NumberText(now) + ".";
    found_.push_back({side, std::move(what), where, before, now, std::move(sentence)});
  }

  const Comparison& comparison_;
  const Tolerance& tolerance_;
  double tolerated_usd_ = 0;
  std::vector<Regression> found_;
};

}  // namespace

Comparison Compare(std::span<const Measurement> measurements, const CompareInput& input) {
  Comparison comparison;
  for (std::size_t side = 0; side < measurements.size(); ++side) {
    comparison.sides.push_back(MeasurementSideOf(measurements[side], input));
    AddStorage(comparison.storage, measurements[side], side, measurements.size());
  }
  comparison.patterns = PatternRowsOf(measurements, input.prices);
  comparison.regressions = RegressionSearch(comparison, input).Run();
  return comparison;
}

// --- JSON ---

namespace {

void WriteSide(const PatternSide& side, JsonWriter& writer) {
  writer.BoolMember("is_present", side.is_present);
  if (!side.is_present) return;
  for (const SideFigure& figure : kSideFigures) {
    const bool is_left_out = figure.unit == SideFigure::Unit::kVectorBytes && side.*figure.of == 0;
    if (!is_left_out) WriteFigureMember(figure.name, side.*figure.of, writer);
  }
}

}  // namespace

void WriteComparison(const Comparison& comparison, JsonWriter& writer) {
  writer.BeginObject();
  writer.BoolMember("passed", comparison.regressions.empty());
  WriteObjectsMember(
      "regressions", comparison.regressions, writer, [&](const Regression& regression) {
        writer.IntegerMember("measurement", static_cast<std::int64_t>(regression.side));
        writer.StringMember("what", regression.what);
        writer.StringMember("where", regression.where);
        WriteFigureMember("before", regression.before, writer);
        WriteFigureMember("now", regression.now, writer);
        writer.StringMember("sentence", regression.sentence);
      });
  WriteObjectsMember("measurements", comparison.sides, writer, [&](const MeasurementSide& side) {
    writer.StringMember("name", side.name);
    WriteFigureMember("calls", side.calls, writer);
    WriteFigureMember("usd_per_million", side.usd_per_million, writer);
    WriteFigureMember("storage_usd", side.storage_usd, writer);
    const LimitRow* const limit = FirstReproducibleLimit(side.limits);
    if (limit) writer.StringMember("first_limit", limit->sentence);
  });
  WriteObjectsMember("patterns", comparison.patterns, writer, [&](const PatternRow& row) {
    writer.StringMember("title", row.title);
    WriteObjectsMember("sides", row.sides, writer,
                       [&](const PatternSide& side) { WriteSide(side, writer); });
  });
  WriteObjectsMember("storage", comparison.storage, writer, [&](const StorageRow& row) {
    writer.StringMember("table", row.table);
    writer.StringMember("index", row.index);
    WriteObjectsMember("sides", row.sides, writer, [&](const StorageSide& side) {
      writer.BoolMember("is_present", side.is_present);
      if (!side.is_present) return;
      writer.IntegerMember("items", side.items);
      WriteFigureMember("billed_bytes", side.billed_bytes, writer);
    });
  });
  writer.EndObject();
}

}  // namespace hashrange
