// ReadProjection: the projection of a read, from a ProjectionExpression or from
// AttributesToGet, and the writing of what it leaves.
#pragma once

#include "base/result.h"
#include "expression/expression.h"
#include "operation/context.h"
#include "operation/parameter/expression_parameters.h"

namespace hashrange {

// Errors: ValidationException  docs/service/04-expressions.md, section 9; 09-legacy-api.md,
//         section 8
Result<Projection> ReadProjection(const RequestObject& request, const ExpressionParameters& texts,
                                  const Context& context);
// AttributesToGet alone; empty when it is absent.
// Errors: ValidationException "… Duplicate value in attribute name: <a>"
Result<Projection> ReadAttributesToGet(const RequestObject& request, Arena& arena);

// The item, or the projected part of it, as a JSON object.
void WriteProjected(ItemView item, const Projection& projection, Arena& arena, JsonWriter& writer);

}  // namespace hashrange
