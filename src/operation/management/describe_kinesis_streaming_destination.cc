// DescribeKinesisStreamingDestination (docs/service/17-global-tables-and-account.md, section B): no
// table has a destination.
#include "operation/call/operations.h"
#include "operation/table/table_lookup.h"

namespace hashrange {
namespace {

void WriteDescribeKinesisStreamingDestinationAnswer(const TableVersion& table, JsonWriter& answer) {
  answer.BeginObject();
  answer.StringMember("TableName", table.name);
  answer.BeginArray("KinesisDataStreamDestinations");
  answer.EndArray();
  answer.EndObject();
}

}  // namespace

Status DescribeKinesisStreamingDestination(Context& context, const RequestObject& json,
                                           JsonWriter& answer) {
  HR_ASSIGN(const TableRef table, FindTableToManage(context, *json.String("TableName")));
  WriteDescribeKinesisStreamingDestinationAnswer(*table, answer);
  return {};
}

}  // namespace hashrange
