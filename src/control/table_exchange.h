// Tables are replaced by new tables at one instant, for reset, fork and restore: by TableExchange,
// and by the changes Reset, Truncate and Replace, which are made of exchanges.
//
//   Add, Add, …     prepares the new tables, with their streams
//   Run(tables, …)  removes `tables` and publishes the new tables
//
// Every request sees either the old tables or the new tables. A commit that is under way on an old
// table ends before that instant, or is retried on the new table. Removed tables are freed in the
// background. One thread at a time uses an exchange; changes may be made by any thread, at the same
// time as requests and other changes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/backfill/backfiller.h"
#include "engine/catalog.h"
#include "engine/engine.h"
#include "engine/stream/stream_set.h"
#include "engine/ttl/time_to_live.h"

namespace hashrange {

// The parts of a database that store tables or work on them.
struct TableKeepers {
  Engine& engine;
  StreamSet& streams;
  TimeToLive& time_to_live;
  Backfiller& backfiller;
};

class TableExchange {
 public:
  // `keeping`: whether the new tables, and later ones of their accounts, are durable.
  explicit TableExchange(const TableKeepers& keepers, Keeping keeping = Keeping::kAsBefore)
      : keepers_(keepers), keeping_(keeping), in_(keepers.engine.catalog()) {}
  ~TableExchange();  // discards the new tables unless Run has published them
  TableExchange(const TableExchange&) = delete;
  TableExchange& operator=(const TableExchange&) = delete;

  // Adds a new table, which is a copy (table_copy.h), with the content of `from`; null: empty.
  // Cost: O(partitions), whatever `from` contains; but the content of a durable table is written to
  // the data directory, which takes as long as the content is large.
  void Add(std::unique_ptr<TableVersion> version, const TablePin* from);

  // Removes `out` and publishes the new tables. Also ends the streams of `out` and all closed
  // streams of `scope`, even of tables deleted earlier, and forgets the scope's idempotency tokens
  // (Catalog::Exchange). An index that was being filled is filled as by Backfiller::Start. Returns
  // false, and changes nothing, when a table of `out` has changed meanwhile, or another table has
  // the name of a new table: the caller may look the tables up again and call Run again. After Run
  // has returned true, it must not be called again.
  // Cost: O(partitions) of all tables.
  bool Run(std::vector<TableRef> out, const Scope& scope);

 private:
  void OpenStream(TableVersion* version);
  std::vector<StreamRef> EndStreams(const std::vector<TableRef>& out, const Scope& scope) const;
  // Starts the background work for the new tables: expiry and the filling of indexes.
  void StartBackgroundWork(const std::vector<TableRef>& in) const;

  const TableKeepers keepers_;
  const Keeping keeping_;
  PreparedTables in_;              // the new tables
  std::vector<StreamRef> opened_;  // their streams, until they are published
};

// Truncate and Replace return the number of new tables, Reset the number of removed tables. All
// three forget the idempotency tokens of the scope's accounts and Regions; with a scope of one
// table, only the tokens of requests that used the table.
// Errors: ResourceInUseException  other calls changed the tables again and again meanwhile
// Cost:   O(partitions), whatever the tables contain.

// Removes the tables of the scope. An account of which no table is left is durable from then on.
Result<std::size_t> Reset(const TableKeepers& keepers, const Scope& scope);

// Replaces the tables of the scope by empty tables with the same definitions, with new streams. A
// table that is being deleted is not replaced.
Result<std::size_t> Truncate(const TableKeepers& keepers, const Scope& scope);

// Replaces all tables of the scope by `tables`, as tables of `account_id` or, if that is empty, of
// the accounts in which they were pinned. A table that was being deleted is left out. `keeping`
// says whether the new tables, and later ones of the scope's account, are durable.
Result<std::size_t> Replace(const TableKeepers& keepers, const Scope& scope,
                            std::span<const TablePin> tables, std::string_view account_id = {},
                            Keeping keeping = Keeping::kAsBefore);

}  // namespace hashrange
