#include "measure/named_patterns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/memory/arena.h"
#include "measure/sign_up_measurement.h"

namespace hashrange {
namespace {

using testing::ElementsAre;

TEST(NamedPatterns, APatternWithoutANameStandsAlone) {
  Measurement measurement = SignUpMeasurement();
  measurement.patterns[0].name = "";
  const auto named = PatternsByName(measurement);
  ASSERT_EQ(named.size(), 2u);
  EXPECT_THAT(named[0].ids, ElementsAre("aaa"));
  EXPECT_EQ(TitleOf(named[0].sum), "PutItem shop CUST#{id}");
}

TEST(NamedPatterns, PatternsOfOneNameAreAddedUp) {
  Measurement measurement = SignUpMeasurement();
  PatternMeasure more = SignUpPattern();
  more.id = "ccc";
  more.calls = more.requests = 100;
  more.errors = {{"ValidationException", 2}};
  more.units = {{"shop", "", 0, 100}, {"shop", "GSI2", 0, 300}};
  more.failed_write_units = 7;
  more.call.write_units = {};
  more.call.write_units.Add(4, 100);
  measurement.patterns.push_back(more);
  const auto named = PatternsByName(measurement);
  ASSERT_EQ(named.size(), 2u);
  EXPECT_THAT(named[0].ids, ElementsAre("aaa", "ccc"));
  const PatternMeasure& sum = named[0].sum;
  EXPECT_EQ(sum.calls, 700u);
  EXPECT_EQ(sum.failed_write_units, 7);
  EXPECT_EQ(sum.call.write_units.sum(), 1600);
  EXPECT_EQ(sum.call.write_units.max(), 4);
  EXPECT_EQ(SuccessfulCallsOf(sum), 698);
  ASSERT_EQ(sum.units.size(), 3u);
  EXPECT_EQ(sum.units[0].write_units, 700);
  EXPECT_EQ(sum.units[1].write_units, 600);
  EXPECT_EQ(sum.units[2].index, "GSI2");
  EXPECT_EQ(sum.units[2].write_units, 300);
  EXPECT_EQ(sum.members.size(), 2u);
}

TEST(NamedPatterns, AlikePatternsAreMergedUnlessTheirAccessesDiffer) {
  Measurement measurement = SignUpMeasurement();
  const std::size_t before = measurement.patterns.size();
  const std::uint64_t calls = measurement.patterns[0].calls;
  ASSERT_FALSE(measurement.patterns[0].members.empty());
  PatternMeasure alike = measurement.patterns[0];
  alike.id = "ccc";
  alike.members[0].condition = "attribute_exists(lines.sku7)";
  PatternMeasure other_key = alike;
  other_key.id = "ddd";
  other_key.members[0].key.push_back({.attribute = "SK", .op = "=", .value = "LINES"});
  PatternMeasure without_name = alike;
  without_name.id = "eee";
  without_name.name = "";
  measurement.patterns.insert(measurement.patterns.end(), {alike, other_key, without_name});
  MergeAlikePatterns(measurement);
  ASSERT_EQ(measurement.patterns.size(), before + 2);
  EXPECT_EQ(measurement.patterns[0].id, "aaa");
  EXPECT_EQ(measurement.patterns[0].calls, 2 * calls);
  EXPECT_EQ(measurement.patterns[0].members.size(), alike.members.size());
  EXPECT_EQ(measurement.patterns[before].id, "ddd");
  EXPECT_EQ(measurement.patterns[before + 1].id, "eee");
}

TEST(NamedPatterns, ExaminedPerReturnedIsOfAllCalls) {
  PatternMeasure pattern = OrdersPattern();
  EXPECT_EQ(ExaminedPerReturned(pattern), 2);  // 2,000 for 1,000
  pattern.call.items_returned = {};
  EXPECT_TRUE(std::isinf(ExaminedPerReturned(pattern)));
  EXPECT_EQ(ExaminedPerReturned(SignUpPattern()), 0);
}

TEST(NamedPatterns, CallsThatBeganEarlierAreTheirRequests) {
  PatternMeasure pattern = OrdersPattern();
  pattern.calls = 0;
  pattern.requests = 3;
  EXPECT_EQ(CallsOf(pattern), 3);
}

Result<std::vector<PatternMatch>> ReadMatches(std::string text) {
  Arena arena;
  HR_ASSIGN(const JsonValue* json,
            ParseJsonData({text.data(), text.size()}, JsonDialect::kStrict, arena));
  return ReadPatternMatches(*json, "names");
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

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CallRates, AreReadByName) {
  Arena arena;
  std::string text = R"({"sign up": 12, "bbb": 0.5})";
  const auto json = ParseJsonData({text.data(), text.size()}, JsonDialect::kStrict, arena);
  ASSERT_TRUE(json.ok());
  const auto rates = ReadCallRates(**json, "rates");
  ASSERT_TRUE(rates.ok());
  ASSERT_EQ(rates->size(), 2u);
  EXPECT_EQ((*rates)[0].pattern, "sign up");
  EXPECT_EQ((*rates)[0].calls_per_second, 12);
  EXPECT_EQ((*rates)[1].pattern, "bbb");
  EXPECT_EQ((*rates)[1].calls_per_second, 0.5);
}

TEST(CallRates, ErrorsNameTheRate) {
  struct Case {
    std::string text;
    std::string sentence;
  };
  std::string many = R"({"n":0)";
  for (int i = 0; i < 1000; ++i) many += ",\"n" + std::to_string(i) + "\":1";
  const Case cases[] = {
      {many + "}", "\"rates\" has 1001 entries, and may have 1000."},
      {"[]", "\"rates\" is not an object."},
      {R"({"a":-1})", "\"rates.a\" is not a number of 0 or more."},
      {R"({"a":"1"})", "\"rates.a\" is not a number of 0 or more."},
  };
  for (const Case& each : cases) {
    Arena arena;
    std::string text = each.text;
    const auto json = ParseJsonData({text.data(), text.size()}, JsonDialect::kStrict, arena);
    ASSERT_TRUE(json.ok());
    const auto rates = ReadCallRates(**json, "rates");
    ASSERT_FALSE(rates.ok()) << each.text;
    EXPECT_EQ(rates.error().message, each.sentence);
  }
}

TEST(CallRates, ARateIsMeantByNameIdOrText) {
  const CallRate rates[] = {{"aaa", 3}, {"Query shop.GSI1 CUST#{id}", 2}};
  const PatternRates found = RatesOfPatterns(SignUpMeasurement(), rates);
  EXPECT_THAT(found.calls_per_second, ElementsAre(3, 2));
  EXPECT_EQ(found.total, 5);
  EXPECT_THAT(found.without_rate, IsEmpty());
  EXPECT_THAT(found.without_calls, IsEmpty());
}

// Two patterns with one name and 600 and 400 calls share a rate as 6 to 4.
TEST(CallRates, PatternsOfOneNameShareTheirRateByCalls) {
  Measurement measurement = SignUpMeasurement();
  measurement.patterns[1].name = "sign up";
  const CallRate rates[] = {{"sign up", 50}};
  EXPECT_THAT(RatesOfPatterns(measurement, rates).calls_per_second, ElementsAre(30, 20));
}

TEST(CallRates, WhatHasNoCounterpartIsNamed) {
  const CallRate rates[] = {{"sign up", 50}, {"misspelt", 1}};
  const PatternRates found = RatesOfPatterns(SignUpMeasurement(), rates);
  EXPECT_THAT(found.without_rate, ElementsAre("Query shop.GSI1 CUST#{id}"));
  EXPECT_THAT(found.without_calls, ElementsAre("misspelt"));
  EXPECT_EQ(found.total, 50);
}

}  // namespace
}  // namespace hashrange
