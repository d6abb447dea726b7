#include "lab/language/lab_ranges.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time_text.h"
#include "lab/language/lab_conditions.h"
#include "lab/language/lab_entity_tree.h"
#include "lab/language/lab_names.h"
#include "lab/language/lab_scalars.h"
#include "lab/language/node_reader.h"

namespace hashrange {
namespace {

using Kind = LabRange::Kind;

// Reads how far times reach from now.
void ReadReach(const LabNode& node, const char* what, LabRange& range, LabReading& reading) {
  std::int64_t& target = range.kind == Kind::kLast ? range.last_ms : range.next_ms;
  target = ReadLabDuration(node, what, reading);
  const LabAttribute& time = LabAttributeAt(reading.file, range.attribute);
  if (time.generator.kind == LabGenerator::Kind::kTime) return;
  reading.Fail(node.place,
               std::string(what) + " is for times, and \"" + time.name + "\" is no `time`");
}

void ReadLast(const LabNode& node, LabRange& range, LabReading& reading) {
  ReadReach(node, "`last`", range, reading);
}

void ReadNext(const LabNode& node, LabRange& range, LabReading& reading) {
  ReadReach(node, "`next`", range, reading);
}

// Returns whether the attribute is a time in ISO 8601, or a copy of one.
bool IsIsoTime(const LabFile& file, LabAttributeRef attribute) {
  using Generator = LabGenerator::Kind;
  const LabGenerator* generator = &LabAttributeAt(file, attribute).generator;
  while (generator->kind == Generator::kRef || generator->kind == Generator::kOfRef ||
         generator->kind == Generator::kOfAncestor) {
    generator = &LabAttributeAt(file, generator->other).generator;
  }
  return generator->kind == Generator::kTime &&
         generator->time_form == LabGenerator::TimeForm::kIso;
}

// Returns the instant that the text is, or that begins with the text, in UTC: "2026-03-31T23" is
// 2026-03-31T23:00:00.000Z.
std::optional<std::int64_t> ReadInstant(const std::string& text) {
  constexpr std::string_view kFirst = "0000-01-01T00:00:00.000Z";
  constexpr std::size_t kEndsOfParts[] = {4, 7, 10, 13, 16, 19, 23};
  if (std::ranges::find(kEndsOfParts, text.size()) != std::end(kEndsOfParts)) {
    const auto instant = ParseInstant(text + std::string(kFirst.substr(text.size())));
    if (instant) return instant;
  }
  return ParseInstant(text);
}

// Returns a bound of the range as items have it.
std::string ReadBound(const LabNode& node, const LabRange& range, LabReading& reading) {
  std::string value = ReadValueOf(node, range.attribute, reading);
  if (!reading.ok() || !IsIsoTime(reading.file, range.attribute)) return value;
  if (const auto instant = ReadInstant(value)) return InstantText(*instant);
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

void ReadBetween(const LabNode& node, LabRange& range, LabReading& reading) {
  if (node.elements.size() != 2) {
    return reading.Fail(node.place, "`between` has to be a list of two values, such as [A, M]");
  }
  range.from = ReadBound(node.elements[0], range, reading);
  range.to = ReadBound(node.elements[1], range, reading);
  CheckOrderOfBounds(node, range, reading);
}

void ReadPrefix(const LabNode& node, LabRange& range, LabReading& reading) {
  constexpr std::int64_t kLongestPrefix = 1024;  // bytes, as a sort key
  range.prefix = static_cast<int>(ReadLabWhole(node, "`prefix`", 1, kLongestPrefix, reading));
}

struct RangeRow {
  const char* name;
  Kind kind;
  void (*read)(const LabNode& node, LabRange& range, LabReading& reading);
};
constexpr RangeRow kRanges[] = {
    {"last", Kind::kLast, ReadLast},
    {"next", Kind::kNext, ReadNext},
    {"between", Kind::kBetween, ReadBetween},
    {"prefix", Kind::kPrefix, ReadPrefix},
};

// Reads `from` and `to`, one of which is enough.
void ReadFromAndTo(NodeReader& map, LabRange& range) {
  range.kind = Kind::kBetween;
  if (const LabNode* const from = map.Member("from")) {
    range.from = ReadBound(*from, range, map.reading());
  }
  if (const LabNode* const to = map.Member("to")) {
    range.to = ReadBound(*to, range, map.reading());
  }
  CheckOrderOfBounds(map.node(), range, map.reading());
}

}  // namespace

LabRange ReadRange(const LabNode& node, int entity, LabReading& reading) {
  LabRange range;
  if (node.kind != LabNode::Kind::kMap || node.members.size() != 1) {
    reading.Fail(node.place,
                 "`range` has to be a map of one attribute, such as {created_at: {last: 7d}}");
    return range;
  }
  const LabNode::Member& member = node.members.front();
  range.attribute = FindKnownAttribute(entity, {member.name, member.place}, reading);
  if (range.attribute.entity == kLabNone) return range;
  NodeReader map(member.value, "`range`", reading);
  if (member.value.Find("from") || member.value.Find("to")) {
    ReadFromAndTo(map, range);
  } else if (const RangeRow* const row = map.OneOf(kRanges)) {
    range.kind = row->kind;
    row->read(*member.value.Find(row->name), range, reading);
  }
  map.Finish();
  return range;
}

}  // namespace hashrange
