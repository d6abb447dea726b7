#include "lab/file/lab_ranges.h"

#include <cstdint>
#include <string>

#include "lab/file/lab_conditions.h"
#include "lab/file/lab_names.h"
#include "lab/file/lab_scalars.h"
#include "lab/file/node_reader.h"

namespace hashrange {
namespace {

using Kind = LabRange::Kind;

// Reads how far times reach from now.
void ReadReach(const LabNode& node, const char* what, LabRange& range, LabReading& reading) {
  std::int64_t& target = range.kind == Kind::kLast ? range.last_ms : range.next_ms;
  target = ReadLabDuration(node, what, reading);
  const LabAttribute& time = AttributeOf(reading.file, range.attribute);
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

void ReadBetween(const LabNode& node, LabRange& range, LabReading& reading) {
  if (node.elements.size() != 2) {
    return reading.Fail(node.place, "`between` has to be a list of two values, such as [A, M]");
  }
  range.from = ReadValueOf(node.elements[0], range.attribute, reading);
  range.to = ReadValueOf(node.elements[1], range.attribute, reading);
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
    range.from = ReadValueOf(*from, range.attribute, map.reading());
  }
  if (const LabNode* const to = map.Member("to")) {
    range.to = ReadValueOf(*to, range.attribute, map.reading());
  }
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
