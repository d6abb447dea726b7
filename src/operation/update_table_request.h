// UpdateTableRequest: what UpdateTable asks for, as read, and the service's checks of it
// (reference 03, section 7; 13, sections 1 to 5). Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/table_version.h"
#include "operation/table_definition.h"
#include "operation/throughput_checks.h"
#include "wire/binder.h"

namespace hashrange {

// An element of GlobalSecondaryIndexUpdates.
struct IndexChange {
  enum class Action { kNone, kCreate, kUpdate, kDelete, kSeveral };

  Action action = Action::kNone;
  std::string name;
  std::optional<IndexDefinition> created;  // kCreate
  std::optional<PartialUnits> throughput;  // these three: kUpdate
  std::optional<PartialUnits> on_demand;
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
  std::optional<std::vector<IndexChange>> indexes;
  std::optional<bool> deletion_protection;
  std::optional<std::string> table_class;

  // The element that updates the index, or null.
  const IndexChange* UpdateOf(std::string_view index_name) const;
  bool OnDemandAfter(const TableVersion& table) const {
    return on_demand.value_or(table.settings.on_demand);
  }
};

UpdateTableRequest ReadUpdateTableRequest(const RequestObject& request);

// What needs no table: whether there is something to do, what may come together, units,
// the list of index changes.
// Errors: ValidationException
Status CheckUpdateTableRequest(const UpdateTableRequest& request);

// Whether the table's state admits the change.
// Errors: ResourceInUseException
Status CheckUpdateAdmitted(const UpdateTableRequest& request, const TableVersion& table);

// Against the table as it is or is about to be.
// Errors: ValidationException, and for indexes (CheckIndexChanges) two more
//         InternalFailure  nothing is asked for but OnDemandThroughput or WarmThroughput {}
Status CheckUpdateOfTable(const UpdateTableRequest& request, const TableVersion& table);

// Of CheckUpdateTableRequest and CheckUpdateOfTable: the part about indexes.
Status CheckIndexChangeList(const std::vector<IndexChange>& changes);
// Errors: ValidationException
//         ResourceNotFoundException  the table has no such index
//         InternalFailure            … and its WarmThroughput was to change
//         LimitExceededException     more than one creation or deletion, or index 21
Status CheckIndexChanges(const UpdateTableRequest& request, const TableVersion& table);

// Of CheckUpdateAdmitted and CheckUpdateOfTable: the part about the stream. The first is for
// a table that is UPDATING.
// Errors: ResourceInUseException
Status CheckStreamAdmitted(const UpdateTableRequest& request, const TableVersion& table);
// Errors: ValidationException
Status CheckStream(const UpdateTableRequest& request, const TableVersion& table);

}  // namespace hashrange
