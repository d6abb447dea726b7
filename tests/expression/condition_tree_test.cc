#include "expression/condition_tree.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "expression/expression_fixture.h"
#include "expression/expression_text.h"
#include "expression/random_condition.h"

namespace hashrange::testing {
namespace {

std::string TextOf(const Condition& condition) {
  std::string text;
  AppendConditionText(condition, &text);
  return text;
}

std::string TextOf(std::string_view expression, Request& request) {
  Arena arena;
  const Result<Condition> condition =
      BindCondition(ExpressionKind::kFilter, expression, request.placeholders(), arena);
  return condition.ok() ? TextOf(*condition) : condition.error().message;
}

TEST(ConditionTree, RestoresAndOrNot) {
  struct Case {
    std::string_view expression;
    std::string_view text;
  };
  static constexpr Case kCases[] = {
      {"a = b", "a = b"},
      {"NOT a = b", "NOT a = b"},
      {"NOT NOT a = b", "a = b"},
      {"a = b AND c = d AND e = f", "a = b AND c = d AND e = f"},
      {"a = b AND (c = d AND e = f)", "a = b AND c = d AND e = f"},
      {"a = b OR c = d OR e = f", "a = b OR c = d OR e = f"},
      {"a = b OR c = d AND e = f", "a = b OR c = d AND e = f"},
      {"a = b AND c = d OR e = f", "a = b AND c = d OR e = f"},
      {"(a = b OR c = d) AND e = f", "(a = b OR c = d) AND e = f"},
      {"a = b AND (c = d OR e = f)", "a = b AND (c = d OR e = f)"},
      {"(a = b OR c = d) AND (e = f OR g = h)", "(a = b OR c = d) AND (e = f OR g = h)"},
      {"a = b AND NOT c = d", "a = b AND NOT c = d"},
      {"NOT a = b AND c = d", "NOT a = b AND c = d"},
      {"a = b OR NOT c = d", "a = b OR NOT c = d"},
      {"NOT a = b OR c = d", "NOT a = b OR c = d"},
      {"NOT (a = b AND c = d)", "NOT (a = b AND c = d)"},
      {"NOT a = b OR NOT c = d", "NOT (a = b AND c = d)"},
      {"NOT (a = b OR c = d)", "NOT (a = b OR c = d)"},
      {"NOT (a = b AND NOT c = d)", "NOT a = b OR c = d"},
      {"a = b AND NOT (c = d OR e = f)", "a = b AND NOT c = d AND NOT e = f"},
      {"NOT (a = b OR c = d) AND e = f", "NOT (a = b OR c = d) AND e = f"},
      {"a = b AND (NOT (c = d AND e = f) OR g = h)", "a = b AND (NOT (c = d AND e = f) OR g = h)"},
  };
  Request request({}, {});
  for (const Case& test : kCases) {
    EXPECT_EQ(TextOf(test.expression, request), test.text) << test.expression;
  }
}

// Returns the placeholders of the values, in the order of the text.
std::vector<std::string> ValuesIn(const std::string& expression) {
  std::vector<std::string> values;
  for (std::size_t at = expression.find(':'); at != std::string::npos;
       at = expression.find(':', at + 1)) {
    values.push_back(expression.substr(at, 2));
  }
  return values;
}

std::string WithValues(const std::string& text, const std::vector<std::string>& values) {
  std::string expression;
  std::size_t used = 0;
  for (const char c : text) {
    if (c == '?') {
      expression += values.at(used++);
    } else {
      expression += c;
    }
  }
  EXPECT_EQ(used, values.size()) << text;
  return expression;
}

TEST(ConditionTree, TheTextMeansWhatTheConditionMeans) {
  std::mt19937 random(11);
  Request request({}, RandomCondition::Values());
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    std::function<bool(const int*)> holds;
    const std::string expression = RandomCondition(seed).Make(5, &holds);
    if (expression.size() > 4096) continue;
    const std::string text = TextOf(expression, request);
    const std::string again = WithValues(text, ValuesIn(expression));
    EXPECT_EQ(TextOf(again, request), text) << expression;
    Arena arena;
    const Result<Condition> condition =
        BindCondition(ExpressionKind::kFilter, again, request.placeholders(), arena);
    ASSERT_TRUE(condition.ok()) << again << ": " << condition.error().message;
    for (int i = 0; i < 20; ++i) {
      int numbers[RandomCondition::kAttributes];
      const TestItem item = RandomCondition::MakeItem(random, numbers);
      ASSERT_EQ(condition->Matches(item.view()), holds(numbers)) << expression << "\n" << again;
    }
  }
}

std::string Joined(std::string_view test, std::size_t times, std::string_view separator) {
  std::string text(test);
  for (std::size_t i = 1; i < times; ++i) text.append(separator).append(test);
  return text;
}

TEST(ConditionTree, OfTooManyTestsIsAListOfTests) {
  Request request({}, {});
  constexpr std::size_t kMost = ConditionTree::kMaxTests;
  for (const std::string_view separator : {" AND ", " OR "}) {
    const std::string most = Joined("a = b", kMost, separator);
    EXPECT_EQ(TextOf(most, request), most);
    EXPECT_EQ(TextOf(Joined("a = b", kMost + 1, separator), request),
              Joined("a = b", kMost, "; ") + "; ...");
  }
}

TEST(ConditionTree, OfAWalkThatNoOperatorsMakeIsAListOfTests) {
  const PathElement element{"a"};
  const ConditionOperand path{ConditionOperand::Form::kPath, nullptr, Path(&element, 1), {}};
  const ConditionOperand value{ConditionOperand::Form::kValue, nullptr, {}, S("x")};
  const ConditionOperand operands[] = {path, value};
  // [<] ─true→ [=] ─true→ [>] …; [<] is false where [>] follows, [=] is false where the walk ends.
  ConditionNode less, equal, greater;
  less.op = Operator::kLess;
  greater.op = Operator::kGreater;
  less.operands = equal.operands = greater.operands = operands;
  less.if_true = &equal;
  less.if_false = equal.if_true = &greater;
  equal.if_false = greater.if_true = &kConditionHolds;
  greater.if_false = &kConditionFails;
  EXPECT_EQ(TextOf(Condition(&less, {})), "a < ? AND NOT a = ? OR a > ?");
  // Now the last test never leads to where the second leads when it is false.
  greater.if_true = &kConditionFails;
  EXPECT_EQ(TextOf(Condition(&less, {})), "a < ?; a = ?; a > ?; ...");
}

}  // namespace
}  // namespace hashrange::testing
