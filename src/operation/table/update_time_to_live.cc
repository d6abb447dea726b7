// UpdateTimeToLive (docs/service/12-streams-and-ttl.md, section C).
#include <memory>
#include <string>

#include "engine/ttl/expiry_set.h"
#include "engine/ttl/time_to_live.h"
#include "operation/call/operations.h"
#include "operation/table/table_lookup.h"
#include "operation/table/table_transitions.h"

namespace hashrange {
namespace {

struct UpdateTimeToLiveRequest {
  std::string_view table_name;
  std::string_view attribute;
  bool enabled;
};

UpdateTimeToLiveRequest ReadUpdateTimeToLiveRequest(const RequestObject& request) {
  const RequestObject specification = *request.Object("TimeToLiveSpecification");
  return {*request.String("TableName"), *specification.String("AttributeName"),
          *specification.Boolean("Enabled")};
}

Status CheckState(const TableVersion& table) {
  if (table.status() == ResourceStatus::kCreating) {
    return ResourceInUse("Table " + table.name + " is being created");
  }
  return CheckNotCreatingOrDeleting(table);
}

// A request for the present state is refused. The attribute cannot be changed either: a client
// disables time to live, and enables it with another attribute.
Status CheckChanges(const UpdateTimeToLiveRequest& request, const TableSettings& settings) {
  if (!settings.ttl_attribute) {
    return request.enabled ? Status() : Status(ValidationError("TimeToLive is already disabled"));
  }
  if (*settings.ttl_attribute != request.attribute) {
    return ValidationError(
        "TimeToLive is active on a different AttributeName: current AttributeName is " +
        *settings.ttl_attribute);
  }
  return request.enabled ? Status(ValidationError("TimeToLive is already enabled")) : Status();
}

// The table's status does not change, not even for a time.
TableChange MakeChange(const UpdateTimeToLiveRequest& request, const TableVersion& table) {
  TableChange change;
  change.during = std::make_unique<TableVersion>(table);
  change.after = std::make_unique<TableVersion>(table.AfterPhase());
  std::optional<std::string> attribute;
  std::shared_ptr<ExpirySet> expiries;
  if (request.enabled) {
    attribute = request.attribute;
    expiries = std::make_shared<ExpirySet>(*attribute);
  }
  for (TableVersion* version : {change.during.get(), change.after.get()}) {
    version->settings.ttl_attribute = attribute;
    version->settings.expiries = expiries;
  }
  return change;
}

// Tries again when another change was published first.
Status RunUpdateTimeToLive(Context& context, const UpdateTimeToLiveRequest& request) {
  if (request.enabled) HR_RETURN_IF_ERROR(context.AdmitGrowth());
  for (;;) {
    HR_ASSIGN(const TableRef table, FindTableToManage(context, request.table_name));
    HR_RETURN_IF_ERROR(CheckState(*table));
    HR_RETURN_IF_ERROR(CheckChanges(request, table->settings));
    const TableRef changed = BeginUpdate(context, table, MakeChange(request, *table));
    if (!changed) continue;
    LogTable(*changed, "changed");
    if (request.enabled && context.time_to_live) context.time_to_live->Watch(*changed);
    return {};
  }
}

void WriteUpdateTimeToLiveAnswer(const UpdateTimeToLiveRequest& request, JsonWriter& answer) {
  answer.BeginObject();
  answer.BeginObject("TimeToLiveSpecification");
  answer.BoolMember("Enabled", request.enabled);
  answer.StringMember("AttributeName", request.attribute);
  answer.EndObject();
  answer.EndObject();
}

}  // namespace

Status UpdateTimeToLive(Context& context, const RequestObject& json, JsonWriter& answer) {
  const UpdateTimeToLiveRequest request = ReadUpdateTimeToLiveRequest(json);
  HR_RETURN_IF_ERROR(RunUpdateTimeToLive(context, request));
  WriteUpdateTimeToLiveAnswer(request, answer);
  return {};
}

}  // namespace hashrange
