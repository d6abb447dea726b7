// Catalog: the tables of every account, by (account id, region) and name. Thread-safe;
// a look-up holds one lock for one hash probe.
//
//   Catalog ── Account (account id, region) ── name → TableVersion
//                                           └─ idempotency tokens
//
// Accounts are made by their first table, never by a look-up, so that requests with
// random credentials leave nothing behind.
//
// Lock order: the catalog's lock is the innermost. It is taken with the partitions of a
// table locked (Publish, Remove) and nothing is locked, run or freed under it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/idempotency_tokens.h"
#include "engine/table_version.h"

namespace hashrange {

// Whose tables: a 12-digit account id and a region.
struct AccountName {
  std::string_view account_id;
  std::string_view region;
};

class Catalog {
 public:
  Catalog();
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

  // The tokens of the account; null when it never had a table. They live as long as the
  // catalog.
  IdempotencyTokens* TokensOf(AccountName account) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hashrange
