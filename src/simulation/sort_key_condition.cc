#include "simulation/sort_key_condition.h"

#include <algorithm>
#include <cassert>

namespace hashrange {
namespace {

std::string_view OperatorText(KeyOperator op) {
  switch (op) {
    case KeyOperator::kLess:
      return "<";
    case KeyOperator::kLessOrEqual:
      return "<=";
    case KeyOperator::kGreater:
      return ">";
    case KeyOperator::kGreaterOrEqual:
      return ">=";
    case KeyOperator::kBetween:
      return "BETWEEN";
    case KeyOperator::kBeginsWith:
      return "begins_with";
    case KeyOperator::kEqual:
      return "=";
    case KeyOperator::kNotIndexable:
      break;
  }
  assert(false);  // such a clause is refused before anything is read
  return {};
}

}  // namespace

std::string_view SortKeyConditionOf(std::span<const KeyClause> clauses, const KeySchema& key) {
  const KeyClause* chosen = nullptr;
  for (const KeyClause& clause : clauses) {
    const auto is_named = [&](const KeyPart& part) { return part.name == clause.attribute; };
    if (std::ranges::none_of(key.range, is_named)) continue;
    if (chosen && chosen->op != KeyOperator::kEqual) {
      if (clause.op != KeyOperator::kEqual) return OperatorText(KeyOperator::kBetween);
    } else {
      chosen = &clause;
    }
  }
  return chosen ? OperatorText(chosen->op) : "none";
}

}  // namespace hashrange
