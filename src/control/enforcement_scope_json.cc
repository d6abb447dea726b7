#include "control/enforcement_scope_json.h"

#include <string>
#include <string_view>

#include "control/call_query.h"
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

Result<EnforcementScope> ReadEnforcementScope(std::string_view query, bool shared_tables,
                                              Arena& arena) {
  constexpr std::string_view kNames[] = {"account", "region", "table"};
  HR_ASSIGN(const CallQuery read, ReadCallQuery(query, kNames, arena));
  const std::string_view account = read.Find("account");
  if (!account.empty() && !IsAccountId(account)) {
    return ValidationError(Quoted(account) + " is not an account id, which has 12 digits.");
  }
  EnforcementScope scope{.table = std::string(read.Find("table"))};
  if (shared_tables) return scope;
  scope.account_id = account;
  scope.region = read.Find("region");
  return scope;
}

void WriteEnforcementScope(const EnforcementScope& scope, JsonWriter& answer) {
  WriteUnlessEmpty("account", scope.account_id, answer);
  WriteUnlessEmpty("region", scope.region, answer);
  WriteUnlessEmpty("table", scope.table, answer);
}

}  // namespace hashrange
