// Page: reads one page of a Query, a Scan or a statement by the engine's Range and writes its items
// into the answer: read in key order → count → filter → project
// (docs/service/06-query-and-scan.md, section 5). Called by the request's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "absl/functional/function_ref.h"
#include "engine/engine.h"
#include "expression/expression.h"
#include "operation/call/context.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/read/select.h"

namespace hashrange {

// A page ends after the item with which one of two sums reaches this size: the sizes of the items
// or index entries that were read, or the sizes of the whole items that were fetched for a local
// index.
inline constexpr std::size_t kPageBytes = 1 << 20;

// What a page has left to read.
struct PageInterval {
  Interval interval;
  std::optional<Position> start = {};  // of the request: the page continues after this position
};

struct PageRequest {
  const TableVersion& table;
  std::string_view table_name;  // as the request calls the table: its name or its ARN
  const IndexVersion* index;    // null: the table itself
  PageInterval left;
  std::span<const KeyClause> clauses = {};  // the key condition of the interval, for the gate
  bool forward = true;
  std::int64_t limit = 0;  // how many items are read at most, before the filter; 0: no limit
  Condition filter;
  Projection projection;
  Select select = Select::kAllAttributes;
  bool consistent = false;
  // kPageBytes, less what the same page has already read from other intervals.
  std::size_t max_bytes = kPageBytes;
};

// Members of the request that Query and Scan both have.
struct PageOptions {
  std::int64_t limit;
  bool consistent;
  ReturnConsumedCapacity capacity;
};
PageOptions ReadPageOptions(const RequestObject& request);

// Refuses to read an index that has not been ACTIVE yet. The caller has already refused an index
// that is still allocating.
// Errors: ValidationException  the index is backfilling, or is being deleted and was never ACTIVE
Status CheckBackfilled(const IndexVersion& index);

// Returns the index of the request, or null for the table. `kind`: kQuery or kScan.
// Errors: ValidationException  the table has no such index; a vector index, which SearchVectors
//         alone reads (docs/service/15-vector-search.md, section 2); a consistent read of a global
//         index;
//         the errors of CheckBackfilled
Result<const IndexVersion*> FindReadIndex(const TableVersion& table,
                                          std::optional<std::string_view> index_name,
                                          bool consistent, Access::Kind kind);

// Returns ValidationException "Scan operation not supported on this index type", with which a Scan
// and a statement refuse a vector index.
Error ScanNotSupported();

struct PageTotals {
  std::int64_t count = 0;              // items that passed the filter
  std::int64_t scanned_count = 0;      // items that were read
  std::size_t size_bytes = 0;          // of the items, or of the index entries, that were read
  std::size_t fetched_size_bytes = 0;  // of the whole items fetched for a local index
  // The read units of the fetched items, each item rounded up. A statement is charged these units;
  // a Query or a Scan is charged for the sum of the sizes, fetched_size_bytes.
  double fetched_units = 0;
  std::size_t answered_bytes = 0;  // of the attributes that are written; only where there is a gate
  ItemRef last;                    // the last item read, if limit or size ended the page
};

// Returns the access of a page; without its terms, which TermsOfPage returns.
Access AccessOfPage(const PageRequest& page, Access::Kind kind);
AccessTerms TermsOfPage(const PageRequest& page);
// Returns the usage of a page; `meter` has counted this page only.
Usage UsageOfPage(const PageRequest& page, const PageTotals& totals, const CapacityMeter& meter,
                  Arena& arena);

// Reads the page and calls `write` for each item that passes the filter, unless the items are only
// counted. No lock is held while `write` runs.
PageTotals ReadPage(Context& context, const PageRequest& page,
                    absl::FunctionRef<void(ItemView item)> write);

// Reads one page and writes the whole answer: Items, Count, ScannedCount, LastEvaluatedKey,
// ConsumedCapacity. No lock is held while items are filtered and written.
// Errors: those with which the gate refuses the access
Status AnswerPage(Context& context, const PageRequest& page, Access::Kind kind,
                  ReturnConsumedCapacity capacity, JsonWriter& answer);

}  // namespace hashrange
