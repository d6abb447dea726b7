#include "measure/pattern_sums.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hashrange {
namespace {

using Group = std::vector<const PatternMeasure*>;
using RowKey = std::pair<std::string_view, std::string_view>;

RowKey KeyOf(const NamedCount& count) { return {count.name, {}}; }
RowKey KeyOf(const ResourceUnits& units) { return {units.table, units.index}; }
RowKey KeyOf(const IndexMoves& moves) { return {moves.table, moves.index}; }

void AddRow(NamedCount& sum, const NamedCount& added) { sum.count += added.count; }
void AddRow(ResourceUnits& sum, const ResourceUnits& added) {
  sum.read_units += added.read_units;
  sum.write_units += added.write_units;
}
void AddRow(IndexMoves& sum, const IndexMoves& added) { sum.moved += added.moved; }

// Returns the rows of all patterns. Rows of one key are added up.
template <typename Row>
std::vector<Row> SumOfRows(const Group& group, std::vector<Row> PatternMeasure::*rows) {
  std::vector<Row> sums;
  std::map<RowKey, std::size_t> places;
  for (const PatternMeasure* const pattern : group) {
    for (const Row& row : pattern->*rows) {
      const auto [place, is_new] = places.try_emplace(KeyOf(row), sums.size());
      if (is_new) {
        sums.push_back(row);
      } else {
        AddRow(sums[place->second], row);
      }
    }
  }
  return sums;
}

constexpr std::uint64_t PatternMeasure::*kCounters[] = {
    &PatternMeasure::calls,       &PatternMeasure::requests,
    &PatternMeasure::conflicts,   &PatternMeasure::failed_conditions,
    &PatternMeasure::unprocessed, &PatternMeasure::abandoned_unprocessed,
    &PatternMeasure::replays,     &PatternMeasure::missing,
    &PatternMeasure::empty,       &PatternMeasure::inserted,
    &PatternMeasure::changed,     &PatternMeasure::removed,
};
constexpr double PatternMeasure::*kSums[] = {
    &PatternMeasure::failed_read_units,     &PatternMeasure::failed_write_units,
    &PatternMeasure::item_bytes_written,    &PatternMeasure::changed_bytes,
    &PatternMeasure::vector_bytes_searched, &PatternMeasure::vector_bytes_written,
};
constexpr Distribution PatternMeasure::*kDistributions[] = {
    &PatternMeasure::members_a_call,
    &PatternMeasure::pages_a_call,
    &PatternMeasure::request_bytes,
};

// Returns the sum of the patterns, of which there is one at least. Members that cannot be added up
// are the first pattern's.
PatternMeasure SumOf(const Group& group) {
  PatternMeasure sum = *group.front();
  if (group.size() == 1) return sum;
  for (const PatternMeasure* const added : std::span(group).subspan(1)) AddFigures(sum, *added);
  for (const auto counts :
       {&PatternMeasure::errors, &PatternMeasure::throttles, &PatternMeasure::callers}) {
    sum.*counts = SumOfRows(group, counts);
  }
  sum.units = SumOfRows(group, &PatternMeasure::units);
  sum.index_moves = SumOfRows(group, &PatternMeasure::index_moves);
  return sum;
}

bool HaveSameTerms(const KeyTerm& one, const KeyTerm& other) {
  return one.attribute == other.attribute && one.op == other.op && one.value == other.value &&
         one.upper == other.upper;
}

bool HaveSameAccess(const PatternMember& one, const PatternMember& other) {
  return one.kind == other.kind && one.table == other.table && one.index == other.index &&
         std::ranges::equal(one.key, other.key, HaveSameTerms);
}

bool AreAlike(const PatternMeasure& one, const PatternMeasure& other) {
  return !one.name.empty() && one.name == other.name && one.operation == other.operation &&
         std::ranges::equal(one.members, other.members, HaveSameAccess);
}

}  // namespace

void AddSizes(CallSizes& sizes, const CallSizes& added) {
  for (const auto each : kCallSizes) (sizes.*each).Add(added.*each);
}

void AddFigures(PatternMeasure& sum, const PatternMeasure& added) {
  for (const auto counter : kCounters) sum.*counter += added.*counter;
  for (const auto each : kSums) sum.*each += added.*each;
  for (const auto each : kDistributions) (sum.*each).Add(added.*each);
  AddSizes(sum.call, added.call);
  AddSizes(sum.page, added.page);
}

std::vector<NamedPattern> PatternsByName(const Measurement& measurement) {
  std::vector<Group> groups;
  std::unordered_map<std::string_view, std::size_t> group_of;  // by name
  for (const PatternMeasure& pattern : measurement.patterns) {
    const auto [group, is_new] = group_of.try_emplace(pattern.name, groups.size());
    if (is_new || pattern.name.empty()) {
      groups.push_back({&pattern});
    } else {
      groups[group->second].push_back(&pattern);
    }
  }
  std::vector<NamedPattern> named;
  for (const Group& group : groups) {
    NamedPattern& pattern = named.emplace_back();
    pattern.sum = SumOf(group);
    for (const PatternMeasure* const each : group) {
      pattern.ids.push_back(each->id);
      if (each == group.front()) continue;
      pattern.sum.members.insert(pattern.sum.members.end(), each->members.begin(),
                                 each->members.end());
    }
  }
  return named;
}

void MergeAlikePatterns(Measurement& measurement) {
  std::vector<Group> groups;
  for (const PatternMeasure& pattern : measurement.patterns) {
    const auto alike = std::ranges::find_if(
        groups, [&pattern](const Group& group) { return AreAlike(*group.front(), pattern); });
    if (alike == groups.end()) {
      groups.push_back({&pattern});
    } else {
      alike->push_back(&pattern);
    }
  }
  std::vector<PatternMeasure> merged;
  for (const Group& group : groups) merged.push_back(SumOf(group));
  measurement.patterns = std::move(merged);
}

std::string MainTableOf(const PatternMeasure& pattern) {
  if (!pattern.members.empty()) return pattern.members.front().table;
  return pattern.units.empty() ? std::string() : pattern.units.front().table;
}

double CallsOf(const PatternMeasure& pattern) {
  return static_cast<double>(pattern.calls > 0 ? pattern.calls : pattern.requests);
}

double TotalOf(const std::vector<NamedCount>& counts) {
  double total = 0;
  for (const NamedCount& each : counts) total += static_cast<double>(each.count);
  return total;
}

double SuccessfulCallsOf(const PatternMeasure& pattern) {
  return std::max(0.0, CallsOf(pattern) - TotalOf(pattern.errors));
}

double ExaminedPerReturned(const PatternMeasure& pattern) {
  const double examined = pattern.call.items_examined.sum();
  const double returned = pattern.call.items_returned.sum();
  if (examined == 0) return 0;
  return returned == 0 ? std::numeric_limits<double>::infinity() : examined / returned;
}

}  // namespace hashrange
