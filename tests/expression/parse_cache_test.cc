#include "expression/parse_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "expression/expression_fixture.h"

namespace hashrange::testing {
namespace {

TEST(ParseCache, KnownTextIsNotParsedAgain) {
  ParseCache cache;
  const Ast* const first = &cache.Parse(Grammar::kCondition, "a = :v");
  EXPECT_EQ(first->nodes.size(), 3u);
  const std::string same = "a = :v";
  EXPECT_EQ(&cache.Parse(Grammar::kCondition, same), first);
  EXPECT_EQ(cache.entry_count(), 1u);
}

TEST(ParseCache, GrammarsAreKeptApart) {
  ParseCache cache;
  EXPECT_EQ(cache.Parse(Grammar::kProjection, "a").error, "");
  EXPECT_EQ(cache.Parse(Grammar::kCondition, "a").error,
            "Syntax error; token: \"<EOF>\", near: \"a\"");
  EXPECT_EQ(cache.Parse(Grammar::kUpdate, "a").error, "Syntax error; token: \"a\", near: \"a\"");
  EXPECT_EQ(cache.entry_count(), 3u);
}

TEST(ParseCache, KeepsErrorsToo) {
  ParseCache cache;
  const Ast* const first = &cache.Parse(Grammar::kUpdate, "SET data = :v");
  EXPECT_EQ(first->error, "Attribute name is a reserved keyword; reserved keyword: data");
  EXPECT_EQ(&cache.Parse(Grammar::kUpdate, "SET data = :v"), first);
}

TEST(ParseCache, BytesAreBoundedAndTheLeastRecentlyUsedIsEvicted) {
  constexpr std::size_t kCapacity = 64 << 10;
  ParseCache cache(kCapacity);
  const Ast* const kept = &cache.Parse(Grammar::kCondition, "kept = :v");
  std::size_t most = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::string text = "a" + std::to_string(i) + " = :v";
    const Ast* const ast = &cache.Parse(Grammar::kCondition, text);
    ASSERT_EQ(ast->nodes.size(), 3u);
    // An entry is kept until another text is parsed.
    ASSERT_EQ(&cache.Parse(Grammar::kCondition, text), ast);
    ASSERT_EQ(&cache.Parse(Grammar::kCondition, "kept = :v"), kept);
    ASSERT_LE(cache.size_bytes(), kCapacity);
    most = std::max(most, cache.entry_count());
  }
  EXPECT_LT(cache.entry_count(), 1000u);
  EXPECT_EQ(cache.entry_count(), most);
}

TEST(ParseCache, ATextThatIsUsedAgainAndAgainIsParsedOnce) {
  TextCache<int, int> cache(8 << 10);
  int parsed = 0;
  const auto get = [&](const std::string& text) {
    return cache.Get(
        0, text, [&] { return text == "used" ? ++parsed : 0; }, [](int) { return 0; });
  };
  for (int i = 0; i < 500; ++i) {
    get("other " + std::to_string(i));
    ASSERT_EQ(get("used"), 1);
  }
  EXPECT_LT(cache.entry_count(), 500u);
}

TEST(ParseCache, OneEntryMayBeLargerThanTheCapacity) {
  ParseCache cache(16);
  EXPECT_EQ(cache.Parse(Grammar::kProjection, "a").nodes.size(), 1u);
  EXPECT_EQ(cache.Parse(Grammar::kProjection, "a, b").nodes.size(), 2u);
  EXPECT_EQ(cache.entry_count(), 1u);
}

// A bound expression points into its request's text and arena, never into the cache.
TEST(ParseCache, BoundExpressionsOutliveTheirEntry) {
  const std::string text = "size(a.b) = :v OR contains(outlives, :s)";
  Request request({}, {{":v", N("1")}, {":s", S("x")}});
  Arena arena;
  const auto condition =
      BindCondition(ExpressionKind::kCondition, text, request.placeholders(), arena);
  ASSERT_TRUE(condition.ok());
  for (int i = 0; i < 20000; ++i) {
    ParseCache::ThisThread().Parse(Grammar::kProjection, "evict" + std::to_string(i));
  }
  EXPECT_TRUE(condition->Matches(TestItem({{"outlives", S("axb")}}).view()));
  EXPECT_TRUE(condition->Matches(TestItem({{"a", M({{"b", S("1")}})}}).view()));
  EXPECT_FALSE(condition->Matches(NoItem()));
}

TEST(ParseCache, EachThreadHasItsOwn) {
  ParseCache* other = nullptr;
  std::thread([&] { other = &ParseCache::ThisThread(); }).join();
  EXPECT_NE(other, &ParseCache::ThisThread());
}

}  // namespace
}  // namespace hashrange::testing
