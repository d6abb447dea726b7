// AttributeUpdates, which are older than update expressions (docs/service/09-legacy-api.md,
// section 5), are lowered to the same actions. A pure function; what it returns is stored in the
// arena and points into the request.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "expression/expression.h"

namespace hashrange {

enum class AttributeAction { kPut, kAdd, kDelete };

// An update of one attribute `a`. Each action has the meaning of a clause of an UpdateExpression:
//
//   PUT v          SET a = v
//   ADD v          ADD a v, which also takes a list and appends it
//   DELETE         REMOVE a
//   DELETE v       DELETE a v
struct AttributeUpdate {
  std::string_view attribute;  // a top-level attribute: a dot is part of the name
  AttributeAction action = AttributeAction::kPut;
  std::optional<ValueView> value;  // only a DELETE may have none
};

// Returns the update, one action for each of `updates`.
// Cost: linear.
Update LowerAttributeUpdates(std::span<const AttributeUpdate> updates, Arena& arena);

}  // namespace hashrange
