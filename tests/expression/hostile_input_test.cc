// The largest and deepest texts that 4,096 bytes allow: each has an answer at once, and needs no
// deep stack.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "expression/expression_fixture.h"
#include "support/small_stack.h"

namespace hashrange::testing {
namespace {

std::string MessageOf(ExpressionKind kind, std::string_view text) {
  Request request({}, {{":v", N("1")}, {":l", L({})}});
  return BindMessage(kind, text, request);
}

struct HostileCase {
  ExpressionKind kind;
  std::string text;
  std::string message;
};

TEST(HostileInput, DeepTextsNeedNoDeepStack) {
  constexpr std::string_view kTooMany =
      ": The expression contains too many operators; operator count: ";
  constexpr std::string_view kTooDeep =
      ": The document path has too many nesting levels; nesting levels: ";
  const HostileCase cases[] = {
      {ExpressionKind::kCondition, Repeat("(", 4096),
       "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"(\""},
      {ExpressionKind::kCondition, Repeat("(", 2040) + "a=:v" + Repeat(")", 2040),
       "Invalid ConditionExpression: The expression has redundant parentheses;"},
      {ExpressionKind::kUpdate, "SET a=" + Repeat("(", 2040) + "a" + Repeat(")", 2040), "ok"},
      {ExpressionKind::kCondition, Repeat("NOT ", 1020) + "a=:v",
       "Invalid ConditionExpression" + std::string(kTooMany) + "1021"},
      {ExpressionKind::kCondition, Repeat("NOT(", 800) + "a=:v" + Repeat(")", 800),
       "Invalid ConditionExpression" + std::string(kTooMany) + "801"},
      {ExpressionKind::kCondition, Repeat("f(", 1300) + "a" + Repeat(")", 1300),
       "Invalid ConditionExpression: Invalid function name; function: f"},
      {ExpressionKind::kUpdate, "SET a=" + Repeat("f(", 1300) + "a" + Repeat(")", 1300),
       "Invalid UpdateExpression: Invalid function name; function: f"},
      {ExpressionKind::kCondition, Repeat("a=:v AND(", 400) + "a=:v" + Repeat(")", 400),
       "Invalid ConditionExpression" + std::string(kTooMany) + "801"},
      {ExpressionKind::kFilter, "size(a" + Repeat("[0]", 1360) + ")=:v",
       "Invalid FilterExpression" + std::string(kTooDeep) + "1361"},
      {ExpressionKind::kProjection, "a" + Repeat(".a", 2047),
       "Invalid ProjectionExpression" + std::string(kTooDeep) + "2048"},
      {ExpressionKind::kProjection, "a" + Repeat("[0]", 1360),
       "Invalid ProjectionExpression" + std::string(kTooDeep) + "1361"},
      {ExpressionKind::kProjection, "a" + Repeat("[", 4095),
       "Invalid ProjectionExpression: Syntax error; token: \"[\", near: \"[[[\""},
      {ExpressionKind::kUpdate, "REMOVE a" + Repeat(".a", 2044),
       "Invalid UpdateExpression" + std::string(kTooDeep) + "2045"},
      {ExpressionKind::kKeyCondition, "a=:v" + Repeat(" AND a=:v", 400),
       "Invalid KeyConditionExpression" + std::string(kTooMany) + "801"},
  };
  for (const HostileCase& test : cases) {
    ASSERT_LE(test.text.size(), 4096u);
    std::string message;
    RunOnSmallStack([&] { message = MessageOf(test.kind, test.text); });
    EXPECT_EQ(message, test.message) << test.text.substr(0, 60);
  }
}

// An expression that can be bound is evaluated on a small stack as well.
TEST(HostileInput, DeepExpressionsAreEvaluatedOnSmallStacks) {
  const TestItem item({{"a", L({L({N("1")})})}});
  std::string condition;
  for (int i = 0; i < 99; ++i) condition += "NOT(b=:v OR ";
  condition += "a=:v" + Repeat(")", 99);
  std::string nested;
  for (int i = 0; i < 180; ++i) nested += "if_not_exists(x,";
  const std::string set_text = "SET y=" + nested + "a" + Repeat(")", 180);
  const std::string update = set_text + " REMOVE a" + Repeat("[0]", 31);
  RunOnSmallStack([&] {
    Request request({}, {{":v", N("1")}});
    Arena arena;
    const auto bound =
        BindCondition(ExpressionKind::kFilter, condition, request.placeholders(), arena);
    ASSERT_TRUE(bound.ok()) << bound.error().message;
    // The text is an odd number of negations of a false condition.
    EXPECT_TRUE(bound->Matches(item.view()));
    const auto set = BindUpdate(set_text, request.placeholders(), arena);
    ASSERT_TRUE(set.ok()) << set.error().message;
    const auto attributes = set->Apply(item.view(), {}, arena);
    ASSERT_TRUE(attributes.ok()) << attributes.error().message;
    EXPECT_EQ(Print(*attributes), "{a: [[1]], pk: \"k\", y: [[1]]}");
    EXPECT_GT(set->StatementCharge(item.view()), 180u * 39);
    const auto removal = BindUpdate(update, request.placeholders(), arena);
    ASSERT_TRUE(removal.ok());
    EXPECT_FALSE(removal->Apply(item.view(), {}, arena).ok());
  });
}

double SecondsOf(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The time limits are far above the usual time; a quadratic search takes far longer.
TEST(HostileInput, SearchesAreLinear) {
  const std::string text(400'000, 'a');
  const TestItem item({{"s", S(text)}});
  Request request({}, {{":v", S(std::string(200'000, 'a') + "b" + std::string(100'000, 'a'))}});
  Arena arena;
  const auto condition =
      BindCondition(ExpressionKind::kFilter, "contains(s, :v)", request.placeholders(), arena);
  ASSERT_TRUE(condition.ok());
  EXPECT_LT(SecondsOf([&] { EXPECT_FALSE(condition->Matches(item.view())); }), 1.0);

  // Many names, and an expression that mentions as many of them as its size allows.
  std::vector<std::string> placeholders;
  for (int i = 0; i < 200'000; ++i) placeholders.push_back("#" + std::to_string(i));
  std::vector<Placeholders::NameEntry> names;
  for (const std::string& placeholder : placeholders) names.push_back({placeholder, placeholder});
  Placeholders many(names, {});
  std::string projection = "#0";
  for (int i = 199'500; i < 200'000; ++i) projection += ",#" + std::to_string(i);
  projection.resize(4000);
  projection.resize(projection.rfind(','));
  EXPECT_LT(SecondsOf([&] { EXPECT_TRUE(BindProjection(projection, many, arena).ok()); }), 2.0);
}

}  // namespace
}  // namespace hashrange::testing
