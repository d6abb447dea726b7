// Update checks: what an update must not do to the keys of a table and its indexes, and the item
// after the update. UpdateItem, TransactWriteItems and statements share them; the request's thread
// calls them.
#pragma once

#include <span>

#include "base/arena.h"
#include "base/result.h"
#include "engine/engine.h"
#include "expression/expression.h"

namespace hashrange {

// Checks the update's targets against the schema (docs/service/04-expressions.md, section 8, after
// the table look-up).
// Errors: ValidationException, never enveloped
Status CheckUpdateTargets(const TableVersion& table, const Update& update);

// Checks that no index key is set to an empty value: the part of CheckUpdateTargets whose error
// fails a whole transaction, where the other errors belong to one action.
// Errors: ValidationException
Status CheckNoEmptyIndexKey(const TableVersion& table, const Update& update);

// Returns ValidationException "Item size to update has exceeded the maximum allowed size".
Error UpdateTooLarge();

// Applies the update to the stored item, and returns the decision of the commit. `key` is the
// request's Key.
// Refuses: ValidationException  run-time errors of the update, an index key of another
//          type, an updated item over the size limit
Decision DecideUpdate(const TableVersion& table, const Update& update,
                      std::span<const Attribute> key, ItemView before, Arena& arena);

}  // namespace hashrange
