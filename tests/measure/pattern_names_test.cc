#include "measure/pattern_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "measure/sign_up_measurement.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

Result<std::vector<PatternMatch>> ReadMatches(const std::string& text) {
  HR_ASSIGN(const OwnedJson json, OwnedJson::Parse(text, JsonDialect::kStrict));
  return ReadPatternMatches(json.value(), "names");
}

// Returns the names of the two patterns, without names at first, after the matches.
std::vector<std::string> NamesAfter(const std::string& matches) {
  const auto read = ReadMatches(matches);
  EXPECT_TRUE(read.ok()) << read.error().message;
  Measurement measurement = SignUpMeasurement();
  measurement.patterns[0].name = "";
  NamePatterns(*read, measurement);
  return {measurement.patterns[0].name, measurement.patterns[1].name};
}

using Names = std::vector<std::string>;

TEST(PatternNames, EachMemberRestrictsTheMatch) {
  struct Case {
    std::string match;
    Names names;
  };
  const Case cases[] = {
      {R"([{"name":"n"}])", {"n", "n"}},
      {R"([{"name":"n","operation":"Query"}])", {"", "n"}},
      {R"([{"name":"n","operation":"query"}])", {"", ""}},
      {R"([{"name":"n","table":"sh*"}])", {"n", "n"}},
      {R"([{"name":"n","table":"other"}])", {"", ""}},
      {R"([{"name":"n","index":""}])", {"n", ""}},
      {R"([{"name":"n","index":"GSI1"}])", {"", "n"}},
      {R"([{"name":"n","partition_key":"CUST#*"}])", {"n", "n"}},
      {R"([{"name":"n","partition_key":"CUST#{id}"}])", {"n", "n"}},
      {R"([{"name":"n","partition_key":"CUST#"}])", {"", ""}},
      {R"([{"name":"n","sort_key":"ORDER#*"}])", {"", "n"}},
      {R"([{"name":"n","sort_key":"PROFILE"}])", {"n", ""}},
      {R"([{"name":"n","sort_key":""}])", {"", ""}},
      {R"([{"name":"n","caller":"check*"}])", {"", "n"}},
      {R"([{"name":"n","operation":"Query","table":"shop","index":"GSI1",)"
       R"("partition_key":"CUST#*","sort_key":"ORDER#*","caller":"checkout"}])",
       {"", "n"}},
  };
  for (const Case& each : cases) EXPECT_EQ(NamesAfter(each.match), each.names) << each.match;
}

TEST(PatternNames, ATableIsMeantByItsOwnNameOrByTheWholeName) {
  const struct {
    std::string table;
    std::string match;
    bool is_meant;
  } cases[] = {
      {"111122223333 shop", "shop", true},
      {"111122223333 us-east-1 shop", "shop", true},
      {"shop (2)", "shop", true},
      {"111122223333 shop (2)", "shop", true},
      {"111122223333 shop", "1111*", true},
      {"111122223333 shop", "444455556666 shop", false},
      {"111122223333 workshop", "shop", false},
  };
  for (const auto& each : cases) {
    Measurement measurement = SignUpMeasurement();
    measurement.patterns[0].name = "";
    measurement.patterns[0].members[0].table = each.table;
    NamePatterns(*ReadMatches(R"([{"name":"n","table":")" + each.match + "\"}]"), measurement);
    EXPECT_EQ(measurement.patterns[0].name, each.is_meant ? "n" : "") << each.table;
  }
}

TEST(PatternNames, TheFirstMatchCounts) {
  EXPECT_EQ(NamesAfter(R"([{"name":"puts","operation":"Put*"},{"name":"rest"}])"),
            (Names{"puts", "rest"}));
}

TEST(PatternNames, ANameOfTheRequestStays) {
  const std::vector<PatternMatch> matches = {{.name = "other"}};
  Measurement measurement = SignUpMeasurement();
  NamePatterns(matches, measurement);
  EXPECT_EQ(measurement.patterns[0].name, "sign up");
  EXPECT_EQ(measurement.patterns[1].name, "other");
}

TEST(PatternNames, OneMemberOfACallIsEnough) {
  Measurement measurement = SignUpMeasurement();
  measurement.patterns[1].members.insert(measurement.patterns[1].members.begin(),
                                         {.kind = "get", .table = "other"});
  NamePatterns(*ReadMatches(R"([{"name":"n","table":"shop","sort_key":"ORDER#*"}])"), measurement);
  EXPECT_EQ(measurement.patterns[1].name, "n");
}

// An index whose partition key has two attributes: two terms are the partition key.
TEST(PatternNames, PartsOfAKeyAreJoined) {
  Measurement measurement = SignUpMeasurement();
  measurement.tables[0].indexes[0].hash = {"tenant", "customer"};
  measurement.patterns[1].members[0].key = {
      {"tenant", "=", "T#{id}", ""}, {"customer", "=", "C#{id}", ""}, {"at", "BETWEEN", "1", "2"}};
  NamePatterns(*ReadMatches(R"([{"name":"n","partition_key":"T#{id}, C#*","sort_key":"1 AND 2"}])"),
               measurement);
  EXPECT_EQ(measurement.patterns[1].name, "n");
}

TEST(PatternNames, StarsMatchAnyText) {
  struct Case {
    const char* text;
    const char* pattern;
    bool matches;
  };
  const Case cases[] = {
      {"", "", true},
      {"", "*", true},
      {"a", "", false},
      {"a", "*", true},
      {"abc", "a*c", true},
      {"ac", "a*c", true},
      {"abd", "a*c", false},
      {"abcbc", "a*bc", true},
      {"abab", "*ab", true},
      {"aba", "*ab", false},
      {"a*b", "a*b", true},
      {"ab", "a**b**", true},
      {"xaayaab", "*aa*aab", true},
      {"aba", "ab*ba", false},
      {"abba", "ab*ba", true},
      {"xabcabd", "*abc*abc*", false},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(MatchesStars(each.text, each.pattern), each.matches)
        << each.text << " " << each.pattern;
  }
}

TEST(PatternNames, ErrorsNameTheMember) {
  struct Case {
    std::string text;
    std::string sentence;
  };
  const Case cases[] = {
      {R"({})", R"("names" is not a list.)"},
      {R"([1])", R"("names[0]" is not an object.)"},
      {R"([{"name":"a"},{}])", R"("names[1].name" is missing.)"},
      {R"([{"name":""}])", R"("names[0].name" is empty.)"},
      {R"([{"name":1}])", R"("names[0].name" is not a text.)"},
      {R"([{"name":"a","index":null}])", ""},
      {R"([{"name":"a","index":1}])", R"("names[0].index" is not a text.)"},
      {R"([{"name":"a","Index":"i"}])",
       R"("names[0].Index" is not known here. The members are "name", "operation", "table", )"
       R"("index", "partition_key", "sort_key", "caller".)"},
  };
  for (const Case& each : cases) {
    const auto read = ReadMatches(each.text);
    ASSERT_FALSE(read.ok()) << each.text;
    if (!each.sentence.empty()) {
      EXPECT_EQ(read.error().message, each.sentence);
    }
  }
}

TEST(PatternNames, ThereAreAtMostAThousand) {
  std::string list = R"([{"name":"a"})";
  for (int i = 1; i < 1000; ++i) list += R"(,{"name":"a"})";
  EXPECT_TRUE(ReadMatches(list + "]").ok());
  const auto read = ReadMatches(list + R"(,{"name":"a"}])");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().message, R"("names" has 1001 entries, and may have 1000.)");
}

}  // namespace
}  // namespace hashrange
