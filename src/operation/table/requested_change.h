// Makes the change of a table that a request of UpdateTable asks for. Any thread.
#pragma once

#include "engine/table_life_cycle.h"
#include "operation/call/context.h"
#include "operation/table/update_table_request.h"

namespace hashrange {

// Returns the change. `request` has passed every check against `current` and against the version
// that follows it. Of the context, the result depends only on the time, the Region and the account.
TableChange MakeTableChange(const Context& context, const UpdateTableRequest& request,
                            const TableVersion& current);

}  // namespace hashrange
