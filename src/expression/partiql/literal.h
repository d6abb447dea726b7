// Literals: the values that are written in a statement (docs/service/11-partiql.md,
// sections 2 and 3). Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "expression/partiql/syntax_tree.h"
#include "value/attribute_value.h"

namespace hashrange::partiql {

// Sets `*value` to the value of a literal and returns true. False when the node is no literal or
// its value is not allowed: `*error` says why, "… under root.a[1]". The recursion ends at the
// greatest depth of an attribute value.
bool ReadLiteral(std::string_view text, const SyntaxTree& tree, std::uint16_t node, Arena& arena,
                 ValueView* value, std::string* error);

// Returns whether the node has the form of a literal; its parts are not checked.
bool IsLiteral(const Node& node);

}  // namespace hashrange::partiql
