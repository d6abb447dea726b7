#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "expression/partiql/statement_token.h"

namespace hashrange::partiql {
namespace {

// Returns the tokens separated by bars, without the end; "refused" for a text that has something
// else.
std::string Tokens(std::string_view text) {
  std::vector<Token> tokens;
  if (!Tokenize(text, &tokens)) return "refused";
  std::string joined;
  for (const Token& token : tokens) {
    if (token.kind == TokenKind::kEnd) break;
    joined += joined.empty() ? "" : "|";
    joined += token.In(text);
  }
  return joined;
}

std::vector<TokenKind> Kinds(std::string_view text) {
  std::vector<Token> tokens;
  EXPECT_TRUE(Tokenize(text, &tokens)) << text;
  std::vector<TokenKind> kinds;
  for (const Token& token : tokens) kinds.push_back(token.kind);
  return kinds;
}

TEST(Lexer, SignsNeedNoBlanks) {
  EXPECT_EQ(Tokens("a<=b<>c!=d>=-1+?"), "a|<=|b|<>|c|!=|d|>=|-|1|+|?");
  EXPECT_EQ(Tokens("<<1,2>>{'a':[b.c]}*;"), "<<|1|,|2|>>|{|'a'|:|[|b|.|c|]|}|*|;");
  EXPECT_EQ(Tokens("a||b/c%d"), "a||||b|/|c|%|d");
}

TEST(Lexer, QuotedTextsKeepEverythingButTheirQuotes) {
  EXPECT_EQ(Tokens("'it''s' \"a \"\"b\"\" c\" ''"), "'it''s'|\"a \"\"b\"\" c\"|''");
  EXPECT_EQ(Unquoted("'it''s'"), "it's");
  EXPECT_EQ(Unquoted("\"a \"\"b\"\" c\""), "a \"b\" c");
  EXPECT_EQ(Unquoted("''"), "");
  EXPECT_EQ(Unquoted("plain"), "plain");
  EXPECT_EQ(Tokens("'-- no /* comment */'"), "'-- no /* comment */'");
}

TEST(Lexer, CommentsAreBlanks) {
  EXPECT_EQ(Tokens("a--b\nc/*d*/e -- f"), "a|c|e");
  EXPECT_EQ(Tokens("a--b\rc--d\r\ne"), "a|c|e");
  EXPECT_EQ(Tokens("/**/a/* * */"), "a");
  EXPECT_EQ(Tokens("n=n--1"), "n|=|n");
}

TEST(Lexer, NumbersHaveFractionsAndExponents) {
  EXPECT_EQ(Tokens("1 1.5 .5 1. 1e5 1E+5 .73e-1"), "1|1.5|.5|1.|1e5|1E+5|.73e-1");
  EXPECT_EQ(Tokens("1 e5"), "1|e5");
  EXPECT_EQ(Tokens("1.2.3"), "1.2|.3");
}

TEST(Lexer, TextsThatAreNoTokensAreRefused) {
  for (const char* text : {"#", "a # b", "'open", "\"open", "/* open", "1e", "1e+", "1abc", "1.5x",
                           "a & b", "`ion`", "!", "1e2147483648", "1e-2147483648",
                           "1.5e-2147483647", "1e99999999999999999999", "\\", "é"}) {
    EXPECT_EQ(Tokens(text), "refused") << text;
  }
  EXPECT_EQ(Tokens("1e2147483647"), "1e2147483647");
}

TEST(Lexer, WordsAreIdentifiersKeywordsOperatorsOrLiterals) {
  using enum TokenKind;
  EXPECT_EQ(Kinds("name_1 $x SELECT between TRUE false NULL missing ? \"select\""),
            (std::vector{kIdentifier, kIdentifier, kKeyword, kOperator, kTrue, kFalse, kNull,
                         kMissing, kParameter, kQuotedIdentifier, kEnd}));
  EXPECT_EQ(ClassifyWord("SeLeCt").word, Word::kSelect);
  EXPECT_EQ(ClassifyWord("size").word, Word::kFunction);
  EXPECT_EQ(ClassifyWord("inner").kind, kKeyword);
  EXPECT_EQ(ClassifyWord("absolute").kind, kKeyword);
  EXPECT_EQ(ClassifyWord("zone").kind, kKeyword);
  for (const char* word : {"data", "age", "name", "selec", "selects", "solute action", ""}) {
    EXPECT_EQ(ClassifyWord(word).kind, kIdentifier) << word;
  }
}

TEST(Lexer, TypeNamesMayHaveTwoWords) {
  for (const char* name : {"STRING", "int8", "Double Precision", "character varying"}) {
    EXPECT_TRUE(IsTypeName(name)) << name;
  }
  for (const char* name : {"FOO", "", " ", "precision", "int8,list", "varying"}) {
    EXPECT_FALSE(IsTypeName(name)) << name;
  }
}

TEST(Lexer, PlacesAreCountedInCharacters) {
  const std::string_view text = "SELECT 'é'\n  FROM \"tä\"";
  std::vector<Token> tokens;
  ASSERT_TRUE(Tokenize(text, &tokens));
  EXPECT_EQ(PlaceOf(text, tokens[0]), "1:1:6");
  EXPECT_EQ(PlaceOf(text, tokens[1]), "1:8:3");
  EXPECT_EQ(PlaceOf(text, tokens[2]), "2:3:4");
  EXPECT_EQ(PlaceOf(text, tokens[3]), "2:8:4");
}

}  // namespace
}  // namespace hashrange::partiql
