#include <gtest/gtest.h>

#include "wire/binder.h"
#include "wire/parsed.h"

namespace hashrange {
namespace {

TEST(RequestObject, GivesMembersByNameAndType) {
  Parsed json(R"({"s":"x","i":7,"d":-1.5,"b":"yes","f":false,"o":{"a":1},"l":[1,2],"n":null})");
  const RequestObject request(*json);
  EXPECT_EQ(request.String("s"), "x");
  EXPECT_EQ(request.Integer("i"), 7);
  EXPECT_EQ(request.Integer("d"), -2);
  EXPECT_EQ(request.Double("i"), 7.0);
  EXPECT_EQ(request.Double("d"), -1.5);
  EXPECT_EQ(request.Boolean("b"), true);
  EXPECT_EQ(request.Boolean("f"), false);
  EXPECT_EQ(request.Object("o")->Integer("a"), 1);
  EXPECT_EQ(request.List("l").size(), 2u);
  EXPECT_FALSE(request.Has("n"));
  EXPECT_EQ(request.String("n"), std::nullopt);
  EXPECT_EQ(request.Integer("x"), std::nullopt);
  EXPECT_EQ(request.Boolean("x"), std::nullopt);
  EXPECT_FALSE(request.Object("x"));
  EXPECT_TRUE(request.List("x").empty());
}

}  // namespace
}  // namespace hashrange
