#include "simulation/sort_key_condition.h"

#include <algorithm>

namespace hashrange {
namespace {

std::string_view TextOf(KeyOperator op) {
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
    case KeyOperator::kNotIndexable:
      break;
  }
  return "=";
}

}  // namespace

// All parts of a key are equal to something but, perhaps, the last.
std::string_view SortKeyConditionOf(std::span<const KeyClause> clauses, const KeySchema& key) {
  std::string_view condition = "none";
  for (const KeyClause& clause : clauses) {
    const auto is_it = [&](const KeyPart& part) { return part.name == clause.attribute; };
    if (std::ranges::none_of(key.range, is_it)) continue;
    if (clause.op != KeyOperator::kEqual) return TextOf(clause.op);
    condition = TextOf(clause.op);
  }
  return condition;
}

}  // namespace hashrange
