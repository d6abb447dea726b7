// Held status: a table or one of its indexes kept in a status that otherwise passes, for as long
// as a test wants to see what its application makes of it (docs/service/03-tables-and-indexes.md,
// section 4; 13-update-table-and-gsi-lifecycle.md, section 6).
//
// Nothing watches it: a version of the table is published that has the status, settles in the
// farthest future and becomes what the table is without it (operation/table/table_transitions.h),
// so that clients see what they see of one whose status is passing. Changes that are made meanwhile
// are kept. Pure but for the catalog; any thread.
#pragma once

#include <string_view>

#include "base/result.h"
#include "engine/catalog.h"

namespace hashrange {

struct StatusRequest {
  std::string_view index;  // of a global index; empty: the table's
  // kCreating, of an index: it is being backfilled; kUpdating; or kActive: whatever passes is
  // over, of the index alone or of the table and its indexes.
  ResourceStatus status = ResourceStatus::kActive;
};

// Publishes the table in that status.
// Errors: ResourceNotFoundException  no such table or index
//         ResourceInUseException     the table is being deleted, or an index is coming or going
//         ValidationException        a local index, which has no status
Status HoldStatus(Catalog& catalog, AccountName account, std::string_view table,
                  const StatusRequest& request);

// What passes of every table that is held is over.
void ReleaseHeldStatuses(Catalog& catalog);

}  // namespace hashrange
