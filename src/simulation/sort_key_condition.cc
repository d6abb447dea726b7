#include "simulation/sort_key_condition.h"

#include <algorithm>

#include "expression/expression_text.h"

namespace hashrange {

std::string_view SortKeyConditionOf(std::span<const KeyClause> clauses, const KeySchema& key) {
  const KeyClause* chosen = nullptr;
  for (const KeyClause& clause : clauses) {
    const auto is_named = [&](const KeyPart& part) { return part.name == clause.attribute; };
    if (std::ranges::none_of(key.range, is_named)) continue;
    if (chosen && chosen->op != KeyOperator::kEqual) {
      if (clause.op != KeyOperator::kEqual) return KeyOperatorText(KeyOperator::kBetween);
    } else {
      chosen = &clause;
    }
  }
  return chosen ? KeyOperatorText(chosen->op) : "none";
}

}  // namespace hashrange
