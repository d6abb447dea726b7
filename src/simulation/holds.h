// Holds keep items locked like the items of a prepared transaction, until they are released, so
// that a write meanwhile meets a transaction conflict (docs/service/10-transactions.md, section 6;
// 20-partition-model.md, section 4):
//
//   PutItem, UpdateItem, DeleteItem, a statement   TransactionConflictException
//   a member of a BatchWriteItem                   is returned unprocessed
//   a member of a transaction, read or written     a cancellation reason
//   GetItem, BatchGetItem, Query, Scan             never refused
//
// Deletions by time to live and the backfill of an index are not refused either, as they pass no
// gate. A hold ends with its table, when that is deleted or exchanged by a reset, a restore or a
// fork. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/result.h"
#include "base/threads.h"
#include "engine/catalog.h"
#include "operation/call/gate.h"
#include "simulation/gate_chain.h"

namespace hashrange {

// Returns whether the access can conflict with a transaction under way: single writes and members
// of transactions can, other reads never do.
inline bool CanConflict(const Access& access) {
  return access.kind == Access::Kind::kWrite || access.in_transaction;
}

// Returns the TransactionConflictException, which refuses access to an item that a transaction has
// prepared. In a transaction it becomes a cancellation reason,
// whose text is documented with a full stop; the exception's own text was seen without one.
inline Error TransactionConflictError(const Access& access) {
  return Error{ErrorCode::kTransactionConflictException,
               access.in_transaction ? "Transaction is ongoing for the item."
                                     : "Transaction is ongoing for the item",
               nullptr};
}

// The description of a hold.
struct Hold {
  std::uint64_t id = 0;
  std::string account_id;
  std::string region;
  std::string table;
  std::string key_json;                        // DynamoDB JSON
  std::optional<std::int64_t> until_epoch_ms;  // nullopt: until it is released
};

class Holds : public Gate {
 public:
  static constexpr std::size_t kMaxHolds = 1000;

  // The object is in `chain` while there are holds. The arguments outlive it.
  Holds(const Catalog& catalog, const Clock& clock, GateChain& chain)
      : catalog_(catalog), clock_(clock), chain_(chain) {}

  // Holds the item at that place of the table, whether it exists or not. Returns the id of the
  // hold, which is never reused. An item may have several holds. `timeout_ms`: the time after
  // which the hold ends by itself; nullopt: it does not.
  // Errors: LimitExceededException  there are kMaxHolds
  Result<std::uint64_t> Add(const TableVersion& table, const Position& key, std::string key_json,
                            std::optional<std::int64_t> timeout_ms);
  // Returns the holds that are in force.
  std::vector<Hold> List();
  bool Release(std::uint64_t id);  // false: there is no such hold
  // Releases all holds. Returns how many there were.
  std::size_t Clear();

  std::optional<Error> Enter(Call& call, const Access& access) override;
  void Leave(Call&, const Access&, const Usage&) override {}

 private:
  struct Entry {
    Hold hold;
    std::weak_ptr<const Table> items;  // identifies the table among tables of the same name
    std::uint64_t hash;                // of the item's position
    std::string bytes;                 // of the item's position

    bool IsOf(const Access& access) const;
  };

  // Drops the holds whose time is over or whose table is gone. Is called with the lock held.
  void Prune();
  bool IsOver(const Entry& entry, std::int64_t now_epoch_ms) const;

  const Catalog& catalog_;
  const Clock& clock_;
  GateChain& chain_;
  Mutex mutex_;  // guards what follows
  std::vector<Entry> entries_;
  std::uint64_t next_id_ = 1;
};

}  // namespace hashrange
