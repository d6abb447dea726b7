#include "operation/table/update_table_request.h"

#include <algorithm>

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

}  // namespace hashrange
