// Throughput is the gate that throttles: beyond what tables and global indexes declare, and beyond
// what their partitions serve (docs/service/20-partition-model.md, sections 1 to 3). Time is the
// engine's clock: advancing it fills the buckets.
//
//   EnforcementRule  declared throughput is in force: what is provisioned, with 300 seconds of
//                    burst, and the maximum of an on-demand table
//   PartitionRule    partitions are modelled (simulation/partitions/partitioned_resource.h), and
//                    either all limits are in force, the declared ones included, or what they would
//                    refuse is counted
//
//   Enter   lets an access in while each bucket that it needs has units left, and takes the least
//           that the access can cost, so that the next member of a batch, which enters before this
//           one leaves, finds fewer units. While limits are watched only, nothing is done here.
//   Leave   gives back what Enter took, and takes the actual cost, which may leave a debt. While
//           limits are watched only, it takes the cost, unless the access would have been refused.
//   Charge  takes the whole cost of an access that did not enter: the replay of a transaction is
//           not refused, but consumes read units (docs/service/10-transactions.md, section 8)
//
// A local index uses its table's throughput. A write takes units from its table and from the global
// indexes that it changes. While a global index, or the partition of it that the write touches, has
// no units left, a write is refused (back-pressure) when the stored item is in the index, or when
// the attributes in the request put the item into the index. An update whose expression puts the
// item there is let in, and the next write finds the debt. Reads of an index hold back nothing
// else.
//
// A declared bucket begins when limits come into force for its table or, if that is later, when the
// table is created. It begins with the units of one second and nothing saved, as the use before is
// not known.
//
// Thread-safe: there is one lock, under which no item is read. Every 10 seconds the size of a
// modelled table is read under it, which takes the locks of the table's partitions in turn.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "base/threads.h"
#include "engine/engine.h"
#include "operation/call/gate.h"
#include "simulation/gate_chain.h"
#include "simulation/partitions/partition_map.h"
#include "simulation/resource_throughput.h"
#include "simulation/throughput_rules.h"

namespace hashrange {

struct UnitsTaken;  // throughput.cc

struct ResourceState {
  std::string index;                // empty: the table itself
  std::optional<BucketState> read;  // nullopt: no limit is declared
  std::optional<BucketState> write;
};

class Throughput : public Gate {
 public:
  // The number of rules of each kind is bounded.
  static constexpr std::size_t kMaxRules = 1000;

  // The engine outlives the object, which is in the chain while there is a rule.
  Throughput(Engine& engine, GateChain& chain) : engine_(engine), chain_(chain) {}

  // Sets whether declared limits are in force for the tables of the scope from now on. Of two rules
  // about a table the later one decides. Earlier rules whose tables are all in this scope are
  // dropped.
  // Errors: LimitExceededException  there would be more than kMaxRules rules
  Status Enforce(EnforcementScope scope, bool is_enforced);
  // Drops the rules whose tables are all in this scope. The buckets of a table for which no rule is
  // left are dropped, too.
  void Clear(const EnforcementScope& scope = {});
  std::vector<EnforcementRule> Rules() const;  // the earliest first
  // Returns the state of the declared limits of the table and its global indexes as of now; empty
  // when no EnforcementRule puts them in force.
  std::vector<ResourceState> StateOf(const TableVersion& table);

  // Models the partitions of the tables of the rule's scope from now on. Of two rules about a table
  // the later one decides. Earlier rules whose tables are all in this scope are dropped.
  // Errors: LimitExceededException  there would be more than kMaxRules rules
  Status ModelPartitions(PartitionRule rule);
  // Drops the rules whose tables are all in this scope.
  void EndPartitions(const EnforcementScope& scope = {});
  std::vector<PartitionRule> ListPartitionRules() const;  // the earliest first
  // Returns the parameters of the rule that decides about the table; the usual ones when no
  // partitions are modelled for it.
  PartitionParameters PartitionParametersOf(const TableVersion& table) const;
  // Returns the maps of the table and its global indexes; empty when no partitions are modelled for
  // the table.
  std::vector<PartitionMap> PartitionMapsOf(const TableVersion& table);

  std::optional<Error> Enter(Call& call, const Access& access) override;
  void Leave(Call& call, const Access& access, const Usage& usage) override;
  void Charge(Call& call, const Access& access, const Usage& usage) override;

 private:
  // What the rules say about a table, by the numbers of the rules; 0: there is none.
  struct Regime {
    std::uint64_t enforcement = 0;
    std::uint64_t partitions = 0;
    LimitSet enforced;
    LimitSet watched;  // none of these is in `enforced`
  };
  struct TableState {
    std::weak_ptr<Table> table;  // the owner; another table may be allocated at its address later
    std::uint64_t version = 0;   // the latest version of the table that was seen
    std::uint64_t rules = 0;     // `rules_version_` at the time of `regime`
    Regime regime;
    std::int64_t begin_ms = 0;          // of the declared buckets
    std::uint32_t newest_index_id = 0;  // of the indexes that existed then
    std::optional<ErrorCode> key_range_error;
    std::map<std::uint64_t, ResourceThroughput> resources;  // by ResourceKey
  };
  using Indexes = absl::InlinedVector<const IndexVersion*, 4>;
  using Resources = absl::InlinedVector<ResourceThroughput*, 4>;

  // These are called with `mutex_` held.
  void AcceptRules();
  Regime RegimeOf(const TableVersion& table) const;
  // Returns the state of the table as of now, or null when no rule is about it. Sets `now_ms_`.
  TableState* FindState(const TableVersion& table);
  // Makes the resources of the state anew where the rules want it.
  void ApplyRules(TableState& state, const TableVersion& table);
  static void DropDeletedIndexes(TableState& state, const TableVersion& table);
  ResourceThroughput& ResourceOf(TableState& state, const TableVersion& table,
                                 const IndexVersion* index);
  Error Refuse(TableState& state, const Call& call, const Access& access, const IndexVersion* index,
               ThrottlingLimit limit) const;
  // Takes what an access cost. If the access can be refused, and limits that are only watched would
  // have refused it, counts that instead, and takes nothing of these limits.
  void Settle(TableState& state, const Access& access, const Usage& usage, bool can_be_refused);
  // Returns whether a limit that is only watched would have refused the access, and counts it.
  // `resources[i]` is the table or index of `taken[i]`.
  static bool CountRefusal(const Regime& regime, Draw draw, std::span<const UnitsTaken> taken,
                           const Resources& resources);

  // These are called without `mutex_`.
  // Refuses the write if one of these indexes has no units left for what the write does to it.
  std::optional<Error> EnterIndexes(const Call& call, const Access& access, const Indexes& indexes);

  Engine& engine_;
  GateChain& chain_;
  std::atomic<bool> is_enforcing_{false};  // whether a rule puts any limits in force
  mutable Mutex mutex_;                    // guards what follows
  EnforcementRules rules_;
  PartitionRules partition_rules_;
  std::uint64_t rules_version_ = 1;  // of both kinds of rules
  std::uint64_t models_ = 0;         // how many models of resources there were
  std::int64_t now_ms_ = 0;          // the engine's clock when FindState was called
  std::unordered_map<const Table*, TableState> tables_;
  std::size_t purge_at_ = 64;  // the size of `tables_` at which deleted tables are removed from it
};

}  // namespace hashrange
