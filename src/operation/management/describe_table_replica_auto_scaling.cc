// DescribeTableReplicaAutoScaling (docs/service/17-global-tables-and-account.md, section A).
#include "operation/call/operations.h"
#include "operation/management/fixed_answers.h"

namespace hashrange {

Status DescribeTableReplicaAutoScaling(Context& context, const RequestObject& json, JsonWriter&) {
  return ReplicasNotFound(context, json);
}

}  // namespace hashrange
