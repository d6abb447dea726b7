#include "measure/cost/aligned_patterns.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace hashrange {
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

}  // namespace hashrange
