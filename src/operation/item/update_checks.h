// Update checks: the functions here refuse what an update must not do to the keys of a table and to
// what its indexes take, and make the item after the update. UpdateItem, transactions and
// statements use them. Pure functions; any thread.
#pragma once

#include <span>

#include "base/memory/arena.h"
#include "base/result.h"
#include "engine/engine.h"
#include "expression/expression.h"

namespace hashrange {

// Checks the update's targets against the schema (docs/service/04-expressions.md, section 8, after
// the table look-up).
// Errors: ValidationException, never enveloped
Status CheckUpdateTargets(const TableVersion& table, const Update& update);

// Checks that no index key is set to an empty value. CheckUpdateTargets makes this check, too. It
// has a function of its own because in a transaction its error refuses the whole request, while the
// other errors of CheckUpdateTargets cancel the transaction with a reason for one action.
// Errors: ValidationException
Status CheckNoEmptyIndexKey(const TableVersion& table, const Update& update);

// Returns what the commit does: applies the update to the stored item `before`, which may be
// absent. `key` is the request's Key. The commit calls this function while the partition is locked.
// Refuses: ValidationException  run-time errors of the update; an index key of another type,
//          empty or too long; a changed attribute that a vector index cannot take; an updated item
//          over the size limit
Decision DecideUpdate(const TableVersion& table, const Update& update,
                      std::span<const Attribute> key, ItemView before, Arena& arena);

}  // namespace hashrange
