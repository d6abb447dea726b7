// Table transitions: the phases of a table pass as time does (engine/table_life_cycle.h). CREATING,
// UPDATING and DELETING last for Context::transition_ms, at 0 no time at all
// (docs/service/03-tables-and-indexes.md, section 4).
//
// No timer runs. A version says when its phase ends, and the first look-up of the table after that
// time publishes the version that follows. When several look-ups do so at the same time, one
// succeeds, and the others look the table up again. So a deleted table that nobody asks for keeps
// its memory. Any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/table_life_cycle.h"
#include "operation/context.h"

namespace hashrange {

// Returns the table of that name as of now, in any state, or null. Cost: Catalog::Find and one
// compare, unless the table's phase has ended.
TableRef FindSettled(const Context& context, std::string_view name);

// Whether one of these tables, being deleted, is gone by now. For ListTables.
bool AnyGone(const Context& context, std::span<const std::string> names);

// These publish what an operation asked for, by way of the phase that passes first, and return the
// version that the answer describes. They return null when another version was published first:
// then the caller looks the table up again (of BeginCreation: the name is taken).
TableRef BeginCreation(const Context& context, std::unique_ptr<TableVersion> version);
// The version that describes a change that takes no time is never published.
TableRef BeginUpdate(const Context& context, const TableRef& current, TableChange change);
TableRef BeginDeletion(const Context& context, const TableRef& current);

// ResourceInUseException "Attempt to change a resource which is still in use: <detail>".
Error ResourceInUse(std::string detail);

// Errors: ResourceInUseException  the table is being created or deleted
Status CheckNotComingOrGoing(const TableVersion& table);

}  // namespace hashrange
