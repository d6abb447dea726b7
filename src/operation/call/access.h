// Access and Usage: what a gate (operation/call/gate.h) learns of one access to items, before the
// access and after it.
//
//   Access        which items the call reads or writes, and for which member of the request
//   AccessTerms   what the request asks of these items besides their key
//   Usage         what the access consumed, read, wrote and answered
//   IndexMove     what a write did to one index
//
// They are plain data. What the key of an Access points to is valid until its Leave, as the key of
// a put is a part of the item; the arena of the request owns the rest. A Usage is valid only during
// the function that gets it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/error.h"
#include "engine/table_version.h"
#include "expression/expression.h"
#include "value/attribute_value.h"
#include "value/item.h"
#include "value/key.h"

namespace hashrange {

// What a write demands of the stored item because of the kind of its statement.
enum class ItemExistence {
  kAny,                    // nothing; also for every write that is not a statement
  kRequired,               // for an UPDATE: an item is stored
  kForbidden,              // for an INSERT: no item is stored
  kConditionIfItemExists,  // for a DELETE: the condition is checked only if an item is stored
};

// What a request asks of an access besides its key.
struct AccessTerms {
  // The filter of a Query, a Scan or a SELECT, or the condition of a write, a condition check or a
  // search, in any syntax. Empty: there is none. The condition of a statement is its whole WHERE,
  // which names the key, too.
  Condition condition = {};
  // What a read answers. Without paths it answers everything. A SELECT's projection has only its
  // paths and cannot be applied: columns of a row have names of their own.
  Projection projection = {};
  const Update* update = nullptr;  // of an update
  bool forward = true;             // for a Query: ascending by the sort key
  // The Limit of a Query, a Scan or a SELECT, the TopK of a search; 0: none.
  std::int64_t limit = 0;
  bool counts_only = false;  // Select is COUNT
  ItemExistence existence = ItemExistence::kAny;
};
// The terms of an access of which the request asks nothing.
inline constexpr AccessTerms kNoTerms;

enum class WriteKind : std::uint8_t { kPut, kUpdate, kDelete };

// One access of a call: the call reads or writes one item by its key, or it reads the items of a
// Query or a Scan, or searches the vectors of an index. A SELECT that reads several ranges makes an
// access for each.
struct Access {
  enum class Kind { kRead, kWrite, kConditionCheck, kQuery, kScan, kSearch };
  static constexpr bool IsRead(Kind kind) {
    return kind != Kind::kWrite && kind != Kind::kConditionCheck;
  }

  Kind kind = Kind::kRead;
  const TableVersion* table = nullptr;
  const IndexVersion* index = nullptr;  // null: the table itself
  // The item's position; for a Query or Scan, its start; for a search, the value of the HASH
  // element, and its hash.
  Position key;
  bool in_transaction = false;
  // For a write, the attributes in the request that end up in the item: all of them for a put, the
  // key for an update, none for a delete.
  std::span<const Attribute> attributes = {};
  // For a Query, its key condition.
  std::span<const KeyClause> clauses = {};
  bool consistent = false;                 // the request asks for a strong read
  WriteKind write_kind = WriteKind::kPut;  // of a write
  // Counts the keys of a batch, the actions of a transaction or the statements of either, from 0 in
  // the order of the request; 0 for any other access.
  std::uint32_t member = 0;
  // For a Scan: the greatest hash of its segment.
  std::uint64_t last_hash = UINT64_MAX;
  // For a Query, Scan or SELECT with a start key or a token: the position after which the page
  // continues. Of the ranges of a SELECT only the first that is read has it.
  std::optional<Position> start = {};
  const AccessTerms* terms = &kNoTerms;  // never null
};

// What a write did to the item's entry in one index. The write touched the index: the item has an
// entry after the write, or had one before.
struct IndexMove {
  std::size_t index = 0;                // in TableVersion::indexes
  std::optional<Position> before = {};  // of the entry before the write; none: there was no entry
  std::optional<Position> after = {};   // of the entry after the write
  std::size_t bytes_before = 0;         // the sizes of the entry
  std::size_t bytes_after = 0;
  double units = 0;  // 0: the entry stays as it is
};

// What one access consumed, read, wrote and answered. All members are zero when nothing came of the
// access; is_retried or refusal may say why. Sizes are DynamoDB sizes in bytes.
struct Usage {
  double units = 0;                          // capacity units of the table and its indexes
  std::span<const double> index_units = {};  // the part of each of the table's indexes
  // The bytes that each of the table's vector indexes was charged: bytes written by a write, bytes
  // searched by a search (docs/service/15-vector-search.md, section 8). 0 for any other index;
  // empty when the table has no vector index.
  std::span<const double> vector_bytes = {};
  std::int64_t items_examined = 0;  // stored items that were read
  std::int64_t items_returned = 0;  // items in the answer, or counted in it
  std::int64_t items_written = 0;   // items that were put, changed or deleted
  // For a write, the stored item before and after it; for a condition check and for a write that
  // the commit refused, `before` is the item that was read. For a read of one key, `after` is the
  // stored item.
  ItemView before = {};
  ItemView after = {};
  // The items or index entries that were read, and the whole items that were fetched for a local
  // index.
  std::size_t bytes_examined = 0;
  // For a read, the attributes in the answer: what the filter and the projection left; 0 when the
  // items are only counted.
  std::size_t bytes_returned = 0;
  // For a page that ended before its interval did: the position of the last item that was read, in
  // the table or index that was read.
  std::optional<Position> resume = {};
  // For a committed write, ascending by index; vector indexes, whose entries have no order, have
  // none.
  std::span<const IndexMove> index_moves = {};
  // The commit refused the write, or another action of its transaction. The units are charged
  // (docs/service/08-capacity.md, section 2), but only the answer of a batch of statements reports
  // them (11-partiql.md, section 6).
  bool is_failed = false;
  // With is_failed: the error with which the commit refused this write; null when it refused only
  // other actions of the transaction.
  const Error* failure = nullptr;
  // The access was not made, because its table had changed. The operation enters it anew.
  bool is_retried = false;
  // Only in Charge, for the units of a transaction whose client request token was used before,
  // which are units of reads: the access of the action. Null for anything else.
  const Access* replayed = nullptr;
  // The error with which a later gate refused the access after this gate had admitted it.
  const Error* refusal = nullptr;
};

}  // namespace hashrange
