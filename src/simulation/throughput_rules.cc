#include "simulation/throughput_rules.h"

#include <algorithm>
#include <utility>

namespace hashrange {
namespace {

// Returns whether a rule for `wanted` applies to `name`. An empty `wanted` means any name.
bool MatchesOrAny(const std::string& name, const std::string& wanted) {
  return wanted.empty() || name == wanted;
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
  std::erase_if(rules_, [&](const EnforcementRule& rule) { return scope.Covers(rule.scope); });
  rules_.push_back({std::move(scope), is_enforced, now_ms, next_rule_++});
  DropIdle();
}

void EnforcementRules::Remove(const EnforcementScope& scope) {
  std::erase_if(rules_, [&](const EnforcementRule& rule) { return scope.Covers(rule.scope); });
  DropIdle();
}

// Drops the rules before the first that enforces limits: they switch off what no earlier rule has
// switched on.
void EnforcementRules::DropIdle() {
  const auto enforces = [](const EnforcementRule& rule) { return rule.is_enforced; };
  rules_.erase(rules_.begin(), std::ranges::find_if(rules_, enforces));
}

const EnforcementRule* EnforcementRules::EnforcingRuleOf(const TableVersion& table) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->scope.Contains(table)) {
      return rule->is_enforced ? &*rule : nullptr;
    }
  }
  return nullptr;
}

void PartitionRules::Add(PartitionRule rule, std::int64_t now_ms) {
  Remove(rule.scope);
  rule.since_epoch_ms = now_ms;
  rule.number = next_number_++;
  rules_.push_back(std::move(rule));
}

void PartitionRules::Remove(const EnforcementScope& scope) {
  std::erase_if(rules_, [&](const PartitionRule& rule) { return scope.Covers(rule.scope); });
}

const PartitionRule* PartitionRules::RuleOf(const TableVersion& table) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->scope.Contains(table)) return &*rule;
  }
  return nullptr;
}

}  // namespace hashrange
