#include "lab/file/lab_patterns.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lab/file/lab_conditions.h"
#include "lab/file/lab_names.h"
#include "lab/file/lab_picks.h"
#include "lab/file/lab_scalars.h"
#include "lab/file/lab_writes.h"
#include "lab/file/node_reader.h"

namespace hashrange {
namespace {

constexpr std::int64_t kGreatestLimit = 1'000'000;
constexpr std::int64_t kGreatestBatch = 10'000;

void ReadEntitiesOfQuery(const LabNode& node, LabPattern& pattern, LabReading& reading) {
  for (const LabName name : ReadNames(node, "`query`", reading)) {
    const int entity = FindEntity(name, reading);
    if (entity == kLabNone) return;
    if (std::ranges::find(pattern.entities, entity) != pattern.entities.end()) {
      return reading.Fail(name.place, std::string(name.text) + " is here twice");
    }
    pattern.entities.push_back(entity);
  }
  if (pattern.entities.empty()) reading.Fail(node.place, "`query` needs an entity");
}

void ReadReturns(const LabNode& node, LabPattern& pattern, LabReading& reading) {
  for (const LabName name : ReadNames(node, "`returns`", reading)) {
    bool is_known = false;
    for (const int entity : pattern.entities) {
      const LabAttributeRef found = KnownAttribute(reading.file, entity, name.text);
      if (found.entity == kLabNone) continue;
      is_known = true;
      if (std::ranges::find(pattern.returns, found) != pattern.returns.end()) continue;
      pattern.returns.push_back(found);
    }
    if (!is_known) FindKnownAttribute(pattern.entities.front(), name, reading);
  }
}

void ReadBounds(const LabNode& node, LabRange& range, LabReading& reading) {
  NodeReader map(node, "`range`", reading);
  const LabNode* const both = map.Member("between");
  if (both && both->elements.size() != 2) {
    reading.Fail(both->place, "`between` has to be a list of two values, such as [A, M]");
  } else if (both) {
    range.from = ReadValueOf(both->elements[0], range.attribute, reading);
    range.to = ReadValueOf(both->elements[1], range.attribute, reading);
  }
  if (const LabNode* const from = map.Member("from")) {
    range.from = ReadValueOf(*from, range.attribute, reading);
  }
  if (const LabNode* const to = map.Member("to")) {
    range.to = ReadValueOf(*to, range.attribute, reading);
  }
  map.Finish();
}

void ReadRange(const LabNode& node, LabPattern& pattern, LabReading& reading) {
  constexpr std::int64_t kLongestPrefix = 1024;
  LabRange& range = pattern.range;
  if (node.kind != LabNode::Kind::kMap || node.members.size() != 1) {
    return reading.Fail(node.place,
                        "`range` has to be a map of one attribute, such as "
                        "{created_at: {last: 7d}}");
  }
  const LabNode::Member& member = node.members.front();
  range.attribute =
      FindKnownAttribute(pattern.entities.front(), {member.name, member.place}, reading);
  if (range.attribute.entity == kLabNone) return;
  const LabNode* const last = member.value.Find("last");
  const LabNode* const prefix = member.value.Find("prefix");
  if (!last && !prefix) {
    range.kind = LabRange::Kind::kBetween;
    ReadBounds(member.value, range, reading);
    if (range.from || range.to) return;
    return reading.Fail(member.place, "`range` needs `last`, `between`, `from`, `to` or `prefix`");
  }
  range.kind = last ? LabRange::Kind::kLast : LabRange::Kind::kPrefix;
  NodeReader map(member.value, "`range`", reading);
  if (map.OneOf({"last", "prefix"}) == 0) {
    range.last_ms = ReadLabDuration(*last, "`last`", reading);
    const LabAttribute& time = AttributeOf(reading.file, range.attribute);
    if (time.generator.kind != LabGenerator::Kind::kTime) {
      reading.Fail(last->place, "`last` is for times, and \"" + time.name + "\" is no `time`");
    }
  } else if (prefix) {
    range.prefix = static_cast<int>(ReadLabWhole(*prefix, "`prefix`", 1, kLongestPrefix, reading));
  }
  map.Finish();
}

void ReadOrder(const LabNode& node, LabPattern& pattern, LabReading& reading) {
  std::string_view name = node.text;
  pattern.is_descending = name.starts_with('-');
  if (pattern.is_descending) name.remove_prefix(1);
  pattern.order = FindKnownAttribute(pattern.entities.front(), {name, node.place}, reading);
}

void ReadMembersOfQuery(NodeReader& map, LabPattern& pattern) {
  LabReading& reading = map.reading();
  if (const LabNode* const range = map.Member("range")) ReadRange(*range, pattern, reading);
  if (const LabNode* const order = map.Member("order")) ReadOrder(*order, pattern, reading);
  if (const LabNode* const limit = map.Member("limit")) {
    pattern.limit = ReadLabWhole(*limit, "`limit`", 1, kGreatestLimit, reading);
  }
}

void ReadRead(NodeReader& map, LabPattern& pattern) {
  LabReading& reading = map.reading();
  if (pattern.entities.empty() || !reading.ok()) return;
  const bool is_get = pattern.kind == LabPattern::Kind::kGet;
  const LabNode* const by = is_get ? map.Require("by") : map.Member("by");
  if (by) {
    LabKnown known = ReadBy(*by, pattern.entities.front(), reading);
    pattern.by = std::move(known.attributes);
    pattern.constants = std::move(known.constants);
  }
  if (!is_get) ReadMembersOfQuery(map, pattern);
  if (const LabNode* const returns = map.Member("returns")) ReadReturns(*returns, pattern, reading);
  if (const LabNode* const consistent = map.Member("consistent")) {
    pattern.is_consistent = ReadLabFlag(*consistent, "`consistent`", reading);
  }
}

// Reads what the pattern does. Returns the entity that it is about.
int ReadVerb(NodeReader& map, LabPattern& pattern) {
  LabReading& reading = map.reading();
  const std::vector<std::string> verbs = {"get", "query", "create", "update", "delete"};
  const int found = map.OneOf(verbs);
  if (found < 0) return kLabNone;
  const LabNode& value = *map.node().Find(verbs[static_cast<std::size_t>(found)]);
  if (found == 1) {
    pattern.kind = LabPattern::Kind::kQuery;
    ReadEntitiesOfQuery(value, pattern, reading);
    ReadRead(map, pattern);
    return pattern.entities.empty() ? kLabNone : pattern.entities.front();
  }
  const int entity = FindEntity(NameIn(value), reading);
  if (entity == kLabNone) return kLabNone;
  if (found == 0) {
    pattern.entities = {entity};
    ReadRead(map, pattern);
  } else {
    pattern.kind = LabPattern::Kind::kWrite;
    ReadWrites(map, static_cast<LabWrite::Kind>(found - 2), entity, pattern);
  }
  return entity;
}

bool AllowsBatch(const LabPattern& pattern) {
  if (pattern.kind != LabPattern::Kind::kWrite) return pattern.kind == LabPattern::Kind::kGet;
  return pattern.writes.front().kind != LabWrite::Kind::kUpdate;
}

LabPattern ReadPattern(const LabNode::Member& member, LabReading& reading) {
  LabPattern pattern;
  pattern.name = member.name;
  pattern.place = member.place;
  NodeReader map(member.value, "the pattern \"" + member.name + "\"", reading);
  const int entity = ReadVerb(map, pattern);
  if (entity == kLabNone || !reading.ok()) return pattern;
  if (AllowsBatch(pattern)) {
    if (const LabNode* const batch = map.Member("batch")) {
      pattern.batch = static_cast<int>(ReadLabWhole(*batch, "`batch`", 1, kGreatestBatch, reading));
    }
  }
  if (const LabNode* const transaction = map.Member("transaction")) {
    pattern.is_transaction = ReadLabFlag(*transaction, "`transaction`", reading);
  }
  if (const LabNode* const rate = map.Member("rate")) {
    pattern.calls_per_second = ReadLabRate(*rate, "`rate`", reading);
  }
  if (const LabNode* const pick = map.Member("pick")) {
    pattern.pick = ReadPick(*pick, entity, reading);
  }
  map.Finish();
  return pattern;
}

}  // namespace

void ReadPatterns(const LabNode& node, LabReading& reading) {
  if (node.kind != LabNode::Kind::kMap || node.members.empty()) {
    return reading.Fail(node.place, "`access_patterns` has to be a map of patterns");
  }
  for (const LabNode::Member& member : node.members) {
    reading.file.patterns.push_back(ReadPattern(member, reading));
  }
}

int FindPattern(LabName name, LabReading& reading) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < reading.file.patterns.size(); ++i) {
    names.push_back(reading.file.patterns[i].name);
    if (names.back() == name.text) return static_cast<int>(i);
  }
  reading.Fail(name.place, "there is no pattern \"" + std::string(name.text) + "\"" +
                               KnownNames(name.text, names));
  return kLabNone;
}

}  // namespace hashrange
