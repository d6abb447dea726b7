#include "control/enforcement_scope_json.h"

#include <string>
#include <string_view>

#include "control/scope.h"

namespace hashrange {
namespace {

void WriteUnlessEmpty(std::string_view member, const std::string& name, JsonWriter& answer) {
  if (!name.empty()) answer.StringMember(member, name);
}

}  // namespace

Result<EnforcementScope> ReadEnforcementScope(const ControlObject& body, bool shared_tables) {
  HR_ASSIGN(const Scope scope, ReadScope(body, shared_tables));
  return EnforcementScope{.account_id = std::string(scope.account_id.value_or("")),
                          .region = std::string(scope.region.value_or("")),
                          .table = std::string(scope.table.value_or(""))};
}

void WriteEnforcementScope(const EnforcementScope& scope, JsonWriter& answer) {
  WriteUnlessEmpty("account", scope.account_id, answer);
  WriteUnlessEmpty("region", scope.region, answer);
  WriteUnlessEmpty("table", scope.table, answer);
}

}  // namespace hashrange
