// DescribeTimeToLive (docs/service/12-streams-and-ttl.md, section C).
#include <string>

#include "operation/call/operations.h"
#include "operation/table/table_lookup.h"

namespace hashrange {
namespace {

Status CheckDescribable(const TableVersion& table) {
  const bool is_creating = table.status() == ResourceStatus::kCreating;
  if (!is_creating && table.status() != ResourceStatus::kDeleting) return {};
  const std::string state = is_creating ? "CREATING" : "DELETING";
  return ValidationError("Cannot describe time to live while table is in " + state +
                         " state: Current table state is " + state);
}

// Null `attribute`: time to live is disabled, or was never enabled; the answers are the same.
void WriteDescribeTimeToLiveAnswer(const std::optional<std::string>& attribute,
                                   JsonWriter& answer) {
  answer.BeginObject();
  answer.BeginObject("TimeToLiveDescription");
  answer.StringMember("TimeToLiveStatus", attribute ? "ENABLED" : "DISABLED");
  if (attribute) answer.StringMember("AttributeName", *attribute);
  answer.EndObject();
  answer.EndObject();
}

}  // namespace

Status DescribeTimeToLive(Context& context, const RequestObject& json, JsonWriter& answer) {
  HR_ASSIGN(const TableRef table, FindTableToManage(context, *json.String("TableName")));
  HR_RETURN_IF_ERROR(CheckDescribable(*table));
  WriteDescribeTimeToLiveAnswer(table->settings.ttl_attribute, answer);
  return {};
}

}  // namespace hashrange
