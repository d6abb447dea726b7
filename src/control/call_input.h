// The input of a control call: the members of its JSON body and the parameters of its query. An
// array of Member lists the members that an object may have. All of the input is checked before a
// part of it is read, so that a misspelt member or parameter is not ignored.
//
//   constexpr Member kMembers[] = {{"name", MemberType::kText, true},
//                                  {"advance", MemberType::kDuration}};
//   HR_ASSIGN(const ControlObject body, ReadObject(*call.body, kMembers));
//   const std::string_view name = *body.Text("name");
//
// Objects and queries come first, then what several calls say in the same way: which tables a call
// is about, delays, and keys of items.
//
// Pure functions; any thread. The texts are views of the request, or of the arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/memory/arena.h"
#include "base/result.h"
#include "engine/catalog.h"
#include "engine/table_version.h"
#include "operation/call/caller.h"
#include "simulation/delayed_copy.h"
#include "simulation/throughput_rules.h"
#include "value/attribute_value.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {

enum class MemberType : std::uint8_t {
  kText,      // a string, not empty
  kBoolean,   // true or false
  kWhole,     // a whole number from 0
  kNumber,    // any number
  kDuration,  // base/text/time_text.h: a text, or the number 0
  kObject,
  kList,
  kAny,  // the caller checks it
};

struct Member {
  std::string_view name;
  MemberType type;
  bool is_required = false;
};

// An object whose members have passed the check. A function for one type is called only for a
// member of this type. For a missing member, the function returns nullopt, and List an empty list.
class ControlObject {
 public:
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  const JsonValue* Find(std::string_view name) const { return json_->Find(name); }
  std::optional<std::string_view> Text(std::string_view name) const;
  std::optional<bool> Boolean(std::string_view name) const;
  std::optional<std::int64_t> Whole(std::string_view name) const;
  std::optional<double> Number(std::string_view name) const;
  std::optional<std::int64_t> DurationMs(std::string_view name) const;
  std::span<const JsonValue> List(std::string_view name) const;

 private:
  friend Result<ControlObject> ReadObject(const JsonValue& json, std::span<const Member> members,
                                          std::string_view place);
  explicit ControlObject(const JsonValue& json) : json_(&json) {}

  const JsonValue* json_;
};

// Checks and returns the object. `place` names the object in error sentences, such as `"match"`.
// Errors: ValidationException  `json` is no object; a member is not in `members`, or has another
//                              type; a required member is missing
Result<ControlObject> ReadObject(const JsonValue& json, std::span<const Member> members,
                                 std::string_view place = "the body");

// These return the value of `json`, which ReadObject need not have checked; nullopt when `json` has
// another type.
std::optional<std::int64_t> DurationMsOf(const JsonValue& json);
std::optional<std::int64_t> InstantMsOf(const JsonValue& json);
std::optional<double> NumberOf(const JsonValue& json);
// A decimal without a fraction is whole: some clients write every number as a decimal.
std::optional<std::int64_t> WholeNumberOf(const JsonValue& json);

// Returns the text in quotes for a sentence, without control characters, and shortened when it is
// long.
std::string Quoted(std::string_view text);
// Returns `"a"`, `"a" and "b"` or `"a", "b" and "c"`. `joint` is the word before the last name.
std::string QuotedList(std::span<const std::string_view> names, std::string_view joint = "and");

// The parameters of a query string.
class CallQuery {
 public:
  // Returns the value of the parameter; empty when the query does not have it.
  std::string_view Find(std::string_view name) const;

 private:
  friend Result<CallQuery> ReadCallQuery(std::string_view query,
                                         std::span<const std::string_view> names, Arena& arena);
  struct Parameter {
    std::string_view name;
    std::string_view value;
  };

  std::span<const Parameter> parameters_;
};

// Returns the name in a path with its percent-encoded characters decoded. The result is a view of
// the arena.
std::string_view DecodedPathName(std::string_view name, Arena& arena);

// Reads a percent-encoded query such as "account=111122223333&table=app"; '+' is a space. The
// result has views of the arena.
// Errors: ValidationException  a parameter is not in `names`, or occurs twice
Result<CallQuery> ReadCallQuery(std::string_view query, std::span<const std::string_view> names,
                                Arena& arena);

// Which tables a call is about: the members "account", "region" and "table" of its body, or the
// parameters of these names in its query.

inline constexpr Member kAccountMember{"account", MemberType::kText};
inline constexpr Member kRegionMember{"region", MemberType::kText};
inline constexpr Member kTableMember{"table", MemberType::kText};
// The longest name of a table or a Region, which rules and measurements keep.
inline constexpr std::size_t kMaxScopeNameBytes = 255;

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

// Returns the table of a call about one table, by its members "table", "account" and "region".
// Errors: ValidationException        "account" is no account id
//         ResourceNotFoundException  there is no such table
Result<TableRef> FindTableOfCall(const ControlObject& body, bool shared_tables,
                                 const Catalog& catalog);
// Does the same by the parameters of these names. Errors: also when the query has no "table"
Result<TableRef> FindTableOfCall(const CallQuery& query, bool shared_tables,
                                 const Catalog& catalog);

// Writes the members "account", "region" and "table" of an object in an answer.
void WriteTableIdentity(const TableVersion& table, JsonWriter& answer);

// Returns the parameter "account"; empty when the query does not have it, or when all accounts
// share one set of tables.
// Errors: ValidationException  "account" is no account id
Result<std::string_view> ReadAccountId(const CallQuery& query, bool shared_tables);

// Returns the tables that a rule about throughput or partitions is about. Where all accounts share
// one set of tables, account and Region are ignored.
// Errors: as ReadScope
Result<EnforcementScope> ReadEnforcementScope(const ControlObject& body, bool shared_tables);

// Returns the same, from the query of the call.
// Errors: ValidationException  "account" is no account id, or the query has other parameters
Result<EnforcementScope> ReadEnforcementScope(std::string_view query, bool shared_tables,
                                              Arena& arena);

// Writes the members "account", "region" and "table" without the members that mean any.
void WriteEnforcementScope(const EnforcementScope& scope, JsonWriter& answer);

// Returns the delay in the member `name` of the object: a time that everything waits, such as
// "200ms", or {"min":"1s","max":"3s"} for random times. Returns nullopt when the object has no such
// member. A missing "min" is 0. `place` names the object in sentences.
// Errors: ValidationException  the member has another form, or its "min" is more than its "max"
Result<std::optional<DelayRange>> ReadDelays(const ControlObject& object, std::string_view name,
                                             std::string_view place = "the body");

// Writes the member `name`, {"min","max"} in milliseconds.
void WriteDelays(std::string_view name, const DelayRange& delays, JsonWriter& answer);

// Returns the attributes of a key in DynamoDB JSON, {"PK":{"S":"USER#1"},"SK":{"N":"7"}}, ascending
// by name, each an S, N or B. `member` is the member of the body that has the key.
// Errors: ValidationException  any other JSON, in a sentence that begins with `member`
Result<std::span<const Attribute>> ReadKeyJson(const JsonValue& json, Arena& arena,
                                               std::string_view member = "key");

// Errors: ValidationException  `key` is not the whole key of an item of the table, as a sentence
Status CheckWholeKey(const TableVersion& table, std::span<const Attribute> key);
// Errors: ValidationException  `values` are not the values of the HASH attributes of `key`, as a
//                              sentence about the member `member`
Status CheckHashKey(const KeySchema& key, std::span<const Attribute> values,
                    std::string_view member);

// The members of bodies and the parameters of queries that routes.def has: kCollectionsBody,
// kChangesQuery and others.
#define HR_BODY(name, what) inline constexpr Member k##name[] = {
#define HR_NEEDS(name, kind, type, what) {#name, MemberType::kind, true},
#define HR_TAKES(name, kind, type, what) {#name, MemberType::kind},
#define HR_BODY_END \
  }                 \
  ;
#define HR_QUERY(name, what) inline constexpr std::string_view k##name[] = {
#define HR_ASKS_ALWAYS(name, type, what) #name,
#define HR_ASKS(name, type, what) #name,
#define HR_QUERY_END \
  }                  \
  ;
#include "control/routes.def"

}  // namespace hashrange
