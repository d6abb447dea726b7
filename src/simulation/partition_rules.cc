#include "simulation/partition_rules.h"

#include <algorithm>
#include <utility>

namespace hashrange {

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
