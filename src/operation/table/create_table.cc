// CreateTable (docs/service/03-tables-and-indexes.md, sections 1 and 2).
#include <memory>
#include <string>
#include <utility>

#include "operation/call/operations.h"
#include "operation/table/new_table.h"
#include "operation/table/table_description.h"
#include "operation/table/table_log.h"
#include "operation/table/table_stream.h"
#include "operation/table/table_transitions.h"

namespace hashrange {
namespace {

struct CreateTableRequest {
  NewTable table;
};

// Reads the request and runs all checks that need no table.
Result<CreateTableRequest> ReadCreateTableRequest(const Context& context,
                                                  const RequestObject& json) {
  HR_ASSIGN(NewTable table, ReadNewTable(context, json));
  return CreateTableRequest{std::move(table)};
}

Status CheckNameIsFree(const Context& context, const std::string& name) {
  const TableRef table = FindSettled(context, name);
  if (!table) return {};
  if (table->status() == ResourceStatus::kCreating) {
    return ResourceInUse("Table is being created: " + name);
  }
  return Error{ErrorCode::kResourceInUseException, "Table already exists: " + name, nullptr};
}

// Returns the version that the answer describes. Tries again when another call has taken the name
// meanwhile.
Result<TableRef> RunCreateTable(Context& context, const CreateTableRequest& request) {
  HR_RETURN_IF_ERROR(context.AdmitGrowth());
  for (;;) {
    HR_RETURN_IF_ERROR(CheckNameIsFree(context, request.table.definition.name));
    auto version = MakeTableVersion(context, request.table);
    StreamOpening stream(context);
    stream.OpenFor(version.get());
    TableRef table = BeginCreation(context, std::move(version));
    if (!table) continue;
    stream.Keep();
    return table;
  }
}

void WriteCreateTableAnswer(const Context& context, const TableVersion& table, JsonWriter& answer) {
  answer.BeginObject();
  answer.Name("TableDescription");
  // The answer says CREATING even if the table is ACTIVE at once.
  WriteTableDescription(context, table, ResourceStatus::kCreating, answer);
  answer.EndObject();
}

}  // namespace

Status CreateTable(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const CreateTableRequest request, ReadCreateTableRequest(context, json));
  HR_ASSIGN(const TableRef table, RunCreateTable(context, request));
  LogTable(*table, "created");
  WriteCreateTableAnswer(context, *table, answer);
  return {};
}

}  // namespace hashrange
