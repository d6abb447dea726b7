#include "control/call_input.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/time_text.h"
#include "operation/parameter/item_key.h"
#include "value/attribute_value.h"
#include "wire/attribute_json.h"
#include "wire/binder.h"
#include "wire/shape.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;

// The values that a type allows, for sentences; by MemberType.
constexpr std::string_view kForms[] = {
    "a text of at least one character",
    "true or false",
    "a whole number from 0",
    "a number",
    kDurationForms,
    "an object",
    "a list",
    "a value",
};

bool IsOfType(const JsonValue& json, MemberType type) {
  switch (type) {
    case MemberType::kText:
      return json.type == Type::kString && json.size > 0;
    case MemberType::kBoolean:
      return json.type == Type::kTrue || json.type == Type::kFalse;
    case MemberType::kWhole:
      return WholeNumberOf(json).has_value();
    case MemberType::kNumber:
      return NumberOf(json).has_value();
    case MemberType::kDuration:
      return DurationMsOf(json).has_value();
    case MemberType::kObject:
      return json.type == Type::kObject;
    case MemberType::kList:
      return json.type == Type::kArray;
    case MemberType::kAny:
      return true;
  }
  return false;
}

Error UnknownMember(std::string_view name, std::span<const Member> members,
                    std::string_view place) {
  std::vector<std::string_view> names;
  for (const Member& member : members) names.push_back(member.name);
  return ValidationError(
      Quoted(name) + " is no member of " + std::string(place) +
      (names.empty() ? ", which has no members." : ", which may have " + QuotedList(names) + "."));
}

Error WrongType(const Member& member, std::string_view place) {
  return ValidationError(Quoted(member.name) + " in " + std::string(place) + " is not " +
                         std::string(kForms[static_cast<int>(member.type)]) + ".");
}

std::optional<int> HexDigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

// Wrongly encoded characters are taken literally. A '+' stands for `plus`.
std::string_view PercentDecoded(std::string_view text, char plus, Arena& arena) {
  char* const begin = arena.AllocateBytes(text.size());
  char* out = begin;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const auto high = HexDigitOf(text[i + 1]), low = HexDigitOf(text[i + 2]);
      if (high && low) {
        *out++ = static_cast<char>(*high * 16 + *low);
        i += 2;
        continue;
      }
    }
    *out++ = text[i] == '+' ? plus : text[i];
  }
  return {begin, static_cast<std::size_t>(out - begin)};
}

bool IsAccountId(std::string_view text) {
  // The account of an access key is the key itself if that is an account id
  // (operation/call/caller.h).
  return CallerOf(text, {}).account_id.data() == text.data();
}

void WriteUnlessEmpty(std::string_view member, const std::string& name, JsonWriter& answer) {
  if (!name.empty()) answer.StringMember(member, name);
}

Error InvalidKey(std::string_view member, std::string_view why) {
  std::string sentence = Quoted(member) + R"( is not DynamoDB JSON such as {"PK":{"S":"a"}})";
  if (!why.empty()) sentence.append(": ").append(why);
  if (!sentence.ends_with('.')) sentence.push_back('.');
  return ValidationError(std::move(sentence));
}

// The types are checked by the shape of an operation that has a Key.
Status CheckTypes(const JsonValue& json, Arena& arena) {
  const auto members = arena.NewArray<JsonMember>(2);
  members[0] = {"Key", json};
  members[1] = {"TableName", JsonValue::String("any")};
  JsonValue request;
  request.type = JsonValue::Type::kObject;
  request.size = 2;
  request.first_member = members.data();
  return BindRequest(*FindOperationShape("GetItem"), request);
}

// Returns the text: "PK" (S) and "SK" (N)
std::string KeyPartsText(const KeySchema& key) {
  std::string parts;
  for (std::size_t i = 0; i < key.parts(); ++i) {
    if (i > 0) parts += " and ";
    parts += Quoted(key.part(i).name) + " (" + std::string(TypeTag(key.part(i).type)) + ")";
  }
  return parts;
}

Result<TableRef> FindNamedTable(AccountName account, std::string_view name,
                                const Catalog& catalog) {
  TableRef table = catalog.Find(account, name);
  if (table) return table;
  return Error{ErrorCode::kResourceNotFoundException, "There is no table " + Quoted(name) + ".",
               nullptr};
}

}  // namespace

std::optional<std::int64_t> WholeNumberOf(const JsonValue& json) {
  constexpr double kLargestExact = 1LL << 53;
  if (json.type == Type::kInteger && json.integer >= 0) return json.integer;
  if (json.type != Type::kDecimal) return std::nullopt;
  const bool is_whole = json.decimal >= 0 && json.decimal <= kLargestExact &&
                        std::floor(json.decimal) == json.decimal;
  return is_whole ? std::optional(static_cast<std::int64_t>(json.decimal)) : std::nullopt;
}

std::optional<double> NumberOf(const JsonValue& json) {
  if (json.type == Type::kInteger) return static_cast<double>(json.integer);
  if (json.type == Type::kDecimal || json.type == Type::kHugeInteger) return json.decimal;
  return std::nullopt;
}

std::optional<std::int64_t> DurationMsOf(const JsonValue& json) {
  if (json.type == Type::kString) return ParseDuration(json.string());
  return WholeNumberOf(json) == 0 ? std::optional<std::int64_t>(0) : std::nullopt;
}

std::optional<std::int64_t> InstantMsOf(const JsonValue& json) {
  if (json.type == Type::kString) return ParseInstant(json.string());
  const auto seconds = NumberOf(json);
  if (!seconds || !(*seconds >= 0 && *seconds * 1000 < static_cast<double>(kLastEpochMs))) {
    return std::nullopt;
  }
  return std::llround(*seconds * 1000);
}

std::optional<std::string_view> ControlObject::Text(std::string_view name) const {
  const JsonValue* const json = Find(name);
  return json ? std::optional(json->string()) : std::nullopt;
}

std::optional<bool> ControlObject::Boolean(std::string_view name) const {
  const JsonValue* const json = Find(name);
  return json ? std::optional(json->type == Type::kTrue) : std::nullopt;
}

std::optional<std::int64_t> ControlObject::Whole(std::string_view name) const {
  const JsonValue* const json = Find(name);
  return json ? WholeNumberOf(*json) : std::nullopt;
}

std::optional<double> ControlObject::Number(std::string_view name) const {
  const JsonValue* const json = Find(name);
  return json ? NumberOf(*json) : std::nullopt;
}

std::optional<std::int64_t> ControlObject::DurationMs(std::string_view name) const {
  const JsonValue* const json = Find(name);
  return json ? DurationMsOf(*json) : std::nullopt;
}

std::span<const JsonValue> ControlObject::List(std::string_view name) const {
  const JsonValue* const json = Find(name);
  return json ? json->elements() : std::span<const JsonValue>();
}

Result<ControlObject> ReadObject(const JsonValue& json, std::span<const Member> members,
                                 std::string_view place) {
  if (json.type != Type::kObject) {
    std::string subject(place);
    if (subject.starts_with('t')) subject.front() = 'T';
    return ValidationError(subject + " is not a JSON object.");
  }
  for (const JsonMember& given : json.members()) {
    const auto row = std::ranges::find(members, given.name, &Member::name);
    if (row == members.end()) return UnknownMember(given.name, members, place);
    if (!IsOfType(given.value, row->type)) return WrongType(*row, place);
  }
  for (const Member& member : members) {
    if (member.is_required && !json.Find(member.name)) {
      return ValidationError(Quoted(member.name) + " is missing in " + std::string(place) + ".");
    }
  }
  return ControlObject(json);
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kMaxBytes = 100;
  std::string quoted = "\"";
  std::string_view shown = text.substr(0, kMaxBytes);
  // The text is not cut in the middle of a character.
  if (shown.size() < text.size()) {
    const auto continues = [text](std::size_t i) { return (text[i] & 0xC0) == 0x80; };
    while (!shown.empty() && continues(shown.size())) shown.remove_suffix(1);
  }
  for (const char c : shown) quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return quoted + (shown.size() < text.size() ? "…\"" : "\"");
}

std::string QuotedList(std::span<const std::string_view> names, std::string_view joint) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 < names.size() ? ", " : " " + std::string(joint) + " ";
    list += Quoted(names[i]);
  }
  return list;
}

std::string_view DecodedPathName(std::string_view name, Arena& arena) {
  return PercentDecoded(name, '+', arena);
}

std::string_view CallQuery::Find(std::string_view name) const {
  const auto at = std::ranges::find(parameters_, name, &Parameter::name);
  return at == parameters_.end() ? std::string_view() : at->value;
}

Result<CallQuery> ReadCallQuery(std::string_view query, std::span<const std::string_view> names,
                                Arena& arena) {
  const auto parameters = arena.NewArray<CallQuery::Parameter>(names.size());
  CallQuery read;
  while (!query.empty()) {
    const std::string_view each = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(each.size() + 1, query.size()));
    if (each.empty()) continue;
    const std::size_t mark = std::min(each.find('='), each.size());
    const std::string_view name = PercentDecoded(each.substr(0, mark), ' ', arena);
    if (std::ranges::find(names, name) == names.end()) {
      return ValidationError("The query has an unknown parameter " + Quoted(name) +
                             "; it may have " + QuotedList(names) + ".");
    }
    const std::size_t count = read.parameters_.size();
    if (std::ranges::find(read.parameters_, name, &CallQuery::Parameter::name) !=
        read.parameters_.end()) {
      return ValidationError("The query has the parameter " + Quoted(name) + " twice.");
    }
    parameters[count] = {name,
                         PercentDecoded(each.substr(std::min(mark + 1, each.size())), ' ', arena)};
    read.parameters_ = parameters.first(count + 1);
  }
  return read;
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

Result<TableRef> FindTableOfCall(const ControlObject& body, bool shared_tables,
                                 const Catalog& catalog) {
  HR_ASSIGN(const AccountName account, ReadAccount(body, shared_tables));
  return FindNamedTable(account, *body.Text("table"), catalog);
}

Result<TableRef> FindTableOfCall(const CallQuery& query, bool shared_tables,
                                 const Catalog& catalog) {
  const std::string_view name = query.Find("table");
  if (name.empty()) return ValidationError("\"table\" is missing in the query.");
  HR_ASSIGN(const std::string_view account, ReadAccountId(query, shared_tables));
  if (shared_tables) return FindNamedTable({kDefaultAccount, {}}, name, catalog);
  const std::string_view region = query.Find("region");
  return FindNamedTable(
      {account.empty() ? kDefaultAccount : account, region.empty() ? kDefaultRegion : region}, name,
      catalog);
}

Result<std::string_view> ReadAccountId(const CallQuery& query, bool shared_tables) {
  const std::string_view account = query.Find("account");
  if (!account.empty() && !IsAccountId(account)) {
    return ValidationError(Quoted(account) + " is not an account id, which has 12 digits.");
  }
  return shared_tables ? std::string_view() : account;
}

void WriteTableIdentity(const TableVersion& table, JsonWriter& answer) {
  answer.StringMember("account", table.account_id);
  answer.StringMember("region", table.region);
  answer.StringMember("table", table.name);
}

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
  HR_ASSIGN(const std::string_view account, ReadAccountId(read, shared_tables));
  EnforcementScope scope{.account_id = std::string(account),
                         .table = std::string(read.Find("table"))};
  if (!shared_tables) scope.region = read.Find("region");
  return scope;
}

void WriteEnforcementScope(const EnforcementScope& scope, JsonWriter& answer) {
  WriteUnlessEmpty("account", scope.account_id, answer);
  WriteUnlessEmpty("region", scope.region, answer);
  WriteUnlessEmpty("table", scope.table, answer);
}

Result<std::optional<DelayRange>> ReadDelays(const ControlObject& object, std::string_view name,
                                             std::string_view place) {
  constexpr Member kMembers[] = {{"min", MemberType::kDuration},
                                 {"max", MemberType::kDuration, true}};
  const JsonValue* const json = object.Find(name);
  if (!json) return std::optional<DelayRange>();
  if (const auto ms = DurationMsOf(*json)) return std::optional(DelayRange{*ms, *ms});
  if (json->type != JsonValue::Type::kObject) {
    return ValidationError(Quoted(name) + " in " + std::string(place) + " is neither " +
                           std::string(kDurationForms) +
                           ", nor an object of two such times, \"min\" and \"max\".");
  }
  HR_ASSIGN(const ControlObject range, ReadObject(*json, kMembers, Quoted(name)));
  const DelayRange delays{range.DurationMs("min").value_or(0), *range.DurationMs("max")};
  if (delays.min_ms > delays.max_ms) {
    return ValidationError("\"min\" in " + Quoted(name) + " is more than \"max\".");
  }
  return std::optional(delays);
}

void WriteDelays(std::string_view name, const DelayRange& delays, JsonWriter& answer) {
  answer.BeginObject(name);
  answer.IntegerMember("min", delays.min_ms);
  answer.IntegerMember("max", delays.max_ms);
  answer.EndObject();
}

Result<std::span<const Attribute>> ReadKeyJson(const JsonValue& json, Arena& arena,
                                               std::string_view member) {
  if (Status status = CheckTypes(json, arena); !status.ok()) {
    return InvalidKey(member, status.error().message);
  }
  auto attributes = ReadAttributes(json, ValidationLayer::kBare, arena);
  if (!attributes.ok()) return InvalidKey(member, attributes.error().message);
  for (const Attribute& attribute : *attributes) {
    const AttributeType type = attribute.value.type;
    if (type == AttributeType::kS || type == AttributeType::kN || type == AttributeType::kB) {
      continue;
    }
    return ValidationError(Quoted(member) + " has " + Quoted(attribute.name) + " of type " +
                           std::string(TypeTag(type)) + ", where a key attribute is S, N or B.");
  }
  return std::span<const Attribute>(*attributes);
}

Status CheckWholeKey(const TableVersion& table, std::span<const Attribute> key) {
  if (!CheckKeyMatchesSchema(table.key, key).ok()) {
    return ValidationError("\"key\" is not the key of table " + Quoted(table.name) + ", which is " +
                           KeyPartsText(table.key) + ".");
  }
  if (Status status = CheckKeyValues(table.key, key); !status.ok()) {
    return InvalidKey("key", status.error().message);
  }
  return {};
}

Status CheckHashKey(const KeySchema& key, std::span<const Attribute> values,
                    std::string_view member) {
  const KeySchema hash_key{key.hash, {}};
  if (!CheckKeyMatchesSchema(hash_key, values).ok()) {
    return ValidationError(Quoted(member) + " is not the key of a collection, which is " +
                           KeyPartsText(hash_key) + ".");
  }
  if (Status status = CheckKeyValues(hash_key, values); !status.ok()) {
    return InvalidKey(member, status.error().message);
  }
  return {};
}

}  // namespace hashrange
