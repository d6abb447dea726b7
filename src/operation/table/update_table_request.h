// UpdateTableRequest: what UpdateTable asks for, as read, and the service's checks of the request
// (docs/service/03-tables-and-indexes.md, section 7; 13-update-table-and-gsi-lifecycle.md, sections
// 1 to 5; vector indexes: 15-vector-search.md, section 4). Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/table_version.h"
#include "operation/table/table_definition.h"
#include "operation/table/throughput_checks.h"
#include "wire/binder.h"

namespace hashrange {

// An element of GlobalSecondaryIndexUpdates or of VectorIndexUpdates. CheckIndexUpdateList refuses
// kNone and kSeveral: the element has no action, or more than one.
struct IndexUpdate {
  enum class Action { kNone, kCreate, kUpdate, kDelete, kSeveral };

  Action action = Action::kNone;
  bool is_vector = false;  // an element of VectorIndexUpdates, which has no kUpdate
  std::string name;
  std::optional<IndexDefinition> created;  // kCreate
  std::optional<PartialUnits> throughput;  // kCreate and kUpdate of a global index
  std::optional<PartialUnits> on_demand;   // kUpdate
  std::optional<PartialUnits> warm;        // kUpdate

  bool IsUpdate() const { return action == Action::kUpdate; }
  bool IsCreateOrDelete() const { return action == Action::kCreate || action == Action::kDelete; }
};

struct UpdateTableRequest {
  explicit UpdateTableRequest(const RequestObject& request) : json(request) {}

  RequestObject json;  // the whole request, for the members that are not copied below
  std::string_view table_name;
  std::optional<bool> on_demand;  // BillingMode
  std::optional<ProvisionedThroughput> throughput;
  std::optional<PartialUnits> max_on_demand;  // OnDemandThroughput; nullopt: absent or {}
  std::optional<PartialUnits> warm;           // WarmThroughput; nullopt: absent or {}
  std::vector<IndexUpdate> index_updates;     // of global indexes, then of vector indexes
  std::optional<bool> deletion_protection;
  std::optional<std::string> table_class;

  // Returns the first element that creates or deletes an index, or null.
  const IndexUpdate* FindCreationOrDeletion() const;
  // Returns the element that updates the index, or null.
  const IndexUpdate* FindIndexUpdate(std::string_view index_name) const;
  // Returns whether the table will be on demand after this request.
  bool OnDemandAfter(const TableVersion& table) const {
    return on_demand.value_or(table.settings.on_demand);
  }
};

UpdateTableRequest ReadUpdateTableRequest(const RequestObject& request);

// Makes the checks that need no table: the request asks for a change, its changes may be combined,
// their values are valid, and the lists of index changes are well-formed.
// Errors: ValidationException
Status CheckUpdateTableRequest(const UpdateTableRequest& request);

// Checks that no other change of the table that takes place now forbids this one
// (docs/service/13-update-table-and-gsi-lifecycle.md, section 6).
// Errors: ResourceInUseException
//         LimitExceededException  the request creates or deletes an index while another index is
//         being created or deleted
Status CheckUpdateAdmitted(const UpdateTableRequest& request, const TableVersion& table);

// Returns LimitExceededException: only one index can be created or deleted at a time.
Error TooManyOnlineIndexes();

// Checks the request against `table`, the version that follows when the present change is complete
// (TableVersion::AfterPhase).
// Errors: ValidationException
//         ResourceNotFoundException  an index does not exist
//         InternalFailure  the request has no change but an empty OnDemandThroughput or
//         WarmThroughput; or an index does not exist, and its WarmThroughput is to change
//         LimitExceededException  more than one creation or deletion; a 21st global index; a 6th
//         vector index
Status CheckUpdateOfTable(const UpdateTableRequest& request, const TableVersion& table);

}  // namespace hashrange
