// The rules that judge what writes ask for: rules 12 to 15 and 17 of design_rules.def.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "measure/number_text.h"
#include "measure/rules/design_rules.h"

namespace hashrange {
namespace {

bool HasWrites(const PatternMeasure& pattern) {
  return std::ranges::any_of(pattern.members, IsWrite);
}

// PartiQL has words of its own for what must exist: INSERT and UPDATE.
bool IsStatement(const PatternMeasure& pattern) { return Mentions(pattern.operation, "Execute"); }

}  // namespace

// --- Rule 12 ---

RuleOutcome AssessTransactionsOfOne(const Measurement& measurement, const RuleInput& input) {
  RuleOutcome outcome{.missing = "No transactions with writes were seen."};
  for (const PatternMeasure& pattern : measurement.patterns) {
    const Distribution& sizes = pattern.members_a_call;
    if (!IsTransaction(pattern) || !HasWrites(pattern) || sizes.count() == 0) continue;
    outcome.has_evidence = true;
    const std::uint64_t single = sizes.count() - sizes.CountAbove(1);
    if (single == 0) continue;
    const auto calls = static_cast<double>(single);
    std::string evidence =
        NumberText(calls) + " of " + CountedText(sizes.count(), "transaction") + " wrote one item.";
    // A token makes a repeated call harmless, which single writes have no means for.
    if (pattern.replays > 0) {
      evidence += " " + CountedText(pattern.replays, "call") +
                  " repeated another's client request token, which a single write cannot.";
    }
    Finding& finding =
        outcome.Add(pattern.replays > 0 ? FindingSeverity::kHint : FindingSeverity::kWarning,
                    PlaceOf(pattern), evidence);
    // A transaction takes twice the units on the table, and no more on indexes
    // (docs/service/08-capacity.md, section 2).
    const FindingPlace& place = finding.place;
    const double table_units = UnitsOn(pattern.units, place.table, {}).write_units;
    const double share = calls / sizes.sum();
    finding.cost = Modelled(MixCost(measurement, input.prices,
                                    {.write_units = table_units * share / 2}, "the transaction"));
  }
  return outcome;
}

// --- Rule 13 ---

RuleOutcome AssessLargeTransactions(const Measurement& measurement, const RuleInput&) {
  constexpr double kManyMembers = 90;                      // of 100
  constexpr double kLargeRequest = 0.9 * 4 * 1024 * 1024;  // of 4 MB
  RuleOutcome outcome{.missing = "No transactions were seen."};
  for (const PatternMeasure& pattern : measurement.patterns) {
    if (!IsTransaction(pattern) || pattern.calls == 0) continue;
    outcome.has_evidence = true;
    const double members = pattern.members_a_call.max();
    const double size = pattern.request_bytes.max();
    if (members >= kManyMembers) {
      outcome.Add(FindingSeverity::kWarning, PlaceOf(pattern),
                  "A transaction had " + NumberText(members) + " of at most 100 members.");
    } else if (size >= kLargeRequest) {
      outcome.Add(FindingSeverity::kWarning, PlaceOf(pattern),
                  "The body of a request had " + StoredSizeText(size) +
                      "; its items may have 4 MB together.");
    }
  }
  return outcome;
}

// --- Rule 14 ---

namespace {

// Whether the condition can only hold for an item that is there. A comparison with an attribute
// that is missing does not hold, so most conditions do; conditions that ask for what is missing do
// not.
bool RequiresItem(std::string_view condition) {
  if (condition.empty()) return false;
  if (Mentions(condition, "attribute_exists(") && !Mentions(condition, "NOT attribute_exists("))
    return true;
  return !Mentions(condition, "attribute_not_exists(") && !Mentions(condition, "<>") &&
         !Mentions(condition, "NOT ");
}

}  // namespace

RuleOutcome AssessPhantomUpserts(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing = "No UpdateItem had " + CountedText(kLeastCalls, "call") + "."};
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    if (member.kind != "update" || pattern.calls < kLeastCalls) return;
    outcome.has_evidence = true;
    // With if_not_exists or ADD alone, the author thought of the item that is not there yet.
    const bool is_meant =
        Mentions(member.update, "if_not_exists(") || member.update.starts_with("ADD ");
    if (IsStatement(pattern) || RequiresItem(member.condition) || is_meant) return;
    // Writes of other kinds in the same call would be counted with the updates.
    const bool is_counted = pattern.members.size() == 1;
    const auto created = static_cast<double>(is_counted ? pattern.inserted : 0);
    const auto calls = static_cast<double>(pattern.calls);
    if (created > 0) {
      outcome.Add(FindingSeverity::kWarning, PlaceOf(pattern, member),
                  NumberText(created) + " of " + CountedText(calls, "update") +
                      " created an item; no condition asks for one that is there.");
    } else {
      outcome.Add(
          FindingSeverity::kHint, PlaceOf(pattern, member),
          CountedText(calls, "update") + " had no condition that asks for an item that is there.");
    }
  });
  return outcome;
}

// --- Rule 15 ---

namespace {

bool HasUniqueKey(const Measurement& measurement, const PatternMember& member) {
  return std::ranges::any_of(member.key, [&](const KeyTerm& term) {
    return HasUniquePart(measurement, member.table, term.value);
  });
}

}  // namespace

// BatchWriteItem is not judged, as it takes no conditions.
RuleOutcome AssessBlindCreates(const Measurement& measurement, const RuleInput&) {
  RuleOutcome outcome{.missing = "No PutItem that creates items had " +
                                 CountedText(kLeastCalls, "call") + "."};
  ForEachMember(measurement, [&](const PatternMeasure& pattern, const PatternMember& member) {
    const bool is_judged = member.kind == "put" && pattern.operation != "BatchWriteItem" &&
                           pattern.calls >= kLeastCalls && pattern.inserted > 0;
    if (!is_judged) return;
    outcome.has_evidence = true;
    const bool is_safe =
        IsStatement(pattern) || ForbidsItem(member.condition) || HasUniqueKey(measurement, member);
    if (is_safe) return;
    const bool is_counted = pattern.members.size() == 1;
    const std::string created =
        is_counted ? CountedText(pattern.inserted, "item was created", "items were created")
                   : CountedText(pattern.calls, "call") + " put items";
    if (is_counted && pattern.changed > 0) {
      outcome.Add(FindingSeverity::kWarning, PlaceOf(pattern, member),
                  created + " and " + NumberText(pattern.changed) +
                      " replaced, without attribute_not_exists.");
    } else {
      outcome.Add(FindingSeverity::kHint, PlaceOf(pattern, member),
                  created + " without attribute_not_exists.");
    }
  });
  return outcome;
}

// --- Rule 17 ---

RuleOutcome AssessFailedConditions(const Measurement& measurement, const RuleInput& input) {
  constexpr double kManyFailures = 0.05;
  RuleOutcome outcome{.missing = "No pattern of writes with a condition had " +
                                 CountedText(kLeastCallsForShares, "request") + "."};
  for (const PatternMeasure& pattern : measurement.patterns) {
    const auto has_condition = [](const PatternMember& member) {
      return (IsWrite(member) || member.kind == "check") && !member.condition.empty();
    };
    if (pattern.requests < kLeastCallsForShares) continue;
    if (std::ranges::none_of(pattern.members, has_condition)) continue;
    outcome.has_evidence = true;
    const auto failed = static_cast<double>(pattern.failed_conditions);
    const double share = failed / static_cast<double>(pattern.requests);
    if (share <= kManyFailures) continue;
    Finding& finding =
        outcome.Add(FindingSeverity::kWarning, PlaceOf(pattern),
                    NumberText(failed) + " of " + CountedText(pattern.requests, "request") +
                        " failed by their condition, " + PercentText(share) + ".");
    finding.cost = MixCost(
        measurement, input.prices,
        {.read_units = pattern.failed_read_units, .write_units = pattern.failed_write_units},
        "calls that failed");
  }
  return outcome;
}

}  // namespace hashrange
