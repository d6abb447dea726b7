#include <algorithm>
#include <set>
#include <string>

#include "operation/invalid_parameters.h"
#include "operation/table_transitions.h"
#include "operation/update_table_request.h"

namespace hashrange {
namespace {

using Action = IndexChange::Action;

constexpr std::ptrdiff_t kMaxGlobalIndexes = 20;

Error LimitExceeded(std::string text) {
  return Error{ErrorCode::kLimitExceededException, "Subscriber limit exceeded: " + std::move(text),
               nullptr};
}

// Creation and deletion end here: an existing table keeps its indexes.
Error IndexesAreFixed() {
  return ValidationError("Hashrange does not create or delete indexes of an existing table.");
}

Status CheckCreation(const UpdateTableRequest& request, const IndexChange& change,
                     const TableVersion& table) {
  if (table.FindIndex(change.name)) {
    return ValidationError("Attempting to create an index which already exists");
  }
  const auto count = std::ranges::count_if(
      table.indexes, [](const IndexVersion& index) { return !index.schema.is_local; });
  if (count >= kMaxGlobalIndexes) {
    return LimitExceeded("Number of global secondary indexes exceeds per-table limit of 20");
  }
  const std::vector<KeyPart> attributes = ReadAttributeDefinitions(request.json);
  if (attributes.empty()) {
    return InvalidParameters("AttributeDefinitions is not specified for index: " + change.name);
  }
  HR_RETURN_IF_ERROR(CheckKeySchema(change.created->key, AttributeNames(attributes), true));
  return IndexesAreFixed();
}

Status CheckExists(const IndexChange& change, const TableVersion& table) {
  const IndexVersion* index = table.FindIndex(change.name);
  if (!index) {
    if (change.warm) return Error{ErrorCode::kInternalFailure, "", nullptr};
    return Error{ErrorCode::kResourceNotFoundException,
                 "Requested resource not found: Index " + change.name + " for table " + table.name,
                 nullptr};
  }
  if (!index->schema.is_local) return {};
  return ValidationError(std::string("Cannot ") + (change.IsUpdate() ? "update" : "delete") +
                         " an index that is not a GlobalSecondaryIndex: " + change.name);
}

Status CheckNewThroughput(const IndexChange& change, const IndexVersion& index,
                          bool was_on_demand) {
  const std::int64_t read = *change.throughput->read;
  const std::int64_t write = *change.throughput->write;
  HR_RETURN_IF_ERROR(CheckUnitsInBounds({read, write}));
  const ProvisionedThroughput& now = index.throughput;
  if (was_on_demand || read != now.read_units || write != now.write_units) return {};
  const std::string of = " provisioned for index " + change.name + ": ";
  return ValidationError(
      "The provisioned throughput for the index " + change.name +
      " will not change. The requested value equals the current value. Current "
      "ReadCapacityUnits" +
      of + std::to_string(read) + ". Requested ReadCapacityUnits: " + std::to_string(read) +
      ". Current WriteCapacityUnits" + of + std::to_string(write) +
      ". Requested WriteCapacityUnits: " + std::to_string(write) +
      ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request "
      "higher limits.");
}

// What an update may hold by the table's mode after the call.
Status CheckMode(const IndexChange& change, bool on_demand) {
  const bool has_limit = change.on_demand && !change.on_demand->empty();
  if (!on_demand) {
    const bool is_whole = change.throughput && change.throughput->read && change.throughput->write;
    const bool has_other = !change.throughput && (has_limit || change.warm);
    if (is_whole || has_other) return {};
    return InvalidParameters(
        "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: " +
        change.name);
  }
  if (!change.throughput && (has_limit || change.warm)) return {};
  if (change.throughput) {
    return InvalidParameters(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: " +
        change.name + " when BillingMode is PAY_PER_REQUEST");
  }
  return InvalidParameters("The only Updates for index: " + change.name +
                           " when TableThroughputMode is PAY_PER_REQUEST can be to "
                           "OnDemandThroughput, WarmThroughput");
}

Status CheckUpdate(const UpdateTableRequest& request, const IndexChange& change,
                   const TableVersion& table) {
  const IndexVersion& index = *table.FindIndex(change.name);
  const bool on_demand = request.OnDemandAfter(table);
  HR_RETURN_IF_ERROR(CheckMode(change, on_demand));
  if (change.throughput) {
    HR_RETURN_IF_ERROR(CheckNewThroughput(change, index, table.settings.on_demand));
  }
  if (change.on_demand) {
    HR_RETURN_IF_ERROR(CheckOnDemandOfExisting(*change.on_demand, on_demand, change.name));
  }
  return change.warm ? CheckWarmOfExisting(*change.warm, index.warm, change.name) : Status();
}

// A switch to PROVISIONED needs the throughput of every index.
Status CheckAllProvisioned(const UpdateTableRequest& request, const TableVersion& table) {
  if (request.on_demand != false || !table.settings.on_demand) return {};
  std::string missing;
  for (const IndexVersion& index : table.indexes) {
    if (index.schema.is_local) continue;
    const IndexChange* change = request.UpdateOf(index.schema.name);
    if (change && change->throughput) continue;
    missing.append(missing.empty() ? "" : ",").append(index.schema.name);
  }
  if (missing.empty()) return {};
  return InvalidParameters("ProvisionedThroughput must be specified for index: " + missing);
}

}  // namespace

Status CheckIndexChangeList(const std::vector<IndexChange>& changes) {
  std::set<std::string_view> names;
  for (const IndexChange& change : changes) {
    if (change.action == Action::kNone) {
      return InvalidParameters(
          "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
          "GlobalSecondaryIndexUpdate.Delete must not be null");
    }
    if (change.action == Action::kSeveral) {
      return InvalidParameters(
          "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate "
          "object");
    }
    if (!names.insert(change.name).second) {
      return InvalidParameters(
          "Only one global secondary index update per index is allowed simultaneously. Index: " +
          change.name);
    }
    if (change.warm && change.warm->empty()) {
      return InvalidParameters(
          "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond "
          "specified for index: " +
          change.name);
    }
  }
  return {};
}

Status CheckIndexChanges(const UpdateTableRequest& request, const TableVersion& table) {
  HR_RETURN_IF_ERROR(CheckAllProvisioned(request, table));
  if (!request.indexes) return {};
  if (std::ranges::count_if(*request.indexes, &IndexChange::IsCreateOrDelete) > 1) {
    return LimitExceeded("Only 1 online index can be created or deleted simultaneously per table");
  }
  for (const IndexChange& change : *request.indexes) {
    if (change.action == Action::kCreate) {
      HR_RETURN_IF_ERROR(CheckCreation(request, change, table));
      continue;
    }
    HR_RETURN_IF_ERROR(CheckExists(change, table));
    if (change.action == Action::kDelete) return IndexesAreFixed();
    HR_RETURN_IF_ERROR(CheckUpdate(request, change, table));
  }
  return {};
}

}  // namespace hashrange
