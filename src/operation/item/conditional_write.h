// ConditionalWrite: what PutItem and DeleteItem have in common. The requests of both have the
// attributes of an Item or a Key and one condition, either a ConditionExpression or Expected. Both
// operations can return the item as it was before the write, but not as it is after. Called by the
// request's thread.
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

// Returns the attributes of the Item or Key. Makes the checks of rows 1 to 3 of
// docs/service/05-item-operations.md, section 2: the combination of the request's members, the
// values of the attributes, ReturnValues.
// Errors: ValidationException
Result<std::span<const Attribute>> CheckedAttributes(Context& context, const RequestObject& json,
                                                     const ConditionalWriteRequest& request);

// Returns the condition of Expected or of ConditionExpression. Makes the checks of rows 5 and 6 of
// docs/service/05-item-operations.md, section 2.
// Errors: ValidationException
Result<Condition> ReadConditionOfWrite(Context& context, const RequestObject& json,
                                       const ConditionalWriteRequest& request);

void WriteConditionalWriteAnswer(const ConditionalWriteRequest& request,
                                 const SingleWriteOutcome& outcome, JsonWriter& answer);

}  // namespace hashrange
