// What an update may not do to a table's keys, and the finished item it leads to; shared
// by UpdateItem and TransactWriteItems.
#pragma once

#include <span>

#include "base/arena.h"
#include "base/result.h"
#include "engine/engine.h"
#include "expression/expression.h"

namespace hashrange {

// The targets against the schema (docs/service/04-expressions.md, section 8, after the table
// look-up).
// Errors: ValidationException, never enveloped
Status CheckUpdateTargets(const TableVersion& table, const Update& update);

// The part of it that refuses a whole transaction: an index key set to an empty value.
// Errors: ValidationException
Status CheckNoEmptyIndexKey(const TableVersion& table, const Update& update);

// "Item size to update has exceeded the maximum allowed size".
Error UpdateTooLarge();

// Applies the update to the stored item; `key` is the request's Key.
// Refuses: ValidationException  run-time errors of the update, an index key of another
//          type, a finished item over the limit
Decision DecideUpdate(const TableVersion& table, const Update& update,
                      std::span<const Attribute> key, ItemView before, Arena& arena);

}  // namespace hashrange
