// DescribeLimits: the default quotas of an account and a table
// (docs/service/17-global-tables-and-account.md, section E).
#include "operation/call/operations.h"

namespace hashrange {

Status DescribeLimits(Context&, const RequestObject&, JsonWriter& answer) {
  constexpr std::int64_t kAccountMaxUnits = 80000;
  constexpr std::int64_t kTableMaxUnits = 40000;
  answer.BeginObject();
  answer.IntegerMember("AccountMaxReadCapacityUnits", kAccountMaxUnits);
  answer.IntegerMember("AccountMaxWriteCapacityUnits", kAccountMaxUnits);
  answer.IntegerMember("TableMaxReadCapacityUnits", kTableMaxUnits);
  answer.IntegerMember("TableMaxWriteCapacityUnits", kTableMaxUnits);
  answer.EndObject();
  return {};
}

}  // namespace hashrange
