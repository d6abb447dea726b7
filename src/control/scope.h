// The members "account", "region" and "table" of control calls, which say which tables a call is
// about. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "control/control_json.h"
#include "engine/catalog.h"
#include "operation/call/caller.h"
#include "wire/json_writer.h"

namespace hashrange {

inline constexpr Member kAccountMember{"account", MemberType::kText};
inline constexpr Member kRegionMember{"region", MemberType::kText};
inline constexpr Member kTableMember{"table", MemberType::kText};
// The longest name of a table or a Region, which rules and measurements keep.
inline constexpr std::size_t kMaxScopeNameBytes = 255;

// Returns whether the text is an account id: 12 digits.
bool IsAccountId(std::string_view text);
// Errors: ValidationException  the body has `member`, and it is no account id
Status CheckAccountId(const ControlObject& body, std::string_view member = "account");

// Returns the tables that a call is about, by account, Region and name. A missing member means any.
// Where all accounts share one set of tables, account and Region are ignored.
// Errors: ValidationException  "account" is no account id, or a name is too long
Result<Scope> ReadScope(const ControlObject& body, bool shared_tables);

// Returns the account and Region of a call about one table. A missing member means the default
// account or Region. Where all accounts share one set of tables, the result is the account under
// which this set is stored, without a Region.
// Errors: ValidationException  "account" is no account id
Result<AccountName> ReadAccount(const ControlObject& body, bool shared_tables);

// Writes the members "account", "region" and "table" of an object in an answer.
void WriteTableIdentity(const TableVersion& table, JsonWriter& answer);

}  // namespace hashrange
