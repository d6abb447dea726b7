#include "control/scope.h"

#include <string>

namespace hashrange {

bool IsAccountId(std::string_view text) {
  // The account of an access key is the key itself if that is an account id
  // (operation/call/caller.h).
  return CallerOf(text, {}).account_id.data() == text.data();
}

Status CheckAccountId(const ControlObject& body, std::string_view member) {
  const auto text = body.Text(member);
  if (!text || IsAccountId(*text)) return {};
  return ValidationError(Quoted(*text) + " in " + Quoted(member) +
                         " is not an account id, which has 12 digits.");
}

Result<Scope> ReadScope(const ControlObject& body, bool shared_tables) {
  HR_RETURN_IF_ERROR(CheckAccountId(body));
  for (const std::string_view member : {"table", "region"}) {
    if (body.Text(member).value_or("").size() <= kMaxScopeNameBytes) continue;
    return ValidationError(Quoted(member) + " is longer than " +
                           std::to_string(kMaxScopeNameBytes) + " bytes.");
  }
  Scope scope{.table = body.Text("table")};
  if (shared_tables) return scope;
  scope.account_id = body.Text("account");
  scope.region = body.Text("region");
  return scope;
}

Result<AccountName> ReadAccount(const ControlObject& body, bool shared_tables) {
  HR_RETURN_IF_ERROR(CheckAccountId(body));
  if (shared_tables) return AccountName{kDefaultAccount, {}};
  return AccountName{body.Text("account").value_or(kDefaultAccount),
                     body.Text("region").value_or(kDefaultRegion)};
}

void WriteTableIdentity(const TableVersion& table, JsonWriter& answer) {
  answer.Name("account");
  answer.String(table.account_id);
  answer.Name("region");
  answer.String(table.region);
  answer.Name("table");
  answer.String(table.name);
}

}  // namespace hashrange
