// Throughput is the gate that limits tables and global indexes to the throughput of their versions,
// with 300 seconds of burst (docs/service/20-partition-model.md, section 2). Time is the engine's
// clock: advancing it fills the buckets.
//
//   Enter   lets an access in while the bucket of its table or index has units left, and takes the
//           least that the access can cost, so that the next member of a batch, which enters before
//           this one leaves, finds fewer units
//   Leave   takes the rest of the actual cost, which may leave a debt
//   Charge  takes the whole cost of an access that did not enter: the replay of a transaction is
//   not
//           refused, but consumes read units (docs/service/10-transactions.md, section 8)
//
// A local index uses its table's throughput. A write takes units from its table and from the global
// indexes that it changes. While a global index has no units left, a write is refused
// (back-pressure) when the stored item is in the index, or when the attributes in the request put
// the item into the index. An update whose expression puts the item there is let in, and the next
// write finds the debt.
//
// A bucket begins when limits come into force for its table or, if that is later, when the table is
// created. It begins with the units of one second and nothing saved, as the use before is not
// known.
//
// Thread-safe: there is one lock, under which no item is read and no thread waits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "engine/engine.h"
#include "operation/gate.h"
#include "partitions/token_bucket.h"
#include "simulation/enforcement_rules.h"
#include "simulation/gate_chain.h"
#include "simulation/throughput_limits.h"

namespace hashrange {

// The description of a bucket.
struct BucketState {
  std::int64_t units_per_second = 0;
  double units_left = 0;
  std::int64_t throttled = 0;  // accesses that were refused
};
struct ResourceState {
  std::string index;                // empty: the table itself
  std::optional<BucketState> read;  // nullopt: without a limit
  std::optional<BucketState> write;
};

class Throughput : public Gate {
 public:
  // The number is bounded, as each access looks through all rules.
  static constexpr std::size_t kMaxRules = 1000;

  // The engine outlives the object, which is in the chain while there is a rule.
  Throughput(Engine& engine, GateChain& chain) : engine_(engine), chain_(chain) {}

  // Sets whether limits are in force for the tables of the scope from now on. Of two rules about a
  // table the later one decides. Earlier rules whose tables are all in this scope are dropped.
  // Errors: LimitExceededException  there would be more than kMaxRules rules
  Status Enforce(EnforcementScope scope, bool is_enforced);
  // Drops the rules whose tables are all in this scope. When no rule is left, the buckets are
  // dropped, too.
  void Clear(const EnforcementScope& scope = {});

  std::vector<EnforcementRule> Rules() const;  // the earliest first
  // Returns the state of the table and its global indexes as of now; empty when no limits are in
  // force for the table.
  std::vector<ResourceState> StateOf(const TableVersion& table);

  std::optional<Error> Enter(Call& call, const Access& access) override;
  void Leave(Call& call, const Access& access, const Usage& usage) override;
  void Charge(Call& call, const Access& access, const Usage& usage) override;

 private:
  // One direction of a table or index.
  struct Side {
    std::optional<TokenBucket> bucket;  // nullopt: without a limit, or not used yet
    std::int64_t throttled = 0;
  };
  using Sides = std::array<Side, 2>;  // by Direction
  struct TableBuckets {
    std::weak_ptr<Table> table;  // the owner; another table may be allocated at its address later
    std::uint64_t rule = 0;      // the number of the rule with which the buckets began
    std::int64_t begin_epoch_ms = 0;
    std::uint32_t newest_index_id = 0;  // of the indexes that existed then
    Sides own;
    std::map<std::uint32_t, Sides> indexes;  // by the index's id
  };
  using Indexes = absl::InlinedVector<const IndexVersion*, 4>;

  // These are called with `mutex_` held.
  void UpdateRegistration();
  // Returns the buckets of the table. Makes new ones when there are none, or only those of another
  // rule.
  TableBuckets& BucketsOf(const TableVersion& table, const EnforcementRule& rule);
  // Returns the buckets of the table, or null.
  TableBuckets* FindBuckets(const TableVersion& table);
  // Returns the side with a bucket at the present limit, which is made if needed; null where there
  // is no limit.
  Side* FindSide(TableBuckets& buckets, const TableVersion& table, const IndexVersion* index,
                 Direction direction);
  // Takes the units of the usage from the buckets of the table and of its global indexes.
  void TakeUsage(TableBuckets& buckets, const Access& access, const Usage& usage);
  void TakeUnits(TableBuckets& buckets, const Access& access, const IndexVersion* index,
                 double units);
  std::optional<BucketState> Describe(TableBuckets& buckets, const TableVersion& table,
                                      const IndexVersion* index, Direction direction);

  // These are called without `mutex_`.
  // Returns the first index of `exhausted` that the write changes, or null.
  const IndexVersion* FirstChanged(const Access& access, const Indexes& exhausted) const;
  Error RefuseForIndex(const Call& call, const Access& access, const IndexVersion* index);

  Engine& engine_;
  GateChain& chain_;
  mutable std::mutex mutex_;  // guards what follows
  EnforcementRules rules_;
  absl::flat_hash_map<const Table*, TableBuckets> tables_;
  std::size_t purge_at_ = 64;  // the size of `tables_` at which deleted tables are removed from it
};

}  // namespace hashrange
