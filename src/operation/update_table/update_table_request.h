// UpdateTableRequest: what UpdateTable asks for, as read, and the service's checks of it
// (docs/service/03-tables-and-indexes.md, section 7; 13-update-table-and-gsi-lifecycle.md,
// sections 1 to 5). Pure functions; any thread.
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

// An element of GlobalSecondaryIndexUpdates.
struct GlobalSecondaryIndexUpdate {
  enum class Action { kNone, kCreate, kUpdate, kDelete, kSeveral };

  Action action = Action::kNone;
  std::string name;
  std::optional<IndexDefinition> created;  // kCreate
  std::optional<PartialUnits> throughput;  // kCreate and kUpdate
  std::optional<PartialUnits> on_demand;   // kUpdate, as the next
  std::optional<PartialUnits> warm;

  bool IsUpdate() const { return action == Action::kUpdate; }
  bool IsCreateOrDelete() const { return action == Action::kCreate || action == Action::kDelete; }
};

struct UpdateTableRequest {
  explicit UpdateTableRequest(const RequestObject& request) : json(request) {}

  RequestObject json;  // for members that are only looked for
  std::string_view table_name;
  std::optional<bool> on_demand;  // BillingMode
  std::optional<ProvisionedThroughput> throughput;
  std::optional<PartialUnits> max_on_demand;  // these two: absent when nothing is in them
  std::optional<PartialUnits> warm;
  std::optional<std::vector<GlobalSecondaryIndexUpdate>> indexes;
  std::optional<bool> deletion_protection;
  std::optional<std::string> table_class;

  // The element that creates or deletes an index, or null.
  const GlobalSecondaryIndexUpdate* CreatedOrDeleted() const;
  // The element that updates the index, or null.
  const GlobalSecondaryIndexUpdate* FindIndexUpdate(std::string_view index_name) const;
  bool OnDemandAfter(const TableVersion& table) const {
    return on_demand.value_or(table.settings.on_demand);
  }
};

UpdateTableRequest ReadUpdateTableRequest(const RequestObject& request);

// What needs no table: whether there is something to do, what may come together, units,
// the list of index changes.
// Errors: ValidationException
Status CheckUpdateTableRequest(const UpdateTableRequest& request);

// Whether what is under way with the table admits the change
// (docs/service/13-update-table-and-gsi-lifecycle.md, section 6).
// Errors: ResourceInUseException
//         LimitExceededException  an index is created or deleted while another one is
//         InternalServerError     warm throughput while an index is allocated
Status CheckUpdateAdmitted(const UpdateTableRequest& request, const TableVersion& table);

// LimitExceededException: one index is created or deleted at a time.
Error OneOnlineIndex();

// Against the table as it is or is about to be.
// Errors: ValidationException, and for indexes (CheckIndexUpdates) two more
//         InternalFailure  nothing is asked for but OnDemandThroughput or WarmThroughput {}
Status CheckUpdateOfTable(const UpdateTableRequest& request, const TableVersion& table);

// Of CheckUpdateTableRequest and CheckUpdateOfTable: the part about indexes.
Status CheckIndexUpdateList(const std::vector<GlobalSecondaryIndexUpdate>& changes);
// Errors: ValidationException
//         ResourceNotFoundException  the table has no such index
//         InternalFailure            … and its WarmThroughput was to change
//         LimitExceededException     more than one creation or deletion, or index 21
Status CheckIndexUpdates(const UpdateTableRequest& request, const TableVersion& table);

}  // namespace hashrange
