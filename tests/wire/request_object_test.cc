#include <gtest/gtest.h>

#include <string>
#include <vector>

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

TEST(MapEntries, LeavesOutNullsAndAllButTheLastOfAName) {
  const auto entries_of = [](const std::string& text) {
    Parsed json(text);
    std::vector<std::string> entries;
    for (const JsonMember& entry : MapEntries(*json, json.arena())) {
      entries.push_back(std::string(entry.name) + "=" + std::to_string(entry.value.integer));
    }
    return entries;
  };
  using Entries = std::vector<std::string>;
  EXPECT_EQ(entries_of("{}"), Entries());
  EXPECT_EQ(entries_of(R"({"b":1,"a":2})"), (Entries{"b=1", "a=2"}));
  EXPECT_EQ(entries_of(R"({"b":1,"a":2,"b":3,"c":null})"), (Entries{"a=2", "b=3"}));
  EXPECT_EQ(entries_of(R"({"b":1,"b":null})"), Entries());
  std::string many = "{";
  Entries expected;
  for (int i = 0; i < 40; ++i) {
    many += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",";
    if (i != 7) expected.push_back("k" + std::to_string(i) + "=" + std::to_string(i));
  }
  expected.push_back("k7=99");
  EXPECT_EQ(entries_of(many + "\"k7\":99}"), expected);
}

}  // namespace
}  // namespace hashrange
