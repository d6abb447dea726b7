// ConditionalWrite: what PutItem and DeleteItem have in common. Both have the attributes of an
// Item or a Key and one condition, in either of its forms; both can return the item before only.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "expression/expression.h"
#include "operation/item/single_write.h"
#include "operation/parameter/expression_parameters.h"

namespace hashrange {

struct ConditionalWriteRequest {
  std::string_view table_name;
  const JsonValue* attributes;
  ExpressionParameters expressions;
  SingleWriteOptions options;
};
// `attributes`: the name of the member that holds the attributes, "Item" or "Key".
ConditionalWriteRequest ReadConditionalWriteRequest(const RequestObject& request,
                                                    std::string_view attributes);

// Returns the attributes, after their checks, those before them and that of ReturnValues: rows 1
// to 3 of docs/service/05-item-operations.md, section 2.
// Errors: ValidationException
Result<std::span<const Attribute>> CheckedAttributes(Context& context, const RequestObject& json,
                                                     const ConditionalWriteRequest& request);

// Returns the condition of Expected or of ConditionExpression: rows 5 and 6.
// Errors: ValidationException
Result<Condition> ReadWriteCondition(Context& context, const RequestObject& json,
                                     const ConditionalWriteRequest& request);

void WriteConditionalWriteAnswer(const ConditionalWriteRequest& request,
                                 const SingleWriteOutcome& outcome, JsonWriter& answer);

}  // namespace hashrange
