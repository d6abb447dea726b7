#include "measure/pattern_names.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "measure/key_templates.h"
#include "measure/measured_tables.h"
#include "wire/object_reader.h"

namespace hashrange {
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
  const bool is_read = member.kind == "get" || member.kind == "query" || member.kind == "scan" ||
                       member.kind == "search";
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

}  // namespace hashrange
