// UpdateItem (docs/service/05-item-operations.md).
#include "operation/call/operations.h"
#include "operation/item/single_write.h"
#include "operation/item/update_checks.h"
#include "operation/parameter/expression_parameters.h"
#include "operation/parameter/item_key.h"
#include "operation/parameter/legacy_parameters.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

struct UpdateItemRequest {
  std::string_view table_name;
  const JsonValue* key;
  ExpressionParameters expressions;
  SingleWriteOptions options;
};

UpdateItemRequest ReadUpdateItemRequest(const RequestObject& request) {
  return {.table_name = *request.String("TableName"),
          .key = request.Find("Key"),
          .expressions = ReadExpressionParameters(
              request, {ExpressionKind::kUpdate, ExpressionKind::kCondition}),
          .options = ReadSingleWriteOptions(request)};
}

struct UpdateItemOutcome {
  SingleWriteOutcome write;
  Update update;
};

Result<UpdateItemOutcome> RunUpdateItem(Context& context, const RequestObject& json,
                                        const UpdateItemRequest& request) {
  HR_RETURN_IF_ERROR(CheckExpressionParameters(
      json, request.expressions, context.layer, {"AttributeUpdates", "Expected"},
      {ExpressionKind::kUpdate, ExpressionKind::kCondition}));
  HR_ASSIGN(const std::span<const Attribute> key,
            ReadAttributes(*request.key, context.layer, context.arena));
  HR_ASSIGN(const Update attribute_updates, ReadAttributeUpdates(json, context));
  HR_ASSIGN(const Condition expected, ReadExpected(json, context));
  HR_ASSIGN(const BoundExpressions bound,
            BindExpressions(request.expressions, context.layer, context.arena));
  const Condition& condition = request.expressions.condition ? bound.condition : expected;
  const Update& update = request.expressions.update ? bound.update : attribute_updates;

  const auto check = [&](const TableVersion& table) -> Result<WriteTarget> {
    HR_RETURN_IF_ERROR(CheckKey(table.key, key));
    HR_RETURN_IF_ERROR(CheckUpdateTargets(table, update));
    WriteTarget target{PositionOf(table.key, key, context.arena), key, WriteKind::kUpdate};
    if (context.gate) {
      target.terms =
          context.Keep({.condition = condition, .update = context.arena.New<Update>(update)});
    }
    return target;
  };
  const auto decide = [&](const TableVersion& table, ItemView before) {
    if (request.expressions.update && update.StatementCharge(before) > kMaxItemSizeBytes) {
      return Decision::Refuse(UpdatedItemTooLarge());
    }
    if (!condition.Matches(before)) return ConditionFails();
    return DecideUpdate(table, update, key, before, context.arena);
  };
  HR_ASSIGN(SingleWriteOutcome write,
            CommitOne(context, request.table_name, request.options, check, decide));
  return UpdateItemOutcome{std::move(write), update};
}

// Writes the parts of an item that the update names; no member when the item has none of them.
void WriteUpdatedAttributes(ItemView item, const Update& update, Arena& arena, JsonWriter& answer) {
  const Projection targets = update.Targets(arena);
  if (targets.empty()) return;
  const auto attributes = targets.Apply(item, arena);
  if (attributes.empty()) return;
  answer.Name("Attributes");
  WriteAttributes(attributes, answer);
}

void WriteUpdateItemAnswer(Context& context, const UpdateItemRequest& request,
                           const UpdateItemOutcome& outcome, JsonWriter& answer) {
  const ItemView before = outcome.write.before_view();
  const ItemView after = outcome.write.after_view();
  answer.BeginObject();
  switch (request.options.return_values) {
    case ReturnValues::kNone:
      break;
    case ReturnValues::kAllOld:
      WriteAttributesMember(before, answer);
      break;
    case ReturnValues::kAllNew:
      WriteAttributesMember(after, answer);
      break;
    case ReturnValues::kUpdatedOld:
      WriteUpdatedAttributes(before, outcome.update, context.arena, answer);
      break;
    case ReturnValues::kUpdatedNew:
      WriteUpdatedAttributes(after, outcome.update, context.arena, answer);
      break;
  }
  WriteSingleWriteMembers(outcome.write, request.options, answer);
  answer.EndObject();
}

}  // namespace

Status UpdateItem(Context& context, const RequestObject& json, JsonWriter& answer) {
  const UpdateItemRequest request = ReadUpdateItemRequest(json);
  HR_ASSIGN(const UpdateItemOutcome outcome, RunUpdateItem(context, json, request));
  WriteUpdateItemAnswer(context, request, outcome, answer);
  return {};
}

}  // namespace hashrange
