// From the request of an UpdateTable to the change of the table that it asks for. Any thread.
#pragma once

#include "engine/table_life_cycle.h"
#include "operation/context.h"
#include "operation/update_table/update_table_request.h"

namespace hashrange {

// Returns the change. `request` has passed every check against `current` and against the version
// that follows it. The result depends on nothing else but the clock and the id of an encryption
// key.
TableChange MakeTableChange(const Context& context, const UpdateTableRequest& request,
                            const TableVersion& current);

}  // namespace hashrange
