#include "expression/legacy_lowering.h"

#include <algorithm>

#include "expression/condition.h"

namespace hashrange {
namespace {

constexpr std::size_t kNoLimit = ~std::size_t{0};
constexpr TypeMask kScalarTypes =
    kOrderedTypes | MaskOf(AttributeType::kBool) | MaskOf(AttributeType::kNull);

constexpr Operator kByFunction = Operator::kEqual;  // ignored: the function makes the test
constexpr KeyOperator kNoKey = KeyOperator::kNotIndexable;

// Each row: name, least and most values, function, operator of a key condition, types of the
// values, operator, whether it is negated (docs/service/09-legacy-api.md, sections 2 and 6)
constexpr ComparisonRow kComparisons[] = {
    {"EQ", 1, 1, "", KeyOperator::kEqual, kAnyType, Operator::kEqual, false},
    {"NE", 1, 1, "", kNoKey, kAnyType, Operator::kNotEqual, false},
    {"LT", 1, 1, "", KeyOperator::kLess, kOrderedTypes, Operator::kLess, false},
    {"LE", 1, 1, "", KeyOperator::kLessOrEqual, kOrderedTypes, Operator::kLessOrEqual, false},
    {"GT", 1, 1, "", KeyOperator::kGreater, kOrderedTypes, Operator::kGreater, false},
    {"GE", 1, 1, "", KeyOperator::kGreaterOrEqual, kOrderedTypes, Operator::kGreaterOrEqual, false},
    {"BETWEEN", 2, 2, "", KeyOperator::kBetween, kOrderedTypes, Operator::kBetween, false},
    {"IN", 1, kNoLimit, "", kNoKey, kOrderedTypes, Operator::kIn, false},
    {"BEGINS_WITH", 1, 1, "begins_with", KeyOperator::kBeginsWith, kTextOrBytes, kByFunction,
     false},
    {"CONTAINS", 1, 1, "contains", kNoKey, kScalarTypes, kByFunction, false},
    {"NOT_CONTAINS", 1, 1, "contains", kNoKey, kScalarTypes, kByFunction, true},
    {"NULL", 0, 0, "attribute_not_exists", kNoKey, kAnyType, kByFunction, false},
    {"NOT_NULL", 0, 0, "attribute_exists", kNoKey, kAnyType, kByFunction, false},
};

void MakeTest(const LegacyCondition& condition, Path path, ConditionNode* test, Arena& arena) {
  const ComparisonRow& row = *condition.comparison;
  test->op = row.op;
  test->function = row.function.empty() ? nullptr : FindFunction(row.function);
  const bool is_in = row.op == Operator::kIn;
  const std::span<ConditionOperand> operands =
      arena.NewArray<ConditionOperand>(is_in ? 1 : 1 + condition.values.size());
  operands[0].form = ConditionOperand::Form::kPath;
  operands[0].path = path;
  test->operands = operands;
  if (is_in) {
    const std::span<ValueView> listed = arena.Copy(condition.values);
    std::ranges::sort(listed, {}, &ValueView::bytes);
    test->listed = listed;
    return;
  }
  for (std::size_t i = 1; i < operands.size(); ++i) operands[i].value = condition.values[i - 1];
}

// Makes `test` its negation, which a missing attribute does not satisfy either:
// attribute_exists(path) AND NOT test. `*test` becomes attribute_exists, which is followed
// by the negated test.
void Negate(ConditionNode* test, Arena& arena) {
  ConditionNode* const negated = arena.New<ConditionNode>(*test);
  std::swap(negated->if_true, negated->if_false);
  test->function = FindFunction("attribute_exists");
  test->operands = test->operands.first(1);
  test->if_true = negated;
}

}  // namespace

const ComparisonRow* FindComparison(std::string_view name) {
  const auto row = std::ranges::find(kComparisons, name, &ComparisonRow::name);
  return row == std::end(kComparisons) ? nullptr : row;
}

Condition LowerConditions(std::span<const LegacyCondition> conditions, ConditionalOperator joined,
                          Arena& arena) {
  if (conditions.empty()) return {};
  const std::span<ConditionNode> tests = arena.NewArray<ConditionNode>(conditions.size());
  const std::span<PathElement> names = arena.NewArray<PathElement>(conditions.size());
  const std::span<Path> paths = arena.NewArray<Path>(conditions.size());
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    names[i].name = conditions[i].attribute;
    paths[i] = names.subspan(i, 1);
    MakeTest(conditions[i], paths[i], &tests[i], arena);
    const bool is_last = i + 1 == conditions.size();
    const ConditionNode* const next = is_last ? nullptr : &tests[i + 1];
    const bool is_and = joined == ConditionalOperator::kAnd;
    tests[i].if_true = is_and && next ? next : &kConditionHolds;
    tests[i].if_false = !is_and && next ? next : &kConditionFails;
    if (conditions[i].comparison->is_negated) Negate(&tests[i], arena);
  }
  return Condition(tests.data(), paths);
}

std::span<const KeyClause> LowerKeyConditions(std::span<const LegacyCondition> conditions,
                                              Arena& arena) {
  const std::span<KeyClause> clauses = arena.NewArray<KeyClause>(conditions.size());
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const LegacyCondition& condition = conditions[i];
    clauses[i].attribute = condition.attribute;
    clauses[i].op = condition.comparison->key_op;
    if (clauses[i].op == KeyOperator::kNotIndexable) continue;
    clauses[i].value = condition.values.front();
    clauses[i].upper = condition.values.back();
  }
  return clauses;
}

namespace {

UpdateVerb VerbOf(const AttributeUpdate& update) {
  switch (update.action) {
    case AttributeAction::kPut:
      return UpdateVerb::kSet;
    case AttributeAction::kAdd:
      return UpdateVerb::kAdd;
    default:
      return update.value ? UpdateVerb::kDelete : UpdateVerb::kRemove;
  }
}

}  // namespace

Update LowerAttributeUpdates(std::span<const AttributeUpdate> updates, Arena& arena) {
  const std::span<UpdateAction> actions = arena.NewArray<UpdateAction>(updates.size());
  const std::span<PathElement> names = arena.NewArray<PathElement>(updates.size());
  const std::span<ValueView> values = arena.NewArray<ValueView>(updates.size());
  for (std::size_t i = 0; i < updates.size(); ++i) {
    names[i].name = updates[i].attribute;
    actions[i].verb = VerbOf(updates[i]);
    actions[i].target = names.subspan(i, 1);
    if (!updates[i].value) continue;
    values[i] = *updates[i].value;
    actions[i].value = &values[i];
  }
  return Update(actions);
}

}  // namespace hashrange
