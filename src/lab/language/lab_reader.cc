#include "lab/language/lab_reader.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "base/text/time_text.h"
#include "lab/language/joined_names.h"
#include "lab/language/lab_form_check.h"
#include "lab/language/lab_parts.h"

namespace hashrange {
namespace {

// Settings.

std::int64_t ReadStart(const LabNode& node, LabReading& reading) {
  const std::optional<std::int64_t> instant = ParseInstant(node.text);
  if (instant) return *instant;
  reading.Fail(node.place,
               "`start` has to be a time in UTC, such as 2026-01-01T00:00:00Z, and this is \"" +
                   node.text + "\"");
  return 0;
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

LabClient ReadClient(const LabNode& map, LabReading& reading) {
  LabClient client;
  const LabNode* const retries = map.Find("retries");
  if (retries && retries->text == "none") client.attempts = 1;
  TakeLabWhole(map, "attempts", client.attempts);
  TakeLabDuration(map, "base_delay", client.base_delay_ms, reading);
  TakeLabDuration(map, "longest_delay", client.longest_delay_ms, reading);
  TakeLabDuration(map, "latency", client.latency_ms, reading);
  return client;
}

// Reports a parameter that is not in its range, which the sentence says.
void CheckRange(const LabNode& map, std::string_view name, bool is_in_range, std::string_view range,
                LabReading& reading) {
  if (is_in_range) return;
  reading.Fail(map.Find(name)->place,
               "`" + std::string(name) + "` has to be " + std::string(range));
}

PartitionParameters ReadPartitions(const LabNode& map, LabReading& reading) {
  PartitionParameters parameters;
  for (const WholePartitionParameter& row : kWholePartitionParameters) {
    if (map.Given(row.name) == nullptr) continue;
    std::int64_t& value = parameters.*row.value;
    if (row.kind == PartitionParameterKind::kTime) {
      TakeLabDuration(map, row.name, value, reading);
    } else {
      TakeLabWhole(map, row.name, value);
    }
    CheckRange(map, row.name, value >= row.least && value <= row.greatest, row.range, reading);
  }
  for (const SharePartitionParameter& row : kSharePartitionParameters) {
    TakeLabNumber(map, row.name, parameters.*row.value);
  }
  const LabNode* const delay = map.Given(kSplitDelayParameter);
  if (delay == nullptr) return parameters;
  std::int64_t& least = parameters.least_split_delay_ms = 0;
  std::int64_t& greatest = parameters.greatest_split_delay_ms;
  TakeLabDuration(*delay, "min", least, reading);
  TakeLabDuration(*delay, "max", greatest, reading);
  const bool is_in_range = least <= greatest && greatest <= kLongestPartitionTimeMs;
  CheckRange(map, kSplitDelayParameter, is_in_range, "from its `min` to its `max`, 30d at most",
             reading);
  return parameters;
}

// Traffic.

constexpr LabWord<LabPhase::Kind> kPhases[] = {
    {"rate", LabPhase::Kind::kConstant},
    {"ramp", LabPhase::Kind::kRamp},
    {"sinusoid", LabPhase::Kind::kSinusoid},
    {"spike", LabPhase::Kind::kSpike},
};

// Reports a duration of 0, to which a very short one is rounded.
std::int64_t ReadLength(const LabNode& node, const std::string& what, LabReading& reading) {
  const std::int64_t length_ms = ReadLabDuration(node, what, reading);
  if (length_ms == 0) reading.Fail(node.place, what + " has to be more than 0");
  return length_ms;
}

void ReadPeriod(const LabNode& map, LabPhase& phase, LabReading& reading) {
  constexpr std::int64_t kMostPeriods = 100'000;  // each is kept in some dozen stretches
  phase.period_ms = phase.length_ms;
  const LabNode* const period = map.Find("period");
  if (!period) return;
  phase.period_ms = ReadLength(*period, "`period`", reading);
  if (phase.period_ms > 0 && phase.length_ms / phase.period_ms > kMostPeriods) {
    reading.Fail(period->place, "a phase has at most 100,000 periods");
  }
}

// Reads one factor, or two in a list.
void ReadFactors(const LabNode& node, LabPhase& phase, LabReading& reading) {
  const bool is_list = node.kind == LabNode::Kind::kList;
  const double first = LabNumberIn(is_list ? node.elements[0] : node);
  phase.to = is_list ? LabNumberIn(node.elements[1]) : first;
  if (phase.kind != LabPhase::Kind::kSpike) phase.from = first;
  if (phase.kind != LabPhase::Kind::kSinusoid || phase.from <= phase.to) return;
  reading.Fail(node.place, "`sinusoid` has the least factor first, and then the greatest");
}

LabPhase ReadPhase(const LabNode& map, LabReading& reading) {
  LabPhase phase;
  phase.length_ms = ReadLength(*map.Find("for"), "`for`", reading);
  const auto& row = *RowOf(map, kPhases);
  phase.kind = row.meaning;
  ReadFactors(*map.Find(row.name), phase, reading);
  if (phase.kind == LabPhase::Kind::kSinusoid) ReadPeriod(map, phase, reading);
  const LabNode* const hot = map.Find("hot");
  if (!hot) return phase;
  for (const LabNode::Member& member : hot->members) {
    const int entity = FindEntity(NameOf(member), reading);
    if (entity != kLabNone) phase.hot[entity] = LabNumberIn(member.value);
  }
  return phase;
}

// Returns ten minutes at the declared rates where the file says nothing else.
std::vector<LabPhase> ReadTraffic(const LabNode* node, LabReading& reading) {
  constexpr std::int64_t kTenMinutesMs = 600'000;
  if (!node) return {{.length_ms = kTenMinutesMs}};
  std::vector<LabPhase> phases;
  for (const LabNode& element : node->elements) phases.push_back(ReadPhase(element, reading));
  return phases;
}

// Limits.

// What the reader of a file needs of it.
enum class LabNeeds : std::uint8_t { kLayouts, kApplication };

LabLimits ReadLimitsOf(const LabNode::Member& member, LabReading& reading) {
  const LabNode& map = member.value;
  LabLimits limits;
  limits.place = member.place;
  TakeLabNumber(map, "headroom", limits.headroom);
  TakeLabNumber(map, "throttled", limits.throttled);
  TakeLabNumber(map, "failed", limits.failed);
  TakeLabNumber(map, "wrong", limits.wrong);
  TakeLabNumber(map, "month_usd", limits.month_usd);
  TakeLabNumber(map, "storage_gb", limits.storage_gb);
  TakeLabNumber(map, "largest_collection_mb", limits.largest_collection_mb);
  if (const LabNode* const findings = map.Find("severe_findings")) {
    limits.severe_findings = static_cast<int>(LabWholeIn(*findings));
  }
  const LabNode* const patterns = map.Find("patterns");
  if (!patterns) return limits;
  for (const LabNode::Member& pattern : patterns->members) {
    const int number = FindPattern(NameOf(pattern), reading);
    if (number == kLabNone) continue;
    LabPatternLimits& of_pattern = limits.patterns[number];
    TakeLabNumber(pattern.value, "read_units", of_pattern.read_units);
    TakeLabNumber(pattern.value, "write_units", of_pattern.write_units);
    TakeLabNumber(pattern.value, "read_units_p99", of_pattern.read_units_p99);
    TakeLabNumber(pattern.value, "write_units_p99", of_pattern.write_units_p99);
    TakeLabNumber(pattern.value, "requests", of_pattern.requests);
    TakeLabNumber(pattern.value, "requests_p99", of_pattern.requests_p99);
  }
  return limits;
}

// An application has the limits of all layouts only.
void ReadLimits(const LabNode& node, LabNeeds needs, LabReading& reading) {
  std::vector<std::string> names = NamesIn(reading.file.layouts);
  names.insert(names.begin(), "*");
  for (const LabNode::Member& member : node.members) {
    if (needs == LabNeeds::kApplication && member.name != "*") continue;
    const int found = FindName(NameOf(member), names,
                               "`limits` are those of a layout, or of all by \"*\", and there is "
                               "no layout \"" +
                                   member.name + "\"",
                               reading);
    if (found == kLabNone) return;
    LabLimits& limits = found == 0 ? reading.file.limits_of_all : reading.file.limits[found - 1];
    limits = ReadLimitsOf(member, reading);
  }
}

void ReadLayoutsOf(const LabNode& root, LabReading& reading) {
  const LabNode* const layouts = root.Find("layouts");
  if (reading.ok() && !layouts) return reading.Fail(root.place, "layouts is missing");
  if (reading.ok()) ReadLayouts(*layouts, reading);
  if (reading.ok()) CheckLayouts(reading);
}

// Reads the parts in the order in which they refer to each other. What follows an error is left
// out.
void ReadParts(const LabNode& root, LabNeeds needs, LabReading& reading) {
  constexpr std::int64_t kUsualStartEpochMs = 1'767'225'600'000;  // 2026-01-01T00:00:00Z
  LabFile& file = reading.file;
  TakeLabWhole(root, "seed", file.seed);
  const LabNode* const start = root.Find("start");
  file.start_epoch_ms = start ? ReadStart(*start, reading) : kUsualStartEpochMs;
  if (reading.ok()) ReadEntities(*root.Find("entities"), reading);
  if (reading.ok()) CheckEntities(reading);
  const LabNode* const tenant = root.Find("tenant");
  if (reading.ok() && tenant) file.tenant = ReadTenant(*tenant, reading);
  if (reading.ok()) ReadPatterns(*root.Find("access_patterns"), reading);
  if (reading.ok()) CheckPatterns(reading);
  if (reading.ok()) CheckUniqueAttributes(reading);
  if (needs == LabNeeds::kLayouts) ReadLayoutsOf(root, reading);
  if (reading.ok()) file.traffic = ReadTraffic(root.Find("traffic"), reading);
  const LabNode* const client = root.Find("client");
  if (reading.ok() && client) file.client = ReadClient(*client, reading);
  const LabNode* const partitions = root.Find("partitions");
  if (reading.ok() && partitions) file.partitions = ReadPartitions(*partitions, reading);
  const LabNode* const limits = root.Find("limits");
  if (reading.ok() && limits) ReadLimits(*limits, needs, reading);
}

// Open questions. An import writes "{?the question}" where a value has to stand, as its source does
// not decide which. A literal brace is written twice, so no template has such a text.

// Returns the question of a mark in the text; nothing where there is no mark.
std::optional<std::string_view> QuestionIn(std::string_view text) {
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] != '{' && text[at] != '}') continue;
    if (text[at] == '{' && text[at + 1] == '?') {
      std::string_view question = text.substr(at + 2);
      if (question.ends_with('}')) question.remove_suffix(1);
      return question;
    }
    if (text[at + 1] == text[at]) ++at;
  }
  return std::nullopt;
}

// Appends the errors of all marks below the node, one for each place: what has an alias is read
// several times. The depth of a document is limited.
void AddQuestions(const LabNode& node, std::string_view name, std::set<std::pair<int, int>>& places,
                  std::vector<std::string>& errors) {
  const auto question = QuestionIn(node.text);
  if (question && places.insert({node.place.line, node.place.column}).second) {
    const std::string sentence =
        std::string(*question) + " Write the answer in the place of the mark {?…}.";
    errors.push_back(LabErrorAt(name, node.place, sentence).message);
  }
  for (const LabNode& element : node.elements) AddQuestions(element, name, places, errors);
  for (const LabNode::Member& member : node.members) {
    AddQuestions(member.value, name, places, errors);
  }
}

// Errors: ValidationException  the file has open questions; the sentence has a line for each of the
//         first ones
Status CheckAnswered(const LabNode& root, std::string_view name, std::vector<std::string>* faults) {
  constexpr std::size_t kMostListed = 50;
  std::set<std::pair<int, int>> places;
  std::vector<std::string> questions;
  AddQuestions(root, name, places, questions);
  if (questions.empty()) return {};
  std::string lines;
  for (std::size_t at = 0; at < std::min(questions.size(), kMostListed); ++at) {
    lines += (at == 0 ? "" : "\n") + questions[at];
  }
  if (questions.size() > kMostListed) {
    lines += "\nand " + std::to_string(questions.size() - kMostListed) + " more";
  }
  if (faults) *faults = std::move(questions);
  return ValidationError(std::move(lines));
}

}  // namespace

Result<LabFile> ReadLabFile(std::string_view text, std::string_view name,
                            std::vector<std::string>* faults) {
  const Result<LabNode> root = ReadLabDocument(text, name);
  if (root.ok()) return ReadLabFile(*root, name, faults);
  if (faults) *faults = {root.error().message};
  return root.error();
}

namespace {

Result<LabFile> ReadWhole(const LabNode& root, std::string_view name, LabNeeds needs,
                          std::vector<std::string>* faults) {
  HR_RETURN_IF_ERROR(CheckAnswered(root, name, faults));
  LabReading reading(name);
  reading.file.name = name;
  const Status form = CheckLabForms(root, name, &reading.file.warnings);
  if (!form.ok()) {
    if (faults) *faults = {form.error().message};
    return form.error();
  }
  ReadParts(root, needs, reading);
  if (faults) *faults = reading.Faults();
  return reading.TakeFile();
}

}  // namespace

Result<LabFile> ReadLabFile(const LabNode& root, std::string_view name,
                            std::vector<std::string>* faults) {
  return ReadWhole(root, name, LabNeeds::kLayouts, faults);
}

Result<LoadedLab> LoadLab(std::string_view text, std::string_view name) {
  HR_ASSIGN(LabNode document, ReadLabDocument(text, name));
  HR_ASSIGN(LabFile file, ReadLabFile(document, name));
  return LoadedLab{std::move(document), std::move(file)};
}

Result<LoadedLab> LoadApplication(std::string_view text, std::string_view name) {
  HR_ASSIGN(LabNode document, ReadLabDocument(text, name));
  HR_ASSIGN(LabFile file, ReadWhole(document, name, LabNeeds::kApplication, nullptr));
  return LoadedLab{std::move(document), std::move(file)};
}

}  // namespace hashrange
