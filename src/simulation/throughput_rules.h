// The rules about throughput: EnforcementRules say for which tables limits are in force,
// PartitionRules for which tables partitions are modelled, and how. Of two rules of a kind about a
// table the later one decides. Not thread-safe: the owner locks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/table_version.h"
#include "simulation/partitions/partition_parameters.h"

namespace hashrange {

// The tables that a rule is about, by account, Region and name. An empty member means any.
struct EnforcementScope {
  std::string account_id = {};
  std::string region = {};
  std::string table = {};

  // Returns whether every table of `other` is in this scope.
  bool Covers(const EnforcementScope& other) const;
  bool Contains(const TableVersion& table) const;
};

// Says whether limits are in force for the tables of a scope.
struct EnforcementRule {
  EnforcementScope scope;
  bool is_enforced = true;
  std::int64_t since_epoch_ms = 0;
  std::uint64_t number = 0;  // ascending
};

class EnforcementRules {
 public:
  // Adds a rule and drops the earlier rules whose tables are all in this scope. A rule that
  // enforces limits and equals the latest rule changes nothing.
  void Add(EnforcementScope scope, bool is_enforced, std::int64_t now_ms);
  // Drops the rules whose tables are all in this scope.
  void Remove(const EnforcementScope& scope);

  bool empty() const { return rules_.empty(); }
  const std::vector<EnforcementRule>& all() const { return rules_; }  // the earliest first
  // Returns the latest rule about the table if that rule enforces limits; otherwise null.
  const EnforcementRule* EnforcingRuleOf(const TableVersion& table) const;

 private:
  void DropIdle();

  std::vector<EnforcementRule> rules_;  // the first of them, if any, enforces
  std::uint64_t next_rule_ = 1;
};

enum class PartitionMode : std::uint8_t {
  kWatch,    // count what would be throttled, and let everything in
  kEnforce,  // throttle
};

struct PartitionRule {
  EnforcementScope scope = {};
  PartitionMode mode = PartitionMode::kWatch;
  PartitionParameters parameters = {};
  std::uint64_t seed = 0;
  // The error that contains a reason KeyRangeThroughputExceeded, where reports about the service
  // differ; nullopt: as in throttling.h.
  std::optional<ErrorCode> key_range_error = {};
  std::int64_t since_epoch_ms = 0;  // set by Add
  std::uint64_t number = 0;         // set by Add; ascending; no EnforcementRule has it
};

class PartitionRules {
 public:
  // Adds a rule and drops the earlier rules whose tables are all in its scope.
  void Add(PartitionRule rule, std::int64_t now_ms);
  // Drops the rules whose tables are all in this scope.
  void Remove(const EnforcementScope& scope);

  bool empty() const { return rules_.empty(); }
  const std::vector<PartitionRule>& all() const { return rules_; }  // the earliest first
  // Returns the latest rule about the table, or null.
  const PartitionRule* RuleOf(const TableVersion& table) const;

 private:
  std::vector<PartitionRule> rules_;
  std::uint64_t next_number_ = 1ULL << 32;
};

}  // namespace hashrange
