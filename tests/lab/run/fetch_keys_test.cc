#include "lab/run/answer/fetch_keys.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

PlanStep FetchOf(std::vector<FetchedKeyAttribute> key) {
  PlanStep step = {.kind = PlanStep::Kind::kFetch};
  step.fetched_key = std::move(key);
  return step;
}

void AddAll(std::string answer, const PlanStep& step, FetchKeys& keys) {
  ParsedItems parsed;
  ParseItems(answer, parsed);
  for (const JsonValue* item : parsed.items) keys.Add(*item, step);
}

// Returns the keys of one request, in their order.
std::string TextOf(const FetchKeys& keys, std::size_t from, std::size_t to) {
  std::string request = R"({"RequestItems":{"t":{"Keys":[]}}})";
  keys.PutInto(request, from, to);
  return request;
}

TEST(FetchKeys, PutsEachKeyOnceIntoTheRequest) {
  const PlanStep step = FetchOf({{.name = "PK"}, {.name = "SK"}});
  FetchKeys keys;
  AddAll(
      R"({"Items":[{"SK":{"S":"1"},"PK":{"S":"a\"b"},"n":{"N":"1"}},{"SK":{"S":"2"},"PK":{"S":"a"}}],"Count":2})",
      step, keys);
  AddAll(R"({"Items":[{"SK":{"S":"2"},"PK":{"S":"a"}},{"SK":{"S":"3"},"PK":{"S":"a"}}]})", step,
         keys);
  ASSERT_EQ(keys.Finish(step), 3U);
  EXPECT_EQ(
      TextOf(keys, 0, 2),
      R"({"RequestItems":{"t":{"Keys":[{"PK":{"S":"a\"b"},"SK":{"S":"1"}},{"PK":{"S":"a"},"SK":{"S":"2"}}]}}})");
  EXPECT_EQ(TextOf(keys, 2, 3),
            R"({"RequestItems":{"t":{"Keys":[{"PK":{"S":"a"},"SK":{"S":"3"}}]}}})");
  keys.Clear();
  EXPECT_EQ(keys.Finish(step), 0U);
}

TEST(FetchKeys, MergesTheAnswersOfSeveralQueriesByTheirOrder) {
  PlanStep step = FetchOf({{.name = "k"}});
  step.merge_by = "at";
  step.merges_backward = true;
  FetchKeys texts;
  AddAll(R"({"Items":[{"k":{"S":"a"},"at":{"S":"9"}},{"k":{"S":"b"},"at":{"S":"3"}}]})", step,
         texts);
  AddAll(R"({"Items":[{"k":{"S":"c"},"at":{"S":"7"}},{"k":{"S":"d"}}]})", step, texts);
  ASSERT_EQ(texts.Finish(step), 4U);
  EXPECT_EQ(
      TextOf(texts, 0, 4),
      R"({"RequestItems":{"t":{"Keys":[{"k":{"S":"a"}},{"k":{"S":"c"}},{"k":{"S":"b"}},{"k":{"S":"d"}}]}}})");

  step.merge_by = "n";
  step.merges_backward = false;
  step.items = 2;
  FetchKeys numbers;
  AddAll(
      R"({"Items":[{"k":{"S":"a"},"n":{"N":"10"}},{"k":{"S":"b"},"n":{"N":"9.5"}},{"k":{"S":"c"},"n":{"N":"-1"}}]})",
      step, numbers);
  ASSERT_EQ(numbers.Finish(step), 2U);
  EXPECT_EQ(TextOf(numbers, 0, 2),
            R"({"RequestItems":{"t":{"Keys":[{"k":{"S":"c"}},{"k":{"S":"b"}}]}}})");
}

// Numbers have 38 digits, more than a double keeps.
TEST(FetchKeys, MergesLongNumbersExactly) {
  PlanStep step = FetchOf({{.name = "k"}});
  step.merge_by = "n";
  FetchKeys keys;
  AddAll(
      R"({"Items":[{"k":{"S":"a"},"n":{"N":"9007199254740993"}},{"k":{"S":"b"},"n":{"N":"-0.5"}}]})",
      step, keys);
  AddAll(
      R"({"Items":[{"k":{"S":"c"},"n":{"N":"9007199254740992"}},{"k":{"S":"d"},"n":{"N":"12345678901234567890123456789012345678"}}]})",
      step, keys);
  AddAll(R"({"Items":[{"k":{"S":"e"},"n":{"N":"12345678901234567890123456789012345677"}}]})", step,
         keys);
  ASSERT_EQ(keys.Finish(step), 5U);
  EXPECT_EQ(
      TextOf(keys, 0, 5),
      R"({"RequestItems":{"t":{"Keys":[{"k":{"S":"b"}},{"k":{"S":"c"}},{"k":{"S":"a"}},{"k":{"S":"e"}},{"k":{"S":"d"}}]}}})");
}

// USER#{user_id} of the writers of comments: of the first three comments, two are of one writer.
TEST(FetchKeys, MakesKeysOfWhatItemsReferTo) {
  const LabTemplate text = {.text = "USER#{user_id}",
                            .parts = {{.literal = "USER#", .attribute = {0, 0}}}};
  PlanStep step =
      FetchOf({{.name = "PK", .text = text, .from = {{"writer"}}},
               {.name = "n", .type = LabType::kNumber, .text = {.parts = {{.literal = "7"}}}}});
  step.kind = PlanStep::Kind::kFetchReferred;
  step.items = 3;
  FetchKeys keys;
  AddAll(
      R"({"Responses":{"t":[{"writer":{"S":"1"}},{"text":{"S":"nobody"}},{"writer":{"N":"2"}}]}})",
      step, keys);
  AddAll(R"({"Item":{"writer":{"S":"1"}},"ConsumedCapacity":{"CapacityUnits":1}})", step, keys);
  AddAll(R"({"Items":[{"writer":{"S":"3"}}]})", step, keys);
  ASSERT_EQ(keys.Finish(step), 2U);
  EXPECT_EQ(
      TextOf(keys, 0, 2),
      R"({"RequestItems":{"t":{"Keys":[{"PK":{"S":"USER#1"},"n":{"N":"7"}},{"PK":{"S":"USER#2"},"n":{"N":"7"}}]}}})");
}

// The user_id of W#{user_id}#{at}, and of {at}#W#{user_id}; a text that is neither gives no key.
TEST(FetchKeys, ReadsValuesOutOfKeys) {
  const LabTemplatePart user = {.literal = "W#", .attribute = {0, 0}};
  const LabTemplatePart at = {.literal = "#", .attribute = {0, 1}};
  const LabTemplate front = {.parts = {user, at}};
  const LabTemplate back = {
      .parts = {{.attribute = {0, 1}}, {.literal = "#W#", .attribute = {0, 0}}}};
  const LabTemplate text = {.parts = {{.literal = "USER#", .attribute = {0, 0}}}};
  PlanStep step = FetchOf({{.name = "PK", .text = text, .from = {{"SK", front, 0}}},
                           {.name = "SK", .text = text, .from = {{"H", back, 1}}}});
  FetchKeys keys;
  AddAll(R"({"Items":[{"SK":{"S":"W#7#2026"},"H":{"S":"2026#W#8"}},)"
         R"({"SK":{"S":"V#7#2026"},"H":{"S":"2026#W#8"}},{"SK":{"S":"W#7"},"H":{"S":"2026#W#8"}},)"
         R"({"SK":{"S":"W#7#2026"},"H":{"S":"2026#8"}},{"SK":{"S":"W#7#2026"}}]})",
         step, keys);
  ASSERT_EQ(keys.Finish(step), 1U);
  EXPECT_EQ(TextOf(keys, 0, 1),
            R"({"RequestItems":{"t":{"Keys":[{"PK":{"S":"USER#7"},"SK":{"S":"USER#8"}}]}}})");
}

// What is no answer, or has other values than texts and numbers, gives no key.
TEST(FetchKeys, TakesNothingFromOtherAnswers) {
  const PlanStep step =
      FetchOf({{.name = "PK", .text = {.parts = {{.attribute = {0, 0}}}}, .from = {{"writer"}}}});
  FetchKeys keys;
  for (const char* answer :
       {"", "[]", "{", R"({"Items":{}})", R"({"Items":[{"writer":{"BOOL":true}}]})",
        R"({"Items":[{"writer":"1"}]})", R"({"Responses":[]})", R"({"Items":[7]})"}) {
    AddAll(answer, step, keys);
  }
  EXPECT_EQ(keys.Finish(step), 0U);
}

}  // namespace
}  // namespace hashrange
