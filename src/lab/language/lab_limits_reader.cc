#include "lab/language/lab_limits_reader.h"

#include <optional>
#include <string>
#include <vector>

#include "lab/language/joined_names.h"
#include "lab/language/lab_names.h"
#include "lab/language/lab_patterns.h"
#include "lab/language/lab_scalars.h"
#include "lab/language/node_reader.h"

namespace hashrange {
namespace {

constexpr const char* kAllLayouts = "*";

struct LimitRow {
  const char* name;
  std::optional<double> LabLimits::*target;
  const LabBounds& bounds;
};
constexpr LimitRow kLimits[] = {
    {"headroom", &LabLimits::headroom, kLabPositive},
    {"throttled", &LabLimits::throttled, kLabShare},
    {"failed", &LabLimits::failed, kLabShare},
    {"month_usd", &LabLimits::month_usd, kLabPositive},
    {"storage_gb", &LabLimits::storage_gb, kLabPositive},
    {"largest_collection_mb", &LabLimits::largest_collection_mb, kLabPositive},
};

struct PatternLimitRow {
  const char* name;
  std::optional<double> LabPatternLimits::*target;
};
constexpr PatternLimitRow kPatternLimits[] = {
    {"read_units", &LabPatternLimits::read_units},
    {"write_units", &LabPatternLimits::write_units},
    {"read_units_p99", &LabPatternLimits::read_units_p99},
    {"write_units_p99", &LabPatternLimits::write_units_p99},
    {"requests", &LabPatternLimits::requests},
};

LabPatternLimits ReadPatternLimits(const LabNode& node, LabReading& reading) {
  LabPatternLimits limits;
  NodeReader map(node, "the limits of a pattern", reading);
  for (const PatternLimitRow& row : kPatternLimits) {
    const LabNode* const value = map.Member(row.name);
    if (!value) continue;
    const std::string what = "`" + std::string(row.name) + "`";
    limits.*row.target = ReadLabNumber(*value, what, kLabNotNegative, reading);
  }
  map.Finish();
  return limits;
}

LabLimits ReadLimitsOf(const LabNode::Member& member, LabReading& reading) {
  constexpr std::int64_t kMostFindings = 1'000'000;
  LabLimits limits;
  limits.place = member.place;
  NodeReader map(member.value, "the limits of \"" + member.name + "\"", reading);
  for (const LimitRow& row : kLimits) {
    const LabNode* const value = map.Member(row.name);
    if (!value) continue;
    const std::string what = "`" + std::string(row.name) + "`";
    limits.*row.target = ReadLabNumber(*value, what, row.bounds, reading);
  }
  if (const LabNode* const findings = map.Member("severe_findings")) {
    limits.severe_findings =
        static_cast<int>(ReadLabWhole(*findings, "`severe_findings`", 0, kMostFindings, reading));
  }
  if (const LabNode* const patterns = map.Member("patterns")) {
    if (patterns->kind != LabNode::Kind::kMap) {
      reading.Fail(patterns->place, "`patterns` has to be a map of patterns and their limits");
    }
    for (const LabNode::Member& pattern : patterns->members) {
      const int number = FindPattern({pattern.name, pattern.place}, reading);
      if (number != kLabNone) limits.patterns[number] = ReadPatternLimits(pattern.value, reading);
    }
  }
  map.Finish();
  return limits;
}

// Returns the layout of that name, with an error where there is none.
int FindLayout(const LabNode::Member& member, LabReading& reading) {
  std::vector<std::string> names = NamesIn(reading.file.layouts);
  names.insert(names.begin(), kAllLayouts);
  const int found = FindName({member.name, member.place}, names,
                             "`limits` are those of a layout, or of all by \"*\", and there is no "
                             "layout \"" +
                                 member.name + "\"",
                             reading);
  return found == kLabNone ? kLabNone : found - 1;
}

}  // namespace

void ReadLimits(const LabNode& node, LabReading& reading) {
  if (node.kind != LabNode::Kind::kMap) {
    return reading.Fail(node.place,
                        "`limits` has to be a map of layouts, or \"*\", and their limits");
  }
  for (const LabNode::Member& member : node.members) {
    if (member.name == kAllLayouts) {
      reading.file.limits_of_all = ReadLimitsOf(member, reading);
      continue;
    }
    const int layout = FindLayout(member, reading);
    if (layout == kLabNone) return;
    reading.file.limits[layout] = ReadLimitsOf(member, reading);
  }
}

}  // namespace hashrange
