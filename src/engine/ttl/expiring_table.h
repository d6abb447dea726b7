// ExpiringTable: the sweeper's work on one table whose items expire. The work is done in
// steps, each of a few milliseconds at most: first the table's set of expiries is filled from
// its items, one page in each step, then the items that are due are deleted, each by its own
// commit, whose function checks the stored item again. So a writer waits for the sweeper no
// longer than for another writer.
//
// Used by one thread at a time; only IsGone may be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/memory/arena.h"
#include "engine/engine.h"
#include "engine/ttl/expiry_set.h"

namespace hashrange {

class ExpiringTable {
 public:
  enum class Progress {
    kMore,  // there is more to do at once
    kDone,  // there is nothing to do until the next item is due
    kGone,  // the table was removed, or its items no longer expire by this set
  };

  // `version` has settings.expiries. `is_filled`: the set has the table's items already.
  ExpiringTable(Engine& engine, const TableVersion& version, bool is_filled = false);

  // Returns whether Step would return kGone. May be called while another thread calls Step.
  bool IsGone() const { return !Find(); }

  // Does the next part of the work and returns what is left. Cost: when there is nothing to do, a
  // look-up of the table and one in each shard.
  Progress Step();

 private:
  // Returns the published version of the table; null when the progress is kGone.
  TableRef Find() const;
  // Reads the next page and returns its items that expire.
  std::vector<ItemRef> ReadPage(const TableVersion& table);
  Progress FillPage(const TableRef& table);
  Progress InsertPage(const TableRef& table);
  Progress DeleteDue(const TableRef& table);
  // Commits the decision of `decide` about the item that is stored under the key of `item`, and
  // sets `*outcome`. Returns false when the table was removed or is being deleted, which the next
  // step finds too.
  bool Commit(const Item& item, absl::FunctionRef<Decision(ItemView)> decide, TableRef table,
              WriteOutcome* outcome);

  Engine& engine_;
  const std::string account_id_;
  const std::string region_;
  const std::string name_;
  const std::shared_ptr<ExpirySet> expiries_;
  Arena arena_{4 << 10};
  bool is_filled_;
  // Where the next page begins.
  std::uint64_t next_hash_ = 0;
  std::string next_bytes_;
};

}  // namespace hashrange
