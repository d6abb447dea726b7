// The rule that judges modelled partitions: the second half of rule 26 of design_rules.def.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/stable_sort.h"
#include "measure/number_text.h"
#include "measure/partition_load.h"
#include "measure/pattern_sums.h"
#include "measure/rules/design_rules.h"
#include "measure/rules/partition_text.h"

namespace hashrange {
namespace {

struct RuleDirection : PartitionDirection {
  double UnitSums::*used_units;
  // What a unit that was used is of a partition's demand, at least. Eventually consistent reads
  // count two thirds.
  double least_demand_of_unit;
};
constexpr RuleDirection kRuleDirections[] = {
    {kPartitionWrites, &UnitSums::write_units, 1},
    {kPartitionReads, &UnitSums::read_units, 2.0 / 3},
};

// Partitions that together use more have no room to speak of.
constexpr double kUsedWithRoom = 0.8;

// Counts the partitions that were there at a moment.
class PartitionLives {
 public:
  explicit PartitionLives(const PartitionMap& map) {
    for (const PartitionMeasure& partition : map.partitions) {
      begins_.push_back(partition.began_epoch_ms);
      if (partition.ended_epoch_ms > 0) ends_.push_back(partition.ended_epoch_ms);
    }
    StableSort(begins_);
    StableSort(ends_);
  }

  double CountAt(std::int64_t epoch_ms) const {
    const auto began = std::ranges::upper_bound(begins_, epoch_ms) - begins_.begin();
    const auto ended = std::ranges::upper_bound(ends_, epoch_ms) - ends_.begin();
    return static_cast<double>(began - ended);
  }

 private:
  std::vector<std::int64_t> begins_;
  std::vector<std::int64_t> ends_;
};

// A slice of time in which a partition throttled although all partitions together had room. Demand
// is meant as in PartitionMeasure.
struct RoomySlice {
  const PartitionSlice* slice = nullptr;
  double demand = 0;
  double even_demand = 0;     // of each partition, if all had the same
  double used_units = 0;      // of the demand, without what is beyond what a partition serves
  double servable_units = 0;  // by all partitions together
};

// Returns how many partitions there were in the slice: the fewer of its begin and its end.
double PartitionsIn(const PartitionLives& lives, std::int64_t begin_ms, std::int64_t slice_ms) {
  const double at_begin = lives.CountAt(begin_ms);
  const double at_end = lives.CountAt(begin_ms + slice_ms);
  return at_begin > 0 ? std::min(at_begin, at_end) : at_end;
}

std::vector<RoomySlice> RoomySlicesOf(const PartitionMap& map, const RuleDirection& direction) {
  std::vector<RoomySlice> roomy;
  const PartitionLives lives(map);
  const double seconds = static_cast<double>(map.slice_ms) / kMillisecondsPerSecond;
  const double by_one = map.*direction.partition_units * seconds;
  for (const PartitionSlice& slice : map.slices) {
    const double count = PartitionsIn(lives, slice.begin_epoch_ms, map.slice_ms);
    if (count < 2) continue;
    RoomySlice sums{.slice = &slice, .servable_units = count * by_one};
    double throttled = 0;
    for (const PartitionHeat& heat : slice.partitions) {
      // More may be asked of a partition than it serves.
      const double demand = heat.*direction.slice_demand;
      sums.demand += demand;
      sums.used_units += std::min(demand, by_one);
      throttled += heat.*direction.slice_throttled;
    }
    sums.even_demand = sums.demand / count;
    const bool has_room = sums.used_units <= kUsedWithRoom * sums.servable_units;
    if (has_room && throttled > 0) roomy.push_back(sums);
  }
  return roomy;
}

// The partition that throttled most while there was room, and what happened in the slices in which
// it did.
struct WorstPartition {
  const PartitionMeasure* partition = nullptr;  // null: the map lists no such partition
  double throttled = 0;
  double throttled_by_all = 0;  // in all slices with room
  double demand = 0;            // of the partition
  RoomySlice all = {};          // sums of the slices
};

std::int64_t FindWorst(const std::vector<RoomySlice>& roomy, const RuleDirection& direction,
                       double* throttled_by_all) {
  std::map<std::int64_t, double> throttled;
  for (const RoomySlice& each : roomy) {
    for (const PartitionHeat& heat : each.slice->partitions) {
      throttled[heat.number] += heat.*direction.slice_throttled;
      *throttled_by_all += heat.*direction.slice_throttled;
    }
  }
  const auto worst =
      std::ranges::max_element(throttled, {}, [](const auto& row) { return row.second; });
  return worst == throttled.end() ? 0 : worst->first;
}

WorstPartition WorstPartitionOf(const PartitionMap& map, const RuleDirection& direction) {
  const std::vector<RoomySlice> roomy = RoomySlicesOf(map, direction);
  WorstPartition worst;
  const std::int64_t number = FindWorst(roomy, direction, &worst.throttled_by_all);
  const auto found = std::ranges::find(map.partitions, number, &PartitionMeasure::number);
  if (found == map.partitions.end()) return worst;
  worst.partition = &*found;
  for (const RoomySlice& each : roomy) {
    for (const PartitionHeat& heat : each.slice->partitions) {
      const double throttled = heat.*direction.slice_throttled;
      if (heat.number != number || throttled <= 0) continue;
      worst.throttled += throttled;
      worst.demand += heat.*direction.slice_demand;
      worst.all.demand += each.demand;
      worst.all.even_demand += each.even_demand;
      worst.all.used_units += each.used_units;
      worst.all.servable_units += each.servable_units;
    }
  }
  return worst;
}

// Returns whether the partition was hot beside the others. Where all partitions have the same load,
// they throttle alike in a part of a slice, and in the whole slice all of them seem to have room.
bool IsHotterThanOthers(const WorstPartition& worst) {
  constexpr double kTimesEven = 2;
  constexpr double kMostThrottled = 2.0 / 3;
  return worst.demand >= kTimesEven * worst.all.even_demand ||
         worst.throttled >= kMostThrottled * worst.throttled_by_all;
}

// Returns about how many accesses to the table or index succeeded: the members of batches and
// transactions, and otherwise calls.
double AccessesOf(const Measurement& measurement, const PartitionMap& map,
                  const RuleDirection& direction) {
  double accesses = 0;
  for (const PatternMeasure& pattern : measurement.patterns) {
    const UnitSums units = UnitsOn(pattern.units, map.table, map.index);
    if (units.*direction.used_units <= 0) continue;
    const double members =
        pattern.members_a_call.count() > 0
            ? pattern.members_a_call.sum() / static_cast<double>(pattern.members_a_call.count())
            : 1;
    accesses += SuccessfulCallsOf(pattern) * members;
  }
  return accesses;
}

// Returns whether the map counts all that was asked for in the measurement. It does not where the
// model began later, nor where the others refused accesses that their demand does not have, as in a
// file from before the demand was counted.
bool CountsAllDemand(const Measurement& measurement, const PartitionMap& map,
                     const PartitionMeasure& partition, const RuleDirection& direction) {
  if (map.began_epoch_ms > measurement.began_epoch_ms) return false;
  return std::ranges::all_of(map.partitions, [&](const PartitionMeasure& each) {
    return &each == &partition || each.*direction.throttled == 0 ||
           each.*direction.demand > each.*direction.units;
  });
}

// Returns the key that must be in the partition, at least in part: one with more units than what
// was asked of all other partitions together. The text is empty when no key is known to be.
std::string KeyIn(const Measurement& measurement, const PartitionMap& map,
                  const PartitionMeasure& partition, const RuleDirection& direction) {
  const ResourceMeasure* const resource = FindResourceMeasure(measurement, map.table, map.index);
  if (!resource || !CountsAllDemand(measurement, map, partition, direction)) return {};
  const TopKeys& keys = resource->*direction.keys;
  if (keys.keys.empty()) return {};
  double others = 0;
  for (const PartitionMeasure& each : map.partitions) {
    if (&each != &partition) others += each.*direction.demand;
  }
  const KeyCount& hottest = keys.keys.front();
  const double least_demand = (hottest.units - hottest.error) * direction.least_demand_of_unit;
  return least_demand > others ? hottest.key : std::string();
}

// Whether another rule says the same of the key, as severely.
bool IsSaidAlready(const std::vector<Finding>& others, const Finding& finding) {
  const FindingPlace& place = finding.place;
  return !place.key.empty() && std::ranges::any_of(others, [&](const Finding& other) {
    const bool is_same_key =
        other.place.key == place.key || other.place.key.starts_with(place.key + ", ");
    return other.place.table == place.table && other.place.index == place.index && is_same_key &&
           other.severity >= finding.severity;
  });
}

std::vector<Finding> FindingsOfKeys(const Measurement& measurement, const RuleInput& input) {
  std::vector<Finding> findings;
  for (const auto assess : {AssessConstantPartitionKeys, AssessHotKeysAtPeak, AssessRisingSortKeys,
                            AssessHotCounters}) {
    for (Finding& finding : assess(measurement, input).findings) {
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

FindingSeverity SeverityOfThrottles(double share) {
  constexpr double kMany = 0.1;
  constexpr double kSome = 0.01;
  if (share >= kMany) return FindingSeverity::kSevere;
  return share >= kSome ? FindingSeverity::kWarning : FindingSeverity::kHint;
}

std::string WhyUncut(const PartitionMeasure& partition) {
  if (partition.ended_epoch_ms > 0) return "It was cut later.";
  if (partition.uncut.empty()) return "It was not hot for long enough to be cut.";
  return "It was not cut: " + UncutText(partition) + ".";
}

std::string EvidenceOf(const PartitionMap& map, const WorstPartition& worst,
                       const RuleDirection& direction) {
  const PartitionMeasure& partition = *worst.partition;
  const RoomySlice& all = worst.all;
  std::string text = "Partition " + std::to_string(partition.number) + " (" +
                     PartitionRangeText(partition) + " of the hashes) ";
  text += map.mode == "watch" ? "would have throttled " : "throttled ";
  text += CountedText(worst.throttled, direction.name, direction.plural) + ". Meanwhile it had " +
          ShareText(all.demand > 0 ? worst.demand / all.demand : 0) + " of the " +
          std::string(direction.name) + " demand, and all partitions together used " +
          ShareText(all.used_units / all.servable_units) + " of what they serve. ";
  return text + WhyUncut(partition);
}

Finding FindingOf(const Measurement& measurement, const PartitionMap& map,
                  const WorstPartition& worst, const RuleDirection& direction) {
  // What the model only watches has succeeded, and so is among the accesses.
  const double succeeded = AccessesOf(measurement, map, direction);
  const double throttled = worst.throttled_by_all;
  const double all = map.mode == "watch" ? std::max(succeeded, throttled) : succeeded + throttled;
  Finding finding;
  finding.severity = SeverityOfThrottles(throttled / all);
  finding.place = {.table = map.table, .index = map.index};
  finding.place.key = KeyIn(measurement, map, *worst.partition, direction);
  finding.evidence = EvidenceOf(map, worst, direction);
  finding.basis = FigureBasis::kModelled;
  const UncutCause* const cause = FindUncutCause(worst.partition->uncut);
  if (cause) finding.advice = cause->advice;
  return finding;
}

// Judges one map after the other, and collects what it found.
struct PartitionJudge {
  explicit PartitionJudge(const Measurement& of) : measurement(of) {}

  void JudgeMap(const PartitionMap& map, const RuleDirection& direction) {
    constexpr std::int64_t kLongestTellingMs = 60'000;
    const WorstPartition worst = WorstPartitionOf(map, direction);
    if (!worst.partition) return;
    if (IsHotterThanOthers(worst)) {
      found.push_back(FindingOf(measurement, map, worst, direction));
    } else if (map.slice_ms > kLongestTellingMs) {
      longest_untold_ms = std::max(longest_untold_ms, map.slice_ms);
    }
  }

  const Measurement& measurement;
  std::vector<Finding> found = {};
  // The length of the longest slices in which partitions throttled alike; 0: none is longer than a
  // minute.
  std::int64_t longest_untold_ms = 0;
};

std::string UntoldText(std::int64_t slice_ms) {
  return "Partitions throttled, but slices of " +
         CountedText(static_cast<double>(slice_ms) / kMillisecondsPerSecond, "second") +
         " do not tell whether the others had room at that moment.";
}

bool HasLoad(const PartitionMap& map) {
  double units = 0;
  for (const PartitionMeasure& partition : map.partitions) {
    units += partition.read_demand + partition.write_demand;
  }
  return units >= kLeastUnitsOfShares;
}

}  // namespace

RuleOutcome AssessHotPartitions(const Measurement& measurement, const RuleInput& input) {
  RuleOutcome outcome{.missing = "No partitions were modelled."};
  if (!measurement.partitions.empty()) {
    outcome.missing = "The partitions that were modelled took fewer than " +
                      CountedText(kLeastUnitsOfShares, "unit") + ".";
  }
  PartitionJudge judge(measurement);
  for (const PartitionMap& map : measurement.partitions) {
    outcome.has_evidence |= HasLoad(map);
    for (const RuleDirection& direction : kRuleDirections) judge.JudgeMap(map, direction);
  }
  outcome.findings = std::move(judge.found);
  if (outcome.findings.empty()) {
    if (judge.longest_untold_ms > 0) {
      outcome.has_evidence = false;
      outcome.missing = UntoldText(judge.longest_untold_ms);
    }
    return outcome;
  }
  outcome.has_evidence = true;
  const std::vector<Finding> others = FindingsOfKeys(measurement, input);
  std::erase_if(outcome.findings, [&](const Finding& each) { return IsSaidAlready(others, each); });
  return outcome;
}

}  // namespace hashrange
