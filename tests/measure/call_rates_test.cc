#include "measure/call_rates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "measure/sign_up_measurement.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CallRates, AreReadByName) {
  const auto json = OwnedJson::Parse(R"({"sign up": 12, "bbb": 0.5})", JsonDialect::kStrict);
  ASSERT_TRUE(json.ok());
  const auto rates = ReadCallRates(json->value(), "rates");
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
    const auto json = OwnedJson::Parse(each.text, JsonDialect::kStrict);
    ASSERT_TRUE(json.ok());
    const auto rates = ReadCallRates(json->value(), "rates");
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
