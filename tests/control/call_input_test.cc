#include "control/call_input.h"

#include <gtest/gtest.h>

#include <string>

#include "base/memory/arena.h"

namespace hashrange {
namespace {

constexpr Member kMembers[] = {
    {"name", MemberType::kText, true}, {"on", MemberType::kBoolean},
    {"count", MemberType::kWhole},     {"share", MemberType::kNumber},
    {"lag", MemberType::kDuration},    {"at", MemberType::kAny},
    {"match", MemberType::kObject},    {"rules", MemberType::kList},
    {"free", MemberType::kAny},
};

class ControlJson : public testing::Test {
 protected:
  const JsonValue& Parse(std::string text) {
    text_ = std::move(text);
    const auto json = ParseJsonData({text_.data(), text_.size()}, JsonDialect::kStrict, arena_);
    EXPECT_TRUE(json.ok()) << text_;
    return **json;
  }
  // Returns the sentence with which an object is refused.
  std::string Refusal(std::string text, std::string_view place = "the body") {
    const auto object = ReadObject(Parse(std::move(text)), kMembers, place);
    return object.ok() ? "" : object.error().message;
  }

  Arena arena_;
  std::string text_;
};

TEST_F(ControlJson, MembersAreReadByTheirType) {
  const auto object = ReadObject(
      Parse(R"({"name":"a","on":true,"count":3,"share":0.5,"lag":"2s","at":"1970-01-01T00:00:01Z",)"
            R"("match":{},"rules":[1,2]})"),
      kMembers);
  ASSERT_TRUE(object.ok());
  EXPECT_EQ(object->Text("name"), "a");
  EXPECT_EQ(object->Boolean("on"), true);
  EXPECT_EQ(object->Whole("count"), 3);
  EXPECT_EQ(object->Number("share"), 0.5);
  EXPECT_EQ(object->DurationMs("lag"), 2000);
  EXPECT_EQ(InstantMsOf(*object->Find("at")), 1000);
  EXPECT_EQ(object->Find("match")->type, JsonValue::Type::kObject);
  EXPECT_EQ(object->List("rules").size(), 2u);
  EXPECT_FALSE(object->Has("free"));
}

TEST_F(ControlJson, AbsentMembersGiveNone) {
  const auto object = ReadObject(Parse(R"({"name":"a"})"), kMembers);
  ASSERT_TRUE(object.ok());
  EXPECT_EQ(object->Boolean("on"), std::nullopt);
  EXPECT_EQ(object->Whole("count"), std::nullopt);
  EXPECT_EQ(object->Number("share"), std::nullopt);
  EXPECT_EQ(object->DurationMs("lag"), std::nullopt);
  EXPECT_TRUE(object->List("rules").empty());
}

TEST_F(ControlJson, NumbersOfTimeAreSecondsAndNoDurations) {
  const auto object =
      ReadObject(Parse(R"({"name":"a","lag":0.0,"at":1.25,"count":2.0})"), kMembers);
  ASSERT_TRUE(object.ok());
  EXPECT_EQ(object->DurationMs("lag"), 0);
  EXPECT_EQ(InstantMsOf(*object->Find("at")), 1250);
  EXPECT_EQ(object->Whole("count"), 2);
}

TEST_F(ControlJson, WhatIsNoInstantGivesNone) {
  for (const char* text : {"-1", "1e300", "\"today\"", "true"}) {
    EXPECT_EQ(InstantMsOf(Parse(text)), std::nullopt) << text;
  }
}

TEST_F(ControlJson, AMemberNobodyKnowsIsNamed) {
  EXPECT_EQ(Refusal(R"({"name":"a","nmae":1})"),
            R"("nmae" is no member of the body, which may have "name", "on", "count", "share", )"
            R"("lag", "at", "match", "rules" and "free".)");
  EXPECT_EQ(ReadObject(Parse(R"({"x":1})"), {}, R"("match")").error().message,
            R"("x" is no member of "match", which has no members.)");
}

TEST_F(ControlJson, AMemberOfAnotherTypeIsNamed) {
  const std::string duration(R"(a time with its unit, such as "500ms", "3s", "5m", "2h" or "2d".)");
  const struct {
    std::string json;
    std::string message;
  } rows[] = {
      {R"({"name":1})", R"("name" in the body is not a text of at least one character.)"},
      {R"({"name":""})", R"("name" in the body is not a text of at least one character.)"},
      {R"({"on":"true"})", R"("on" in the body is not true or false.)"},
      {R"({"count":-1})", R"("count" in the body is not a whole number from 0.)"},
      {R"({"count":1.5})", R"("count" in the body is not a whole number from 0.)"},
      {R"({"count":1e300})", R"("count" in the body is not a whole number from 0.)"},
      {R"({"count":99999999999999999999})", R"("count" in the body is not a whole number from 0.)"},
      {R"({"share":"1"})", R"("share" in the body is not a number.)"},
      {R"({"lag":-5})", R"("lag" in the body is not )" + duration},
      {R"({"lag":0.5})", R"("lag" in the body is not )" + duration},
      {R"({"lag":"5x"})", R"("lag" in the body is not )" + duration},
      {R"({"lag":true})", R"("lag" in the body is not )" + duration},
      {R"({"lag":9223372036854775807})", R"("lag" in the body is not )" + duration},
      {R"({"match":[]})", R"("match" in the body is not an object.)"},
      {R"({"rules":{}})", R"("rules" in the body is not a list.)"},
  };
  for (const auto& row : rows) EXPECT_EQ(Refusal(row.json), row.message) << row.json;
}

TEST_F(ControlJson, ARequiredMemberThatIsAbsentIsNamed) {
  EXPECT_EQ(Refusal("{}"), R"("name" is missing in the body.)");
  EXPECT_EQ(Refusal(R"({"on":true})", R"("rules"[0])"), R"("name" is missing in "rules"[0].)");
}

TEST_F(ControlJson, WhatIsNoObjectIsRefused) {
  for (const std::string text : {"[]", "null", "1", "\"a\"", "true"}) {
    EXPECT_EQ(Refusal(text), "The body is not a JSON object.");
    EXPECT_EQ(Refusal(text, R"("match")"), R"("match" is not a JSON object.)");
  }
}

TEST_F(ControlJson, LongAndStrangeTextsAreQuotedInShort) {
  EXPECT_EQ(Quoted("a\nb\x01"), "\"a b \"");
  EXPECT_EQ(Quoted(std::string(101, 'x')), "\"" + std::string(100, 'x') + "…\"");
  EXPECT_EQ(Quoted(std::string(99, 'x') + "é"), "\"" + std::string(99, 'x') + "…\"");
  EXPECT_EQ(Quoted(std::string(200, '\x80')), "\"…\"");
}

TEST_F(ControlJson, NamesAreListed) {
  constexpr std::string_view kNames[] = {"a", "b", "c"};
  EXPECT_EQ(QuotedList({kNames, 0}), "");
  EXPECT_EQ(QuotedList({kNames, 1}), "\"a\"");
  EXPECT_EQ(QuotedList({kNames, 2}, "or"), "\"a\" or \"b\"");
  EXPECT_EQ(QuotedList({kNames, 3}), "\"a\", \"b\" and \"c\"");
}

}  // namespace
}  // namespace hashrange
