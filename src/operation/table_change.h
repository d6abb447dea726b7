// TableChange: an UpdateTable as two versions of the table, how it is described meanwhile
// and what it becomes (reference 03, sections 4 and 7; 13, section 3).
#pragma once

#include <cstdint>
#include <memory>

#include "engine/table_version.h"
#include "operation/context.h"
#include "operation/update_table_request.h"

namespace hashrange {

struct TableChange {
  std::unique_ptr<TableVersion> during;
  std::unique_ptr<TableVersion> after;
  bool passes = false;  // whether getting from one to the other takes time
};

// `request` has passed every check against `current` and what that becomes. Pure but for
// the clock and the id of an encryption key.
TableChange MakeTableChange(const Context& context, const UpdateTableRequest& request,
                            const TableVersion& current);

}  // namespace hashrange
