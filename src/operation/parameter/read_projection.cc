#include "operation/parameter/read_projection.h"

#include <algorithm>
#include <string>

#include "operation/call/error_texts.h"
#include "wire/attribute_json.h"

namespace hashrange {

Result<Projection> ReadAttributesToGet(const RequestObject& request, Arena& arena) {
  const auto elements = request.List("AttributesToGet");
  if (elements.empty()) return Projection();
  const auto names = arena.NewArray<std::string_view>(elements.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = elements[i].string();
    if (std::ranges::find(names.first(i), names[i]) != names.first(i).end()) {
      return InvalidParameters(std::string("Duplicate value in attribute name: ").append(names[i]));
    }
  }
  return ProjectAttributes(names, arena);
}

Result<Projection> ReadProjection(const RequestObject& request, const ExpressionParameters& texts,
                                  const Context& context) {
  if (!texts.projection) return ReadAttributesToGet(request, context.arena);
  HR_ASSIGN(const BoundExpressions bound, BindExpressions(texts, context.layer, context.arena));
  return bound.projection;
}

void WriteProjected(ItemView item, const Projection& projection, Arena& arena, JsonWriter& writer) {
  if (projection.empty()) {
    WriteItem(item, writer);
  } else {
    WriteAttributes(projection.Apply(item, arena), writer);
  }
}

std::size_t AnsweredSizeBytes(ItemView item, const Projection& projection, Arena& arena) {
  return projection.empty() ? VisibleSizeBytes(item) : ItemSizeBytes(projection.Apply(item, arena));
}

}  // namespace hashrange
