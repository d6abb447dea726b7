#include "expression/path.h"

#include <gtest/gtest.h>

#include <string>

#include "expression/expression_fixture.h"

namespace hashrange::testing {
namespace {

TEST(Path, ResolvesThroughMapsAndLists) {
  const TestItem item({{"a", M({{"b", L({N("0"), M({{"c", S("x")}})})}})}});
  const PathElement path[] = {{"a"}, {"b"}, {"", 1, true}, {"c"}};
  EXPECT_EQ(PrintPath(path), "[a, b, [1], c]");
  std::string found;
  for (std::size_t length = 1; length <= 4; ++length) {
    found += Print(*Resolve(Path(path).first(length), item.view())) + ";";
  }
  EXPECT_EQ(found, "{b: [0, {c: \"x\"}]};[0, {c: \"x\"}];{c: \"x\"};\"x\";");
  EXPECT_EQ(Resolve(path, NoItem()), std::nullopt);
  const PathElement key[] = {{"pk"}};
  EXPECT_EQ(Print(*Resolve(key, item.view())), "\"k\"");
}

TEST(Path, HasNoValueThroughAValueOfAnotherKind) {
  const TestItem item({{"a", M({{"b", N("1")}})}, {"l", L({N("1")})}, {"ss", SS({"b"})}});
  const PathElement paths[][2] = {{{"a"}, {"", 0, true}}, {{"a"}, {"c"}},  {{"l"}, {"b"}},
                                  {{"l"}, {"", 1, true}}, {{"ss"}, {"b"}}, {{"ss"}, {"", 0, true}},
                                  {{"x"}, {"b"}}};
  for (const auto& path : paths) EXPECT_EQ(Resolve(path, item.view()), std::nullopt);
}

// Returns a path of so many elements: "a.b[0].b…".
std::string PathOf(int elements) {
  std::string text = "a";
  for (int i = 1; i < elements; ++i) text += i % 2 == 1 ? ".b" : "[0]";
  return text;
}

std::string MessageOf(ExpressionKind kind, const std::string& text) {
  Request request({{"#a", "a"}}, {{":v", N("1")}});
  return BindMessage(kind, text, request);
}

TEST(Path, OfAnExpressionHasAtMost32Elements) {
  struct Case {
    ExpressionKind kind;
    std::string before, after;
  };
  const Case cases[] = {
      {ExpressionKind::kUpdate, "SET ", " = :v"},
      {ExpressionKind::kUpdate, "SET b = ", ""},
      {ExpressionKind::kUpdate, "SET b = if_not_exists(", ", :v)"},
      {ExpressionKind::kUpdate, "REMOVE b, ", ""},
      {ExpressionKind::kUpdate, "ADD ", " :v"},
      {ExpressionKind::kCondition, "attribute_exists(", ")"},
      {ExpressionKind::kCondition, "b = :v OR (", ") < :v"},
      {ExpressionKind::kFilter, "size(", ") = :v"},
      {ExpressionKind::kKeyCondition, "b = :v AND ", " = :v"},
      {ExpressionKind::kProjection, "b, ", ""},
  };
  for (const auto& [kind, before, after] : cases) {
    const std::string invalid = "Invalid " + std::string(ExpressionKindName(kind)) + ": ";
    const bool is_key = kind == ExpressionKind::kKeyCondition;
    EXPECT_EQ(MessageOf(kind, before + PathOf(32) + after),
              is_key
                  ? invalid + "KeyConditionExpressions cannot have conditions on nested attributes"
                  : "ok");
    for (const int elements : {33, 34, 100}) {
      EXPECT_EQ(MessageOf(kind, before + PathOf(elements) + after),
                invalid + "The document path has too many nesting levels; nesting levels: " +
                    std::to_string(elements));
    }
  }
}

TEST(Path, DepthIsCheckedAfterItsNamesAndBeforeWhatFollows) {
  const std::string deep = PathOf(33);
  const std::string too_deep = "The document path has too many nesting levels; nesting levels: 33";
  const std::string no_name =
      "An expression attribute name used in the document path is not defined; attribute name: #x";
  const std::string no_value =
      "An expression attribute value used in expression is not defined; attribute value: :x";
  struct Case {
    ExpressionKind kind;
    std::string text, message;
  };
  const Case cases[] = {
      {ExpressionKind::kProjection, deep + ".#x", no_name},
      {ExpressionKind::kProjection, deep + ", #x", too_deep},
      {ExpressionKind::kProjection, "b, b, " + deep, too_deep},
      {ExpressionKind::kCondition, deep + " = " + deep, too_deep},
      {ExpressionKind::kCondition, deep + " = :x", too_deep},
      {ExpressionKind::kCondition, ":x = " + deep, no_value},
      {ExpressionKind::kUpdate, "SET b = :x REMOVE " + deep, too_deep},
      {ExpressionKind::kUpdate, "SET #x = :v REMOVE " + deep, no_name},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(MessageOf(test.kind, test.text),
              "Invalid " + std::string(ExpressionKindName(test.kind)) + ": " + test.message)
        << test.text;
  }
}

}  // namespace
}  // namespace hashrange::testing
