// DescribeTable (docs/service/03-tables-and-indexes.md, section 3).
#include "operation/call/operations.h"
#include "operation/table/table_description.h"
#include "operation/table/table_lookup.h"

namespace hashrange {

Status DescribeTable(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const TableRef table, FindTableToManage(context, *json.String("TableName")));
  WriteTableAnswer(context, "Table", *table, table->status(), answer);
  return {};
}

}  // namespace hashrange
