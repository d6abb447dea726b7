// The members "account", "region" and "table" of control calls: which tables a call is about.
// Pure functions; any thread.
#pragma once

#include <string_view>

#include "base/result.h"
#include "control/control_json.h"
#include "engine/catalog.h"
#include "operation/caller.h"
#include "wire/json_writer.h"

namespace hashrange {

inline constexpr Member kAccountMember{"account", MemberType::kText};
inline constexpr Member kRegionMember{"region", MemberType::kText};
inline constexpr Member kTableMember{"table", MemberType::kText};

// 12 digits.
bool IsAccountId(std::string_view text);
// Errors: ValidationException  `member`, if it is there, is no account id
Status CheckAccountId(const ControlObject& body, std::string_view member = "account");

// The tables that a call means: of the account, Region and name that it says, otherwise of all.
// Where all accounts share one set of tables, account and Region say nothing.
// Errors: ValidationException  no account id
Result<Scope> ReadScope(const ControlObject& body, bool shared_tables);

// For a call about one table: the account and Region it means, those of a request that says
// neither by default. Where all accounts share one set of tables, the one there is.
// Errors: ValidationException  no account id
Result<AccountName> ReadAccount(const ControlObject& body, bool shared_tables);

// The members "account", "region" and "table" of an answer's object.
void WriteTableIdentity(const TableVersion& table, JsonWriter& answer);

}  // namespace hashrange
