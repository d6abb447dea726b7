// Holds: items kept as a transaction keeps those it has prepared, until they are released, so that
// a write that comes meanwhile meets a real conflict (docs/service/10-transactions.md, section 6;
// 20-partition-model.md, section 4):
//
//   PutItem, UpdateItem, DeleteItem, a statement   TransactionConflictException
//   a member of a BatchWriteItem                   comes back unprocessed
//   a member of a transaction, read or written     a reason of its cancellation
//   GetItem, BatchGetItem, Query, Scan             never refused
//
// Nor are deletions by time to live, or an index that is being filled: they pass no gate. A hold
// belongs to the table as it is: it ends when that is deleted, or exchanged by a reset, a restore
// or a fork. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "engine/catalog.h"
#include "operation/gate.h"
#include "simulation/gate_chain.h"

namespace hashrange {

// What is said of a hold.
struct Hold {
  std::uint64_t id = 0;
  std::string account_id;
  std::string region;
  std::string table;
  std::string key_json;                        // DynamoDB JSON
  std::optional<std::int64_t> until_epoch_ms;  // none: until it is released
};

class Holds : public Gate {
 public:
  static constexpr std::size_t kMaxHolds = 1000;

  // `chain` has the holds in it while there are any. All of them outlive it.
  Holds(const Catalog& catalog, const Clock& clock, GateChain& chain)
      : catalog_(catalog), clock_(clock), chain_(chain) {}

  // Holds the item at that place of the table, whether it exists or not. Returns the id, which is
  // never used again. Several may hold one item.
  // Errors: LimitExceededException  there are kMaxHolds
  Result<std::uint64_t> Add(const TableVersion& table, const Position& key, std::string key_json,
                            std::optional<std::int64_t> timeout_ms);
  // Those that hold.
  std::vector<Hold> List();
  bool Release(std::uint64_t id);  // false: there is none
  // Returns how many there were.
  std::size_t Clear();

  std::optional<Error> Enter(Call& call, const Access& access) override;
  void Leave(Call&, const Access&, const Usage&) override {}

 private:
  struct Entry {
    Hold hold;
    std::weak_ptr<const Table> items;  // of the table, which tells it from one of the same name
    std::uint64_t hash;
    std::string bytes;

    bool IsOf(const Access& access) const;
  };

  // With the lock held: lets go of those whose time, or whose table, is over.
  void Prune();
  bool IsOver(const Entry& entry, std::int64_t now_epoch_ms) const;

  const Catalog& catalog_;
  const Clock& clock_;
  GateChain& chain_;
  std::mutex mutex_;  // guards what follows
  std::vector<Entry> entries_;
  std::uint64_t next_id_ = 1;
};

}  // namespace hashrange
