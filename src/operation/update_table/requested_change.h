// From the request of an UpdateTable to the change of the table that it asks for.
#pragma once

#include "engine/table_life_cycle.h"
#include "operation/context.h"
#include "operation/update_table/update_table_request.h"

namespace hashrange {

// `request` has passed every check against `current` and what that becomes. Pure but for
// the clock and the id of an encryption key.
TableChange MakeTableChange(const Context& context, const UpdateTableRequest& request,
                            const TableVersion& current);

}  // namespace hashrange
