#include "lab/run/answer/fetch_keys.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

TEST(FetchKeys, PutsEachKeyOnceIntoTheRequest) {
  FetchKeys keys;
  std::string first =
      R"({"Items":[{"SK":{"S":"1"},"PK":{"S":"a\"b"},"n":{"N":"1"}},{"SK":{"S":"2"},"PK":{"S":"a"}}],"Count":2})";
  std::string second =
      R"({"Items":[{"SK":{"S":"2"},"PK":{"S":"a"}},{"SK":{"S":"3"},"PK":{"S":"a"}}]})";
  keys.AddFrom(first, {"PK", "SK"}, "");
  keys.AddFrom(second, {"PK", "SK"}, "");
  ASSERT_EQ(keys.size(), 3U);
  std::string request = R"({"RequestItems":{"t":{"Keys":[]}}})";
  keys.PutInto(request, 0, 2);
  EXPECT_EQ(
      request,
      R"({"RequestItems":{"t":{"Keys":[{"PK":{"S":"a\"b"},"SK":{"S":"1"}},{"PK":{"S":"a"},"SK":{"S":"2"}}]}}})");
  std::string rest = R"({"Keys":[]})";
  keys.PutInto(rest, 2, 3);
  EXPECT_EQ(rest, R"({"Keys":[{"PK":{"S":"a"},"SK":{"S":"3"}}]})");
  keys.Clear();
  EXPECT_EQ(keys.size(), 0U);
}

TEST(FetchKeys, MergesTheAnswersOfSeveralQueriesByTheirOrder) {
  FetchKeys texts;
  std::string first =
      R"({"Items":[{"k":{"S":"a"},"at":{"S":"9"}},{"k":{"S":"b"},"at":{"S":"3"}}]})";
  std::string second = R"({"Items":[{"k":{"S":"c"},"at":{"S":"7"}},{"k":{"S":"d"}}]})";
  texts.AddFrom(first, {"k"}, "at");
  texts.AddFrom(second, {"k"}, "at");
  texts.Sort(true);
  std::string request = R"({"Keys":[]})";
  texts.PutInto(request, 0, 4);
  EXPECT_EQ(request,
            R"({"Keys":[{"k":{"S":"a"}},{"k":{"S":"c"}},{"k":{"S":"b"}},{"k":{"S":"d"}}]})");

  FetchKeys numbers;
  std::string scores =
      R"({"Items":[{"k":{"S":"a"},"n":{"N":"10"}},{"k":{"S":"b"},"n":{"N":"9.5"}},{"k":{"S":"c"},"n":{"N":"-1"}}]})";
  numbers.AddFrom(scores, {"k"}, "n");
  numbers.Sort(false);
  request = R"({"Keys":[]})";
  numbers.PutInto(request, 0, 2);
  EXPECT_EQ(request, R"({"Keys":[{"k":{"S":"c"}},{"k":{"S":"b"}}]})");
}

}  // namespace
}  // namespace hashrange
