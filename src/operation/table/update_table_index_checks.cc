// The checks of update_table_request.h that are about indexes.
#include <algorithm>
#include <set>
#include <string>

#include "operation/call/invalid_parameters.h"
#include "operation/table/update_table_request.h"

namespace hashrange {
namespace {

using Action = GlobalSecondaryIndexUpdate::Action;

constexpr std::ptrdiff_t kMaxGlobalIndexes = 20;

Error IncompleteThroughputError(const GlobalSecondaryIndexUpdate& change) {
  return InvalidParameters(
      "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: " + change.name);
}

Error ThroughputNotAllowedError(const GlobalSecondaryIndexUpdate& change) {
  return InvalidParameters(
      "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: " +
      change.name + " when BillingMode is PAY_PER_REQUEST");
}

// Returns "Schema:[SchemaElement: key{a:S:HASH}, SchemaElement: key{b:N:RANGE}]". The separator is
// unverified.
std::string SchemaText(const KeySchema& key) {
  std::string text = "Schema:[";
  for (std::size_t i = 0; i < key.parts(); ++i) {
    const KeyPart& part = key.part(i);
    text.append(i > 0 ? ", " : "")
        .append("SchemaElement: key{")
        .append(part.name)
        .append(":")
        .append(TypeTag(part.type))
        .append(i < key.hash.size() ? ":HASH}" : ":RANGE}");
  }
  return text + "]";
}

// An attribute must have the same type in the new key as in an existing one.
Status CheckNotRedefined(const KeySchema& created, const KeySchema& existing) {
  for (std::size_t i = 0; i < created.parts(); ++i) {
    const KeyPart* same = existing.Find(created.part(i).name);
    if (!same || same->type == created.part(i).type) continue;
    return InvalidParameters(
        "Attributes cannot be redefined. Please check that your attribute has the same type as "
        "previously defined. Existing schema: " +
        SchemaText(existing) + " New schema: " + SchemaText(created));
  }
  return {};
}

Status CheckCreatedKey(const UpdateTableRequest& request, const GlobalSecondaryIndexUpdate& change,
                       const TableVersion& table) {
  const std::vector<KeyPart> attributes = ReadAttributeDefinitions(request.json);
  if (attributes.empty()) {
    return InvalidParameters("AttributeDefinitions is not specified for index: " + change.name);
  }
  HR_RETURN_IF_ERROR(CheckDefinedOnce(attributes));
  HR_RETURN_IF_ERROR(CheckKeySchema(change.created->key, AttributeNames(attributes), true));
  const KeySchema created = MakeKeySchema(change.created->key, attributes);
  HR_RETURN_IF_ERROR(CheckNotRedefined(created, table.key));
  for (const IndexVersion& index : table.indexes) {
    HR_RETURN_IF_ERROR(CheckNotRedefined(created, index.schema.key));
  }
  return {};
}

// `on_demand`: the table's billing mode after the call.
Status CheckCreatedThroughput(const GlobalSecondaryIndexUpdate& change, bool on_demand) {
  const IndexDefinition& created = *change.created;
  if (on_demand && change.throughput) return ThroughputNotAllowedError(change);
  if (!on_demand && !change.throughput) {
    return InvalidParameters("ProvisionedThroughput must be specified for index: " + change.name);
  }
  if (!on_demand && !created.throughput) return IncompleteThroughputError(change);
  if (created.throughput) HR_RETURN_IF_ERROR(CheckUnitsInBounds(*created.throughput));
  if (created.on_demand) {
    // The service's texts here are those for an existing index. But a new index has no limit that
    // −1 could remove, so −1 is refused, too.
    HR_RETURN_IF_ERROR(CheckOnDemandOfExisting(*created.on_demand, on_demand, change.name));
    HR_RETURN_IF_ERROR(CheckOnDemandOfNew(*created.on_demand, on_demand, change.name));
  }
  if (!created.warm) return {};
  const WarmThroughput start =
      InitialWarmThroughput(on_demand, created.throughput.value_or(ProvisionedThroughput()));
  return CheckWarmOfNew(*created.warm, on_demand, start, change.name);
}

Status CheckCreation(const UpdateTableRequest& request, const GlobalSecondaryIndexUpdate& change,
                     const TableVersion& table) {
  if (table.FindIndex(change.name)) {
    return ValidationError("Attempting to create an index which already exists");
  }
  std::ptrdiff_t count = 0;
  std::size_t projected = 0;
  for (const IndexVersion& index : table.indexes) {
    count += index.schema.is_local ? 0 : 1;
    projected += index.schema.non_key_attributes.size();
  }
  if (count >= kMaxGlobalIndexes) {
    return Error{ErrorCode::kLimitExceededException,
                 "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table "
                 "limit of 20",
                 nullptr};
  }
  HR_RETURN_IF_ERROR(CheckCreatedKey(request, change, table));
  HR_RETURN_IF_ERROR(CheckProjection(*change.created));
  if (change.created->non_key_attributes) projected += change.created->non_key_attributes->size();
  HR_RETURN_IF_ERROR(CheckProjectedTotal(projected));
  return CheckCreatedThroughput(change, request.OnDemandAfter(table));
}

Status CheckExists(const GlobalSecondaryIndexUpdate& change, const TableVersion& table) {
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

Status CheckNewThroughput(const GlobalSecondaryIndexUpdate& change, const IndexVersion& index,
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

// Checks which members an update may have. `on_demand`: the table's billing mode after the call.
Status CheckMode(const GlobalSecondaryIndexUpdate& change, bool on_demand) {
  const bool has_limit = change.on_demand && !change.on_demand->empty();
  if (!on_demand) {
    const bool is_whole = change.throughput && change.throughput->read && change.throughput->write;
    const bool has_other = !change.throughput && (has_limit || change.warm);
    return is_whole || has_other ? Status() : IncompleteThroughputError(change);
  }
  if (!change.throughput && (has_limit || change.warm)) return {};
  if (change.throughput) return ThroughputNotAllowedError(change);
  return InvalidParameters("The only Updates for index: " + change.name +
                           " when TableThroughputMode is PAY_PER_REQUEST can be to "
                           "OnDemandThroughput, WarmThroughput");
}

Status CheckUpdate(const UpdateTableRequest& request, const GlobalSecondaryIndexUpdate& change,
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

// A switch to PROVISIONED needs the throughput of every global index.
Status CheckAllProvisioned(const UpdateTableRequest& request, const TableVersion& table) {
  if (request.on_demand != false || !table.settings.on_demand) return {};
  std::string missing;
  for (const IndexVersion& index : table.indexes) {
    if (index.schema.is_local) continue;
    const GlobalSecondaryIndexUpdate* change = request.FindIndexUpdate(index.schema.name);
    if (change && change->throughput) continue;
    missing.append(missing.empty() ? "" : ",").append(index.schema.name);
  }
  if (missing.empty()) return {};
  return InvalidParameters("ProvisionedThroughput must be specified for index: " + missing);
}

}  // namespace

Status CheckIndexUpdateList(const std::vector<GlobalSecondaryIndexUpdate>& changes) {
  std::set<std::string_view> names;
  for (const GlobalSecondaryIndexUpdate& change : changes) {
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

Status CheckIndexUpdates(const UpdateTableRequest& request, const TableVersion& table) {
  HR_RETURN_IF_ERROR(CheckAllProvisioned(request, table));
  if (!request.indexes) return {};
  if (std::ranges::count_if(*request.indexes, &GlobalSecondaryIndexUpdate::IsCreateOrDelete) > 1) {
    return TooManyOnlineIndexes();
  }
  for (const GlobalSecondaryIndexUpdate& change : *request.indexes) {
    if (change.action == Action::kCreate) {
      HR_RETURN_IF_ERROR(CheckCreation(request, change, table));
      continue;
    }
    HR_RETURN_IF_ERROR(CheckExists(change, table));
    if (change.IsUpdate()) HR_RETURN_IF_ERROR(CheckUpdate(request, change, table));
  }
  return {};
}

}  // namespace hashrange
