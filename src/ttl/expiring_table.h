// ExpiringTable: one table whose items expire, as the sweeper works on it. It goes on in
// steps, each of a few milliseconds at most: first the table's set of expiries is filled from
// its items, a page a step, then the items that are due are deleted, each by a commit of its own
// whose function looks at the item again. So no writer waits longer than for another writer.
//
// One thread at a time, but for IsGone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/arena.h"
#include "engine/engine.h"
#include "ttl/expiry_set.h"

namespace hashrange {

class ExpiringTable {
 public:
  enum class Progress {
    kMore,  // there is more to do at once
    kDone,  // nothing, until time goes on
    kGone,  // the table is gone, or its items no longer expire by this set
  };

  // `version` has settings.expiries.
  ExpiringTable(Engine& engine, const TableVersion& version);

  // Whether Step would find it gone. From any thread, while another one works on it.
  bool IsGone() const { return !Find(); }

  // Cost: a look-up of the table and one in each shard when there is nothing to do.
  Progress Step();

 private:
  // The published version; null when the table is kGone.
  TableRef Find() const;
  // The items of the page to come that expire.
  std::vector<ItemRef> ReadPage(const TableVersion& table);
  Progress FillPage(const TableRef& table);
  Progress DeleteDue(const TableRef& table);
  // Commits what `decide` makes of the item stored where `item` is. False when the table is
  // gone or going, as the next step will find. `*outcome` is that of the commit.
  bool Commit(const Item& item, absl::FunctionRef<Decision(ItemView)> decide, TableRef table,
              WriteOutcome* outcome);

  Engine& engine_;
  const std::string account_id_;
  const std::string region_;
  const std::string name_;
  const std::shared_ptr<ExpirySet> expiries_;
  Arena arena_{4 << 10};
  bool is_filled_ = false;
  // The page to come begins here.
  std::uint64_t next_hash_ = 0;
  std::string next_bytes_;
};

}  // namespace hashrange
