// PutItem (reference 05).
#include "operation/expression_parameters.h"
#include "operation/item_key.h"
#include "operation/legacy_parameters.h"
#include "operation/operations.h"
#include "operation/single_write.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

struct PutItemRequest {
  std::string_view table_name;
  const JsonValue* item;
  ExpressionParameters expressions;
  SingleWriteOptions options;
};

PutItemRequest Read(const RequestObject& request) {
  return {.table_name = *request.String("TableName"),
          .item = request.Find("Item"),
          .expressions = ReadExpressionParameters(request, {ExpressionKind::kCondition}),
          .options = ReadSingleWriteOptions(request)};
}

Result<SingleWriteOutcome> Run(Context& context, const RequestObject& json,
                               const PutItemRequest& request) {
  HR_RETURN_IF_ERROR(CheckExpressionParameters(json, request.expressions, context.layer,
                                               {"Expected"}, {ExpressionKind::kCondition}));
  HR_RETURN_IF_ERROR(CheckOldOrNoneEarly(request.options.return_values, context));
  HR_ASSIGN(const std::span<const Attribute> attributes,
            ReadAttributes(*request.item, context.layer, context.arena));
  HR_RETURN_IF_ERROR(CheckOldOrNone(request.options.return_values, context.layer));
  if (ItemSizeBytes(attributes) > kMaxItemSizeBytes) {
    return ValidationError("Item size has exceeded the maximum allowed size");
  }
  HR_ASSIGN(const Condition expected, ReadExpected(json, context));
  HR_ASSIGN(const BoundExpressions bound,
            BindExpressions(request.expressions, context.layer, context.arena));
  const Condition& condition = request.expressions.condition ? bound.condition : expected;

  ItemRef item;  // made before anything is locked
  const auto check = [&](const TableVersion& table) -> Result<std::span<const Attribute>> {
    HR_RETURN_IF_ERROR(CheckItemKey(table.key, attributes));
    HR_RETURN_IF_ERROR(CheckIndexKeys(table, attributes));
    item = Item::Make(table.key, attributes);
    return attributes;
  };
  const auto decide = [&](const TableVersion&, ItemView before) {
    if (!condition.Matches(before)) {
      return Decision::Refuse({ErrorCode::kConditionalCheckFailedException, {}, nullptr});
    }
    return Decision::Put(item);
  };
  return CommitOne(context, request.table_name, request.options, check, decide);
}

void Write(const PutItemRequest& request, const SingleWriteOutcome& outcome, JsonWriter& answer) {
  answer.BeginObject();
  if (request.options.return_values == ReturnValues::kAllOld) {
    WriteAttributesMember(outcome.before_view(), answer);
  }
  WriteSingleWriteMembers(outcome, request.options, answer);
  answer.EndObject();
}

}  // namespace

Status PutItem(Context& context, const RequestObject& json, JsonWriter& answer) {
  const PutItemRequest request = Read(json);
  HR_ASSIGN(const SingleWriteOutcome outcome, Run(context, json, request));
  Write(request, outcome, answer);
  return {};
}

}  // namespace hashrange
