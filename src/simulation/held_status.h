// Held status: a table, or one of its indexes, is kept in a transitional status, such as UPDATING,
// for as long as a test wants to see what its application does then
// (docs/service/03-tables-and-indexes.md, section 4; 13-update-table-and-gsi-lifecycle.md, section
// 6).
//
// No thread watches a held table. HoldStatus publishes a version of the table that has the status,
// in a phase whose end is in the farthest future; what follows the phase is the table without the
// status (engine/table_life_cycle.h). So clients see the same as in an ordinary transition. Changes
// that are made meanwhile are kept. The functions hold no state outside of the catalog; any thread.
#pragma once

#include <string_view>

#include "base/result.h"
#include "engine/catalog.h"

namespace hashrange {

struct StatusRequest {
  std::string_view index;  // the name of a global index; empty: the status is the table's
  // The status to hold: kUpdating or, for an index only, kCreating: the index is described as
  // backfilling. kActive ends the transition of the index, or of the table and all its indexes.
  ResourceStatus status = ResourceStatus::kActive;
};

// Publishes the table in that status.
// Errors: ResourceNotFoundException  no such table or index
//         ResourceInUseException     the table is being deleted, or an index is being created or
//                                    deleted
//         ValidationException        a local index, which has no status
Status HoldStatus(Catalog& catalog, AccountName account, std::string_view table,
                  const StatusRequest& request);

// Ends the held status of every table and index.
void ReleaseHeldStatuses(Catalog& catalog);

}  // namespace hashrange
