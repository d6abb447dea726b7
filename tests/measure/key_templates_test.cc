#include "measure/key_templates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {
namespace {

constexpr std::string_view kSeparators = "#:/|";

// Returns "USER#:text 7:digits" for "USER#7".
std::string TokensOf(std::string_view text, std::string_view separators = kSeparators) {
  std::string tokens;
  while (!text.empty()) {
    const KeyToken token = FirstToken(text, KeySeparators(separators));
    tokens.append(tokens.empty() ? "" : " ").append(token.text).append(":");
    tokens += KeyTokenKindName(token.kind);
    text.remove_prefix(token.text.size());
  }
  return tokens;
}

TEST(KeyToken, AreCutBehindSeparators) {
  struct Case {
    std::string text, tokens;
  };
  const Case cases[] = {
      {"PROFILE", "PROFILE:text"},
      {"USER#alice", "USER#:text alice:text"},
      {"USER#7", "USER#:text 7:digits"},
      {"USER#", "USER#:text"},
      {"#", "#:text"},
      {"account:1#user:2", "account::text 1#:digits user::text 2:digits"},
      {"a/b|c", "a/:text b|:text c:text"},
      {"ORDER#2026-01-31#00000007", "ORDER#:text 2026-01-31#:date 00000007:digits"},
      {"2026-01-31T12:30:05.123Z#x", "2026-01-31T12:30:05.123Z#:date x:text"},
      {"2026-01-31T12:30:05+02:00", "2026-01-31T12:30:05+02:00:date"},
      {"2026-01-31 12:30", "2026-01-31 12:30:date"},
      {"2026-01", "2026-01:date"},
      {"2026-0", "2026-0:date"},
      {"2026", "2026:digits"},
      {"2026-01-31x", "2026-01-31x:text"},
      {"2026-01-31T9:x", "2026-01-31T9::text x:text"},
      {"1234-abcd", "1234-abcd:text"},
      {"01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAV:ulid"},
      {"01ARZ3NDEKTSV4RRFFQ69G5FAU", "01ARZ3NDEKTSV4RRFFQ69G5FAU:text"},
      {"81ARZ3NDEKTSV4RRFFQ69G5FAV", "81ARZ3NDEKTSV4RRFFQ69G5FAV:text"},
      {"u#3f333df6-90a4-4fda-8dd3-9485d27cee36",
       "u#:text 3f333df6-90a4-4fda-8dd3-9485d27cee36:uuid"},
      {"3f333df6-90a4-4fda-8dd3-9485d27cee3g", "3f333df6-90a4-4fda-8dd3-9485d27cee3g:text"},
  };
  for (const Case& each : cases) EXPECT_EQ(TokensOf(each.text), each.tokens);
}

TEST(KeyToken, OtherSeparatorsCutElsewhere) {
  EXPECT_EQ(TokensOf("a#b.c", "."), "a#b.:text c:text");
  EXPECT_EQ(TokensOf("a#b.c", ""), "a#b.c:text");
}

class KeyTreeTest : public testing::Test {
 protected:
  std::string Template(std::string_view text) { return tree.TemplateOf(tree.Insert(text)); }

  KeyTree tree{kSeparators};
};

TEST_F(KeyTreeTest, FewTokensStayLiteral) {
  EXPECT_EQ(Template("USER#alice"), "USER#alice");
  EXPECT_EQ(Template("CUSTOMER"), "CUSTOMER");
  EXPECT_EQ(Template(""), "");
}

TEST_F(KeyTreeTest, ValuesByTheirLooksArePlaceholdersAtOnce) {
  EXPECT_EQ(Template("USER#7"), "USER#{digits}");
  EXPECT_EQ(Template("ORDER#2026-01-31#x"), "ORDER#{date}#x");
  EXPECT_EQ(tree.Insert("USER#7"), tree.Insert("USER#8"));
  EXPECT_EQ(tree.TemplateOf(tree.InsertOther(KeyTokenKind::kNumber)), "{number}");
}

TEST_F(KeyTreeTest, AKeyHasTheSameTemplateWhicheverKeyWasBefore) {
  std::mt19937 random(7);
  const std::vector<std::string> tokens = {
      "USER#",       "US", "USER", "USER:", "2026-01", "2026-01-02", "T03:04:05",
      "2026-01-02T", "12", "12#",  "#",     "2026x:",  "a|"};
  std::vector<std::string> keys;
  for (int i = 0; i < 60; ++i) {
    std::string key;
    for (std::size_t count = 1 + random() % 4; count > 0; --count) {
      key += tokens[random() % tokens.size()];
    }
    keys.push_back(key);
    tree.Insert(key);
  }
  for (const std::string& key : keys) {
    const KeyTree::NodeId node = tree.Insert(key);
    for (const std::string& before : keys) {
      tree.Insert(before);
      ASSERT_EQ(tree.Find(tree.Insert(key)), tree.Find(node)) << before << " then " << key;
    }
  }
}

TEST_F(KeyTreeTest, MoreThan32TokensBecomeOnePlaceholder) {
  std::vector<KeyTree::NodeId> ids;
  for (std::size_t i = 0; i < KeyTree::kMaxChildren; ++i) {
    ids.push_back(tree.Insert("USER#u" + std::string(1, static_cast<char>('A' + i)) + "#META"));
  }
  EXPECT_EQ(tree.TemplateOf(ids[3]), "USER#uD#META");
  const auto last = tree.Insert("USER#one more#META");
  EXPECT_EQ(tree.TemplateOf(last), "USER#{…}#META");
  for (const auto id : ids) EXPECT_EQ(tree.Find(id), tree.Find(last));
  EXPECT_EQ(Template("USER#new#OTHER"), "USER#{…}#OTHER");
}

TEST_F(KeyTreeTest, TokensWithOtherSeparatorsAreCountedApart) {
  for (int i = 0; i < 40; ++i) tree.Insert("USER#u" + std::to_string(i) + "x");
  EXPECT_EQ(Template("USER#a#META"), "USER#a#META");
  EXPECT_EQ(Template("USER#b"), "USER#{…}");
  EXPECT_EQ(Template("ORDER#b"), "ORDER#b");
}

TEST_F(KeyTreeTest, DigitsAmongManyTextsJoinTheirPlaceholder) {
  EXPECT_EQ(Template("USER#7"), "USER#{digits}");
  for (int i = 0; i < 40; ++i) tree.Insert("USER#" + std::to_string(i) + "x");
  EXPECT_EQ(Template("USER#7"), "USER#{…}");
}

TEST_F(KeyTreeTest, AttributesNamePlaceholders) {
  const auto open = tree.Insert("STATUS#OPEN#1");
  const auto paid = tree.Insert("STATUS#PAID#2");
  const auto status = tree.PathTo(open)[0];
  tree.MakePlaceholder(status, '#', "status");
  EXPECT_EQ(tree.TemplateOf(open), "STATUS#{status}#{digits}");
  EXPECT_EQ(tree.Find(open), tree.Find(paid));
  const auto placeholder = tree.PathTo(open)[1];
  tree.MakePlaceholder(placeholder, 0, "order_id");
  EXPECT_EQ(tree.TemplateOf(paid), "STATUS#{status}#{order_id}");
}

TEST_F(KeyTreeTest, DeepAndManyKeysAreLimited) {
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "a" + std::to_string(i) + "x#";
  tree.Insert(deep);
  std::mt19937 random(1);
  for (int i = 0; i < 50'000; ++i) {
    std::string key;
    for (int part = 0; part < 6; ++part) {
      key += std::string(1 + random() % 2, static_cast<char>('a' + random() % 26));
      key += kSeparators[random() % 4];
    }
    tree.Insert(key);
  }
  // A node of a full tree has at most one child for what gets no node of its own.
  EXPECT_LE(tree.nodes().size(), 2 * KeyTree::kMaxNodes);
}

TEST_F(KeyTreeTest, AMatchIsWhereAnInsertWasAndAddsNothing) {
  const std::string deep = "A#B#C#D#E#F#G#H#I#J#K#L#M#N";
  for (const char* key : {"USER#ada", "USER#7", "ORDER#2026-01-31#x", "single", deep.c_str()}) {
    const KeyTree::NodeId node = tree.Insert(key);
    EXPECT_EQ(tree.Match(key), node) << key;
  }
  const std::size_t nodes = tree.nodes().size();
  EXPECT_EQ(tree.Match("USER#8"), tree.Match("USER#7"));
  for (const char* key : {"USER#bob", "USER", "ORDER#7#x", "other", "single#"}) {
    EXPECT_EQ(tree.Match(key), std::nullopt) << key;
  }
  EXPECT_EQ(tree.Match(""), KeyTree::kRoot);
  EXPECT_EQ(tree.MatchOther(KeyTokenKind::kNumber), std::nullopt);
  EXPECT_EQ(tree.nodes().size(), nodes);
  const KeyTree::NodeId number = tree.InsertOther(KeyTokenKind::kNumber);
  EXPECT_EQ(tree.MatchOther(KeyTokenKind::kNumber), number);
}

TEST_F(KeyTreeTest, CountsWhatAPlaceholderStoodFor) {
  for (int i = 0; i < 300; ++i) tree.Insert("P#" + std::to_string(i));
  const auto& node = tree.nodes()[tree.Insert("P#007")];
  EXPECT_EQ(node.seen.least_length, 1u);
  EXPECT_EQ(node.seen.greatest_length, 3u);
  EXPECT_TRUE(node.seen.has_leading_zeros);
  EXPECT_NEAR(static_cast<double>(node.seen.CountDistinct()), 301, 60);
}

TEST_F(KeyTreeTest, AddedPlaceholdersStoodForWhatBothDid) {
  KeyTree other(kSeparators);
  other.Insert("P#007");
  tree.Insert("P#12345");
  tree.Add(other);
  const auto& node = tree.nodes()[tree.Insert("P#12345")];
  EXPECT_EQ(node.seen.least_length, 3u);
  EXPECT_EQ(node.seen.greatest_length, 5u);
  EXPECT_TRUE(node.seen.has_leading_zeros);
  EXPECT_EQ(node.seen.CountDistinct(), 2u);
}

std::set<std::string> TemplatesOf(const KeyTree& tree, const std::vector<KeyTree::NodeId>& ids) {
  std::set<std::string> templates;
  for (const auto id : ids) templates.insert(tree.TemplateOf(id));
  return templates;
}

// Trees of two threads, added to one, give the templates of a tree that saw all keys.
TEST(KeyTree, AddedTreesGiveTheTemplatesOfOne) {
  std::mt19937 random(3);
  const char* const kKinds[] = {"USER#", "ORDER#", "ITEM#", "STATUS#"};
  for (int round = 0; round < 30; ++round) {
    KeyTree one(kSeparators), first(kSeparators), second(kSeparators), sum(kSeparators);
    std::vector<KeyTree::NodeId> of_one, of_first, of_second;
    const int keys = 1 + static_cast<int>(random() % 200);
    for (int i = 0; i < keys; ++i) {
      std::string key = kKinds[random() % 4];
      key += random() % 3 == 0 ? std::to_string(random() % 50)
                               : "n" + std::to_string(random() % 60) + "x";
      if (random() % 2) key += "#META";
      of_one.push_back(one.Insert(key));
      if (random() % 2) {
        of_first.push_back(first.Insert(key));
      } else {
        of_second.push_back(second.Insert(key));
      }
    }
    const auto here_first = sum.Add(first), here_second = sum.Add(second);
    std::vector<KeyTree::NodeId> of_sum;
    for (const auto id : of_first) of_sum.push_back(sum.Find(here_first[id]));
    for (const auto id : of_second) of_sum.push_back(sum.Find(here_second[id]));
    ASSERT_EQ(TemplatesOf(sum, of_sum), TemplatesOf(one, of_one)) << round;
  }
}

TEST(KeyTemplateText, IsCutAfterSeparators) {
  using Tokens = std::vector<std::string_view>;
  EXPECT_EQ(TemplateTokens("ORDER#{date}#{a|b}", kSeparators),
            (Tokens{"ORDER#", "{date}#", "{a|b}"}));
  EXPECT_EQ(TemplateTokens("account:", kSeparators), Tokens{"account:"});
  EXPECT_EQ(TemplateTokens("", kSeparators), Tokens{});
}

TEST(KeyTemplateText, TellsItsLiteralParts) {
  EXPECT_TRUE(IsConstantTemplate("CUSTOMER"));
  EXPECT_FALSE(IsConstantTemplate("CUST#{id}"));
  EXPECT_EQ(LiteralBeginning("CUST#{id}#X"), "CUST#");
  EXPECT_EQ(LiteralBeginning("CUSTOMER"), "CUSTOMER");
  EXPECT_EQ(WithoutLastToken("STATUS#open", kSeparators), "STATUS#");
  EXPECT_EQ(WithoutLastToken("CUSTOMER", kSeparators), "");
  EXPECT_EQ(WithoutLastToken("STATUS#", kSeparators), "");
  EXPECT_EQ(WithoutLastToken("A#{b|c}", kSeparators), "A#");
}

struct TemplatePair {
  std::string_view a;
  std::string_view b;
  bool expected;
};

TEST(KeyTemplateText, PlaceholdersStandForOneToken) {
  const TemplatePair pairs[] = {
      {"ORDER#{id}", "ORDER#{order_id}", true},
      {"ORDER#{id}", "ORDER#META", true},
      {"{kind}#{id}", "ORDER#7", true},
      {"ORDER#{id}", "ITEM#{id}", false},
      {"ORDER#{id}", "ORDER#{id}#ITEM", false},
      {"ORDER#{id}", "ORDER#{id}#", false},
      {"{id}", "PROFILE", true},
      {"META", "META", true},
      {"META", "INFO", false},
      {"{tenant}#A#{x}", "{tenant}#A#{y}", true},
      {"{tenant}#A#{x}", "{tenant}#B#{x}", false},
      {"{tenant}#A#", "{tenant}#A#", true},
      {"{tenant}#A#", "{tenant}#A#{x}", false},
      {"{a|b}#X", "{a|c}#X", true},
      {"{a}#X", "{b}#aX", false},
      {"{a}X", "{a}Y", false},
  };
  for (const TemplatePair& pair : pairs) {
    EXPECT_EQ(CanBeEqual(pair.a, pair.b, kSeparators), pair.expected) << pair.a << " " << pair.b;
    EXPECT_EQ(CanBeEqual(pair.b, pair.a, kSeparators), pair.expected) << pair.b << " " << pair.a;
  }
}

TEST(KeyTemplateText, BeginsWithMayStopWithinAToken) {
  // The key, and what it may begin with.
  const TemplatePair pairs[] = {
      {"ORDER#{id}", "", true},
      {"ORDER#{id}", "ORD", true},
      {"ORDER#{id}", "ORDER#", true},
      {"ORDER#{id}", "ORDER#{id}", true},
      {"ORDER#{id}#ITEM#{n}", "ORDER#{id}", true},
      {"ORDER#{id}#ITEM#{n}", "ORDER#{id}#", true},
      {"ORDER#{id}", "ORDER#{id}#", false},
      {"ORDER#{id}", "ORDER#{id}#ITEM#", false},
      {"ORDERITEM#{id}", "ORDER#", false},
      {"ORDERITEM#{id}", "ORDER", true},
      {"{date}#{id}", "ORDER#", true},
      {"PROFILE", "ORDER#", false},
      {"{tenant}#A#{x}", "{tenant}#A#", true},
      {"{tenant}#A#{x}", "{tenant}#B#", false},
      {"{tenant}#AB", "{tenant}#A", true},
      {"{a|b}#X", "{a|c}#", true},
  };
  for (const TemplatePair& pair : pairs) {
    EXPECT_EQ(CanBeginWith(pair.a, pair.b, kSeparators), pair.expected) << pair.a << " " << pair.b;
  }
}

}  // namespace
}  // namespace hashrange
