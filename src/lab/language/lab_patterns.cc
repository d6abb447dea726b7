// The part `access_patterns` of a lab file: reads, the bounds of queries, rates and picks. What a
// pattern writes is read in lab_writes.cc.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/time_text.h"
#include "lab/language/joined_names.h"
#include "lab/language/lab_parts.h"

namespace hashrange {

// `range`: bounds of an attribute of the entity, which is the first that the pattern asks for.

namespace {

// Returns whether the attribute is a time in ISO 8601, or a copy of one.
bool IsIsoTime(const LabFile& file, LabAttributeRef attribute) {
  const LabGenerator& generator = LabAttributeAt(file, RootOf(file, attribute)).generator;
  return generator.kind == LabGenerator::Kind::kTime &&
         generator.time_form == LabGenerator::TimeForm::kIso;
}

// Returns a bound of the range as items have it.
std::string ReadBound(const LabNode& node, const LabRange& range, LabReading& reading) {
  std::string value = ReadValueOf(node, range.attribute, reading);
  if (!reading.ok() || !IsIsoTime(reading.file, range.attribute)) return value;
  const auto instant = InstantOfValue(reading.file, range.attribute, value);
  if (instant) return InstantText(*instant);
  reading.Fail(node.place, "a value of \"" + LabAttributeAt(reading.file, range.attribute).name +
                               "\" has to be an instant such as \"2026-01-31T12:00:00Z\", or the "
                               "beginning of one such as \"2026-01-31\", and this is \"" +
                               value + "\"");
  return value;
}

// Reports bounds in the wrong order, between which nothing lies.
void CheckOrderOfBounds(const LabNode& node, const LabRange& range, LabReading& reading) {
  if (!range.from || !range.to || !reading.ok()) return;
  const bool is_number = LabAttributeAt(reading.file, range.attribute).type == LabType::kNumber;
  const bool is_behind =
      is_number ? ParseLabNumber(*range.from) > ParseLabNumber(*range.to) : *range.from > *range.to;
  if (!is_behind) return;
  reading.Fail(node.place, "nothing lies between \"" + *range.from + "\" and \"" + *range.to +
                               "\": the first bound has to be the lesser one");
}

// Reads how far times reach from now.
void ReadReach(const LabNode& node, const char* what, LabRange& range, LabReading& reading) {
  std::int64_t& target = range.kind == LabRange::Kind::kLast ? range.last_ms : range.next_ms;
  target = ReadLabDuration(node, what, reading);
  const LabAttribute& time = LabAttributeAt(reading.file, range.attribute);
  if (time.generator.kind == LabGenerator::Kind::kTime) return;
  reading.Fail(node.place,
               std::string(what) + " is for times, and \"" + time.name + "\" is no `time`");
}

LabRange ReadRange(const LabNode& node, int entity, LabReading& reading) {
  LabRange range;
  const LabNode::Member& member = node.members.front();
  const LabNode& bounds = member.value;
  range.attribute = FindKnownAttribute(entity, NameOf(member), reading);
  RefuseVector(range.attribute, member.place, reading);
  if (range.attribute.entity == kLabNone || !reading.ok()) return range;
  range.kind = LabRange::Kind::kBetween;
  if (const LabNode* const last = bounds.Find("last")) {
    range.kind = LabRange::Kind::kLast;
    ReadReach(*last, "`last`", range, reading);
  } else if (const LabNode* const next = bounds.Find("next")) {
    range.kind = LabRange::Kind::kNext;
    ReadReach(*next, "`next`", range, reading);
  } else if (const LabNode* const between = bounds.Find("between")) {
    range.from = ReadBound(between->elements[0], range, reading);
    range.to = ReadBound(between->elements[1], range, reading);
    CheckOrderOfBounds(*between, range, reading);
  } else if (const LabNode* const prefix = bounds.Find("prefix")) {
    range.kind = LabRange::Kind::kPrefix;
    range.prefix = static_cast<int>(LabWholeIn(*prefix));
  } else {  // from and to, one of which is enough
    const LabNode* const from = bounds.Find("from");
    const LabNode* const to = bounds.Find("to");
    if (from) range.from = ReadBound(*from, range, reading);
    if (to) range.to = ReadBound(*to, range, reading);
    CheckOrderOfBounds(bounds, range, reading);
  }
  return range;
}

// `pick`: how the instances are chosen that calls are about.

// Returns the entity itself, or the nearest ancestor, that has all attributes of the conditions.
int EntityOfConditions(const LabNode& where, int entity, const LabFile& file) {
  for (int candidate = entity; candidate != kLabNone;
       candidate = EntityAt(file, candidate).parent) {
    const bool has_all = std::ranges::all_of(where.members, [&](const LabNode::Member& member) {
      return StoredAttribute(file, candidate, member.name).entity != kLabNone;
    });
    if (has_all) return candidate;
  }
  return entity;
}

constexpr LabWord<LabPick::Kind> kPicks[] = {
    {"uniform", LabPick::Kind::kUniform},
    {"zipf", LabPick::Kind::kZipf},
    {"latest", LabPick::Kind::kLatest},
    {"hot", LabPick::Kind::kHot},
};

// `entity` is the one that the pattern is about; conditions may be about it or about one of its
// ancestors.
LabPick ReadPick(const LabNode& node, int entity, LabReading& reading) {
  LabPick pick;
  if (const LabNode* const where = node.Find("where")) {
    if (const LabNode* const of = node.Find("of")) pick = ReadPick(*of, entity, reading);
    const int about = EntityOfConditions(*where, entity, reading.file);
    pick.where = ReadConditions(*where, about, reading);
    return pick;
  }
  const bool is_map = node.kind == LabNode::Kind::kMap;
  const auto& row = is_map ? *RowOf(node, kPicks)
                           : *std::ranges::find(kPicks, node.text, &LabWord<LabPick::Kind>::name);
  pick.kind = row.meaning;
  if (const LabNode* const hot = node.Find("hot")) {
    TakeLabNumber(*hot, "share", pick.hot_share);
    TakeLabNumber(*hot, "traffic", pick.hot_traffic);
  } else {
    TakeLabNumber(node, row.name, pick.exponent);
  }
  return pick;
}

// `rate`.

std::optional<double> ParseRate(std::string_view text) {
  struct RateUnit {
    std::string_view name;
    double seconds;
  };
  constexpr RateUnit kUnits[] = {{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};
  const std::size_t slash = text.find('/');
  const std::optional<double> number = ParseLabNumber(text.substr(0, slash));
  if (!number) return std::nullopt;
  const std::string_view name = text.substr(slash + 1);
  return *number / std::ranges::find(kUnits, name, &RateUnit::name)->seconds;
}

// Returns calls a second: 400 for "400/s".
double ReadRate(const LabNode& node, LabReading& reading) {
  constexpr double kGreatestRate = 10'000'000;
  const std::optional<double> rate = ParseRate(node.text);
  if (rate && *rate > 0 && *rate <= kGreatestRate) return *rate;
  const bool is_too_much = rate && *rate > kGreatestRate;
  reading.Fail(node.place,
               (is_too_much ? "`rate` may be 10000000/s at most, and this is \""
                            : "`rate` has to be a number of calls that is more than 0, and its "
                              "unit, such as \"400/s\", \"30/min\", \"20/h\" or \"5/d\", and "
                              "this is \"") +
                   node.text + "\"");
  return 1;
}

// Patterns.

void ReadEntitiesOfRead(const LabNode& node, LabPattern& pattern, LabReading& reading) {
  for (const LabName name : NamesInNode(node)) {
    const int entity = FindEntity(name, reading);
    if (entity == kLabNone) return;
    if (std::ranges::find(pattern.entities, entity) != pattern.entities.end()) {
      return reading.Fail(name.place, std::string(name.text) + " is here twice");
    }
    pattern.entities.push_back(entity);
  }
}

// Finds what a name before a point means for an asked entity: an attribute that refers to another
// one, an ancestor, or an entity to which a single attribute refers. `other.attribute` gets the
// entity only. Returns false where it means nothing.
bool FindOther(const LabFile& file, std::string_view name, LabReturnedOther& other) {
  const std::vector<LabAttribute>& attributes = EntityAt(file, other.of).attributes;
  int referring = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const int via = static_cast<int>(i);
    const int entity = ReferredEntity(file, {other.of, via});
    if (entity == kLabNone) continue;
    const bool is_named = attributes[i].name == name;
    if (!is_named && EntityAt(file, entity).name != name) continue;
    other.via = via;
    other.attribute.entity = entity;
    if (is_named) return true;
    ++referring;
  }
  for (int ancestor = EntityAt(file, other.of).parent; ancestor != kLabNone;
       ancestor = EntityAt(file, ancestor).parent) {
    if (EntityAt(file, ancestor).name != name) continue;
    other.via = kLabNone;
    other.attribute.entity = ancestor;
    return true;
  }
  return referring == 1;
}

// Reads `author.name`.
void ReadReturnedOther(LabName name, LabPattern& pattern, LabReading& reading) {
  const std::size_t point = name.text.find('.');
  const std::string_view before = name.text.substr(0, point);
  for (const int entity : pattern.entities) {
    LabReturnedOther other = {.of = entity, .name = std::string(name.text)};
    if (!FindOther(reading.file, before, other)) continue;
    other.attribute.attribute = FindOwnAttribute(
        other.attribute.entity, {name.text.substr(point + 1), name.place}, reading);
    if (!reading.ok()) return;
    pattern.returned_others.push_back(std::move(other));
    return;
  }
  reading.Fail(name.place, "\"" + std::string(before) + "\" is no attribute of " +
                               EntityAt(reading.file, pattern.entities.front()).name +
                               " that refers to another entity, nor an entity that it belongs to "
                               "or refers to by one attribute");
}

void ReadReturns(const LabNode& node, LabPattern& pattern, LabReading& reading) {
  for (const LabName name : NamesInNode(node)) {
    if (name.text.find('.') != name.text.npos) {
      ReadReturnedOther(name, pattern, reading);
      continue;
    }
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

// Returns whether instances of the entity may have the value of an attribute of another entity: as
// their own, as a reference or a copy, or by way of an ancestor.
bool MayHaveValue(const LabFile& file, int entity, LabAttributeRef value) {
  if (IsAncestorOrSelf(file, value.entity, entity)) return true;
  for (int one = entity; one != kLabNone; one = EntityAt(file, one).parent) {
    const std::size_t attributes = EntityAt(file, one).attributes.size();
    for (std::size_t i = 0; i < attributes; ++i) {
      if (RootOf(file, {one, static_cast<int>(i)}) == RootOf(file, value)) return true;
    }
  }
  return false;
}

// Returns whether instances of the entity belong or refer to those of the other one, and not also
// the other way round.
bool IsBelow(const LabFile& file, int entity, int other) {
  return MayHaveValue(file, entity, {other, 0}) && !MayHaveValue(file, other, {entity, 0});
}

// Of the entities that have the attribute, the items of the first one are sorted, or of what
// belongs or refers to it: the comments of a ticket, where both have a `created_at`.
void ReadOrder(const LabNode& node, LabPattern& pattern, LabReading& reading) {
  std::string_view name = node.text;
  pattern.is_descending = name.starts_with('-');
  if (pattern.is_descending) name.remove_prefix(1);
  int sorted = kLabNone;
  for (const int entity : pattern.entities) {
    const LabAttributeRef found = KnownAttribute(reading.file, entity, name);
    if (found.entity == kLabNone) continue;
    if (sorted != kLabNone && !IsBelow(reading.file, entity, sorted)) continue;
    sorted = entity;
    pattern.order = found;
  }
  if (sorted != kLabNone) return RefuseVector(pattern.order, node.place, reading);
  FindKnownAttribute(pattern.entities.front(), {name, node.place}, reading);
}

// Reports an entity that nothing of what the caller knows leads to.
void CheckAskedTogether(const LabNode& by, const LabPattern& pattern, LabReading& reading) {
  const LabFile& file = reading.file;
  std::vector<std::string_view> names;
  for (const LabAttributeRef one : pattern.by) names.push_back(LabAttributeAt(file, one).name);
  for (const int entity : pattern.entities) {
    const bool is_led_to = pattern.by.empty() || std::ranges::any_of(pattern.by, [&](auto one) {
                             return MayHaveValue(file, entity, one);
                           });
    if (is_led_to) continue;
    const bool is_one = names.size() == 1;
    return reading.Fail(by.place, EntityAt(file, entity).name + " has " +
                                      (is_one ? "no " : "neither ") +
                                      JoinedNames(names, is_one ? "" : "nor") +
                                      ", so `by` does not say which of them are asked for");
  }
}

// `each`: what the caller queries first.

// Reads `by` of a pattern with `each`.
void ReadHandedValues(const LabNode& by, LabPattern& pattern, LabReading& reading) {
  LabFirstQuery& first = *pattern.each;
  int giver = kLabNone;  // whose values they are
  for (const LabNode& element : by.elements) {
    if (element.kind != LabNode::Kind::kScalar) {
      for (LabCondition& one : ReadConditions(element, pattern.entities.front(), reading)) {
        pattern.constants.push_back(std::move(one));
      }
      continue;
    }
    const HandedValue value = ReadHandedValue(NameIn(element),
                                              {.from = first.entity,
                                               .to = pattern.entities.front(),
                                               .except = first.by,
                                               .is_get = pattern.kind == LabPattern::Kind::kGet},
                                              reading);
    RefuseVector(value.to, element.place, reading);
    if (!reading.ok()) return;
    const int referred =
        value.from.entity == first.entity ? ReferredEntity(reading.file, value.from) : kLabNone;
    const bool refers = referred != kLabNone;
    if (giver == kLabNone) {
      giver = refers ? referred : first.entity;
      if (refers) first.via = value.from.attribute;
    }
    first.returns.push_back(value.from);
    if (AttributeFor(reading.file, giver, value.to).entity == kLabNone) {
      return reading.Fail(element.place, std::string(element.text) + " is no value of " +
                                             EntityAt(reading.file, giver).name +
                                             ", of which the other values are");
    }
    pattern.by.push_back(value.to);
  }
}

void ReadFirstQuery(const LabNode& map, LabPattern& pattern, LabReading& reading) {
  const LabNode& each = *map.Find("each");
  LabFirstQuery& first = pattern.each.emplace();
  first.entity = FindEntity(NameIn(*each.Find("query")), reading);
  if (first.entity == kLabNone) return;
  LabKnown known = ReadBy(*each.Find("by"), first.entity, reading);
  first.by = std::move(known.attributes);
  first.constants = std::move(known.constants);
  if (!reading.ok()) return;
  const bool is_one = !first.by.empty() && IdentifiesInstance(reading.file, first.entity, first.by);
  if (first.by.empty() || is_one) {
    return reading.Fail(each.place, "`by` of `each` has to say a value that several of " +
                                        EntityAt(reading.file, first.entity).name + " have");
  }
  for (const char* const other : {"batch", "transaction"}) {
    if (const LabNode* const node = map.Find(other)) {
      return reading.Fail(node->place, "a pattern with `each` has no `" + std::string(other) + "`");
    }
  }
  const LabNode* const by = map.Find("by");
  if (by == nullptr || by->elements.empty()) {
    return reading.Fail(each.place, "a pattern with `each` needs `by`: what it knows of each " +
                                        EntityAt(reading.file, first.entity).name);
  }
  if (reading.ok()) ReadHandedValues(*by, pattern, reading);
  if (reading.ok() && pattern.by.empty()) {
    reading.Fail(by->place,
                 "`by` names no value of each " + EntityAt(reading.file, first.entity).name);
  }
}

void ReadRead(const LabNode& map, LabPattern& pattern, LabReading& reading) {
  const int entity = pattern.entities.front();
  if (map.Find("each") != nullptr) {
    ReadFirstQuery(map, pattern, reading);
  } else if (const LabNode* const by = map.Find("by")) {
    LabKnown known = ReadBy(*by, entity, reading);
    pattern.by = std::move(known.attributes);
    if (reading.ok()) CheckAskedTogether(*by, pattern, reading);
    pattern.constants = std::move(known.constants);
  }
  if (const LabNode* const range = map.Find("range")) {
    pattern.range = ReadRange(*range, entity, reading);
  }
  if (const LabNode* const order = map.Find("order")) ReadOrder(*order, pattern, reading);
  TakeLabWhole(map, "limit", pattern.limit);
  if (const LabNode* const returns = map.Find("returns")) ReadReturns(*returns, pattern, reading);
  TakeLabFlag(map, "consistent", pattern.is_consistent);
}

// Finds the attribute whose vectors a search compares.
void ReadSearchVector(const LabNode& map, LabPattern& pattern, LabReading& reading) {
  const int entity = pattern.entities.front();
  const std::vector<LabAttribute>& attributes = EntityAt(reading.file, entity).attributes;
  if (const LabNode* const vector = map.Find("vector")) {
    const int attribute = FindOwnAttribute(entity, NameIn(*vector), reading);
    if (attribute == kLabNone) return;
    pattern.search_vector = {entity, attribute};
    if (LabAttributeAt(reading.file, pattern.search_vector).type == LabType::kVector) return;
    return reading.Fail(vector->place, "\"" + vector->text + "\" is no vector");
  }
  const auto is_vector = [](const LabAttribute& one) { return one.type == LabType::kVector; };
  const auto found = std::ranges::find_if(attributes, is_vector);
  if (std::ranges::count_if(attributes, is_vector) == 1) {
    pattern.search_vector = {entity, static_cast<int>(found - attributes.begin())};
    return;
  }
  reading.Fail(map.Find("search")->place,
               EntityAt(reading.file, entity).name +
                   (found == attributes.end() ? " has no vector, as {vector: 256} is one"
                                              : " has several vectors; `vector` says which one"));
}

struct VerbRow {
  std::string_view name;
  LabPattern::Kind kind;
  LabWrite::Kind write = {};  // of kWrite
};
constexpr VerbRow kVerbs[] = {
    {"get", LabPattern::Kind::kGet},
    {"query", LabPattern::Kind::kQuery},
    {"search", LabPattern::Kind::kSearch},
    {"create", LabPattern::Kind::kWrite, LabWrite::Kind::kCreate},
    {"update", LabPattern::Kind::kWrite, LabWrite::Kind::kUpdate},
    {"delete", LabPattern::Kind::kWrite, LabWrite::Kind::kDelete},
};

// Reads what the pattern does. Returns the entity that it is about.
int ReadVerb(const LabNode& map, LabPattern& pattern, LabReading& reading) {
  const VerbRow& verb = *RowOf(map, kVerbs);
  pattern.kind = verb.kind;
  const LabNode& value = *map.Find(verb.name);
  if (verb.kind == LabPattern::Kind::kWrite) {
    const int entity = FindEntity(NameIn(value), reading);
    if (entity != kLabNone) ReadWrites(map, verb.write, entity, pattern, reading);
    return entity;
  }
  ReadEntitiesOfRead(value, pattern, reading);
  if (!reading.ok()) return kLabNone;
  ReadRead(map, pattern, reading);
  if (verb.kind != LabPattern::Kind::kSearch || !reading.ok()) return pattern.entities.front();
  ReadSearchVector(map, pattern, reading);
  if (!pattern.returned_others.empty()) {
    reading.Fail(map.Find("returns")->place,
                 "a search returns attributes of what it finds only, and this is \"" +
                     pattern.returned_others.front().name + "\"");
  }
  return pattern.entities.front();
}

// Reads `or`: the other form of a pattern that was read.
void ReadOtherForm(const LabNode& node, LabPattern& pattern, LabReading& reading) {
  LabPattern other = {.name = pattern.name, .pick = pattern.pick, .place = node.place};
  if (!pattern.pick.where.empty()) {
    return reading.Fail(node.place, "a pattern with `or` has no `pick` with `where`");
  }
  if (pattern.batch > 1 || pattern.is_transaction) {
    return reading.Fail(node.place, "a pattern with `or` has no `batch` and no `transaction`");
  }
  if (ReadVerb(node, other, reading) == kLabNone) return;
  pattern.or_form = static_cast<int>(reading.file.other_forms.size());
  reading.file.other_forms.push_back(std::move(other));
}

LabPattern ReadPattern(const LabNode::Member& member, LabReading& reading) {
  const LabNode& map = member.value;
  LabPattern pattern;
  pattern.name = member.name;
  pattern.place = member.place;
  const int entity = ReadVerb(map, pattern, reading);
  if (entity == kLabNone || !reading.ok()) return pattern;
  TakeLabWhole(map, "batch", pattern.batch);
  if (const LabNode* const transaction = map.Find("transaction")) {
    pattern.is_transaction = transaction->text == "true";
  }
  if (const LabNode* const rate = map.Find("rate")) {
    pattern.calls_per_second = ReadRate(*rate, reading);
  }
  if (const LabNode* const pick = map.Find("pick")) {
    pattern.pick = ReadPick(*pick, pattern.each ? pattern.each->entity : entity, reading);
  }
  if (const LabNode* const other = map.Find("or")) ReadOtherForm(*other, pattern, reading);
  return pattern;
}

void CheckIdentified(int entity, std::vector<LabAttributeRef> known,
                     const std::vector<LabCondition>& constants, LabPlace place,
                     LabReading& reading) {
  for (const LabCondition& constant : constants) known.push_back(constant.attribute);
  if (IdentifiesInstance(reading.file, entity, known)) return;
  std::vector<std::string_view> names;
  for (const LabAttributeRef attribute : known) {
    names.push_back(LabAttributeAt(reading.file, attribute).name);
  }
  reading.Fail(place,
               "`by` does not say which " + EntityAt(reading.file, entity).name +
                   " is meant: one is identified by " + IdentityText(reading.file, entity) +
                   ", or by an attribute that is created as `unique`, and the caller knows " +
                   (names.empty() ? "nothing" : JoinedNames(names, "and")));
}

void CheckPattern(const LabPattern& pattern, LabReading& reading) {
  if (pattern.kind == LabPattern::Kind::kGet) {
    CheckIdentified(pattern.entities.front(), pattern.by, pattern.constants, pattern.place,
                    reading);
  }
  for (const LabWrite& write : pattern.writes) {
    const bool is_first = &write == &pattern.writes.front();
    const bool is_found = write.found_by.entity != kLabNone;
    if (write.kind != LabWrite::Kind::kCreate && !is_found) {
      CheckIdentified(write.entity, write.by,
                      is_first ? pattern.constants : std::vector<LabCondition>{}, write.place,
                      reading);
    }
    WarnOfMissingValues(write.conditions, reading);
    WarnOfOtherValues(write, reading);
  }
  WarnOfMissingValues(pattern.constants, reading);
  if (pattern.each) WarnOfMissingValues(pattern.each->constants, reading);
  WarnOfMissingValues(pattern.pick.where, reading);
}

}  // namespace

void ReadPatterns(const LabNode& node, LabReading& reading) {
  for (const LabNode::Member& member : node.members) {
    reading.file.patterns.push_back(ReadPattern(member, reading));
    reading.EndPart();
  }
  for (LabPattern& pattern : reading.file.patterns) {
    if (pattern.or_form == kLabNone) continue;
    pattern.or_form += static_cast<int>(reading.file.patterns.size());
  }
  reading.EndParts();
}

void CheckPatterns(LabReading& reading) {
  for (const auto* const patterns : {&reading.file.patterns, &reading.file.other_forms}) {
    for (const LabPattern& pattern : *patterns) {
      CheckPattern(pattern, reading);
      reading.EndPart();
    }
  }
  reading.EndParts();
}

}  // namespace hashrange
