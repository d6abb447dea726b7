#include "expression/expression_text.h"

#include <algorithm>
#include <span>

#include "absl/container/inlined_vector.h"
#include "expression/path_tree.h"
#include "expression/token.h"
#include "expression/update.h"

namespace hashrange {
namespace {

void AppendName(std::string_view name, std::string* text) {
  if (IsPlainName(name)) {
    text->append(name);
    return;
  }
  text->push_back('"');
  for (const char c : name) {
    if (c == '"') text->push_back('"');
    text->push_back(c);
  }
  text->push_back('"');
}

// The recursion is no deeper than the number of operators that an expression may have. A sum is
// never the operand of another operand, so it needs no parentheses.
void AppendOperand(const UpdateOperand& operand, std::string* text) {
  using Form = UpdateOperand::Form;
  switch (operand.form) {
    case Form::kValue:
      text->push_back('?');
      return;
    case Form::kPath:
      AppendPathText(operand.path, text);
      return;
    case Form::kCall:
      text->append(operand.function->name).push_back('(');
      AppendOperand(*operand.first, text);
      text->append(", ");
      AppendOperand(*operand.second, text);
      text->push_back(')');
      return;
    case Form::kSum:
    case Form::kDifference:
      AppendOperand(*operand.first, text);
      text->append(operand.form == Form::kSum ? " + " : " - ");
      AppendOperand(*operand.second, text);
      return;
  }
}

void AppendAction(const UpdateAction& action, std::string* text) {
  AppendPathText(action.target, text);
  if (action.verb == UpdateVerb::kRemove) return;
  text->append(action.verb == UpdateVerb::kSet ? " = " : " ");
  if (action.operand) {
    AppendOperand(*action.operand, text);
  } else {
    text->push_back('?');
  }
}

void SortNames(std::vector<std::string_view>* names) {
  std::ranges::sort(*names);
  names->erase(std::ranges::unique(*names).begin(), names->end());
}

void ListFirstNames(std::span<const Path> paths, std::vector<std::string_view>* names) {
  names->clear();
  for (const Path path : paths) names->push_back(path.front().name);
  SortNames(names);
}

}  // namespace

void AppendPathText(Path path, std::string* text) {
  for (const PathElement& element : path) {
    if (element.is_index) {
      text->append("[").append(std::to_string(element.index)).append("]");
      continue;
    }
    if (&element != path.data()) text->push_back('.');
    AppendName(element.name, text);
  }
}

void AppendProjectionText(const Projection& projection, std::string* text) {
  absl::InlinedVector<Path, 16> paths(projection.paths().begin(), projection.paths().end());
  std::ranges::sort(paths, PathLess);
  const Path* last = nullptr;
  for (const Path& path : paths) {
    if (last && std::ranges::equal(*last, path)) continue;
    if (last) text->append(", ");
    AppendPathText(path, text);
    last = &path;
  }
}

void AppendUpdateText(const Update& update, std::string* text) {
  static constexpr std::string_view kClauses[] = {"SET ", "REMOVE ", "ADD ", "DELETE "};
  bool is_first_clause = true;
  for (std::size_t verb = 0; verb < std::size(kClauses); ++verb) {
    bool is_first_action = true;
    for (const UpdateAction& action : update.actions()) {
      if (action.verb != static_cast<UpdateVerb>(verb)) continue;
      if (!is_first_action) text->append(", ");
      if (is_first_action && !is_first_clause) text->push_back(' ');
      if (is_first_action) text->append(kClauses[verb]);
      is_first_action = is_first_clause = false;
      AppendAction(action, text);
    }
  }
}

void ListConditionAttributes(const Condition& condition, std::vector<std::string_view>* names) {
  ListFirstNames(condition.paths(), names);
}

void ListProjectionAttributes(const Projection& projection, std::vector<std::string_view>* names) {
  ListFirstNames(projection.paths(), names);
}

void ListUpdatedAttributes(const Update& update, std::vector<std::string_view>* names) {
  names->clear();
  for (const UpdateAction& action : update.actions()) names->push_back(action.target.front().name);
  SortNames(names);
}

std::string_view KeyOperatorText(KeyOperator op) {
  switch (op) {
    case KeyOperator::kEqual:
      return "=";
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
    case KeyOperator::kNotIndexable:
      break;
  }
  return {};
}

}  // namespace hashrange
