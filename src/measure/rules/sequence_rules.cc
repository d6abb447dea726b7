// The rules that judge what one caller does one after another, and what is done with collections:
// rules 6, 9, 10, 16 and 18 of design_rules.def.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/number_text.h"
#include "measure/rules/design_rules.h"

namespace hashrange {
namespace {

// A sequence with its patterns.
struct KnownSequence {
  const SequenceMeasure& sequence;
  const PatternMeasure& first;
  const PatternMeasure* second;  // null where the sequence has none
};

// Returns the sequences of a kind whose patterns are known.
std::vector<KnownSequence> SequencesOf(const Measurement& measurement, std::string_view kind) {
  std::vector<KnownSequence> known;
  for (const SequenceMeasure& sequence : measurement.sequences) {
    if (sequence.kind != kind) continue;
    const PatternMeasure* const first = FindPattern(measurement, sequence.first);
    const PatternMeasure* const second = FindPattern(measurement, sequence.second);
    if (first && (second || sequence.second.empty())) known.push_back({sequence, *first, second});
  }
  return known;
}

bool HasKind(const PatternMeasure& pattern, std::string_view kind) {
  return std::ranges::find(pattern.members, kind, &PatternMember::kind) != pattern.members.end();
}

// The read units of so many calls of the pattern.
UnitSums ReadUnitsOfCalls(const PatternMeasure& pattern, double calls) {
  if (pattern.calls == 0) return {};
  return {.read_units =
              AllUnits(pattern.units).read_units * calls / static_cast<double>(pattern.calls)};
}

}  // namespace

// --- Rule 6 ---

namespace {

// The read calls on the collections of one template, by how many kinds of items a call can meet.
struct CollectionReads {
  std::set<std::string> kinds = {};
  std::uint64_t calls = 0;
  std::uint64_t calls_of_several = 0;
};

using CollectionKey = std::pair<std::string, std::string>;  // the table, the partition key

std::map<CollectionKey, CollectionReads> ReadsByCollection(const Measurement& measurement) {
  std::map<CollectionKey, CollectionReads> reads;
  for (const EntityMeasure& entity : measurement.entities) {
    if (entity.items == 0) continue;
    reads[{entity.table, entity.partition_key}].kinds.insert(KindOf(measurement, entity));
  }
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    if (!IsRead(member) || member.kind == "scan" || !member.index.empty()) return;
    std::map<CollectionKey, std::uint64_t> met;
    for (const EntityMeasure* entity : KindsMetBy(measurement, member)) {
      ++met[{entity->table, entity->partition_key}];
    }
    for (const auto& [collection, kinds] : met) {
      reads[collection].calls += pattern.calls;
      const bool is_of_several = kinds > 1 && member.kind == "query";
      if (is_of_several) reads[collection].calls_of_several += pattern.calls;
    }
  });
  return reads;
}

}  // namespace

RuleOutcome AssessCollectionsReadApart(const Measurement& measurement, const RuleInput&) {
  constexpr double kSeldom = 0.3;
  RuleOutcome outcome{.missing = "No collections of several entities had " +
                                 CountedText(kLeastCallsForShares, "read") + "."};
  for (const auto& [collection, reads] : ReadsByCollection(measurement)) {
    if (reads.kinds.size() < 2 || reads.calls < kLeastCallsForShares) continue;
    outcome.has_evidence = true;
    const double share =
        static_cast<double>(reads.calls_of_several) / static_cast<double>(reads.calls);
    if (share >= kSeldom) continue;
    outcome.Add(FindingSeverity::kHint, {.table = collection.first, .key = collection.second},
                NumberText(reads.calls_of_several) + " of " + CountedText(reads.calls, "read") +
                    " met several of the " + NumberText(reads.kinds.size()) +
                    " entities under this key.");
  }
  return outcome;
}

RuleOutcome AssessCollectionsReadTogether(const Measurement& measurement, const RuleInput&) {
  constexpr double kMostly = 0.5;
  RuleOutcome outcome{.missing = "No pattern with " + CountedText(kLeastCallsForShares, "call") +
                                 " was seen to be followed by a read of another collection."};
  for (const auto& [sequence, first, second] : SequencesOf(measurement, "together")) {
    if (!second || first.calls < kLeastCallsForShares) continue;
    if (first.members.size() != 1 || second->members.size() != 1) continue;
    outcome.has_evidence = true;
    const PatternMember &one = first.members[0], &other = second->members[0];
    const bool is_one_collection =
        one.table == other.table && one.index == other.index &&
        PartitionKeyTemplate(measurement, one) == PartitionKeyTemplate(measurement, other);
    const double share = static_cast<double>(sequence.count) / static_cast<double>(first.calls);
    if (is_one_collection || share <= kMostly) continue;
    outcome.Add(FindingSeverity::kHint, PlaceOf(first),
                NumberText(sequence.count) + " of " + CountedText(first.calls, "call") +
                    " were followed by " + InBackticks(second->text) + ".");
  }
  return outcome;
}

// --- Rule 9 ---

namespace {

struct BurstKind {
  std::string_view name;
  const char* of;
  const char* advice;
};

constexpr BurstKind kBurstKinds[] = {
    {"gets in a burst", "", "Read the items with one BatchGetItem."},
    {"gets of one collection in a burst", " of one partition key",
     "Read the items with one Query of their partition key."},
};

}  // namespace

RuleOutcome AssessGetsInBursts(const Measurement& measurement, const RuleInput&) {
  constexpr double kLargePart = 0.2;
  RuleOutcome outcome{.missing = "No pattern of reads of one item had " +
                                 CountedText(kLeastCallsForShares, "call") + "."};
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    outcome.has_evidence |= member.kind == "get" && pattern.calls >= kLeastCallsForShares;
  });
  for (const BurstKind& kind : kBurstKinds) {
    for (const auto& [sequence, first, second] : SequencesOf(measurement, kind.name)) {
      const auto calls = static_cast<double>(sequence.calls);
      const bool is_often = first.calls >= kLeastCallsForShares && sequence.count >= kLeastCalls &&
                            calls >= kLargePart * static_cast<double>(first.calls);
      if (!is_often) continue;
      outcome
          .Add(FindingSeverity::kHint, PlaceOf(first),
               NumberText(calls) + " of " + CountedText(first.calls, "call") + " came in " +
                   CountedText(sequence.count, "burst") + kind.of + ", at most " +
                   NumberText(sequence.largest) + " in one.")
          .advice = kind.advice;
    }
  }
  return outcome;
}

// --- Rule 10 ---

RuleOutcome AssessReadsAfterUpdates(const Measurement& measurement, const RuleInput& input) {
  constexpr double kLargePart = 0.2;
  RuleOutcome outcome{.missing = "No UpdateItem had " + CountedText(kLeastCalls, "call") + "."};
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    outcome.has_evidence |= member.kind == "update" && pattern.calls >= kLeastCalls;
  });
  for (const auto& [sequence, first, second] : SequencesOf(measurement, "read after write")) {
    const auto count = static_cast<double>(sequence.count);
    const bool is_often = second && HasKind(first, "update") && sequence.count >= kLeastCalls &&
                          count >= kLargePart * static_cast<double>(first.calls);
    if (!is_often) continue;
    Finding& finding = outcome.Add(FindingSeverity::kHint, PlaceOf(first),
                                   NumberText(count) + " of " + CountedText(first.calls, "update") +
                                       " were followed by a read of the same item, " +
                                       InBackticks(second->text) + ".");
    finding.cost = Modelled(MixCost(measurement, input.prices, ReadUnitsOfCalls(*second, count),
                                    "reading what was written"));
  }
  return outcome;
}

// --- Rule 16 ---

namespace {

// Whether the create fails for the second of two callers. A condition on the item itself guards its
// own key only: where an index was read, the value is unique only if the same transaction creates
// an item with that key.
bool IsGuarded(const PatternMeasure& check, const PatternMeasure& create) {
  const auto guards = [](const PatternMember& member) { return ForbidsItem(member.condition); };
  const bool has_guard = std::ranges::any_of(create.members, guards);
  return has_guard && (HasKind(check, "get") || IsTransaction(create));
}

}  // namespace

RuleOutcome AssessChecksBeforeCreates(const Measurement& measurement, const RuleInput&) {
  // One could be a coincidence of keys; the race is a defect even where it is rare.
  constexpr std::uint64_t kLeastTimes = 3;
  RuleOutcome outcome{.missing = "No item was created."};
  for (const PatternMeasure& pattern : measurement.patterns) {
    outcome.has_evidence |= pattern.inserted > 0;
  }
  for (const auto& [sequence, first, second] : SequencesOf(measurement, "read before create")) {
    if (!second || sequence.count < kLeastTimes || IsGuarded(first, *second)) continue;
    outcome.Add(FindingSeverity::kWarning, PlaceOf(*second),
                CountedText(sequence.count, "item") + " were created right after " +
                    InBackticks(first.text) +
                    " had not found them; nothing makes the second of two callers fail.");
  }
  return outcome;
}

// --- Rule 18 ---

RuleOutcome AssessAbandonedMembers(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing = "No member of a batch was left unprocessed."};
  for (const PatternMeasure& pattern : measurement.patterns) {
    if (pattern.unprocessed == 0) continue;
    outcome.has_evidence = true;
    if (pattern.abandoned_unprocessed == 0) continue;
    // What is not written is lost; what is not read is read another time.
    const bool is_write = std::ranges::any_of(pattern.members, IsWrite);
    outcome.Add(is_write ? FindingSeverity::kSevere : FindingSeverity::kWarning, PlaceOf(pattern),
                "Nobody sent " + NumberText(pattern.abandoned_unprocessed) + " of " +
                    CountedText(pattern.unprocessed, "unprocessed member") + " again.");
  }
  return outcome;
}

}  // namespace hashrange
