#include "operation/table/update_table_request.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operation/call/error_texts.h"
#include "operation/table/table_settings.h"

namespace hashrange {
namespace {

using Action = IndexUpdate::Action;

// Reads an element of GlobalSecondaryIndexUpdates.
IndexUpdate ReadIndexUpdate(const RequestObject& element) {
  IndexUpdate change;
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

// Reads an element of VectorIndexUpdates.
IndexUpdate ReadVectorIndexUpdate(const RequestObject& element) {
  IndexUpdate change;
  change.is_vector = true;
  if (const auto created = element.Object("Create")) {
    change.action = Action::kCreate;
    change.created = ReadVectorIndexDefinition(*created);
    change.name = change.created->name;
  }
  if (const auto deleted = element.Object("Delete")) {
    change.action = change.action == Action::kNone ? Action::kDelete : Action::kSeveral;
    change.name = deleted->String("IndexName").value_or("");
  }
  return change;
}

// The service treats an empty object as absent.
std::optional<PartialUnits> UnlessEmpty(std::optional<PartialUnits> units) {
  return units && !units->empty() ? units : std::nullopt;
}

}  // namespace

const IndexUpdate* UpdateTableRequest::FindCreationOrDeletion() const {
  const auto found = std::ranges::find_if(index_updates, &IndexUpdate::IsCreateOrDelete);
  return found == index_updates.end() ? nullptr : &*found;
}

const IndexUpdate* UpdateTableRequest::FindIndexUpdate(std::string_view index_name) const {
  const auto found = std::ranges::find_if(index_updates, [&](const IndexUpdate& change) {
    return change.IsUpdate() && change.name == index_name;
  });
  return found == index_updates.end() ? nullptr : &*found;
}

UpdateTableRequest ReadUpdateTableRequest(const RequestObject& json) {
  UpdateTableRequest request(json);
  request.table_name = *json.String("TableName");
  if (const auto mode = json.String("BillingMode")) request.on_demand = *mode == "PAY_PER_REQUEST";
  request.throughput = ReadThroughput(json);
  request.max_on_demand = UnlessEmpty(ReadOnDemandUnits(json));
  request.warm = UnlessEmpty(ReadWarmUnits(json));
  for (const JsonValue& element : json.List("GlobalSecondaryIndexUpdates")) {
    request.index_updates.push_back(ReadIndexUpdate(RequestObject(element)));
  }
  for (const JsonValue& element : json.List("VectorIndexUpdates")) {
    request.index_updates.push_back(ReadVectorIndexUpdate(RequestObject(element)));
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

// A member that must be the only change in a request, or may have companions; in the order of the
// checks.
struct LoneChange {
  std::string_view member;
  std::string_view message;
  std::array<std::string_view, 2> companions = {};  // empty where there are fewer
};
constexpr LoneChange kLoneChanges[] = {
    {"SSESpecification",
     "Server-Side Encryption modification must be the only operation in the request"},
    {"TableClass", "TableClass modification must be the only operation in the request"},
    {"DeletionProtectionEnabled",
     "DeletionProtection modification must be the only operation in the request"},
    {"DisassociationProtectionEnabled",
     "DisassociationProtection modification must be the only operation in the request"},
    {"ReplicaUpdates",
     "Replica modification must be the only operation in the request",
     {"MultiRegionConsistency", "GlobalTableWitnessUpdates"}},
    {"OnDemandThroughput",
     "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
     {"BillingMode"}},
    {"WarmThroughput", "WarmThroughput must be the only operation in the request"},
};

// The changes that Hashrange does not implement. They are refused after all other checks.
constexpr std::string_view kUnsupportedChanges[] = {"ReplicaUpdates", "MultiRegionConsistency",
                                                    "GlobalTableWitnessUpdates",
                                                    "GlobalTableSettingsReplicationMode"};

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

// The lists of index changes.
constexpr std::string_view kIndexUpdateLists[] = {"GlobalSecondaryIndexUpdates",
                                                  "VectorIndexUpdates"};

bool IsEmptyList(const UpdateTableRequest& request, std::string_view member) {
  return request.json.Has(member) && request.json.List(member).empty();
}

Status CheckSomethingToDo(const UpdateTableRequest& request) {
  if (HasOnlyEmptyThroughput(request)) return {};
  const std::ptrdiff_t asked = CountAsked(request);
  // The service is known to answer so for GlobalSecondaryIndexUpdates.
  const bool only_empty_list =
      asked == 1 && std::ranges::any_of(kIndexUpdateLists, [&](std::string_view member) {
        return IsEmptyList(request, member);
      });
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
  const IndexUpdate* const online = request.FindCreationOrDeletion();
  for (const std::string_view member : kIndexUpdateLists) {
    if (!IsEmptyList(request, member)) continue;
    return InvalidParameters(Concatenated({"List of ", member, " is empty"}));
  }
  if (asked > 1 && request.warm && online && !online->is_vector) {
    return InvalidParameters(
        "Create global secondary index cannot be specified when updating WarmThroughput");
  }
  for (const LoneChange& row : kLoneChanges) {
    const auto companions = std::ranges::count_if(row.companions, [&](std::string_view companion) {
      return !companion.empty() && AsksFor(request, companion);
    });
    if (AsksFor(request, row.member) && asked > 1 + companions) {
      return InvalidParameters(std::string(row.message));
    }
  }
  const bool switches_stream = AsksFor(request, "StreamSpecification");
  if (request.throughput && switches_stream) {
    return InvalidParameters("You cannot modify stream status while updating table IOPS");
  }
  // A switch to PROVISIONED is refused later for each table that has, or would get, a vector index.
  const bool is_switch_of_vectors = online && online->is_vector && request.on_demand == false;
  if (request.throughput && online && !is_switch_of_vectors) {
    return InvalidParameters("You cannot create or delete index while updating table IOPS");
  }
  if (switches_stream && online) {
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
  if (!on_demand && table.HasVectorIndexes()) {
    return InvalidParameters("Tables with vector indexes must be in PAY_PER_REQUEST mode");
  }
  return {};
}

// The kinds of actions that an element of ReplicaUpdates may have.
constexpr std::string_view kReplicaActionKinds[] = {"Create", "Update", "Delete", "Disassociate"};

struct ReplicaAction {
  std::string_view kind;
  std::string_view region;
};

Result<std::vector<ReplicaAction>> ReadReplicaActions(const UpdateTableRequest& request) {
  std::vector<ReplicaAction> actions;
  for (const JsonValue& element : request.json.List("ReplicaUpdates")) {
    const RequestObject update(element);
    const std::size_t before = actions.size();
    for (const std::string_view kind : kReplicaActionKinds) {
      if (const auto action = update.Object(kind)) {
        actions.push_back({kind, *action->String("RegionName")});
      }
    }
    if (actions.size() > before) continue;
    return ValidationError(
        "There are no actions specified in the Replica Update Action of the request.");
  }
  return actions;
}

// Checks which replica actions one request may combine. The replicas of a table with strong
// consistency are created together.
Status CheckReplicaCombination(const UpdateTableRequest& request,
                               std::span<const ReplicaAction> actions) {
  const bool is_strong = request.json.String("MultiRegionConsistency") == "STRONG";
  const auto is_create_or_delete = [](const ReplicaAction& action) {
    return action.kind == "Create" || action.kind == "Delete";
  };
  if (!is_strong && std::ranges::count_if(actions, is_create_or_delete) > 1) {
    return ValidationError(
        "Update table operation with more than one create or delete replica actions not allowed");
  }
  const auto is_of_other_kind = [&](const ReplicaAction& action) {
    return action.kind != actions.front().kind;
  };
  if (std::ranges::any_of(actions, is_of_other_kind)) {
    return ValidationError(
        "Update table operation with more than one type of replica actions not allowed.");
  }
  return {};
}

// Refuses what the service refuses of changes of replicas and witnesses when a table has none
// (docs/service/17-global-tables-and-account.md, section A; section G has their order, which is
// unverified).
Status CheckReplicas(const UpdateTableRequest& request, const TableVersion& table) {
  HR_ASSIGN(const std::vector<ReplicaAction> actions, ReadReplicaActions(request));
  HR_RETURN_IF_ERROR(CheckReplicaCombination(request, actions));
  std::vector<std::string_view> unknown_regions;
  for (const ReplicaAction& action : actions) {
    if (action.kind != "Disassociate" && action.region == table.region) {
      return ValidationError(
          "Cannot add, delete, or update the local region through ReplicaUpdates. Use CreateTable, "
          "DeleteTable, or UpdateTable as required.");
    }
    if (action.kind != "Create") {
      unknown_regions.push_back(action.region);
    } else if (!table.settings.on_demand) {
      return ValidationError(
          "Table write capacity should either be Pay-Per-Request or AutoScaled.");
    }
  }
  if (!unknown_regions.empty()) {
    return ValidationError(Concatenated(
        {"Update global table operation failed because one or more replicas were not "
         "part of the global table. Please retry the request without these replicas: [",
         Joined(unknown_regions), "]."}));
  }
  if (request.json.Has("GlobalTableWitnessUpdates") &&
      request.json.String("MultiRegionConsistency") != "STRONG") {
    return ValidationError(
        "MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is "
        "present.");
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

Error IncompleteThroughputError(const IndexUpdate& change) {
  return InvalidParameters(
      "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: " + change.name);
}

Error ThroughputNotAllowedError(const IndexUpdate& change) {
  return InvalidParameters(
      "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: " +
      change.name + " when BillingMode is PAY_PER_REQUEST");
}

// Returns "SchemaElement: key{a:S:HASH}, SchemaElement: key{b:N:RANGE}", where "SchemaElement" is
// `element`, and "RANGE" is `other`.
std::string ElementsText(const KeySchema& key, std::string_view element, std::string_view other) {
  std::string text;
  for (std::size_t i = 0; i < key.parts(); ++i) {
    const KeyPart& part = key.part(i);
    text.append(Concatenated({i > 0 ? ", " : "", element, ": key{", part.name, ":",
                              TypeTag(part.type), ":", i < key.hash.size() ? "HASH" : other, "}"}));
  }
  return text;
}

// Returns "Schema:[…]" with the elements of the key, or for a vector index
// "VectorIndexSchema:[VectorAttribute: key{e:L:3}, …]". The separator and the elements of a search
// schema are unverified.
std::string SchemaText(const IndexSchema& schema) {
  if (!schema.vector) return "Schema:[" + ElementsText(schema.key, "SchemaElement", "RANGE") + "]";
  const VectorSchema& vector = *schema.vector;
  const KeySchema search{schema.key.hash, vector.filters};
  return Concatenated({"VectorIndexSchema:[VectorAttribute: key{", vector.attribute, ":L:",
                       std::to_string(vector.dimensions), "}", search.parts() > 0 ? ", " : "",
                       ElementsText(search, "SearchSchemaElement", "INLINE_FILTER"), "]"});
}

// Returns the type that the schema gives the attribute, L for a vector attribute; nullopt: the
// schema does not name the attribute.
std::optional<AttributeType> TypeIn(const IndexSchema& schema, std::string_view attribute) {
  if (schema.vector && schema.vector->attribute == attribute) return AttributeType::kL;
  const KeyPart* part = schema.key.Find(attribute);
  if (!part && schema.vector) part = schema.vector->FindFilter(attribute);
  return part ? std::optional(part->type) : std::nullopt;
}

// An attribute must have the same type in the new schema as in an existing one.
Status CheckNotRedefined(const IndexSchema& created, const IndexSchema& existing) {
  const std::vector<KeyPart> parts = AttributesOf(created);
  std::vector<std::string_view> names;
  if (created.vector) names.push_back(created.vector->attribute);
  for (const KeyPart& part : parts) names.push_back(part.name);
  for (const std::string_view name : names) {
    const auto type = TypeIn(existing, name);
    if (!type || type == TypeIn(created, name)) continue;
    return InvalidParameters(
        "Attributes cannot be redefined. Please check that your attribute has the same type as "
        "previously defined. Existing schema: " +
        SchemaText(existing) + " New schema: " + SchemaText(created));
  }
  return {};
}

// Checks the attributes of the new index against the keys of the table and of its indexes.
Status CheckNoneRedefined(const IndexSchema& created, const TableVersion& table) {
  IndexSchema table_key;
  table_key.key = table.key;
  HR_RETURN_IF_ERROR(CheckNotRedefined(created, table_key));
  for (const IndexVersion& index : table.indexes) {
    HR_RETURN_IF_ERROR(CheckNotRedefined(created, index.schema));
  }
  return {};
}

Status CheckCreatedKey(const UpdateTableRequest& request, const IndexUpdate& change,
                       const TableVersion& table) {
  const std::vector<KeyPart> attributes = ReadAttributeDefinitions(request.json);
  if (attributes.empty()) {
    return InvalidParameters("AttributeDefinitions is not specified for index: " + change.name);
  }
  HR_RETURN_IF_ERROR(CheckDefinedOnce(attributes));
  HR_RETURN_IF_ERROR(CheckKeySchema(change.created->key, AttributeNames(attributes), true));
  return CheckNoneRedefined(MakeIndexSchema(*change.created, attributes), table);
}

// Checks the vector and the search schema of a new vector index.
Status CheckCreatedVector(const UpdateTableRequest& request, const IndexUpdate& change,
                          const TableVersion& table) {
  const IndexDefinition& created = *change.created;
  HR_RETURN_IF_ERROR(CheckVectorBilling(request.OnDemandAfter(table)));
  const std::vector<KeyPart> attributes = ReadAttributeDefinitions(request.json);
  HR_RETURN_IF_ERROR(CheckDefinedOnce(attributes));
  HR_RETURN_IF_ERROR(CheckDefinedForVector(created, AttributeNames(attributes)));
  HR_RETURN_IF_ERROR(CheckVectorIndex(created));
  for (const IndexVersion& index : table.indexes) {
    const auto& vector = index.schema.vector;
    if (!vector || vector->attribute != created.vector->attribute) continue;
    HR_RETURN_IF_ERROR(CheckSameDimensions(*created.vector, vector->dimensions));
  }
  return CheckNoneRedefined(MakeIndexSchema(created, attributes), table);
}

// `on_demand`: the table's billing mode after the call.
Status CheckCreatedThroughput(const IndexUpdate& change, bool on_demand) {
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

// Checks that the table has room for another index of the kind of the new one.
Status CheckIndexCount(const IndexUpdate& change, const TableVersion& table) {
  const std::size_t most = change.is_vector ? kMaxVectorIndexes : kMaxGlobalIndexes;
  const auto count = std::ranges::count_if(table.indexes, [&](const IndexVersion& index) {
    return change.is_vector ? index.schema.is_vector() : index.schema.is_global();
  });
  if (count < static_cast<std::ptrdiff_t>(most)) return {};
  return Error{
      ErrorCode::kLimitExceededException,
      Concatenated({"Subscriber limit exceeded: Number of ", change.is_vector ? "vector" : "global",
                    " secondary indexes exceeds per-table limit of ", std::to_string(most)}),
      nullptr};
}

Status CheckCreation(const UpdateTableRequest& request, const IndexUpdate& change,
                     const TableVersion& table) {
  if (table.FindIndex(change.name)) {
    return ValidationError("Attempting to create an index which already exists");
  }
  HR_RETURN_IF_ERROR(CheckIndexCount(change, table));
  HR_RETURN_IF_ERROR(change.is_vector ? CheckCreatedVector(request, change, table)
                                      : CheckCreatedKey(request, change, table));
  HR_RETURN_IF_ERROR(CheckProjection(*change.created));
  std::size_t projected = ProjectedCount(*change.created);
  for (const IndexVersion& index : table.indexes) projected += ProjectedCount(index.schema);
  HR_RETURN_IF_ERROR(CheckProjectedTotal(projected));
  if (change.is_vector) return {};
  return CheckCreatedThroughput(change, request.OnDemandAfter(table));
}

// The text for an index that is no vector index is made after the other one (unverified).
Status CheckExists(const IndexUpdate& change, const TableVersion& table) {
  const IndexVersion* index = table.FindIndex(change.name);
  if (!index) {
    if (change.warm) return Error{ErrorCode::kInternalFailure, "", nullptr};
    return ResourceNotFound("Index " + change.name + " for table " + table.name);
  }
  if (change.is_vector ? index->schema.is_vector() : index->schema.is_global()) return {};
  return ValidationError(
      Concatenated({"Cannot ", change.IsUpdate() ? "update" : "delete", " an index that is not a ",
                    change.is_vector ? "VectorIndex" : "GlobalSecondaryIndex", ": ", change.name}));
}

Status CheckNewThroughput(const IndexUpdate& change, const IndexVersion& index,
                          bool was_on_demand) {
  const std::int64_t read = *change.throughput->read;
  const std::int64_t write = *change.throughput->write;
  HR_RETURN_IF_ERROR(CheckUnitsInBounds({read, write}));
  const ProvisionedThroughput& now = index.throughput;
  if (was_on_demand || read != now.read_units || write != now.write_units) return {};
  return ThroughputUnchanged(now, "the index " + change.name, "index " + change.name);
}

// Checks which members an update may have. `on_demand`: the table's billing mode after the call.
Status CheckMode(const IndexUpdate& change, bool on_demand) {
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

Status CheckUpdate(const UpdateTableRequest& request, const IndexUpdate& change,
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
    if (!index.schema.is_global()) continue;
    const IndexUpdate* change = request.FindIndexUpdate(index.schema.name);
    if (change && change->throughput) continue;
    missing.append(missing.empty() ? "" : ",").append(index.schema.name);
  }
  if (missing.empty()) return {};
  return InvalidParameters("ProvisionedThroughput must be specified for index: " + missing);
}

// The texts about the elements of a list of index changes.
struct IndexUpdateTexts {
  std::string_view no_action;
  std::string_view several_actions;
};
constexpr IndexUpdateTexts kGlobalIndexTexts = {
    "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
    "GlobalSecondaryIndexUpdate.Delete must not be null",
    "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object"};
// The first text is made after that for global indexes (unverified).
constexpr IndexUpdateTexts kVectorIndexTexts = {
    "One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null",
    "Only one vector index action is allowed per VectorIndexUpdate object"};

// Checks that the lists of index changes are well-formed.
Status CheckIndexUpdateList(const std::vector<IndexUpdate>& changes) {
  std::set<std::string_view> names;  // of global indexes
  for (const IndexUpdate& change : changes) {
    const IndexUpdateTexts& texts = change.is_vector ? kVectorIndexTexts : kGlobalIndexTexts;
    if (change.action == Action::kNone) return InvalidParameters(std::string(texts.no_action));
    if (change.action == Action::kSeveral) {
      return InvalidParameters(std::string(texts.several_actions));
    }
    if (!change.is_vector && !names.insert(change.name).second) {
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
//         LimitExceededException     more than one creation or deletion; a 21st global index; a
//                                    6th vector index
Status CheckIndexUpdates(const UpdateTableRequest& request, const TableVersion& table) {
  HR_RETURN_IF_ERROR(CheckAllProvisioned(request, table));
  if (std::ranges::count_if(request.index_updates, &IndexUpdate::IsCreateOrDelete) > 1) {
    return TooManyOnlineIndexes();
  }
  for (const IndexUpdate& change : request.index_updates) {
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
  return CheckIndexUpdateList(request.index_updates);
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
  HR_RETURN_IF_ERROR(CheckReplicas(request, table));
  return CheckImplemented(request.json, kUnsupportedChanges, "UpdateTable");
}

}  // namespace hashrange
