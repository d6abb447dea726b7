// Literals: the values that stand in a statement (docs/service/11-partiql.md, sections 2 and 3).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "partiql/syntax_tree.h"
#include "value/attribute_value.h"

namespace hashrange::partiql {

// The value of a literal. False when it is none: `*error` says why, "… under root.a[1]".
// Nothing deeper than an attribute value may be is looked at.
bool ReadLiteral(std::string_view text, const SyntaxTree& tree, std::uint16_t node, Arena& arena,
                 ValueView* value, std::string* error);

// Whether the node is a literal, whatever stands in it.
bool IsLiteral(const Node& node);

}  // namespace hashrange::partiql
