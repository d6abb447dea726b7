// Page: one page of a Query or Scan, from the engine's Range into the answer. Read in key
// order → count → filter → project (docs/service/06-query-and-scan.md, section 5).
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

// A page ends after the item that brings the sizes read to this, of index entries or of the
// items fetched behind a local index.
inline constexpr std::size_t kPageBytes = 1 << 20;

struct PageRequest {
  const TableVersion& table;
  const IndexVersion* index;  // null: the table itself
  Interval interval;
  std::span<const KeyClause> clauses = {};  // that the interval was made of, for the gate
  bool forward = true;
  std::int64_t limit = 0;  // items read; 0: no limit
  Condition filter;
  Projection projection;
  Select select = Select::kAllAttributes;
  bool consistent = false;
  std::size_t max_bytes = kPageBytes;  // less where a page goes on from another interval
};

// Members of the request both operations have.
struct PageOptions {
  std::int64_t limit;
  bool consistent;
  ReturnConsumedCapacity capacity;
};
PageOptions ReadPageOptions(const RequestObject& request);

// Errors: ValidationException  the index is not filled yet
Status CheckBackfilled(const IndexVersion& index);

// The index of the request, or null for the table.
// Errors: ValidationException  no such index; consistent reads of a global one; one that is
//         not filled yet
Result<const IndexVersion*> FindReadIndex(const TableVersion& table,
                                          std::optional<std::string_view> index_name,
                                          bool consistent);

struct PageTotals {
  std::int64_t count = 0;
  std::int64_t scanned_count = 0;
  std::size_t size_bytes = 0;          // of what was read: items, or index entries
  std::size_t fetched_size_bytes = 0;  // of whole items behind a local index
  std::int64_t fetched_units = 0;      // the same in read units, each item rounded alone
  ItemRef last;                        // set when the read stopped before the end
};

// What the gate is told of a page, by a meter that has counted nothing else.
Usage UsageOfPage(const CapacityMeter& meter, const PageTotals& totals);

// Reads the page; calls `write` for each item that passes the filter, unless they are only
// counted. No lock is held meanwhile.
PageTotals ReadPage(Context& context, const PageRequest& page,
                    absl::FunctionRef<void(ItemView item)> write);

// Reads one page and writes the whole answer: Items, Count, ScannedCount, LastEvaluatedKey,
// ConsumedCapacity. No lock is held while items are filtered and written.
Status AnswerPage(Context& context, const PageRequest& page, Access::Kind kind,
                  ReturnConsumedCapacity capacity, JsonWriter& answer);

}  // namespace hashrange
