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

TEST(Path, GivesNothingWhereTheKindIsAnother) {
  const TestItem item({{"a", M({{"b", N("1")}})}, {"l", L({N("1")})}, {"ss", SS({"b"})}});
  const PathElement paths[][2] = {{{"a"}, {"", 0, true}}, {{"a"}, {"c"}},  {{"l"}, {"b"}},
                                  {{"l"}, {"", 1, true}}, {{"ss"}, {"b"}}, {{"ss"}, {"", 0, true}},
                                  {{"x"}, {"b"}}};
  for (const auto& path : paths) EXPECT_EQ(Resolve(path, item.view()), std::nullopt);
}

}  // namespace
}  // namespace hashrange::testing
