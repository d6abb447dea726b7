// The writing half of statements: INSERT, UPDATE and DELETE, each one commit of one item, and
// what RETURNING gives of it (docs/service/11-partiql.md, section 5).
#pragma once

#include <span>

#include "base/result.h"
#include "operation/context.h"
#include "operation/item/single_write.h"
#include "partiql/bound_statement.h"
#include "partiql/key_plan.h"
#include "value/item.h"
#include "wire/json_writer.h"

namespace hashrange {

// What needs no table: the size of an INSERT's item.
// Errors: ValidationException "Item size has exceeded the maximum allowed size"
Status CheckInsertedSize(const partiql::BoundStatement& bound);

// The key that an UPDATE or DELETE is about; its values are not checked.
// Errors: ValidationException  WHERE does not fix every key attribute, or fixes one twice
Result<partiql::KeyMatch> MatchWrittenKey(const partiql::BoundStatement& bound,
                                          const KeySchema& key, Arena& arena);

// The position of the item written, and the checks against the table's schema.
// Errors: ValidationException
Result<WriteTarget> CheckStatementWrite(const partiql::BoundStatement& bound,
                                        const TableVersion& table, Arena& arena);

// Looks the table up and commits. Of a write that is refused as it runs `*attempted_bytes`
// gets the larger of the stored item's size and that of the item it carries.
// Errors: ResourceNotFoundException, ValidationException, DuplicateItemException,
//         ConditionalCheckFailedException; what the gate says
Result<SingleWriteOutcome> RunStatementWrite(Context& context, const partiql::BoundStatement& bound,
                                             const SingleWriteOptions& options,
                                             std::size_t* attempted_bytes);

// What RETURNING asks for: a whole item, or the changed parts of it.
struct ReturnedItem {
  ItemView item;
  std::span<const Attribute> parts;

  bool empty() const { return !item.exists() && parts.empty(); }
};
ReturnedItem MakeReturnedItem(const SingleWriteOutcome& outcome,
                              const partiql::BoundStatement& bound, Arena& arena);
void WriteReturnedItem(const ReturnedItem& returned, JsonWriter& writer);

}  // namespace hashrange
