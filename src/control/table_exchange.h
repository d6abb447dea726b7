// TableExchange puts tables in the place of others at one instant: what reset, fork and restore
// are made of.
//
//   Add, Add, …     prepares the tables that come, with their streams
//   Run(tables, …)  takes `tables` out and publishes those that come
//
// Every request sees the old tables or the new ones; a commit that is under way on the old ones
// is done before or starts over on the new. What goes is freed behind. One thread.
#pragma once

#include <memory>
#include <vector>

#include "backfill/backfiller.h"
#include "engine/engine.h"
#include "stream/stream_set.h"
#include "ttl/time_to_live.h"

namespace hashrange {

// What the tables of a database are kept in, and who works on them.
struct TableKeepers {
  Engine& engine;
  StreamSet& streams;
  TimeToLive& time_to_live;
  Backfiller& backfiller;
};

class TableExchange {
 public:
  explicit TableExchange(const TableKeepers& keepers) : keepers_(keepers) {}
  ~TableExchange();  // of tables that did not come nothing remains
  TableExchange(const TableExchange&) = delete;
  TableExchange& operator=(const TableExchange&) = delete;

  // A table that is to come, a copy (table_copy.h): with the content of `from`, or empty.
  // Cost: O(partitions), whatever is in `from`.
  void Add(std::unique_ptr<TableVersion> version, const TablePin* from);

  // Also ends the streams of the tables of `scope`, and forgets the idempotency tokens of its
  // accounts and Regions. False, and nothing is changed, when one of `out` has changed meanwhile
  // or the name of one that comes is taken by another: look at the tables again. At most once true.
  // Cost: O(partitions) of all tables. An index that was being filled is filled as by
  // Backfiller::Start.
  bool Run(std::vector<TableRef> out, const Scope& scope);

 private:
  void OpenStream(TableVersion* version);
  std::vector<StreamRef> EndStreams(const std::vector<TableRef>& out, const Scope& scope) const;
  void StartWork() const;

  const TableKeepers keepers_;
  std::vector<TableRef> in_;
  bool is_done_ = false;
};

}  // namespace hashrange
