#include "lab/language/lab_patterns.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lab/language/joined_names.h"
#include "lab/language/lab_names.h"
#include "lab/language/lab_picks.h"
#include "lab/language/lab_ranges.h"
#include "lab/language/lab_scalars.h"
#include "lab/language/lab_writes.h"
#include "lab/language/node_reader.h"

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

void ReadOrder(const LabNode& node, LabPattern& pattern, LabReading& reading) {
  std::string_view name = node.text;
  pattern.is_descending = name.starts_with('-');
  if (pattern.is_descending) name.remove_prefix(1);
  pattern.order = FindKnownAttribute(pattern.entities.front(), {name, node.place}, reading);
}

void ReadMembersOfQuery(NodeReader& map, LabPattern& pattern) {
  LabReading& reading = map.reading();
  if (const LabNode* const range = map.Member("range")) {
    pattern.range = ReadRange(*range, pattern.entities.front(), reading);
  }
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

struct VerbRow {
  const char* name;
  LabPattern::Kind kind;
  LabWrite::Kind write = {};  // of kWrite
};
constexpr VerbRow kVerbs[] = {
    {"get", LabPattern::Kind::kGet},
    {"query", LabPattern::Kind::kQuery},
    {"create", LabPattern::Kind::kWrite, LabWrite::Kind::kCreate},
    {"update", LabPattern::Kind::kWrite, LabWrite::Kind::kUpdate},
    {"delete", LabPattern::Kind::kWrite, LabWrite::Kind::kDelete},
};

// Reads what the pattern does. Returns the entity that it is about.
int ReadVerb(NodeReader& map, LabPattern& pattern) {
  LabReading& reading = map.reading();
  const VerbRow* const verb = map.OneOf(kVerbs);
  if (!verb) return kLabNone;
  pattern.kind = verb->kind;
  const LabNode& value = *map.node().Find(verb->name);
  if (verb->kind == LabPattern::Kind::kQuery) {
    ReadEntitiesOfQuery(value, pattern, reading);
    ReadRead(map, pattern);
    return pattern.entities.empty() ? kLabNone : pattern.entities.front();
  }
  const int entity = FindEntity(NameIn(value), reading);
  if (entity == kLabNone) return kLabNone;
  if (verb->kind == LabPattern::Kind::kGet) {
    pattern.entities = {entity};
    ReadRead(map, pattern);
  } else {
    ReadWrites(map, verb->write, entity, pattern);
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
  if (pattern.kind != LabPattern::Kind::kQuery) {
    if (const LabNode* const transaction = map.Member("transaction")) {
      pattern.is_transaction = ReadLabFlag(*transaction, "`transaction`", reading);
    }
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
    reading.EndPart();
  }
  reading.EndParts();
}

int FindPattern(LabName name, LabReading& reading) {
  return FindName(name, NamesIn(reading.file.patterns),
                  "there is no pattern \"" + std::string(name.text) + "\"", reading);
}

}  // namespace hashrange
