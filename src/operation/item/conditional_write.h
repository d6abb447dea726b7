// ConditionalWrite: what PutItem and DeleteItem have in common: the attributes of an Item or
// a Key, one condition in either of its forms, and the item before as all they can return.
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
// `attributes`: the name of the member that holds them, "Item" or "Key".
ConditionalWriteRequest ReadConditionalWriteRequest(const RequestObject& request,
                                                    std::string_view attributes);

// The attributes, once the checks up to theirs and of ReturnValues hold: rows 1 to 3 of
// docs/service/05-item-operations.md, section 2.
// Errors: ValidationException
Result<std::span<const Attribute>> CheckedAttributes(Context& context, const RequestObject& json,
                                                     const ConditionalWriteRequest& request);

// Its Expected or its ConditionExpression: rows 5 and 6.
// Errors: ValidationException
Result<Condition> ReadWriteCondition(Context& context, const RequestObject& json,
                                     const ConditionalWriteRequest& request);

void WriteConditionalWriteAnswer(const ConditionalWriteRequest& request,
                                 const SingleWriteOutcome& outcome, JsonWriter& answer);

}  // namespace hashrange
