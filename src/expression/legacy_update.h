// AttributeUpdates, before there were update expressions (docs/service/09-legacy-api.md,
// section 5), lowered to the same actions. Pure; what it makes lives in the arena and points into
// the request.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "expression/expression.h"

namespace hashrange {

enum class AttributeAction { kPut, kAdd, kDelete };

//   PUT v          SET a = v
//   ADD v          ADD a v, which takes a list too and appends it
//   DELETE         REMOVE a
//   DELETE v       DELETE a v
struct AttributeUpdate {
  std::string_view attribute;  // top level: a dot is part of the name
  AttributeAction action = AttributeAction::kPut;
  std::optional<ValueView> value;  // there is one but for a DELETE
};

// Cost: linear.
Update LowerAttributeUpdates(std::span<const AttributeUpdate> updates, Arena& arena);

}  // namespace hashrange
