// UpdateTable (docs/service/03-tables-and-indexes.md, section 7;
// 13-update-table-and-gsi-lifecycle.md, sections 1 to 6).
#include <utility>

#include "operation/call/operations.h"
#include "operation/table/requested_change.h"
#include "operation/table/table_description.h"
#include "operation/table/table_log.h"
#include "operation/table/table_lookup.h"
#include "operation/table/table_stream.h"
#include "operation/table/table_transitions.h"
#include "operation/table/update_table_request.h"

namespace hashrange {
namespace {

// Fills the new index, or lets the backfiller do it. The published version of the table already has
// the index.
void StartFilling(const Context& context, const TableVersion& table,
                  const GlobalSecondaryIndexUpdate& index) {
  IndexAddress address{table.account_id, table.region, table.name, index.name};
  if (context.backfiller) {
    context.backfiller->Start(std::move(address));
  } else {
    FillIndex(context.engine, std::move(address));
  }
}

// Returns the table as the answer describes it. Tries again when another change was published
// first.
Result<TableRef> RunUpdateTable(Context& context, const UpdateTableRequest& request) {
  HR_RETURN_IF_ERROR(CheckArn(context, request.table_name));
  HR_RETURN_IF_ERROR(CheckUpdateTableRequest(request));
  const GlobalSecondaryIndexUpdate* online = request.FindCreationOrDeletion();
  if (online && online->created) HR_RETURN_IF_ERROR(context.AdmitGrowth());
  for (;;) {
    HR_ASSIGN(const TableRef table, FindTableToManage(context, request.table_name));
    HR_RETURN_IF_ERROR(CheckUpdateAdmitted(request, *table));
    HR_RETURN_IF_ERROR(CheckUpdateOfTable(request, table->AfterPhase()));
    TableChange change = MakeTableChange(context, request, *table);
    StreamOpening stream(context);
    stream.OpenFor(&change);
    const bool keeps_stream = change.after->settings.stream.has_value();
    TableRef changed = BeginUpdate(context, table, std::move(change));
    if (!changed) continue;
    stream.Keep();
    if (!keeps_stream) CloseStream(context, *table);
    if (online && online->created) StartFilling(context, *changed, *online);
    return changed;
  }
}

void WriteUpdateTableAnswer(const Context& context, const TableVersion& table, JsonWriter& answer) {
  answer.BeginObject();
  answer.Name("TableDescription");
  WriteTableDescription(context, table, table.status(), answer);
  answer.EndObject();
}

}  // namespace

Status UpdateTable(Context& context, const RequestObject& json, JsonWriter& answer) {
  const UpdateTableRequest request = ReadUpdateTableRequest(json);
  HR_ASSIGN(const TableRef table, RunUpdateTable(context, request));
  LogTable(*table, "changed");
  WriteUpdateTableAnswer(context, *table, answer);
  return {};
}

}  // namespace hashrange
