// Catalog: the tables of every account, by (account id, Region) and name. Thread-safe;
// a look-up holds one lock for one hash probe.
//
//   Catalog ── Account (account id, Region) ── name → TableVersion
//                                           └─ idempotency tokens
//
// An account is added with its first table, never by a look-up, so that requests with
// random credentials leave nothing behind. An account with neither tables nor tokens is dropped.
//
// Lock order: Publish and Exchange take the catalog's lock while the partitions of a table are
// locked. While the catalog's lock is held, no other lock is taken but the locks of an account's
// tokens and of a table's tags, no function of a caller is run but the observer's, and no table is
// freed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/clock.h"
#include "engine/account_name.h"
#include "engine/idempotency_tokens.h"
#include "engine/table_pin.h"
#include "engine/table_version.h"

namespace hashrange {

class CatalogObserver;  // engine/catalog_observer.h

// Where the tables of an account are, on a server that keeps its data: `kAsBefore` is what holds
// for the account already.
enum class Keeping : std::uint8_t { kAsBefore, kDurable, kInMemory };

// Items that are being put into a durable table, by many commits, and that are one step for a
// restart. They are kept under an id of their own until each of them is in the table:
//
//   KeepSeed ──▶ Exchange ──▶ commits with ItemWrite::seed ──▶ EndSeed
//   └ a restart forgets them ┘└ a restart puts what is left ┘
struct PendingSeed {
  std::uint64_t id = 0;  // 0: nothing is kept
  std::uint64_t table_id = 0;
};

// The tables of an account, in all Regions.
struct AccountSummary {
  std::string account_id;
  std::size_t tables = 0;
  bool is_durable = false;  // whether a table that is created in it is durable
};

class Catalog {
 public:
  explicit Catalog(const Clock& clock);
  ~Catalog();

  // Returns the table of that name, or null. Cost: one lock, one probe and one reference, which up
  // to 16 threads do not share with each other. After each change of the table, a thread's first
  // look-up copies the table's version.
  TableRef Find(AccountName account, std::string_view table) const;

  // Returns the new table, or null when the name is taken. Creates the storage of the table and of
  // its indexes.
  TableRef Create(std::unique_ptr<TableVersion> version);

  // Publishes `next` in place of `current` and returns it. Returns null when `current` is no
  // longer the published version: look the table up and start again. `next` has the account, the
  // Region, the name and the key of `current`. No commit runs between the two versions: every
  // partition is locked meanwhile. An index without storage gets the storage of the index with the
  // same name in `current`, so that `next` may have been made before `current` was published. If
  // `current` has no such index, new storage is created (for global indexes only). The storage of
  // an index that `next` does not have is freed with the last version that has it.
  TableRef Publish(const TableRef& current, std::unique_ptr<TableVersion> next);

  // Removes the table. Whoever holds a reference may still read the table. Returns false when
  // `current` is no longer the published version.
  bool Remove(const TableRef& current);

  // Returns the account's table names, ascending by bytes, at most `limit`, and only those after
  // `after` when it is given. Sets `*more` to whether other names follow.
  std::vector<std::string> List(AccountName account, std::optional<std::string_view> after,
                                std::size_t limit, bool* more) const;

  // Returns the accounts that have a table of that name, as "account/region", ascending, at most
  // `limit`: for the log line that explains why a table was not found. Cost: O(accounts).
  std::vector<std::string> AccountsWith(std::string_view table, std::size_t limit) const;

  // The functions below handle many tables at once.
  //
  // Returns the published tables of the scope, in the order of account, Region and name.
  std::vector<TableRef> TablesOf(const Scope& scope) const;

  // Returns pins of all tables of the scope as of one instant: no commit, of one table or of
  // several, is seen in part. Cost: O(partitions) for each table, however many items it has; all
  // partitions are locked meanwhile.
  std::vector<TablePin> Pin(const Scope& scope) const;

  // Returns a pin of one table, published or prepared, as it is now.
  TablePin Pin(const TableRef& table) const;

  // Returns a table with storage of its own that nobody can find yet; commits, reads and ranges
  // work on it. Without `from` the table is empty. Otherwise it begins with the content of `from`,
  // which the two share until either is written to. The table and the indexes of `from` have the
  // same keys. The storage of `version`, and of its TablePhase::next, is not used. Cost:
  // O(partitions); for a durable table with content, the observer writes the content first.
  TableRef Prepare(std::unique_ptr<TableVersion> version, const TablePin* from = nullptr,
                   Keeping keeping = Keeping::kAsBefore);
  // Does the same for a table that is never published: it is not durable.
  TableRef PreparePrivate(std::unique_ptr<TableVersion> version, const TablePin* from = nullptr);
  // Says that prepared tables are not going to be published. The caller releases them.
  void Abandon(std::span<const TableRef> prepared);

  // Returns true when, at one instant, it has removed the tables of `out`, which are published, and
  // published the tables of `in`, which are prepared. Returns false, and changes nothing, when one
  // of `out` is no longer the published version or a name of `in` is taken by a table not in `out`.
  // A concurrent commit either ends before that instant or is stale. At the same instant the
  // idempotency tokens of the accounts and Regions of `forget` are forgotten. If `forget` names a
  // table, only the tokens of requests that used the tables of `out` are forgotten. The names of
  // `in` differ. `keeping` says what holds from then on for the accounts of `forget`: with
  // kInMemory it names one account; with kDurable, an account becomes durable when no other tables
  // than the tables of `in`, prepared with kDurable, are left in it. An account with a table in
  // memory is always kept in memory. `seeds` begin at the same instant. Errors: throws
  // std::bad_alloc, and nothing was changed, except that the tokens of some of several tables of
  // `out` may be forgotten. Cost: as Pin.
  bool Exchange(std::span<const TableRef> out, std::span<const TableRef> in,
                const Scope* forget = nullptr, Keeping keeping = Keeping::kAsBefore,
                std::span<const PendingSeed> seeds = {});

  // Keeps the items that `next` gives, until it gives null, for a seed of the table, and returns
  // the seed; its id is 0 if the table is not durable. EndSeed is called in any case, also for a
  // seed that has not begun. Cost: all items are written.
  PendingSeed KeepSeed(const TableVersion& table, absl::FunctionRef<const ItemRef*()> next);
  void EndSeed(const PendingSeed& seed) noexcept;

  // Returns the number of exchanges so far. Tables that were found one after another while the
  // number stayed the same existed together at one instant.
  std::uint64_t exchanges() const;

  // Releases tables that were removed. The calling thread frees them when that takes at most some
  // hundred microseconds; otherwise they are released as by Discard. For a small fork, Discard
  // costs more than it saves: the other thread must be woken, and the next fork is made from memory
  // that is in the cache of another core.
  void ReleaseTables(std::vector<TableRef> tables);

  // Releases an object that may hold large maps, on another thread.
  void Discard(std::shared_ptr<const void> garbage);

  // Returns the idempotency tokens of the account. Returns null when the account has no table, and
  // has had none for the lifetime of a token.
  std::shared_ptr<IdempotencyTokens> TokensOf(AccountName account) const;

  // The functions below are for a server that keeps its data. At its start, one thread prepares and
  // fills the stored tables (engine/table_load.h), publishes them with one Exchange, restores the
  // tokens, and then sets the observer. Later tables are durable, except tables of accounts that
  // are kept in memory.
  //
  // Returns an empty durable table, as Prepare does, with the id that the table had when it was
  // stored. A status that a test held (StatusHold) ends.
  TableRef PrepareStored(std::unique_ptr<TableVersion> version, std::uint64_t table_id);
  // Gives ids from `next` on to new tables, or from the next id on if that is greater.
  void ReserveTableIds(std::uint64_t next);
  // Adds tokens of transactions that were committed before the program was started.
  void RestoreTokens(std::vector<TokenRecord> records);
  // The observer outlives the last call of the catalog and the last change of a table's tags. Call
  // it once, before other threads use the catalog.
  void SetObserver(CatalogObserver& observer);
  // Returns whether new tables of the account are durable.
  bool IsDurable(std::string_view account_id, Keeping keeping = Keeping::kAsBefore) const;
  // Returns the accounts that have tables, and those that are kept in memory, by id.
  std::vector<AccountSummary> Accounts() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// New tables that are going to be published together. The destructor abandons them, so that a
// server that keeps its data forgets what it has stored for them, unless Keep was called. One
// thread at a time.
class PreparedTables {
 public:
  // The catalog outlives the object.
  explicit PreparedTables(Catalog& catalog) : catalog_(catalog) {}
  ~PreparedTables() { catalog_.Abandon(tables_); }
  PreparedTables(const PreparedTables&) = delete;
  PreparedTables& operator=(const PreparedTables&) = delete;

  // Adds a table that Catalog::Prepare makes.
  void Add(std::unique_ptr<TableVersion> version, const TablePin* from,
           Keeping keeping = Keeping::kAsBefore) {
    // Room is made first: a prepared table must not be lost.
    if (tables_.size() == tables_.capacity()) tables_.reserve(2 * tables_.size() + 1);
    tables_.push_back(catalog_.Prepare(std::move(version), from, keeping));
  }
  std::span<const TableRef> all() const { return tables_; }

  // Is to be called when the tables are published. Returns them.
  std::vector<TableRef> Keep() { return std::exchange(tables_, {}); }

 private:
  Catalog& catalog_;
  std::vector<TableRef> tables_;
};

}  // namespace hashrange
