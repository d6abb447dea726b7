#include "measure/named_patterns.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "measure/key_templates.h"
#include "measure/measured_tables.h"
#include "wire/object_reader.h"

namespace hashrange {

// --- Text, id and title ---

namespace {

void AppendKey(const PatternMember& member, std::string* text) {
  const char* before = " where ";
  for (const KeyTerm& term : member.key) {
    text->append(before).append(term.attribute).append(" ").append(term.op).append(" ");
    *text += term.value;
    if (term.op == "BETWEEN") text->append(" and ").append(term.upper);
    before = " and ";
  }
}

void AppendTerms(const PatternMember& member, std::string* text) {
  const bool is_read = member.kind == "get" || member.kind == "query" || member.kind == "scan";
  if (member.consistent) text->append(", consistent");
  if (member.backward) text->append(", backward");
  if (member.counts_only) text->append(", count only");
  if (member.limit > 0) text->append(", limit ").append(std::to_string(member.limit));
  if (!member.update.empty()) text->append(": ").append(member.update);
  if (!member.condition.empty()) {
    text->append(is_read ? ", filter " : ", if ").append(member.condition);
  }
  if (!member.projection.empty()) text->append(", only ").append(member.projection);
}

// The kinds of accesses that an operation makes anyway need no word of their own.
bool SaysKind(std::string_view operation) {
  return operation.starts_with("Batch") || operation.starts_with("Transact") ||
         operation.starts_with("Execute");
}

}  // namespace

std::string ResourceText(const std::string& table, const std::string& index) {
  return index.empty() ? table : table + "/" + index;
}

std::string PatternText(const PatternMeasure& pattern) {
  std::string text = pattern.operation;
  const char* before = " ";
  for (const PatternMember& member : pattern.members) {
    text += before;
    if (SaysKind(pattern.operation)) text.append(member.kind).append(" ");
    text += ResourceText(member.table, member.index);
    AppendKey(member, &text);
    AppendTerms(member, &text);
    before = "; ";
  }
  return text;
}

std::string PatternId(const PatternMeasure& pattern) {
  constexpr char kDigits[] = "0123456789abcdef";
  constexpr int kLength = 12;
  std::uint64_t hash = HashOfToken(pattern.name + '\n' + PatternText(pattern));
  std::string id;
  for (int i = 0; i < kLength; ++i, hash >>= 4) id += kDigits[hash & 15];
  return id;
}

std::string TitleOf(const PatternMeasure& pattern) {
  if (!pattern.name.empty()) return pattern.name;
  return pattern.text.empty() ? pattern.id : pattern.text;
}

bool IsMeant(const PatternMeasure& pattern, std::string_view key) {
  return !key.empty() && (key == pattern.name || key == pattern.id || key == pattern.text);
}

// --- Names from a list of matches ---

namespace {

void ReadOptionalText(ObjectReader& fields, std::string_view name,
                      std::optional<std::string>& target) {
  if (fields.Member(name)) target = fields.Text(name);
}

Result<PatternMatch> ReadPatternMatch(const JsonValue& json, std::string place) {
  PatternMatch match;
  ObjectReader fields(json, std::move(place));
  fields.Require("name");
  match.name = fields.Text("name");
  ReadOptionalText(fields, "operation", match.operation);
  ReadOptionalText(fields, "table", match.table);
  ReadOptionalText(fields, "index", match.index);
  ReadOptionalText(fields, "partition_key", match.partition_key);
  ReadOptionalText(fields, "sort_key", match.sort_key);
  ReadOptionalText(fields, "caller", match.caller);
  if (match.name.empty()) fields.Fail("name", "is empty.");
  HR_RETURN_IF_ERROR(fields.Finish());
  return match;
}

// Returns how many terms of a key the partition key may have, on one table or index.
std::size_t PartsOfPartitionKey(const Measurement& measurement, const PatternMember& member) {
  for (const TableMeasure& table : measurement.tables) {
    if (table.name != member.table) continue;
    if (member.index.empty()) return table.hash.size();
    for (const IndexMeasure& index : table.indexes) {
      if (index.name == member.index) return index.hash.size();
    }
  }
  return 1;  // the table is gone: a partition key has one part as a rule
}

std::string JoinedTerms(std::span<const KeyTerm> terms) {
  std::string text;
  for (const KeyTerm& term : terms) {
    if (!text.empty()) text += ", ";
    text += term.value;
    if (!term.upper.empty()) text += " AND " + term.upper;
  }
  return text;
}

bool Fits(const std::optional<std::string>& wanted, std::string_view text) {
  return !wanted || MatchesStars(text, *wanted);
}

bool MemberFits(const PatternMatch& match, const PatternMember& member, const Measurement& in) {
  const std::span<const KeyTerm> key = member.key;
  const std::size_t parts = std::min(PartsOfPartitionKey(in, member), key.size());
  const bool table_fits =
      Fits(match.table, member.table) || Fits(match.table, OwnTableName(member.table));
  return table_fits && Fits(match.index, member.index) &&
         Fits(match.partition_key, JoinedTerms(key.first(parts))) &&
         Fits(match.sort_key, JoinedTerms(key.subspan(parts)));
}

bool PatternFits(const PatternMatch& match, const PatternMeasure& pattern, const Measurement& in) {
  if (!Fits(match.operation, pattern.operation)) return false;
  const bool caller_fits =
      !match.caller || std::ranges::any_of(pattern.callers, [&match](const NamedCount& caller) {
        return Fits(match.caller, caller.name);
      });
  if (!caller_fits) return false;
  if (pattern.members.empty()) return MemberFits(match, PatternMember{}, in);
  return std::ranges::any_of(
      pattern.members, [&](const PatternMember& member) { return MemberFits(match, member, in); });
}

}  // namespace

Result<std::vector<PatternMatch>> ReadPatternMatches(const JsonValue& json,
                                                     std::string_view place) {
  HR_ASSIGN(const std::span<const JsonValue> elements, ReadJsonList(json, std::string(place)));
  std::vector<PatternMatch> matches;
  for (const JsonValue& element : elements) {
    HR_ASSIGN(
        PatternMatch match,
        ReadPatternMatch(element, std::string(place) + "[" + std::to_string(matches.size()) + "]"));
    matches.push_back(std::move(match));
  }
  return matches;
}

// Each part between two stars is searched behind the part before it. memmem takes linear time.
bool MatchesStars(std::string_view text, std::string_view pattern) {
  const std::size_t first_star = pattern.find('*');
  if (first_star == pattern.npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, first_star))) return false;
  text.remove_prefix(first_star);
  pattern.remove_prefix(first_star + 1);
  for (std::size_t star; (star = pattern.find('*')) != pattern.npos;) {
    const void* const part = ::memmem(text.data(), text.size(), pattern.data(), star);
    if (!part) return false;
    text.remove_prefix(static_cast<std::size_t>(static_cast<const char*>(part) - text.data()) +
                       star);
    pattern.remove_prefix(star + 1);
  }
  return text.ends_with(pattern);
}

void NamePatterns(std::span<const PatternMatch> matches, Measurement& measurement) {
  for (PatternMeasure& pattern : measurement.patterns) {
    if (!pattern.name.empty()) continue;
    const auto match = std::ranges::find_if(
        matches, [&](const PatternMatch& each) { return PatternFits(each, pattern, measurement); });
    if (match != matches.end()) pattern.name = match->name;
  }
}

// --- Rates that a designer declares ---

Result<std::vector<CallRate>> ReadCallRates(const JsonValue& json, std::string_view place) {
  ObjectReader fields(json, std::string(place));
  std::vector<CallRate> rates;
  for (const JsonMember& member : fields.Entries()) {
    rates.push_back({std::string(member.name), fields.Number(member.name)});
  }
  HR_RETURN_IF_ERROR(fields.Finish());
  return rates;
}

PatternRates RatesOfPatterns(const Measurement& measurement, std::span<const CallRate> rates) {
  const auto& patterns = measurement.patterns;
  PatternRates result;
  result.calls_per_second.resize(patterns.size());
  std::vector<bool> has_rate(patterns.size());
  for (const CallRate& rate : rates) {
    double calls = 0;
    for (const PatternMeasure& pattern : patterns) {
      if (IsMeant(pattern, rate.pattern)) calls += CallsOf(pattern);
    }
    if (calls == 0) {
      result.without_calls.push_back(rate.pattern);
      continue;
    }
    result.total += rate.calls_per_second;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      if (!IsMeant(patterns[i], rate.pattern)) continue;
      has_rate[i] = true;
      result.calls_per_second[i] += rate.calls_per_second * CallsOf(patterns[i]) / calls;
    }
  }
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (!has_rate[i]) result.without_rate.push_back(TitleOf(patterns[i]));
  }
  return result;
}

// --- Patterns of one name ---

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

// --- Figures of a pattern ---

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
