#include "operation/transaction/transaction_action.h"

#include <algorithm>
#include <vector>

#include "operation/item/update_checks.h"
#include "operation/parameter/digest_input.h"
#include "operation/parameter/item_key.h"
#include "operation/parameter/return_values.h"
#include "value/value_writer.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

struct ActionMember {
  std::string_view name;
  TransactionAction::Kind kind;
};
constexpr ActionMember kActions[] = {
    {"ConditionCheck", TransactionAction::Kind::kConditionCheck},
    {"Put", TransactionAction::Kind::kPut},
    {"Delete", TransactionAction::Kind::kDelete},
    {"Update", TransactionAction::Kind::kUpdate},
};

// Returns the one action that the entry holds.
Result<ActionMember> FindAction(const RequestObject& entry) {
  const ActionMember* found = nullptr;
  for (const ActionMember& member : kActions) {
    if (!entry.Has(member.name)) continue;
    if (found) {
      return ValidationError("TransactItems can only contain one of Check, Put, Update or Delete");
    }
    found = &member;
  }
  if (found) return *found;
  return ValidationError(
      "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request");
}

// Refuses an empty value of the right type. CheckActionSchema refuses a value of a wrong type.
Status CheckKeyNotEmpty(const KeySchema& schema, std::span<const Attribute> attributes) {
  for (std::size_t i = 0; i < schema.parts(); ++i) {
    const ValueView* value = FindAttribute(attributes, schema.part(i).name);
    if (!value || value->type != schema.part(i).type || value->size > 0) continue;
    HR_RETURN_IF_ERROR(CheckKeyValue(schema.part(i), *value, i < schema.hash.size()));
  }
  return {};
}

// Returns the entries in ascending order of their placeholders. The maps of a request have no
// order, so two requests that differ only in the order of their maps' members get the same digest.
template <typename Entry>
std::vector<Entry> SortedByPlaceholder(std::span<const Entry> entries) {
  std::vector<Entry> sorted(entries.begin(), entries.end());
  std::ranges::sort(sorted, {}, &Entry::placeholder);
  return sorted;
}

void AddPlaceholders(const TransactionAction& action, DigestInput& input) {
  input.AddNumber(action.bound.names.size());
  for (const auto& entry : SortedByPlaceholder(action.bound.names)) {
    input.AddText(entry.placeholder);
    input.AddText(entry.name);
  }
  input.AddNumber(action.bound.values.size());
  for (const auto& entry : SortedByPlaceholder(action.bound.values)) {
    input.AddText(entry.placeholder);
    input.AddValue(entry.value);
  }
}

std::initializer_list<ExpressionKind> ExpressionKindsOf(TransactionAction::Kind kind) {
  static constexpr auto kUpdate = {ExpressionKind::kUpdate, ExpressionKind::kCondition};
  static constexpr auto kOthers = {ExpressionKind::kCondition};
  return kind == TransactionAction::Kind::kUpdate ? kUpdate : kOthers;
}

bool HasEmptyName(const JsonValue& attributes) {
  return std::ranges::any_of(attributes.members(), [](const JsonMember& member) {
    return member.name.empty() && !member.value.is_null();
  });
}

}  // namespace

Result<TransactionAction> ReadTransactionAction(const RequestObject& entry,
                                                const Context& context) {
  HR_ASSIGN(const ActionMember member, FindAction(entry));
  const RequestObject json = *entry.Object(member.name);
  TransactionAction action;
  action.kind = member.kind;
  action.table_name = *json.String("TableName");
  action.texts = ReadExpressionParameters(json, ExpressionKindsOf(action.kind));
  action.old_on_condition_failure = ReadOldOnConditionCheckFailure(json);
  const bool is_put = action.kind == TransactionAction::Kind::kPut;
  const JsonValue& attributes = *json.Find(is_put ? "Item" : "Key");
  // The service checks an item before the expressions, and a key after them. A key with an empty
  // attribute name is checked before the expressions, too.
  if (is_put || HasEmptyName(attributes)) {
    HR_ASSIGN(action.attributes, ReadAttributes(attributes, context.layer, context.arena));
  }
  HR_RETURN_IF_ERROR(CheckExpressionParameters(json, action.texts, context.layer, {},
                                               ExpressionKindsOf(action.kind)));
  HR_ASSIGN(action.bound, BindExpressions(action.texts, context.layer, context.arena,
                                          kMaxTransactionValueLevels));
  if (!is_put) {
    HR_ASSIGN(action.attributes, ReadAttributes(attributes, context.layer, context.arena));
  }
  if (is_put) HR_RETURN_IF_ERROR(CheckItemSize(action.attributes));
  return action;
}

Status CheckActionValues(const TransactionAction& action) {
  HR_RETURN_IF_ERROR(CheckKeyNotEmpty(action.table->key, action.attributes));
  if (action.kind == TransactionAction::Kind::kUpdate) {
    return CheckNoEmptyIndexKey(*action.table, action.bound.update);
  }
  for (const IndexVersion& index : action.table->indexes) {
    if (action.kind != TransactionAction::Kind::kPut) break;
    for (std::size_t i = 0; i < index.schema.key.parts(); ++i) {
      const KeyPart& part = index.schema.key.part(i);
      const ValueView* value = FindAttribute(action.attributes, part.name);
      if (!value || value->type != part.type || value->size > 0) continue;
      const Attribute empty{part.name, *value};
      HR_RETURN_IF_ERROR(CheckIndexKeys(*action.table, {&empty, 1}));
    }
  }
  return {};
}

Status CheckActionSchema(const TransactionAction& action) {
  switch (action.kind) {
    case TransactionAction::Kind::kPut:
      return CheckItemFits(*action.table, action.attributes);
    case TransactionAction::Kind::kUpdate:
      HR_RETURN_IF_ERROR(CheckKey(action.table->key, action.attributes));
      return CheckUpdateTargets(*action.table, action.bound.update);
    default:
      return CheckKey(action.table->key, action.attributes);
  }
}

Decision DecideAction(const TransactionAction& action, ItemView before, Arena& arena) {
  if (action.existence == ItemExistence::kForbidden && before.exists()) {
    return Decision::Refuse(DuplicateItem());
  }
  if (action.existence == ItemExistence::kRequired && !before.exists()) {
    return ConditionFails();
  }
  const bool is_missing =
      action.existence == ItemExistence::kConditionIfItemExists && !before.exists();
  if (!is_missing && !action.bound.condition.Matches(before)) {
    return ConditionFails();
  }
  switch (action.kind) {
    case TransactionAction::Kind::kPut:
      return Decision::Put(Item::Make(action.table->key, action.attributes, action.position.hash));
    case TransactionAction::Kind::kUpdate:
      return DecideUpdate(*action.table, action.bound.update, action.attributes, before, arena);
    case TransactionAction::Kind::kDelete:
      return Decision::Erase();
    case TransactionAction::Kind::kConditionCheck:
      break;
  }
  return Decision::Keep();
}

RequestDigest DigestOfActions(std::span<const TransactionAction> actions) {
  DigestInput input;
  for (const TransactionAction& action : actions) {
    input.AddNumber(static_cast<std::size_t>(action.kind));
    input.AddText(std::string_view(action.table->name));
    input.AddAttributes(action.attributes);
    input.AddText(action.texts.update);
    input.AddText(action.texts.condition);
    AddPlaceholders(action, input);
    input.AddNumber(action.old_on_condition_failure);
  }
  return input.Digest();
}

std::size_t PayloadBytes(const TransactionAction& action) {
  std::size_t bytes = ItemSizeBytes(action.attributes);
  bytes += action.texts.update.value_or("").size() + action.texts.condition.value_or("").size();
  for (const auto& entry : action.bound.names)
    bytes += entry.placeholder.size() + entry.name.size();
  for (const auto& entry : action.bound.values) {
    bytes += entry.placeholder.size() + SizeBytes(entry.value);
  }
  return bytes;
}

}  // namespace hashrange
