// DescribeTable (docs/service/03-tables-and-indexes.md, section 3).
#include "operation/call/operations.h"
#include "operation/table/table_description.h"
#include "operation/table/table_lookup.h"

namespace hashrange {
namespace {

struct DescribeTableRequest {
  std::string_view table_name;
};

DescribeTableRequest ReadDescribeTableRequest(const RequestObject& request) {
  return {*request.String("TableName")};
}

void WriteDescribeTableAnswer(const Context& context, const TableVersion& table,
                              JsonWriter& answer) {
  answer.BeginObject();
  answer.Name("Table");
  WriteTableDescription(context, table, table.status(), answer);
  answer.EndObject();
}

}  // namespace

Status DescribeTable(Context& context, const RequestObject& json, JsonWriter& answer) {
  const DescribeTableRequest request = ReadDescribeTableRequest(json);
  HR_ASSIGN(const TableRef table, FindTableToManage(context, request.table_name));
  WriteDescribeTableAnswer(context, *table, answer);
  return {};
}

}  // namespace hashrange
