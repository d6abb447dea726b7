// DeleteItem (reference 05).
#include "operation/expression_parameters.h"
#include "operation/item_key.h"
#include "operation/legacy_parameters.h"
#include "operation/operations.h"
#include "operation/single_write.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

struct DeleteItemRequest {
  std::string_view table_name;
  const JsonValue* key;
  ExpressionParameters expressions;
  SingleWriteOptions options;
};

DeleteItemRequest Read(const RequestObject& request) {
  return {.table_name = *request.String("TableName"),
          .key = request.Find("Key"),
          .expressions = ReadExpressionParameters(request, {ExpressionKind::kCondition}),
          .options = ReadSingleWriteOptions(request)};
}

Result<SingleWriteOutcome> Run(Context& context, const RequestObject& json,
                               const DeleteItemRequest& request) {
  HR_RETURN_IF_ERROR(CheckExpressionParameters(json, request.expressions, context.layer,
                                               {"Expected"}, {ExpressionKind::kCondition}));
  HR_RETURN_IF_ERROR(CheckOldOrNoneEarly(request.options.return_values, context));
  HR_ASSIGN(const std::span<const Attribute> key,
            ReadAttributes(*request.key, context.layer, context.arena));
  HR_RETURN_IF_ERROR(CheckOldOrNone(request.options.return_values, context.layer));
  HR_ASSIGN(const Condition expected, ReadExpected(json, context));
  HR_ASSIGN(const BoundExpressions bound,
            BindExpressions(request.expressions, context.layer, context.arena));
  const Condition& condition = request.expressions.condition ? bound.condition : expected;

  const auto check = [&](const TableVersion& table) -> Result<std::span<const Attribute>> {
    HR_RETURN_IF_ERROR(CheckKey(table.key, key));
    return key;
  };
  const auto decide = [&](const TableVersion&, ItemView before) {
    if (!condition.Matches(before)) {
      return Decision::Refuse({ErrorCode::kConditionalCheckFailedException, {}, nullptr});
    }
    return Decision::Erase();
  };
  return CommitOne(context, request.table_name, request.options, check, decide);
}

void Write(const DeleteItemRequest& request, const SingleWriteOutcome& outcome,
           JsonWriter& answer) {
  answer.BeginObject();
  if (request.options.return_values == ReturnValues::kAllOld) {
    WriteAttributesMember(outcome.before_view(), answer);
  }
  WriteSingleWriteMembers(outcome, request.options, answer);
  answer.EndObject();
}

}  // namespace

Status DeleteItem(Context& context, const RequestObject& json, JsonWriter& answer) {
  const DeleteItemRequest request = Read(json);
  HR_ASSIGN(const SingleWriteOutcome outcome, Run(context, json, request));
  Write(request, outcome, answer);
  return {};
}

}  // namespace hashrange
