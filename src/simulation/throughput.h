// Throughput: tables and global indexes yield no more than their versions say: the units they are
// provisioned with or, on demand, the maximum they were given; with 300 seconds of burst
// (reference 20, section 2). Time is the engine's clock: advancing it fills the buckets.
//
//   Enter   lets an access in while the bucket of its table or index has anything left, and sets
//           the least it can cost aside, so that the members of a batch see each other
//   Leave   debits what it did cost, which may leave a debt
//
// A local index has its table's throughput. A write is let in when its table has something left,
// and every global index that it is known to change: one that the stored item is in, or that what
// the request says of the item puts it in (back-pressure). An update that brings an item into an
// index by a condition of its own is let in and leaves the debt to the next.
//
// A bucket begins when its table is first used with the limit in force, like that of a new
// table, with the units of one second: what was unused before is not known.
// Thread-safe: one lock, held for a few additions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "operation/gate.h"
#include "simulation/throughput_limits.h"
#include "simulation/token_bucket.h"

namespace hashrange {

// The bucket of one resource in one direction, described.
struct BucketState {
  std::int64_t units_per_second = 0;
  double units_left = 0;
  std::int64_t throttled = 0;  // accesses refused
};
struct ResourceState {
  std::string index;                 // empty: the table
  std::optional<BucketState> read;   // none: no limit
  std::optional<BucketState> write;
};

class Throughput : public Gate {
 public:
  // The engine outlives it.
  explicit Throughput(Engine& engine) : engine_(engine) {}

  // Whether limits are in force for tables of `scope` from now on; what was said of a part of it
  // before is void.
  void Enforce(const OwnedScope& scope, bool enforced);
  // No limit is in force and nothing is remembered.
  void Clear();
  // Whether any limit is in force.
  bool is_enforced() const;
  // The tables whose limits are in force.
  bool IsEnforced(const TableVersion& table) const;
  // The table, then its global indexes, as of now.
  std::vector<ResourceState> StateOf(const TableVersion& table);

  std::optional<Error> Enter(Call& call, const Access& access) override;
  void Leave(Call& call, const Access& access, const Usage& usage) override;
};

}  // namespace hashrange
