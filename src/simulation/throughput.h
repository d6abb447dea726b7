// Throughput: tables and global indexes yield no more than their versions say, with 300 seconds
// of burst (docs/service/20-partition-model.md, section 2). Time is the engine's clock: advancing
// it fills the buckets.
//
//   Enter   lets an access in while the bucket of its table or index has anything left, and sets
//           aside the least that it can cost, so that the members of a batch see each other
//   Leave   takes what it did cost, which may leave a debt
//
// A local index has its table's throughput. A write takes from its table and from the global
// indexes it changes; while one of these has nothing left it is refused (back-pressure): while
// the item is in the index, or what the request says of the item puts it there. An update whose
// expression is what puts it there is let in, and the debt is the next one's.
//
// A bucket begins when limits come into force for its table or, if that is later, when the
// table is made: with the units of one second and nothing saved, as what was used before is not
// known.
//
// Thread-safe: one lock, under which nothing is read and nothing is waited for.
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
#include "simulation/enforcement_rules.h"
#include "simulation/gate_chain.h"
#include "simulation/throughput_limits.h"
#include "simulation/token_bucket.h"

namespace hashrange {

// A bucket, described.
struct BucketState {
  std::int64_t units_per_second = 0;
  double units_left = 0;
  std::int64_t throttled = 0;  // accesses that were refused
};
struct ResourceState {
  std::string index;                // empty: the table itself
  std::optional<BucketState> read;  // none: without limit
  std::optional<BucketState> write;
};

class Throughput : public Gate {
 public:
  // Each access looks through all of them.
  static constexpr std::size_t kMaxRules = 1000;

  // The engine outlives it. It stands in the chain while anything is in force.
  Throughput(Engine& engine, GateChain& chain) : engine_(engine), chain_(chain) {}

  // Whether limits are in force for the tables of the scope, from now on. Of two rules about a
  // table the later one counts; the earlier ones about nothing but this scope's tables are gone.
  // Errors: LimitExceededException  there would be more than kMaxRules rules
  Status Enforce(EnforcementScope scope, bool is_enforced);
  // What was said of nothing but the scope's tables is as if it had never been said. When no limit
  // is in force any more, what was used is forgotten.
  void Clear(const EnforcementScope& scope = {});

  std::vector<EnforcementRule> Rules() const;  // the earliest first
  // The table and its global indexes as of now; none when no limits are in force for it.
  std::vector<ResourceState> StateOf(const TableVersion& table);

  std::optional<Error> Enter(Call& call, const Access& access) override;
  void Leave(Call& call, const Access& access, const Usage& usage) override;

 private:
  struct Side {
    std::optional<TokenBucket> bucket;  // none: without limit, or not looked at yet
    std::int64_t throttled = 0;
  };
  using Sides = std::array<Side, 2>;  // by Direction
  struct TableBuckets {
    std::weak_ptr<Table> table;  // whose they are, as another may come to lie where it lay
    std::uint64_t rule = 0;      // the number of the rule they began with
    std::int64_t begin_epoch_ms = 0;
    std::uint32_t newest_index_id = 0;  // of the indexes there were then
    Sides own;
    std::map<std::uint32_t, Sides> indexes;  // by the index's id
  };
  using Indexes = absl::InlinedVector<const IndexVersion*, 4>;

  // These with `mutex_` held.
  void UpdateRegistration();
  TableBuckets& BucketsOf(const TableVersion& table, const EnforcementRule& rule);
  TableBuckets* FindBuckets(const TableVersion& table);
  // Null where there is no limit.
  Side* FindSide(TableBuckets& buckets, const TableVersion& table, const IndexVersion* index,
                 Direction direction);
  void TakeUnits(TableBuckets& buckets, const Access& access, const IndexVersion* index,
                 double units);
  std::optional<BucketState> Describe(TableBuckets& buckets, const TableVersion& table,
                                      const IndexVersion* index, Direction direction);

  // The first of `exhausted` that the write changes, or null.
  const IndexVersion* FirstChanged(const Access& access, const Indexes& exhausted) const;
  Error RefuseForIndex(const Call& call, const Access& access, const IndexVersion* index);

  Engine& engine_;
  GateChain& chain_;
  mutable std::mutex mutex_;  // guards what follows
  EnforcementRules rules_;
  absl::flat_hash_map<const Table*, TableBuckets> tables_;
  std::size_t purge_at_ = 64;  // when there are so many tables, those that are gone go
};

}  // namespace hashrange
