// Table transitions: the statuses that pass. CREATING, UPDATING and DELETING last for
// Context::transition_ms, at 0 no time at all (docs/service/03-tables-and-indexes.md, section 4).
//
//   CreateTable   CREATING ──▶ ACTIVE
//   UpdateTable   ACTIVE ──▶ UPDATING ──▶ ACTIVE, with what was asked for
//   DeleteTable   ACTIVE ──▶ DELETING ──▶ gone
//
// An index that is added to a table has two such times, and more where it takes longer to
// fill (docs/service/13-update-table-and-gsi-lifecycle.md, section 6):
//
//   table   ACTIVE ──▶ UPDATING ──▶ ACTIVE            ACTIVE
//   index              CREATING     CREATING    ──▶   ACTIVE
//                                   Backfilling       when it is filled, too
//
// No timer runs: a version carries when it settles and what it becomes, and whoever looks
// the table up from then on publishes that first. Of several at once one succeeds, and
// the others look again. So a deleted table that nobody asks for keeps its memory. Any
// thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "operation/context.h"
#include "operation/table/table_change.h"

namespace hashrange {

// The table of that name as of now, in any state, or null. Cost: Catalog::Find and one
// compare, unless the table is in transition.
TableRef FindSettled(const Context& context, std::string_view name);

// Whether one of these tables, being deleted, is gone by now. For ListTables.
bool AnyGone(const Context& context, std::span<const std::string> names);

// Publish what an operation asked for, by way of the status that passes first, and return
// the version that the answer describes. Null: another version came first, look the table
// up again (with BeginCreation: the name is taken).
TableRef BeginCreation(const Context& context, std::unique_ptr<TableVersion> version);
// A transition that is under way already is not shortened. Of one that takes no time the
// version that is described is never published.
TableRef BeginUpdate(const Context& context, const TableRef& current, TableChange change);
TableRef BeginDeletion(const Context& context, const TableRef& current);

// ResourceInUseException "Attempt to change a resource which is still in use: <detail>".
Error ResourceInUse(std::string detail);

// Errors: ResourceInUseException  the table is being created or deleted
Status CheckNotComingOrGoing(const TableVersion& table);

}  // namespace hashrange
