#include "operation/item/conditional_write.h"

#include "operation/parameter/legacy_parameters.h"
#include "wire/attribute_json.h"
#include "wire/validation_layer.h"

namespace hashrange {
namespace {

Status CheckOldOrNone(ReturnValues return_values, ValidationLayer layer) {
  if (return_values == ReturnValues::kNone || return_values == ReturnValues::kAllOld) return {};
  return Enveloped(layer, ValidationError("ReturnValues can only be ALL_OLD or NONE"));
}

}  // namespace

ConditionalWriteRequest ReadConditionalWriteRequest(const RequestObject& request,
                                                    std::string_view attributes) {
  return {.table_name = *request.String("TableName"),
          .attributes = request.Find(attributes),
          .expressions = ReadExpressionParameters(request, {ExpressionKind::kCondition}),
          .options = ReadSingleWriteOptions(request)};
}

Result<std::span<const Attribute>> CheckedAttributes(Context& context, const RequestObject& json,
                                                     const ConditionalWriteRequest& request) {
  HR_RETURN_IF_ERROR(CheckExpressionParameters(json, request.expressions, context.layer,
                                               {"Expected"}, {ExpressionKind::kCondition}));
  // In a request that the older layer handles, this error is bare and precedes those of the values.
  if (context.is_too_deep_for_layer) {
    HR_RETURN_IF_ERROR(CheckOldOrNone(request.options.return_values, ValidationLayer::kOlder));
  }
  HR_ASSIGN(const std::span<const Attribute> attributes,
            ReadAttributes(*request.attributes, context.layer, context.arena));
  HR_RETURN_IF_ERROR(CheckOldOrNone(request.options.return_values, context.layer));
  return attributes;
}

Result<Condition> ReadConditionOfWrite(Context& context, const RequestObject& json,
                                       const ConditionalWriteRequest& request) {
  HR_ASSIGN(const Condition expected, ReadExpected(json, context));
  HR_ASSIGN(const BoundExpressions bound,
            BindExpressions(request.expressions, context.layer, context.arena));
  return request.expressions.condition ? bound.condition : expected;
}

void WriteConditionalWriteAnswer(const ConditionalWriteRequest& request,
                                 const SingleWriteOutcome& outcome, JsonWriter& answer) {
  answer.BeginObject();
  if (request.options.return_values == ReturnValues::kAllOld) {
    WriteAttributesMember(outcome.before_view(), answer);
  }
  WriteSingleWriteMembers(outcome, request.options, answer);
  answer.EndObject();
}

}  // namespace hashrange
