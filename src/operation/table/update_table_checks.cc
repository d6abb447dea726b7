// The checks of update_table_request.h, except those about indexes and admission.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "operation/call/invalid_parameters.h"
#include "operation/call/not_implemented.h"
#include "operation/table/table_settings.h"
#include "operation/table/update_table_request.h"

namespace hashrange {
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
    {"ReplicaUpdates", "Replica modification must be the only operation in the request"},
    {"OnDemandThroughput",
     "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
     "BillingMode"},
    {"WarmThroughput", "WarmThroughput must be the only operation in the request"},
};

// The changes that Hashrange does not implement. They are refused after all other checks.
constexpr std::string_view kNotImplemented[] = {
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
    const std::string read = std::to_string(now.read_units);
    const std::string write = std::to_string(now.write_units);
    return ValidationError(
        "The provisioned throughput for the table will not change. The requested value equals the "
        "current value. Current ReadCapacityUnits provisioned for the table: " +
        read + ". Requested ReadCapacityUnits: " + read +
        ". Current WriteCapacityUnits provisioned for the table: " + write +
        ". Requested WriteCapacityUnits: " + write +
        ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request "
        "higher limits.");
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
  return CheckImplemented(request.json, kNotImplemented, "UpdateTable");
}

}  // namespace hashrange
