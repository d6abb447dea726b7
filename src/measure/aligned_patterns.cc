#include "measure/aligned_patterns.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hashrange {
namespace {

bool HaveOneInCommon(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::any_of(
      a, [&b](const std::string& id) { return std::ranges::find(b, id) != b.end(); });
}

// The rows, filled with one measurement after another.
class AlignedRows {
 public:
  explicit AlignedRows(std::size_t sides) : sides_(sides) {}

  void Add(const Measurement& measurement, std::size_t side) {
    // Names first: a row that another pattern's name fits is not taken by an id.
    std::vector<NamedPattern> without_row;
    for (NamedPattern& pattern : PatternsByName(measurement)) {
      if (const auto row = FindByName(pattern.sum.name); row < rows_.size()) {
        Fill(row, std::move(pattern), side);
      } else {
        without_row.push_back(std::move(pattern));
      }
    }
    for (NamedPattern& pattern : without_row) {
      const auto row = FindUnnamed(pattern, side);
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
  // The pattern that began a row, with the first name that the row's patterns have.
  struct FirstPattern {
    std::string name;
    std::string text;
  };

  // Each returns the number of the row, or the number of all rows when there is none.
  std::size_t FindByName(const std::string& name) const {
    if (name.empty()) return rows_.size();
    return static_cast<std::size_t>(std::ranges::find(first_, name, &FirstPattern::name) -
                                    first_.begin());
  }
  // The id of a pattern depends on its name. So the text decides where one of two has no name.
  std::size_t FindUnnamed(const NamedPattern& pattern, std::size_t side) const {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (rows_[row].sides[side]) continue;
      const FirstPattern& first = first_[row];
      const bool one_is_unnamed = first.name.empty() || pattern.sum.name.empty();
      const bool same_text =
          one_is_unnamed && !first.text.empty() && first.text == pattern.sum.text;
      if (same_text || HaveOneInCommon(rows_[row].ids, pattern.ids)) return row;
    }
    return rows_.size();
  }

  void Fill(std::size_t row, NamedPattern pattern, std::size_t side) {
    std::vector<std::string>& ids = rows_[row].ids;
    for (const std::string& id : pattern.ids) {
      if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    }
    // Later measurements, whose ids may be others, find the row by this name.
    if (first_[row].name.empty()) first_[row].name = pattern.sum.name;
    rows_[row].sides[side] = std::move(pattern);
  }

  const std::size_t sides_;
  std::vector<AlignedPattern> rows_;
  std::vector<FirstPattern> first_;  // for each row
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
