// StreamSpecification of UpdateTable against the table (reference 12, B; 13, section 6).
// Of the texts about a stream that is being switched those for throughput and the stream
// itself were seen; the others follow their pattern.
#include <string>

#include "operation/table_transitions.h"
#include "operation/update_table_request.h"

namespace hashrange {
namespace {

std::string During(const TableVersion& table) {
  const bool enabling = table.settings.stream_switch == StreamSwitch::kEnabling;
  return ". Table: " + table.name + " Stream: " + table.settings.latest_stream_label +
         " Operation: " + (enabling ? "ENABLE" : "DISABLE");
}

// Everything but what may overlap with it waits for a switch of the stream.
Error WaitsForSwitch(const UpdateTableRequest& request, const TableVersion& table) {
  if (request.json.Has("StreamSpecification")) {
    return ResourceInUse("A stream status change is currently in progress" + During(table));
  }
  if (request.max_on_demand) {
    return ResourceInUse(
        "OnDemandThroughput cannot be updated while stream status update is in progress");
  }
  std::string what = "change table IOPS";
  if (request.table_class) what = "update table class";
  if (request.indexes && !request.throughput && !request.on_demand) {
    for (const IndexChange& index : *request.indexes) {
      if (index.action == IndexChange::Action::kCreate) what = "create index";
      if (index.action == IndexChange::Action::kDelete) what = "delete index";
    }
  }
  return ResourceInUse("Can't " + what + " when stream status is being updated" + During(table));
}

// A switch of the stream waits for whatever else the table is UPDATING for.
Error SwitchWaits(const TableVersion& table) {
  std::string creating;
  for (const IndexVersion& index : table.indexes) {
    if (index.status != ResourceStatus::kCreating) continue;
    creating.append(creating.empty() ? "" : ", ").append(index.schema.name);
  }
  if (!creating.empty()) {
    return ResourceInUse("Can't change stream status when an index is being created. Table: " +
                         table.name + " Indexes: [" + creating + "]");
  }
  if (table.becomes && table.becomes->settings.table_class != table.settings.table_class) {
    return ResourceInUse(
        "Can't enable or disable stream when a table class update is in progress. Table: " +
        table.name + " TableClassUpdateInProgress: " + *table.becomes->settings.table_class);
  }
  return ResourceInUse(
      "Can't enable or disable stream while table IOPS are being updated. Table: " + table.name);
}

}  // namespace

Status CheckStreamAdmitted(const UpdateTableRequest& request, const TableVersion& table) {
  if (table.settings.stream_switch != StreamSwitch::kNone) return WaitsForSwitch(request, table);
  if (request.json.Has("StreamSpecification")) return SwitchWaits(table);
  return {};
}

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

}  // namespace hashrange
