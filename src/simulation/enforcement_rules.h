// EnforcementRules: for which tables limits of throughput are in force. Of two rules about a table
// the later one counts. Not thread-safe: whoever owns them locks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/table_version.h"

namespace hashrange {

// Which tables, by their account, Region and name; where one is empty, all.
struct EnforcementScope {
  std::string account_id = {};
  std::string region = {};
  std::string table = {};

  // Whether everything of `other` is in it.
  bool Covers(const EnforcementScope& other) const;
};

// Limits are in force, or not, for the tables of a scope.
struct EnforcementRule {
  EnforcementScope scope;
  bool is_enforced = true;
  std::int64_t since_epoch_ms = 0;
  std::uint64_t number = 0;  // ascending
};

class EnforcementRules {
 public:
  // Earlier rules about nothing but this scope's tables are gone. The latest rule, said again,
  // stays as it is.
  void Add(EnforcementScope scope, bool is_enforced, std::int64_t now_ms);
  // Those about nothing but this scope's tables are gone.
  void Remove(const EnforcementScope& scope);

  bool empty() const { return rules_.empty(); }
  const std::vector<EnforcementRule>& all() const { return rules_; }  // the earliest first
  // The latest rule about the table, if that says that its limits are in force; otherwise null.
  const EnforcementRule* EnforcingRuleOf(const TableVersion& table) const;

 private:
  void DropIdle();

  std::vector<EnforcementRule> rules_;  // the first of them, if any, enforces
  std::uint64_t next_rule_ = 1;
};

}  // namespace hashrange
