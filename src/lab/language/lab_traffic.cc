#include "lab/language/lab_traffic.h"

#include <utility>

#include "lab/language/lab_names.h"
#include "lab/language/lab_scalars.h"
#include "lab/language/node_reader.h"

namespace hashrange {
namespace {

// Each period is kept in some dozen stretches.
constexpr std::int64_t kMostPeriods = 100'000;

using Kind = LabPhase::Kind;

// Reads `[1, 8]`.
void ReadTwoFactors(const LabNode& node, const char* what, LabPhase& phase, LabReading& reading) {
  if (node.elements.size() != 2) {
    return reading.Fail(node.place,
                        std::string(what) + " has to be a list of two factors, such as [1, 8]");
  }
  phase.from = ReadLabNumber(node.elements[0], what, kLabNotNegative, reading);
  phase.to = ReadLabNumber(node.elements[1], what, kLabNotNegative, reading);
}

void ReadConstantRate(const LabNode& factor, NodeReader& map, LabPhase& phase) {
  phase.from = ReadLabNumber(factor, "`rate`", kLabNotNegative, map.reading());
  phase.to = phase.from;
}

void ReadRamp(const LabNode& factors, NodeReader& map, LabPhase& phase) {
  ReadTwoFactors(factors, "`ramp`", phase, map.reading());
}

void ReadSinusoid(const LabNode& factors, NodeReader& map, LabPhase& phase) {
  LabReading& reading = map.reading();
  ReadTwoFactors(factors, "`sinusoid`", phase, reading);
  if (phase.from > phase.to) {
    reading.Fail(factors.place, "`sinusoid` has the least factor first, and then the greatest");
  }
  phase.period_ms = phase.length_ms;
  const LabNode* const period = map.Member("period");
  if (!period) return;
  phase.period_ms = ReadLabDuration(*period, "`period`", reading);
  if (phase.period_ms == 0) {
    reading.Fail(period->place, "`period` has to be more than 0");
  } else if (phase.length_ms / phase.period_ms > kMostPeriods) {
    reading.Fail(period->place, "a phase has at most 100,000 periods");
  }
}

void ReadSpike(const LabNode& factor, NodeReader& map, LabPhase& phase) {
  phase.to = ReadLabNumber(factor, "`spike`", kLabNotNegative, map.reading());
}

struct PhaseRow {
  const char* name;
  Kind kind;
  void (*read)(const LabNode& value, NodeReader& map, LabPhase& phase);
};
constexpr PhaseRow kPhases[] = {
    {"rate", Kind::kConstant, ReadConstantRate},
    {"ramp", Kind::kRamp, ReadRamp},
    {"sinusoid", Kind::kSinusoid, ReadSinusoid},
    {"spike", Kind::kSpike, ReadSpike},
};

void ReadHot(const LabNode& node, LabPhase& phase, LabReading& reading) {
  if (node.kind != LabNode::Kind::kMap || node.members.empty()) {
    return reading.Fail(node.place,
                        "`hot` has to be a map of entities and shares, such as {Product: "
                        "0.5}");
  }
  for (const LabNode::Member& member : node.members) {
    const int entity = FindEntity({member.name, member.place}, reading);
    if (entity == kLabNone) return;
    phase.hot[entity] = ReadLabNumber(member.value, "a share of `hot`", kLabShare, reading);
  }
}

LabPhase ReadPhase(const LabNode& node, LabReading& reading) {
  LabPhase phase;
  NodeReader map(node, "a phase of `traffic`", reading);
  if (const LabNode* const length = map.Require("for")) {
    phase.length_ms = ReadLabDuration(*length, "`for`", reading);
    if (phase.length_ms == 0) reading.Fail(length->place, "`for` has to be more than 0");
  }
  if (const PhaseRow* const row = map.OneOf(kPhases)) {
    phase.kind = row->kind;
    row->read(*node.Find(row->name), map, phase);
  }
  if (const LabNode* const hot = map.Member("hot")) ReadHot(*hot, phase, reading);
  map.Finish();
  return phase;
}

}  // namespace

std::vector<LabPhase> ReadTraffic(const LabNode& node, LabReading& reading) {
  std::vector<LabPhase> phases;
  if (node.kind != LabNode::Kind::kList || node.elements.empty()) {
    reading.Fail(node.place, "`traffic` has to be a list of phases, such as [{for: 30m, rate: 1}]");
  }
  for (const LabNode& element : node.elements) phases.push_back(ReadPhase(element, reading));
  return phases;
}

std::vector<LabPhase> UsualTraffic() {
  constexpr std::int64_t kTenMinutesMs = 600'000;
  LabPhase phase;
  phase.length_ms = kTenMinutesMs;
  return {phase};
}

LabClient ReadClient(const LabNode& node, LabReading& reading) {
  constexpr std::int64_t kMostAttempts = 100;
  LabClient client;
  NodeReader map(node, "`client`", reading);
  if (const LabNode* const retries = map.Member("retries")) {
    if (retries->text == "none") {
      client.attempts = 1;
    } else if (retries->text != "standard") {
      reading.Fail(retries->place,
                   "`retries` has to be standard or none, and this is \"" + retries->text + "\"");
    }
  }
  if (const LabNode* const attempts = map.Member("attempts")) {
    client.attempts =
        static_cast<int>(ReadLabWhole(*attempts, "`attempts`", 1, kMostAttempts, reading));
  }
  const auto read_duration = [&](const char* name, const char* what, std::int64_t& target) {
    if (const LabNode* const value = map.Member(name))
      target = ReadLabDuration(*value, what, reading);
  };
  read_duration("base_delay", "`base_delay`", client.base_delay_ms);
  read_duration("longest_delay", "`longest_delay`", client.longest_delay_ms);
  read_duration("latency", "`latency`", client.latency_ms);
  map.Finish();
  return client;
}

}  // namespace hashrange
