// PartitionRules say for which tables partitions are modelled, and how. Of two rules about a table
// the later one decides. Not thread-safe: the owner locks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/error.h"
#include "engine/table_version.h"
#include "simulation/enforcement_rules.h"
#include "simulation/partitions/partition_parameters.h"

namespace hashrange {

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
  std::uint64_t number = 0;         // set by Add; ascending, and never that of an EnforcementRule
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
