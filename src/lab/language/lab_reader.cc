#include "lab/language/lab_reader.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time_text.h"
#include "lab/language/lab_checks.h"
#include "lab/language/lab_document.h"
#include "lab/language/lab_entities.h"
#include "lab/language/lab_layouts.h"
#include "lab/language/lab_limits_reader.h"
#include "lab/language/lab_names.h"
#include "lab/language/lab_patterns.h"
#include "lab/language/lab_reading.h"
#include "lab/language/lab_scalars.h"
#include "lab/language/lab_schema.h"
#include "lab/language/lab_traffic.h"
#include "lab/language/node_reader.h"

namespace hashrange {
namespace {

constexpr std::string_view kUsualStart = "2026-01-01T00:00:00Z";
constexpr std::int64_t kUsualStartEpochMs = 1'767'225'600'000;

void ReadSettings(NodeReader& map, LabReading& reading) {
  if (const LabNode* const version = map.Require("lab")) {
    ReadLabWhole(*version, "`lab`, the version of the language,", 1, 1, reading);
  }
  if (const LabNode* const seed = map.Member("seed")) {
    constexpr std::int64_t kGreatestSeed = std::numeric_limits<std::int64_t>::max();
    reading.file.seed =
        static_cast<std::uint64_t>(ReadLabWhole(*seed, "`seed`", 0, kGreatestSeed, reading));
  }
  reading.file.start_epoch_ms = kUsualStartEpochMs;
  if (const LabNode* const start = map.Member("start")) {
    const std::optional<std::int64_t> instant = ParseInstant(start->text);
    const bool has_form = start->text.size() == kUsualStart.size() && start->text.ends_with('Z');
    if (instant && has_form) {
      reading.file.start_epoch_ms = *instant;
    } else {
      reading.Fail(start->place, "`start` has to be a time in UTC, such as " +
                                     std::string(kUsualStart) + ", and this is \"" + start->text +
                                     "\"");
    }
  }
}

// Reads `Entity.attribute`, or the name of an identity.
LabAttributeRef ReadTenant(const LabNode& node, LabReading& reading) {
  if (node.text.find('.') != std::string::npos) return FindDottedAttribute(NameIn(node), reading);
  std::vector<std::string> names;
  for (const LabEntity& entity : reading.file.entities) {
    names.push_back(entity.attributes.front().name);
  }
  const int entity =
      FindName(NameIn(node), names,
               "`tenant` has to be the identity of an entity, or Entity.attribute, and \"" +
                   node.text + "\" is no identity",
               reading);
  return entity == kLabNone ? LabAttributeRef{} : LabAttributeRef{entity, 0};
}

// Reads the parts in the order in which they refer to each other. What follows an error is left
// out.
void ReadParts(NodeReader& map, LabReading& reading) {
  const LabNode* const entities = map.Require("entities");
  const LabNode* const patterns = map.Require("access_patterns");
  const LabNode* const layouts = map.Require("layouts");
  const LabNode* const tenant = map.Member("tenant");
  const LabNode* const traffic = map.Member("traffic");
  const LabNode* const client = map.Member("client");
  const LabNode* const limits = map.Member("limits");
  map.Finish();
  if (reading.ok()) ReadEntities(*entities, reading);
  if (reading.ok()) CheckEntities(reading);
  if (reading.ok() && tenant) reading.file.tenant = ReadTenant(*tenant, reading);
  if (reading.ok()) ReadPatterns(*patterns, reading);
  if (reading.ok()) CheckPatterns(reading);
  if (reading.ok()) ReadLayouts(*layouts, reading);
  if (reading.ok()) CheckLayouts(reading);
  reading.file.traffic = UsualTraffic();
  if (reading.ok() && traffic) reading.file.traffic = ReadTraffic(*traffic, reading);
  if (reading.ok() && client) reading.file.client = ReadClient(*client, reading);
  if (reading.ok() && limits) ReadLimits(*limits, reading);
}

}  // namespace

Result<LabFile> ReadLabFile(std::string_view text, std::string_view name,
                            std::vector<std::string>* faults) {
  Result<LabNode> root = ReadLabDocument(text, name);
  std::vector<std::string> warnings;
  const Status status =
      root.ok() ? CheckAgainstLabSchema(*root, name, &warnings) : Status(std::move(root).error());
  if (status.ok()) return ReadLabTree(*root, name, std::move(warnings), faults);
  if (faults) *faults = {status.error().message};
  return status.error();
}

Result<LabFile> ReadLabTree(const LabNode& root, std::string_view name,
                            std::vector<std::string> warnings, std::vector<std::string>* faults) {
  LabReading reading(name);
  reading.file.name = name;
  reading.file.warnings = std::move(warnings);
  NodeReader map(root, "a lab file", reading);
  ReadSettings(map, reading);
  ReadParts(map, reading);
  if (faults) *faults = reading.Faults();
  return reading.TakeFile();
}

}  // namespace hashrange
