#include "operation/table/table_settings.h"

#include <functional>
#include <string>

#include "base/random.h"
#include "base/stable_sort.h"
#include "operation/call/error_texts.h"

namespace hashrange {
namespace {

constexpr std::string_view kManagedKeyAlias = "alias/aws/dynamodb";

Result<std::optional<StreamSpecification>> ReadStream(const RequestObject& request) {
  const auto json = request.Object("StreamSpecification");
  if (!json) return std::optional<StreamSpecification>();
  const bool enabled = json->Boolean("StreamEnabled").value_or(false);
  const auto view_type = json->String("StreamViewType");
  if (enabled && !view_type) {
    return InvalidParameters(
        "Table is being created with a stream enabled, UpdateViewType is required");
  }
  if (!enabled && view_type) {
    return InvalidParameters(
        "Table is being created with a stream disabled, UpdateViewType should not be specified");
  }
  if (!enabled) return std::optional<StreamSpecification>();
  return std::optional<StreamSpecification>({true, std::string(*view_type), nullptr});
}

// Checks OnDemandThroughput of the table, then of each index (rows 31 and 32).
Status CheckOnDemandUnits(const RequestObject& request, const TableDefinition& definition) {
  if (const auto units = ReadOnDemandUnits(request)) {
    HR_RETURN_IF_ERROR(CheckOnDemandOfNew(*units, definition.on_demand, {}));
  }
  if (!definition.global_indexes) return {};
  for (const IndexDefinition& index : *definition.global_indexes) {
    if (!index.on_demand) continue;
    HR_RETURN_IF_ERROR(CheckOnDemandOfNew(*index.on_demand, definition.on_demand, index.name));
  }
  return {};
}

WarmThroughput InitialWarm(bool on_demand, const std::optional<ProvisionedThroughput>& throughput) {
  return InitialWarmThroughput(on_demand, throughput.value_or(ProvisionedThroughput()));
}

// Checks WarmThroughput of the table, then of each index (row 34).
Status CheckWarmUnits(const RequestObject& request, const TableDefinition& definition) {
  const bool on_demand = definition.on_demand;
  if (const auto units = ReadWarmUnits(request)) {
    HR_RETURN_IF_ERROR(
        CheckWarmOfNew(*units, on_demand, InitialWarm(on_demand, definition.throughput), {}));
  }
  if (!definition.global_indexes) return {};
  for (const IndexDefinition& index : *definition.global_indexes) {
    if (!index.warm) continue;
    HR_RETURN_IF_ERROR(CheckWarmOfNew(*index.warm, on_demand,
                                      InitialWarm(on_demand, index.throughput), index.name));
  }
  return {};
}

// There is no KMS to ask. The id is made from the alias, so an account that names an alias twice
// gets the same key.
std::string KeyIdOfAlias(const std::string& alias, const Context& context) {
  Random random(std::hash<std::string>()(
      std::string(context.region).append(context.account.account_id).append(alias)));
  return MakeUuid(random);
}

}  // namespace

Status CheckSseSpecification(const RequestObject& request) {
  const auto json = request.Object("SSESpecification");
  if (!json) return {};
  const bool disabled = json->Boolean("Enabled") == false;
  const auto type = json->String("SSEType");
  const bool has_key = json->Has("KMSMasterKeyId");
  if (disabled && type) {
    return InvalidParameters("SSEType can not be specified if Enabled is false");
  }
  if (disabled && has_key) {
    return InvalidParameters("KMSMasterKeyId can not be specified if Enabled is false");
  }
  if (has_key && !type) {
    return InvalidParameters("SSEType KMS is required if KMSMasterKeyId is specified");
  }
  if (type == "AES256") return InvalidParameters("SSEType AES256 is not supported");
  return {};
}

bool EnablesSse(const RequestObject& specification) {
  return specification.Boolean("Enabled").value_or(specification.Has("SSEType"));
}

std::optional<SseSpecification> MakeSseSpecification(const RequestObject& request,
                                                     const Context& context) {
  const auto json = request.Object("SSESpecification");
  if (!json || !EnablesSse(*json)) return std::nullopt;
  const std::string key(json->String("KMSMasterKeyId").value_or(kManagedKeyAlias));
  if (key.starts_with("arn:")) return SseSpecification{key};
  const std::string id = key.starts_with("alias/") ? KeyIdOfAlias(key, context) : key;
  return SseSpecification{
      Concatenated({"arn:aws:kms:", context.region, ":", context.account.account_id, ":key/", id})};
}

Result<std::optional<std::string>> ReadTableClass(const RequestObject& request) {
  const auto table_class = request.String("TableClass");
  if (!table_class) return std::optional<std::string>();
  if (*table_class != "STANDARD" && *table_class != "STANDARD_INFREQUENT_ACCESS") {
    return ValidationError(
        "Invalid table-class parameter provided. Please try again with a valid table-class value: "
        "[STANDARD, STANDARD_INFREQUENT_ACCESS].");
  }
  return std::optional<std::string>(*table_class);
}

Result<TableSettings> ReadTableSettings(const RequestObject& request,
                                        const TableDefinition& definition, const Context& context) {
  TableSettings settings;
  settings.attribute_definitions = definition.attributes;
  StableSort(settings.attribute_definitions, {}, &KeyPart::name);
  settings.on_demand = definition.on_demand;
  settings.throughput = definition.throughput.value_or(ProvisionedThroughput());
  settings.deletion_protection = request.Boolean("DeletionProtectionEnabled").value_or(false);
  HR_ASSIGN(settings.table_class, ReadTableClass(request));
  HR_ASSIGN(settings.stream, ReadStream(request));
  HR_RETURN_IF_ERROR(CheckOnDemandUnits(request, definition));
  settings.on_demand_throughput = NewOnDemandThroughput(ReadOnDemandUnits(request));
  HR_RETURN_IF_ERROR(CheckSseSpecification(request));
  settings.sse = MakeSseSpecification(request, context);
  HR_RETURN_IF_ERROR(CheckWarmUnits(request, definition));
  settings.warm = NewWarmThroughput(
      ReadWarmUnits(request), InitialWarmThroughput(definition.on_demand, settings.throughput));
  settings.warm.is_given = request.Has("WarmThroughput");
  if (definition.on_demand) settings.last_on_demand_epoch_ms = context.NowEpochMs();
  return settings;
}

}  // namespace hashrange
