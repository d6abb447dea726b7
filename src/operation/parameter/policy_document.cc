#include "operation/parameter/policy_document.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/text/short_text.h"
#include "operation/call/error_texts.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::size_t kMaxPolicyBytes = 20'480;

Error InvalidDocument(std::string_view detail) {
  return InvalidParameters(Concatenated({"Invalid policy document: ", detail}));
}

Error SyntaxError() { return InvalidDocument("Syntax errors in policy."); }

bool IsJsonSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Returns the number of bytes that are not white space between the values of the document.
std::size_t SizeWithoutSpace(std::string_view text) {
  std::size_t bytes = 0;
  bool is_in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_in_string && IsJsonSpace(text[i])) continue;
    ++bytes;
    if (text[i] == '"') is_in_string = !is_in_string;
    if (is_in_string && text[i] == '\\' && i + 1 < text.size()) {
      ++bytes;
      ++i;
    }
  }
  return bytes;
}

bool IsString(const JsonValue& value) { return value.type == JsonValue::Type::kString; }

// Returns the elements of a list, or the value itself: most members of a policy may be either.
std::span<const JsonValue> OneOrMany(const JsonValue& value) {
  if (value.type == JsonValue::Type::kArray) return value.elements();
  return {&value, 1};
}

bool AreTexts(const JsonValue& value) {
  const auto values = OneOrMany(value);
  return !values.empty() && std::ranges::all_of(values, IsString);
}

// Returns the member of either name, such as Action and NotAction; null: there is neither.
const JsonValue* FindEither(const JsonValue& statement, std::string_view name) {
  if (const JsonValue* const member = statement.Find(name)) return member;
  return statement.Find(Concatenated({"Not", name}));
}

bool IsActionName(std::string_view name) {
  constexpr std::string_view kService = "dynamodb:";
  if (name == "*") return true;
  return name.size() > kService.size() &&
         std::ranges::equal(name.substr(0, kService.size()), kService, {},
                            [](char c) { return LowerCase(c); });
}

bool IsAccountId(std::string_view text) {
  return text.size() == 12 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool IsPrincipal(std::string_view kind, std::string_view text) {
  if (kind != "AWS") return kind == "Service" || kind == "Federated" || kind == "CanonicalUser";
  return text == "*" || IsAccountId(text) || text.starts_with("arn:aws:iam::") ||
         text.starts_with("arn:aws:sts::");
}

// What the principals of a statement are: an invalid text, everybody, or those that it names.
enum class Principals { kInvalid, kEverybody, kNamed };

Principals PrincipalsOf(const JsonValue& principal) {
  if (IsString(principal)) {
    return principal.string() == "*" ? Principals::kEverybody : Principals::kInvalid;
  }
  if (principal.type != JsonValue::Type::kObject || principal.members().empty()) {
    return Principals::kInvalid;
  }
  auto found = Principals::kNamed;
  for (const JsonMember& member : principal.members()) {
    if (!AreTexts(member.value)) return Principals::kInvalid;
    for (const JsonValue& value : OneOrMany(member.value)) {
      if (!IsPrincipal(member.name, value.string())) return Principals::kInvalid;
      if (value.string() == "*") found = Principals::kEverybody;
    }
  }
  return found;
}

// The checks of one statement that need no other statement.
Status CheckStatement(const JsonValue& statement) {
  if (statement.type != JsonValue::Type::kObject) return SyntaxError();
  const JsonValue* const effect = statement.Find("Effect");
  if (!effect) return InvalidDocument("Missing required field Effect");
  for (const std::string_view name : {"Principal", "Action", "Resource"}) {
    if (!FindEither(statement, name)) {
      return InvalidDocument(Concatenated({"Missing required field ", name}));
    }
  }
  const bool is_allow = IsString(*effect) && effect->string() == "Allow";
  if (!is_allow && !(IsString(*effect) && effect->string() == "Deny")) return SyntaxError();
  if (!AreTexts(*FindEither(statement, "Action")) ||
      !AreTexts(*FindEither(statement, "Resource"))) {
    return SyntaxError();
  }
  const Principals principals = PrincipalsOf(*FindEither(statement, "Principal"));
  if (principals == Principals::kInvalid) {
    return ValidationError("Invalid principal in policy document.");
  }
  if (is_allow && principals == Principals::kEverybody && !statement.Find("Condition")) {
    return ValidationError(
        "Resource-based policy grants unbounded access in one or more elements. Please revise the "
        "policy to ensure least-privilege form of access");
  }
  return {};
}

// The checks of all statements together.
Status CheckIdsAndActions(std::span<const JsonValue> statements) {
  std::set<std::string_view> ids;
  std::vector<std::string_view> invalid;
  for (const JsonValue& statement : statements) {
    if (const JsonValue* const id = statement.Find("Sid")) {
      if (!IsString(*id)) return SyntaxError();
      if (!ids.insert(id->string()).second) {
        return InvalidDocument("The Statement Ids in the policy are not unique");
      }
    }
    for (const JsonValue& action : OneOrMany(*FindEither(statement, "Action"))) {
      if (!IsActionName(action.string())) invalid.push_back(action.string());
    }
  }
  if (invalid.empty()) return {};
  return InvalidDocument(
      Concatenated({"The following action names are invalid: ", Joined(invalid)}));
}

}  // namespace

Status CheckPolicyDocument(std::string_view text) {
  if (SizeWithoutSpace(text) > kMaxPolicyBytes) {
    return InvalidParameters("Maximum policy size of 20480 bytes exceeded");
  }
  const auto json = OwnedJson::Parse(std::string(text), JsonDialect::kDocument);
  if (!json.ok() || !json->is_object()) {
    return InvalidDocument("This policy contains invalid Json");
  }
  const JsonValue* const list = json->value().Find("Statement");
  if (!list) return InvalidDocument("Missing required field Statement");
  const auto statements = OneOrMany(*list);
  if (statements.empty()) return InvalidDocument("Could not parse the policy: Statement is empty!");
  for (const JsonValue& statement : statements) HR_RETURN_IF_ERROR(CheckStatement(statement));
  return CheckIdsAndActions(statements);
}

PolicyRef MakePolicy(std::string_view text) {
  constexpr std::uint64_t kLeast = 1'000'000'000'000;
  const std::uint64_t number = kLeast + Random::ThisThread().Next() % (9 * kLeast);
  return std::make_shared<const ResourcePolicy>(std::string(text), std::to_string(number));
}

}  // namespace hashrange
