#include "operation/parameter/expression_parameters.h"

#include <algorithm>
#include <string>

#include "operation/call/error_texts.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

bool IsPlaceholder(std::string_view key, char sigil) {
  if (key.size() < 2 || key[0] != sigil) return false;
  return std::ranges::all_of(key.substr(1), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
}

Error BadPlaceholder(std::string_view member, std::string_view key) {
  return ValidationError(
      Concatenated({member, " contains invalid key: Syntax error; key: \"", key, "\""}));
}

Result<std::span<Placeholders::NameEntry>> ReadNames(const JsonValue* names, Arena& arena) {
  if (!names) return std::span<Placeholders::NameEntry>();
  const auto members = names->members();
  if (members.empty()) return ValidationError("ExpressionAttributeNames must not be empty");
  const auto entries = arena.NewArray<Placeholders::NameEntry>(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!IsPlaceholder(members[i].name, '#')) {
      return BadPlaceholder("ExpressionAttributeNames", members[i].name);
    }
    if (members[i].value.string().empty()) {
      return ValidationError(Concatenated(
          {"ExpressionAttributeNames contains invalid value: Empty attribute name for key ",
           members[i].name}));
    }
    entries[i] = {members[i].name, members[i].value.string(), false};
  }
  return entries;
}

bool IsTooDeep(const Error& error) { return error.message.starts_with("Nesting Levels"); }

// Returns the error of a bad value. The older layer adds the value's placeholder, `key`, to the
// message. For a value that is nested too deep, the layer adds the placeholder only in a
// transaction (docs/service/02-types-and-sizes.md, section 5).
Error BadValue(Error error, std::string_view key, ValidationLayer layer, int max_levels) {
  if (layer != ValidationLayer::kOlder) return error;
  if (IsTooDeep(error) && max_levels != kMaxTransactionValueLevels) return error;
  error.message.insert(0, "ExpressionAttributeValues contains invalid value: ");
  error.message.append(" for key ").append(key);
  return error;
}

// Returns the bound values. The caller does not envelope the errors: ReadValues and
// ReadAttributeValue have already done so for the messages that need the envelope.
Result<std::span<Placeholders::ValueEntry>> ReadValues(const JsonValue* values,
                                                       ValidationLayer layer, int max_levels,
                                                       Arena& arena) {
  if (!values) return std::span<Placeholders::ValueEntry>();
  const auto members = values->members();
  if (members.empty()) {
    return Enveloped(layer, ValidationError("ExpressionAttributeValues must not be empty"));
  }
  for (const JsonMember& member : members) {
    if (!IsPlaceholder(member.name, ':')) {
      return Enveloped(layer, BadPlaceholder("ExpressionAttributeValues", member.name));
    }
  }
  const auto entries = arena.NewArray<Placeholders::ValueEntry>(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    auto value = ReadAttributeValue(members[i].value, layer, arena, max_levels);
    if (!value.ok()) {
      return BadValue(std::move(value).error(), members[i].name, layer, max_levels);
    }
    entries[i] = {members[i].name, *value, false};
  }
  return entries;
}

// Binds every expression of the request, in the order of row 10. An error in the structure of the
// key condition is returned last, as on the service (docs/service/06-query-and-scan.md, section 3,
// row 7).
Status BindAll(const ExpressionParameters& texts, Placeholders& placeholders, Arena& arena,
               BoundExpressions* bound) {
  Status key_structure;
  if (texts.update) {
    HR_ASSIGN(bound->update, BindUpdate(*texts.update, placeholders, arena));
  }
  if (texts.condition) {
    HR_ASSIGN(bound->condition,
              BindCondition(ExpressionKind::kCondition, *texts.condition, placeholders, arena));
  }
  if (texts.key_condition) {
    HR_ASSIGN(bound->key_condition,
              BindKeyCondition(*texts.key_condition, placeholders, arena, &key_structure));
  }
  if (texts.filter) {
    HR_ASSIGN(bound->filter,
              BindCondition(ExpressionKind::kFilter, *texts.filter, placeholders, arena));
  }
  if (texts.projection) {
    HR_ASSIGN(bound->projection, BindProjection(*texts.projection, placeholders, arena));
  }
  if (texts.search_condition) {
    HR_ASSIGN(bound->search_condition, BindCondition(ExpressionKind::kSearchCondition,
                                                     *texts.search_condition, placeholders, arena));
  }
  HR_RETURN_IF_ERROR(placeholders.CheckAllUsed());
  return key_structure;
}

// Returns ": FilterExpression is null", ": UpdateExpression and ConditionExpression are null".
std::string NullExpressions(std::initializer_list<ExpressionKind> kinds) {
  std::string text;
  for (ExpressionKind kind : kinds)
    text.append(text.empty() ? ": " : " and ").append(ExpressionKindName(kind));
  return text.append(kinds.size() > 1 ? " are null" : " is null");
}

// The member for each kind of expression, in the order of ExpressionKind.
constexpr std::optional<std::string_view> ExpressionParameters::*kTexts[] = {
    &ExpressionParameters::update,        &ExpressionParameters::condition,
    &ExpressionParameters::key_condition, &ExpressionParameters::filter,
    &ExpressionParameters::projection,    &ExpressionParameters::search_condition};

bool HasExpressionWithValues(const ExpressionParameters& texts) {
  return texts.update || texts.condition || texts.key_condition || texts.filter ||
         texts.search_condition;
}

// Refuses expressions together with legacy members (row 1).
Status CheckMixing(const RequestObject& request, const ExpressionParameters& texts,
                   std::initializer_list<std::string_view> legacy) {
  std::vector<std::string_view> legacy_members, expressions;
  // KeyConditions may be combined with a FilterExpression and a ProjectionExpression.
  const bool may_have_key_conditions = !texts.key_condition;
  for (std::string_view name : legacy) {
    if (name == "KeyConditions" && may_have_key_conditions) continue;
    if (request.Has(name)) legacy_members.push_back(name);
  }
  if (legacy_members.empty()) return {};
  // The message lists the expressions in this order.
  for (const ExpressionKind kind :
       {ExpressionKind::kProjection, ExpressionKind::kFilter, ExpressionKind::kUpdate,
        ExpressionKind::kCondition, ExpressionKind::kKeyCondition}) {
    if (texts.*kTexts[static_cast<int>(kind)]) expressions.push_back(ExpressionKindName(kind));
  }
  if (expressions.empty()) return {};
  return ValidationError(
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: {" +
      Joined(legacy_members) + "} Expression parameters: {" + Joined(expressions) + "}");
}

Status CheckPathsOfKey(std::span<const Path> paths, const KeySchema& key, std::string_view label) {
  for (const Path& path : paths) {
    if (path.size() < 2 || !key.Find(path[0].name)) continue;
    return ValidationError(
        Concatenated({"Key attributes must be scalars; list random access '[]' and map lookup '.' "
                      "are not allowed: ",
                      label, ": ", path[0].name}));
  }
  return {};
}

}  // namespace

ExpressionParameters ReadExpressionParameters(const RequestObject& request,
                                              std::initializer_list<ExpressionKind> kinds) {
  ExpressionParameters texts;
  bool takes_values = false;
  for (ExpressionKind kind : kinds) {
    texts.*kTexts[static_cast<int>(kind)] = request.String(ExpressionKindName(kind));
    takes_values |= kind != ExpressionKind::kProjection;
  }
  texts.names = request.Find("ExpressionAttributeNames");
  if (takes_values) texts.values = request.Find("ExpressionAttributeValues");
  return texts;
}

Status CheckExpressionParameters(const RequestObject& request, const ExpressionParameters& texts,
                                 ValidationLayer layer,
                                 std::initializer_list<std::string_view> legacy,
                                 std::initializer_list<ExpressionKind> value_users) {
  if (Status mixing = CheckMixing(request, texts, legacy); !mixing.ok()) {
    return Enveloped(layer, std::move(mixing).error());
  }
  if (texts.names && !texts.any()) {
    return Enveloped(layer, ValidationError("ExpressionAttributeNames can only be specified when "
                                            "using expressions"));
  }
  if (texts.values && !HasExpressionWithValues(texts)) {
    std::string text = "ExpressionAttributeValues can only be specified when using expressions";
    if (layer == ValidationLayer::kOlder) text.append(NullExpressions(value_users));
    return Enveloped(layer, ValidationError(std::move(text)));
  }
  return {};
}

Result<BoundExpressions> BindExpressions(const ExpressionParameters& texts, ValidationLayer layer,
                                         Arena& arena, int max_value_levels) {
  BoundExpressions bound;
  if (!texts.any()) return bound;
  auto names = ReadNames(texts.names, arena);
  if (!names.ok()) return Enveloped(layer, std::move(names).error());
  HR_ASSIGN(const auto values, ReadValues(texts.values, layer, max_value_levels, arena));
  bound.names = *names;
  bound.values = values;
  Placeholders placeholders(*names, values);
  Status status = BindAll(texts, placeholders, arena, &bound);
  if (!status.ok()) return Enveloped(layer, std::move(status).error());
  return bound;
}

Status CheckKeyPathsAreScalar(std::span<const Path> paths, const TableVersion& table) {
  HR_RETURN_IF_ERROR(CheckPathsOfKey(paths, table.key, "Key"));
  for (const IndexVersion& index : table.indexes) {
    HR_RETURN_IF_ERROR(CheckPathsOfKey(paths, index.schema.key, "IndexKey"));
  }
  return {};
}

}  // namespace hashrange
