// ChangeTails keeps the latest changes of the tables for which a call asked it, whether or not they
// have streams.
//
//   Enable ── publishes a version with a tail ──▶ TableSettings::tail
//   commits ── OnCommit ──▶ the changes of all tails, in the order of arrival ──▶ Find
//
// A tail ends with its table: a table that replaces another (reset, restore, fork) has none.
// Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/memory/memory_reserve.h"
#include "base/threads.h"
#include "engine/catalog.h"
#include "engine/change_log.h"
#include "value/item.h"
#include "value/schema.h"

namespace hashrange {

// One change of an item.
struct KeptChange {
  std::uint64_t id = 0;  // ascends from 1, without a gap, in the changes of a table
  ItemRef before;        // null: the item was inserted
  ItemRef after;         // null: the item was removed
  std::int64_t epoch_ms = 0;
  WriteOrigin origin = WriteOrigin::kRequest;
};

class ChangeTails : public ChangeObserver {
 public:
  static constexpr std::size_t kDefaultLimit = 1000;
  static constexpr std::size_t kMaxLimit = 10'000;
  // The most bytes that the changes of all tables take; items count fully for each of their
  // changes.
  static constexpr std::size_t kMaxBytes = 64 << 20;

  struct State {
    bool is_enabled = false;
    std::size_t limit = kDefaultLimit;
    std::uint64_t last_id = 0;
    std::uint64_t forgotten = 0;  // changes that were dropped for lack of space
  };
  struct Page {
    std::vector<KeptChange> changes;  // those after `since`, in the order of their ids
    State state;
    std::uint64_t missed = 0;  // changes after `since` that were dropped
  };

  // `max_bytes`: for tests.
  explicit ChangeTails(std::size_t max_bytes = kMaxBytes) : max_bytes_(max_bytes) {}
  ChangeTails(const ChangeTails&) = delete;
  ChangeTails& operator=(const ChangeTails&) = delete;

  // Begins to keep the latest `limit` changes of the table (nullopt: as before, or kDefaultLimit).
  // Returns false when there is no such table.
  bool Enable(Catalog& catalog, AccountName account, std::string_view table,
              std::optional<std::size_t> limit);
  // Ends that and forgets the changes. Returns false when there is no such table.
  bool Disable(Catalog& catalog, AccountName account, std::string_view table);

  // Returns what is kept of the table, all as of one instant.
  Page Find(const TableVersion& table, std::uint64_t since) const;
  State StateOf(const TableVersion& table) const;

  void OnCommit(std::span<const Change> changes, const TokenRef& token) noexcept override;

 private:
  friend class ChangeTail;
  struct Entry;
  using Entries = std::list<Entry, ReservedAllocator<Entry, MemoryPart::kStreamRecords>>;
  struct Entry {
    KeptChange change;
    ChangeTail* tail = nullptr;
    std::size_t bytes = 0;
    Entries::iterator next = {};  // of the same tail; of its last change: anything
  };

  // These are called with the lock held. `dropped` gets what is freed after the lock is released.

  // Moves the one entry of the list into `entries_`, with its id.
  void Add(Entries& one);
  void DropOldest(ChangeTail& tail, Entries* dropped);
  void Trim(ChangeTail& tail, Entries* dropped);
  static State StateOf(const ChangeTail& tail);

  // Forgets a tail that is being destroyed.
  void Forget(ChangeTail& tail);

  const std::size_t max_bytes_;
  mutable Mutex mutex_;  // guards what follows, and all tails
  Entries entries_;      // of all tails, in the order of arrival
  std::size_t bytes_ = 0;
};

// The tail of one table, which the versions of the table own. Its object of ChangeTails outlives
// it.
class ChangeTail {
 public:
  explicit ChangeTail(ChangeTails& tails) : tails_(tails) {}
  ~ChangeTail() { tails_.Forget(*this); }
  ChangeTail(const ChangeTail&) = delete;
  ChangeTail& operator=(const ChangeTail&) = delete;

 private:
  friend class ChangeTails;

  ChangeTails& tails_;
  std::size_t limit_ = ChangeTails::kDefaultLimit;
  std::uint64_t last_id_ = 0;
  std::size_t size_ = 0;                  // how many of the entries are of this tail
  ChangeTails::Entries::iterator first_;  // the oldest of them
  ChangeTails::Entries::iterator last_;
};

}  // namespace hashrange
