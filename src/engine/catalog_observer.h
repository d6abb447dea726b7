// CatalogObserver: is told what becomes of durable tables, for a server that keeps its data. The
// calls that are made under the catalog's locks come in the order of the changes, and the
// partitions of the tables are locked: a change of an item (engine/change_log.h) is told before or
// after a call, just as it was made before or after it.
//
// Without an observer no table is durable.
#pragma once

#include <cstdint>
#include <span>

#include "absl/functional/function_ref.h"
#include "engine/catalog.h"
#include "engine/table_pin.h"
#include "engine/table_version.h"

namespace hashrange {

class CatalogObserver {
 public:
  virtual ~CatalogObserver() = default;

  // A table was prepared that begins with the content of `from`. An Exchange publishes the table
  // later, or it is abandoned. Nothing is locked, and the call may take long.
  virtual void OnPrepare(const TableVersion& table, const TablePin& from) = 0;
  // A prepared table is not going to be published. Nothing is locked.
  virtual void OnAbandon(const TableVersion& table) noexcept = 0;

  // Items that `next` gives, until it gives null, are going to be put into a table, by commits with
  // the seed's id. An Exchange begins the seed later, or it ends. Nothing is locked, and the call
  // may take long.
  virtual void OnSeedItems(const PendingSeed& /*seed*/,
                           absl::FunctionRef<const ItemRef*()> /*next*/) {}
  // All items of the seed were put into its table, or no more of them will be. Nothing is
  // locked; the catalog has drawn kMostBytesOfObserver of the thread's reserve.
  virtual void OnSeedEnd(const PendingSeed& /*seed*/) noexcept {}

  // The functions below are called under locks: they must be quick, must not fail and must not use
  // the catalog. For OnPublish and OnExchange the catalog has drawn kMostBytesOfObserver
  // (engine/change_log.h) of the thread's reserve for each table and seed that they are given, and
  // once more.
  //
  // The version was published in place of the version before it.
  virtual void OnPublish(const TableVersion& version) noexcept = 0;
  // At one instant, the tables of `out` were removed and the tables of `in` were published, with
  // their tags. A new table and a dropped table are an exchange too. `out` and `in` may contain
  // tables that are not durable (TableVersion::is_durable). The tokens of requests that used a
  // removed table may be forgotten (Catalog::Exchange). From that instant on, the items of `seeds`
  // are kept: a restart puts those that were not put yet.
  virtual void OnExchange(std::span<const TableRef> out, std::span<const TableRef> in,
                          std::span<const PendingSeed> seeds) noexcept = 0;
  // These are the tags of the table from now on. The table may have been removed meanwhile. Only
  // the set of tags is locked.
  virtual void OnTags(std::uint64_t table_id, std::span<const Tag> tags) noexcept = 0;
};

}  // namespace hashrange
