#include "measure/named_patterns.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace hashrange {
namespace {

void AddCounts(std::vector<NamedCount>& counts, const std::vector<NamedCount>& added) {
  for (const NamedCount& each : added) {
    const auto same = std::ranges::find(counts, each.name, &NamedCount::name);
    if (same == counts.end()) {
      counts.push_back(each);
    } else {
      same->count += each.count;
    }
  }
}

void AddUnits(std::vector<ResourceUnits>& units, const std::vector<ResourceUnits>& added) {
  for (const ResourceUnits& each : added) {
    const auto same = std::ranges::find_if(units, [&each](const ResourceUnits& row) {
      return row.table == each.table && row.index == each.index;
    });
    if (same == units.end()) {
      units.push_back(each);
    } else {
      same->read_units += each.read_units;
      same->write_units += each.write_units;
    }
  }
}

void AddMoves(std::vector<IndexMoves>& moves, const std::vector<IndexMoves>& added) {
  for (const IndexMoves& each : added) {
    const auto same = std::ranges::find_if(moves, [&each](const IndexMoves& row) {
      return row.table == each.table && row.index == each.index;
    });
    if (same == moves.end()) {
      moves.push_back(each);
    } else {
      same->moved += each.moved;
    }
  }
}

void AddSizes(CallSizes& sizes, const CallSizes& added) {
  for (const auto member :
       {&CallSizes::read_units, &CallSizes::write_units, &CallSizes::items_examined,
        &CallSizes::items_returned, &CallSizes::bytes_examined, &CallSizes::bytes_returned}) {
    (sizes.*member).Add(added.*member);
  }
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
    &PatternMeasure::failed_read_units,
    &PatternMeasure::failed_write_units,
    &PatternMeasure::item_bytes_written,
    &PatternMeasure::changed_bytes,
};
constexpr Distribution PatternMeasure::*kDistributions[] = {
    &PatternMeasure::members_a_call,
    &PatternMeasure::pages_a_call,
    &PatternMeasure::request_bytes,
};

void AddPattern(PatternMeasure& sum, const PatternMeasure& added) {
  for (const auto counter : kCounters) sum.*counter += added.*counter;
  for (const auto each : kSums) sum.*each += added.*each;
  for (const auto each : kDistributions) (sum.*each).Add(added.*each);
  AddSizes(sum.call, added.call);
  AddSizes(sum.page, added.page);
  AddCounts(sum.errors, added.errors);
  AddCounts(sum.throttles, added.throttles);
  AddCounts(sum.callers, added.callers);
  AddUnits(sum.units, added.units);
  AddMoves(sum.index_moves, added.index_moves);
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

std::vector<NamedPattern> PatternsByName(const Measurement& measurement) {
  std::vector<NamedPattern> named;
  for (const PatternMeasure& pattern : measurement.patterns) {
    const auto same = std::ranges::find_if(named, [&pattern](const NamedPattern& each) {
      return !pattern.name.empty() && each.sum.name == pattern.name;
    });
    if (same == named.end()) {
      named.push_back({{pattern.id}, pattern});
    } else {
      same->ids.push_back(pattern.id);
      AddPattern(same->sum, pattern);
      same->sum.members.insert(same->sum.members.end(), pattern.members.begin(),
                               pattern.members.end());
    }
  }
  return named;
}

void MergeAlikePatterns(Measurement& measurement) {
  std::vector<PatternMeasure> merged;
  for (PatternMeasure& pattern : measurement.patterns) {
    const auto alike = std::ranges::find_if(
        merged, [&pattern](const PatternMeasure& each) { return AreAlike(each, pattern); });
    if (alike == merged.end()) {
      merged.push_back(std::move(pattern));
    } else {
      AddPattern(*alike, pattern);
    }
  }
  measurement.patterns = std::move(merged);
}

std::string TitleOf(const PatternMeasure& pattern) {
  if (!pattern.name.empty()) return pattern.name;
  return pattern.text.empty() ? pattern.id : pattern.text;
}

bool IsMeant(const PatternMeasure& pattern, std::string_view key) {
  return !key.empty() && (key == pattern.name || key == pattern.id || key == pattern.text);
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
