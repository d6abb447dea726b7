// ReadProjection: reads the projection of a request, which is a ProjectionExpression or
// AttributesToGet, and writes projected items.
#pragma once

#include "base/result.h"
#include "expression/expression.h"
#include "operation/call/context.h"
#include "operation/parameter/expression_parameters.h"

namespace hashrange {

// Returns the projection of the request; it is empty when the request has none.
// Errors: ValidationException  docs/service/04-expressions.md, section 9; 09-legacy-api.md,
//         section 8
Result<Projection> ReadProjection(const RequestObject& request, const ExpressionParameters& texts,
                                  const Context& context);
// Returns the projection of AttributesToGet; it is empty when the member is absent.
// Errors: ValidationException "… Duplicate value in attribute name: <a>"
Result<Projection> ReadAttributesToGet(const RequestObject& request, Arena& arena);

// Writes the item, or the projected part of it, as a JSON object.
void WriteProjected(ItemView item, const Projection& projection, Arena& arena, JsonWriter& writer);
// Returns the size of the attributes that WriteProjected writes.
std::size_t AnsweredSizeBytes(ItemView item, const Projection& projection, Arena& arena);

}  // namespace hashrange
