#include "simulation/throughput_rules.h"

#include <algorithm>
#include <utility>

namespace hashrange {
namespace {

// Returns whether a rule for `wanted` applies to `name`. An empty `wanted` means any name.
bool MatchesOrAny(const std::string& name, const std::string& wanted) {
  return wanted.empty() || name == wanted;
}

// Drops the rules whose tables are all in the scope.
template <typename Rule>
void DropCovered(const EnforcementScope& scope, std::vector<Rule>* rules) {
  std::erase_if(*rules, [&](const Rule& rule) { return scope.Covers(rule.scope); });
}

// Returns the latest rule about the table, or null.
template <typename Rule>
const Rule* LatestRuleOf(const std::vector<Rule>& rules, const TableVersion& table) {
  const auto latest = std::find_if(rules.rbegin(), rules.rend(),
                                   [&](const Rule& rule) { return rule.scope.Contains(table); });
  return latest == rules.rend() ? nullptr : &*latest;
}

}  // namespace

bool EnforcementScope::Covers(const EnforcementScope& other) const {
  return MatchesOrAny(other.account_id, account_id) && MatchesOrAny(other.region, region) &&
         MatchesOrAny(other.table, table);
}

bool EnforcementScope::Contains(const TableVersion& version) const {
  return MatchesOrAny(version.name, table) && MatchesOrAny(version.account_id, account_id) &&
         MatchesOrAny(version.region, region);
}

void EnforcementRules::Add(EnforcementScope scope, bool is_enforced, std::int64_t now_ms) {
  const auto is_same = [&](const EnforcementRule& rule) {
    return rule.is_enforced && is_enforced && rule.scope.Covers(scope) && scope.Covers(rule.scope);
  };
  // To enforce limits again for the same tables changes nothing, so that their buckets stay.
  if (!rules_.empty() && is_same(rules_.back())) return;
  DropCovered(scope, &rules_);
  rules_.push_back({std::move(scope), is_enforced, now_ms, next_rule_++});
  DropIdle();
}

void EnforcementRules::Remove(const EnforcementScope& scope) {
  DropCovered(scope, &rules_);
  DropIdle();
}

// Drops the rules before the first that enforces limits: they switch off what no earlier rule has
// switched on.
void EnforcementRules::DropIdle() {
  const auto enforces = [](const EnforcementRule& rule) { return rule.is_enforced; };
  rules_.erase(rules_.begin(), std::ranges::find_if(rules_, enforces));
}

const EnforcementRule* EnforcementRules::EnforcingRuleOf(const TableVersion& table) const {
  const EnforcementRule* const rule = LatestRuleOf(rules_, table);
  return rule && rule->is_enforced ? rule : nullptr;
}

void PartitionRules::Add(PartitionRule rule, std::int64_t now_ms) {
  Remove(rule.scope);
  rule.since_epoch_ms = now_ms;
  rule.number = next_number_++;
  rules_.push_back(std::move(rule));
}

void PartitionRules::Remove(const EnforcementScope& scope) { DropCovered(scope, &rules_); }

const PartitionRule* PartitionRules::RuleOf(const TableVersion& table) const {
  return LatestRuleOf(rules_, table);
}

}  // namespace hashrange
