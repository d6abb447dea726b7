// Page: one page of a Query or Scan, from the engine's Range into the answer. Read in key
// order → count → filter → project (docs/service/06-query-and-scan.md, section 5).
// Called by the request's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/functional/function_ref.h"
#include "engine/engine.h"
#include "expression/expression.h"
#include "operation/context.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/read/select.h"

namespace hashrange {

// A page ends after the item with which the bytes read, of index entries or of the items fetched
// for a local index, reach this size.
inline constexpr std::size_t kPageBytes = 1 << 20;

struct PageRequest {
  const TableVersion& table;
  const IndexVersion* index;  // null: the table itself
  Interval interval;
  std::span<const KeyClause> clauses = {};  // the interval was made of these; for the gate
  bool forward = true;
  std::int64_t limit = 0;  // of the items read, before the filter; 0: no limit
  Condition filter;
  Projection projection;
  Select select = Select::kAllAttributes;
  bool consistent = false;
  std::size_t max_bytes = kPageBytes;  // less when a page has read other intervals before this one
};

// Members of the request that both operations have.
struct PageOptions {
  std::int64_t limit;
  bool consistent;
  ReturnConsumedCapacity capacity;
};
PageOptions ReadPageOptions(const RequestObject& request);

// Errors: ValidationException  the index is not filled yet
Status CheckBackfilled(const IndexVersion& index);

// Returns the index of the request, or null for the table.
// Errors: ValidationException  the table has no such index; a consistent read of a global index;
//         the index is not filled yet
Result<const IndexVersion*> FindReadIndex(const TableVersion& table,
                                          std::optional<std::string_view> index_name,
                                          bool consistent);

struct PageTotals {
  std::int64_t count = 0;
  std::int64_t scanned_count = 0;
  std::size_t size_bytes = 0;          // of the items, or of the index entries, that were read
  std::size_t fetched_size_bytes = 0;  // of the whole items fetched for a local index
  std::int64_t fetched_units = 0;      // read units of the same, rounded up for each item
  ItemRef last;                        // set when the read stopped before the end
};

// Returns the usage of a page; `meter` has counted this page only.
Usage UsageOfPage(const CapacityMeter& meter, const PageTotals& totals);

// Reads the page and calls `write` for each item that passes the filter, unless the items are only
// counted. No lock is held while `write` runs.
PageTotals ReadPage(Context& context, const PageRequest& page,
                    absl::FunctionRef<void(ItemView item)> write);

// Reads one page and writes the whole answer: Items, Count, ScannedCount, LastEvaluatedKey,
// ConsumedCapacity. No lock is held while items are filtered and written.
// Errors: of the gate
Status AnswerPage(Context& context, const PageRequest& page, Access::Kind kind,
                  ReturnConsumedCapacity capacity, JsonWriter& answer);

}  // namespace hashrange
