#include "operation/table/update_table_request.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "operation/call/error_texts.h"
#include "operation/table/table_settings.h"

namespace hashrange {
namespace {

using Action = GlobalSecondaryIndexUpdate::Action;

GlobalSecondaryIndexUpdate ReadIndexUpdate(const RequestObject& element) {
  GlobalSecondaryIndexUpdate change;
  const auto read = [&](std::string_view member, Action action) {
    const auto json = element.Object(member);
    if (!json) return;
    change.action = change.action == Action::kNone ? action : Action::kSeveral;
    change.name = json->String("IndexName").value_or("");
    change.throughput = ReadProvisionedUnits(*json);
    if (action == Action::kCreate) change.created = ReadIndexDefinition(*json, false);
    if (action != Action::kUpdate) return;
    change.on_demand = ReadOnDemandUnits(*json);
    change.warm = ReadWarmUnits(*json);
  };
  read("Update", Action::kUpdate);
  read("Create", Action::kCreate);
  read("Delete", Action::kDelete);
  return change;
}

// The service treats an empty object as absent.
std::optional<PartialUnits> UnlessEmpty(std::optional<PartialUnits> units) {
  return units && !units->empty() ? units : std::nullopt;
}

}  // namespace

const GlobalSecondaryIndexUpdate* UpdateTableRequest::FindCreationOrDeletion() const {
  if (!indexes) return nullptr;
  const auto found = std::ranges::find_if(*indexes, &GlobalSecondaryIndexUpdate::IsCreateOrDelete);
  return found == indexes->end() ? nullptr : &*found;
}

const GlobalSecondaryIndexUpdate* UpdateTableRequest::FindIndexUpdate(
    std::string_view index_name) const {
  if (!indexes) return nullptr;
  const auto found = std::ranges::find_if(*indexes, [&](const GlobalSecondaryIndexUpdate& change) {
    return change.IsUpdate() && change.name == index_name;
  });
  return found == indexes->end() ? nullptr : &*found;
}

UpdateTableRequest ReadUpdateTableRequest(const RequestObject& json) {
  UpdateTableRequest request(json);
  request.table_name = *json.String("TableName");
  if (const auto mode = json.String("BillingMode")) request.on_demand = *mode == "PAY_PER_REQUEST";
  request.throughput = ReadThroughput(json);
  request.max_on_demand = UnlessEmpty(ReadOnDemandUnits(json));
  request.warm = UnlessEmpty(ReadWarmUnits(json));
  if (json.Has("GlobalSecondaryIndexUpdates")) {
    request.indexes.emplace();
    for (const JsonValue& element : json.List("GlobalSecondaryIndexUpdates")) {
      request.indexes->push_back(ReadIndexUpdate(RequestObject(element)));
    }
  }
  request.deletion_protection = json.Boolean("DeletionProtectionEnabled");
  if (const auto name = json.String("TableClass")) request.table_class = *name;
  return request;
}

namespace {

// The members of the request that ask for a change.
constexpr std::string_view kChanges[] = {"BillingMode",
                                         "ProvisionedThroughput",
                                         "OnDemandThroughput",
                                         "WarmThroughput",
                                         "GlobalSecondaryIndexUpdates",
                                         "StreamSpecification",
                                         "SSESpecification",
                                         "TableClass",
                                         "DeletionProtectionEnabled",
                                         "DisassociationProtectionEnabled",
                                         "ReplicaUpdates",
                                         "MultiRegionConsistency",
                                         "GlobalTableWitnessUpdates",
                                         "GlobalTableSettingsReplicationMode",
                                         "VectorIndexUpdates"};

// A member that must be the only change in a request, or may have one companion; in the order of
// the checks.
struct LoneChange {
  std::string_view member;
  std::string_view message;
  std::string_view companion = {};
};
constexpr LoneChange kLoneChanges[] = {
    {"SSESpecification",
     "Server-Side Encryption modification must be the only operation in the request"},
    {"TableClass", "TableClass modification must be the only operation in the request"},
    {"DeletionProtectionEnabled",
     "DeletionProtection modification must be the only operation in the request"},
    {"DisassociationProtectionEnabled",
     "DisassociationProtection modification must be the only operation in the request"},
    {"ReplicaUpdates", "Replica modification must be the only operation in the request"},
    {"OnDemandThroughput",
     "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
     "BillingMode"},
    {"WarmThroughput", "WarmThroughput must be the only operation in the request"},
};

// The changes that Hashrange does not implement. They are refused after all other checks.
constexpr std::string_view kUnsupportedChanges[] = {
    "ReplicaUpdates", "MultiRegionConsistency", "GlobalTableWitnessUpdates",
    "GlobalTableSettingsReplicationMode", "VectorIndexUpdates"};

bool AsksFor(const UpdateTableRequest& request, std::string_view member) {
  if (member == "OnDemandThroughput") return request.max_on_demand.has_value();
  if (member == "WarmThroughput") return request.warm.has_value();
  return request.json.Has(member);
}

std::ptrdiff_t CountAsked(const UpdateTableRequest& request) {
  return std::ranges::count_if(kChanges,
                               [&](std::string_view member) { return AsksFor(request, member); });
}

// Returns whether the request has only empty OnDemandThroughput or WarmThroughput objects. Beside
// any other change the service treats an empty object as absent; alone it makes the service fail
// with InternalFailure.
bool HasOnlyEmptyThroughput(const UpdateTableRequest& request) {
  return CountAsked(request) == 0 &&
         (request.json.Has("OnDemandThroughput") || request.json.Has("WarmThroughput"));
}

Status CheckSomethingToDo(const UpdateTableRequest& request) {
  if (HasOnlyEmptyThroughput(request)) return {};
  const std::ptrdiff_t asked = CountAsked(request);
  const bool only_empty_list = asked == 1 && request.indexes && request.indexes->empty();
  const bool only_consistency = asked == 1 && AsksFor(request, "MultiRegionConsistency");
  if (asked > 0 && !only_empty_list && !only_consistency) return {};
  return ValidationError(
      std::string("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
                  "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, "
                  "MultiAccountReplicaReady, ReplicaTransitRoleArn, ")
          .append(only_consistency ? "" : "MultiRegionConsistency, ")
          .append("DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is "
                  "required"));
}

// Checks which changes one request may combine (docs/service/13-update-table-and-gsi-lifecycle.md,
// section 2).
Status CheckCombination(const UpdateTableRequest& request) {
  const std::ptrdiff_t asked = CountAsked(request);
  const bool creates_or_deletes_index = request.FindCreationOrDeletion();
  if (request.indexes && request.indexes->empty()) {
    return InvalidParameters("List of GlobalSecondaryIndexUpdates is empty");
  }
  if (asked > 1 && request.warm && creates_or_deletes_index) {
    return InvalidParameters(
        "Create global secondary index cannot be specified when updating WarmThroughput");
  }
  for (const LoneChange& row : kLoneChanges) {
    const bool accompanied = !row.companion.empty() && AsksFor(request, row.companion);
    const std::ptrdiff_t allowed = accompanied ? 2 : 1;
    if (AsksFor(request, row.member) && asked > allowed) {
      return InvalidParameters(std::string(row.message));
    }
  }
  const bool switches_stream = AsksFor(request, "StreamSpecification");
  if (request.throughput && switches_stream) {
    return InvalidParameters("You cannot modify stream status while updating table IOPS");
  }
  if (request.throughput && creates_or_deletes_index) {
    return InvalidParameters("You cannot create or delete index while updating table IOPS");
  }
  if (switches_stream && creates_or_deletes_index) {
    return InvalidParameters("You cannot create or delete index while changing stream status");
  }
  return {};
}

// Checks the values of members, as far as that needs no table.
Status CheckValues(const UpdateTableRequest& request) {
  if (request.throughput) HR_RETURN_IF_ERROR(CheckUnitsInBounds(*request.throughput));
  HR_RETURN_IF_ERROR(ReadTableClass(request.json));
  HR_RETURN_IF_ERROR(CheckSseSpecification(request.json));
  const auto stream = request.json.Object("StreamSpecification");
  if (!stream) return {};
  const bool enabled = stream->Boolean("StreamEnabled").value_or(false);
  if (enabled && !stream->Has("StreamViewType")) {
    return InvalidParameters("If stream is being enabled then UpdateViewType is required");
  }
  if (!enabled && stream->Has("StreamViewType")) {
    return InvalidParameters(
        "If stream is being disabled, then UpdateViewType must not be specified");
  }
  return {};
}

// Refuses throughput that a table or an index has already. `whole` and `of` are its two names in
// the message: "the index i" and "index i".
Error ThroughputUnchanged(const ProvisionedThroughput& now, const std::string& whole,
                          const std::string& of) {
  const std::string read = std::to_string(now.read_units);
  const std::string write = std::to_string(now.write_units);
  return ValidationError(
      "The provisioned throughput for " + whole +
      " will not change. The requested value equals the current value. Current ReadCapacityUnits "
      "provisioned for " +
      of + ": " + read + ". Requested ReadCapacityUnits: " + read +
      ". Current WriteCapacityUnits provisioned for " + of + ": " + write +
      ". Requested WriteCapacityUnits: " + write +
      ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request "
      "higher limits.");
}

Status CheckBilling(const UpdateTableRequest& request, const TableVersion& table) {
  const bool on_demand = request.OnDemandAfter(table);
  if (on_demand && request.throughput && !table.settings.on_demand) {
    return InvalidParameters(
        "ProvisionedThroughput cannot be specified when BillingMode is PAY_PER_REQUEST");
  }
  if (on_demand && request.throughput) {
    return InvalidParameters(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (request.on_demand == false && !request.throughput) {
    return InvalidParameters(
        "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  }
  const ProvisionedThroughput& now = table.settings.throughput;
  const auto& asked = request.throughput;
  if (!table.settings.on_demand && asked && asked->read_units == now.read_units &&
      asked->write_units == now.write_units) {
    return ThroughputUnchanged(now, "the table", "the table");
  }
  return {};
}

// Checks that the stream is not already as the request asks for
// (docs/service/12-streams-and-ttl.md, section B).
Status CheckStream(const UpdateTableRequest& request, const TableVersion& table) {
  const auto stream = request.json.Object("StreamSpecification");
  if (!stream) return {};
  const bool enable = stream->Boolean("StreamEnabled").value_or(false);
  if (enable && table.settings.stream) {
    return ValidationError("Table already has an enabled stream: TableName: " + table.name);
  }
  if (!enable && !table.settings.stream) {
    return ValidationError("Table has no stream to disable: TableName: " + table.name);
  }
  return {};
}

Status CheckSse(const UpdateTableRequest& request, const TableVersion& table) {
  const auto sse = request.json.Object("SSESpecification");
  if (!sse) return {};
  const auto& current = table.settings.sse;
  if (!EnablesSse(*sse)) {
    return current ? Status() : InvalidParameters("Table is already encrypted by default");
  }
  // The service compares only ARNs: a request with a key's id or alias, or without a key, is
  // accepted although the table has that key.
  if (!current || sse->String("KMSMasterKeyId") != current->kms_key_arn) return {};
  return InvalidParameters(
      "Table is already encrypted with given KMSMasterKeyId. Use KMSMasterKeyId parameter if you "
      "want to change Master Key");
}

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
  std::size_t count = 0;
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
    return ResourceNotFound("Index " + change.name + " for table " + table.name);
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
  return ThroughputUnchanged(now, "the index " + change.name, "index " + change.name);
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

// Checks that the list of index changes is well-formed.
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

// Checks what the request asks of indexes.
// Errors: ValidationException
//         ResourceNotFoundException  an index does not exist
//         InternalFailure            an index does not exist, and its WarmThroughput is to change
//         LimitExceededException     more than one creation or deletion; a 21st global index
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

}  // namespace

Status CheckUpdateTableRequest(const UpdateTableRequest& request) {
  HR_RETURN_IF_ERROR(CheckSomethingToDo(request));
  HR_RETURN_IF_ERROR(CheckCombination(request));
  HR_RETURN_IF_ERROR(CheckValues(request));
  return request.indexes ? CheckIndexUpdateList(*request.indexes) : Status();
}

Status CheckUpdateOfTable(const UpdateTableRequest& request, const TableVersion& table) {
  if (HasOnlyEmptyThroughput(request)) return Error{ErrorCode::kInternalFailure, "", nullptr};
  HR_RETURN_IF_ERROR(CheckBilling(request, table));
  if (request.max_on_demand) {
    HR_RETURN_IF_ERROR(
        CheckOnDemandOfExisting(*request.max_on_demand, request.OnDemandAfter(table), {}));
  }
  if (request.warm) {
    HR_RETURN_IF_ERROR(CheckWarmOfExisting(*request.warm, table.settings.warm, {}));
  }
  HR_RETURN_IF_ERROR(CheckSse(request, table));
  HR_RETURN_IF_ERROR(CheckIndexUpdates(request, table));
  HR_RETURN_IF_ERROR(CheckStream(request, table));
  return CheckImplemented(request.json, kUnsupportedChanges, "UpdateTable");
}

}  // namespace hashrange
