// The writing half of statements: INSERT, UPDATE and DELETE, each one commit of one item, and what
// RETURNING returns of that item (docs/service/11-partiql.md, section 5). Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/result.h"
#include "expression/partiql/bound_statement.h"
#include "expression/partiql/key_plan.h"
#include "operation/call/context.h"
#include "operation/item/single_write.h"
#include "value/item.h"
#include "wire/json_writer.h"

namespace hashrange {

// Returns the key of the item that an UPDATE or DELETE writes. The key's values are not checked.
// Errors: ValidationException  WHERE does not fix every key attribute, or fixes one of them twice
Result<partiql::KeyMatch> MatchWrittenKey(const partiql::BoundStatement& bound,
                                          const KeySchema& key, Arena& arena);

// Checks the write against the table's schema and returns the item that it writes.
// Errors: ValidationException
Result<WriteTarget> CheckStatementWrite(const partiql::BoundStatement& bound,
                                        const TableVersion& table, Arena& arena);

// Looks the table up and commits the write. Once the write has seen the stored item, sets
// `*charged_bytes` to the size of that item or to options.attempted_bytes, whichever is larger: a
// write that the commit refuses is charged for it.
// Errors: ResourceNotFoundException, ValidationException, DuplicateItemException,
//         ConditionalCheckFailedException; any error of the gate
Result<SingleWriteOutcome> RunStatementWrite(Context& context, const partiql::BoundStatement& bound,
                                             const SingleWriteOptions& options,
                                             std::optional<std::size_t>* charged_bytes);

// What RETURNING asks for: a whole item, or only its changed parts. Empty: nothing.
struct ReturnedItem {
  ItemView item;
  std::span<const Attribute> parts;

  bool empty() const { return !item.exists() && parts.empty(); }
};
ReturnedItem MakeReturnedItem(const SingleWriteOutcome& outcome,
                              const partiql::BoundStatement& bound, Arena& arena);
void WriteReturnedItem(const ReturnedItem& returned, JsonWriter& writer);

}  // namespace hashrange
