// Catalog: the tables of every account, by (account id, region) and name. Thread-safe;
// a look-up holds one lock for one hash probe.
//
//   Catalog ── Account (account id, region) ── name → TableVersion
//                                           └─ idempotency tokens
//
// Accounts are made by their first table, never by a look-up, so that requests with
// random credentials leave nothing behind. One that has neither tables nor tokens is dropped.
//
// Lock order: the catalog's lock is the innermost. It is taken with the partitions of a
// table locked (Publish, Exchange) and nothing is run or freed under it, nor locked but the
// tokens of an account.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/account_name.h"
#include "engine/idempotency_tokens.h"
#include "engine/table_pin.h"
#include "engine/table_version.h"

namespace hashrange {

class Catalog {
 public:
  explicit Catalog(const Clock& clock);
  ~Catalog();

  // The table of that name, or null. Cost: one lock, one probe and one reference, none of
  // them shared with another thread; after each change of the table a thread's first look-up
  // makes a copy of its version.
  TableRef Find(AccountName account, std::string_view table) const;

  // Adds a table and gives it and its indexes their storage. Null when the name is taken.
  TableRef Create(std::unique_ptr<TableVersion> version);

  // Publishes `next` in the place of `current`, with every partition of the table
  // locked, so that no commit runs between the two. Null when `current` is no longer
  // the published version: look it up and start again. Names and key stay. An index without
  // storage is the one of that name in `current`, so that `next` may have been made before
  // `current` was published; if there is none it gets storage of its own (global ones
  // only). The storage of an index left out goes with the last version that has it.
  TableRef Publish(const TableRef& current, std::unique_ptr<TableVersion> next);

  // Takes the table out; whoever has pinned it keeps it until they let go. False when
  // `current` is no longer the published version.
  bool Remove(const TableRef& current);

  // Names ascending by bytes, strictly after `after` when it is given, at most `limit`;
  // `*more` says whether others follow.
  std::vector<std::string> List(AccountName account, std::optional<std::string_view> after,
                                std::size_t limit, bool* more) const;

  // The accounts that have a table of that name, as "account/region", at most `limit`: for
  // the log line that explains a table not found. Ascending. Cost: O(accounts).
  std::vector<std::string> AccountsWith(std::string_view table, std::size_t limit) const;

  // What follows is about many tables at once.
  //
  // The published tables of the scope, by account, Region and name.
  std::vector<TableRef> TablesOf(const Scope& scope) const;

  // All of them as of one instant: no commit, of one table or of several, is seen in part.
  // Cost: O(partitions) for each table, whatever is in them; meanwhile they are all locked.
  std::vector<TablePin> Pin(const Scope& scope) const;

  // One table, published or prepared, as it is now.
  TablePin Pin(const TableRef& table) const;

  // A table with storage of its own that nobody finds yet; commits, reads and ranges work on
  // it. It begins with what is in `from`, sharing it until either is written to, or empty. The
  // table and the indexes of `from` have the same keys. Storage that `version`, or what it
  // becomes, had is not used. Cost: O(partitions).
  TableRef Prepare(std::unique_ptr<TableVersion> version, const TablePin* from = nullptr);

  // At one instant takes the tables of `out`, which are published, out, and publishes those of
  // `in`, which are prepared. False, and nothing changed, when one of `out` is no longer the
  // published version or a name of `in` is taken by a table that is not in `out`. A commit under
  // way is done or stale. At the same instant the idempotency tokens of the accounts and Regions
  // of `forget` are unknown again or, if it names a table, those of requests that used the tables
  // of `out` (IdempotencyTokens). Cost: as Pin.
  bool Exchange(std::span<const TableRef> out, std::span<const TableRef> in,
                const Scope* forget = nullptr);

  // How many exchanges there were. Tables that were found one after another, while it stayed the
  // same, were there together at one instant.
  std::uint64_t exchanges() const;

  // Lets go of tables that were taken out: here when it takes some hundred microseconds at most,
  // else as Discard. Of a small fork most of the cost would be to wake the thread behind, and to
  // make the next fork of memory that another core has in its cache.
  void LetGo(std::vector<TableRef> tables);

  // Lets go of whatever holds maps that may be large, behind the caller.
  void Discard(std::shared_ptr<const void> garbage);

  // The tokens of the account; null when it has no table, and had none for as long as a token is
  // known.
  std::shared_ptr<IdempotencyTokens> TokensOf(AccountName account) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hashrange
