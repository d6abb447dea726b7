#include "wire/json_writer.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

template <typename Write>
std::string Written(Write write) {
  OutputBuffer out;
  JsonWriter writer(out);
  write(writer);
  return std::string(out.view());
}

TEST(JsonWriter, SetsCommasBetweenMembersAndElements) {
  EXPECT_EQ(Written([](JsonWriter& w) {
              w.BeginObject();
              w.BeginArray("a");
              w.Integer(1);
              w.String("x");
              w.BeginObject();
              w.EndObject();
              w.BeginArray();
              w.EndArray();
              w.EndArray();
              w.BoolMember("b", true);
              w.RawMember("c", "{\"d\":1}");
              w.Name("e");
              w.BeginValue().Append("null");
              w.EndObject();
            }),
            R"({"a":[1,"x",{},[]],"b":true,"c":{"d":1},"e":null})");
}

TEST(JsonWriter, EscapesOnlyWhatJsonRequires) {
  struct Case {
    std::string text;
    std::string json;
  };
  const Case cases[] = {
      {"", R"("")"},
      {"plain text of some length", R"("plain text of some length")"},
      {"\"\\/", R"("\"\\/")"},
      {"\b\f\n\r\t", R"("\b\f\n\r\t")"},
      {std::string("\0\x01\x1f\x7f", 4), std::string(R"("\u0000\u0001\u001f)") + "\x7f\""},
      {"é€😀", "\"é€😀\""},
      {"12345678\"", R"("12345678\"")"},
      {"\xC3\xBF\"\"end", "\"\xC3\xBF\\\"\\\"end\""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Written([&](JsonWriter& w) { w.String(c.text); }), c.json);
    EXPECT_EQ(Written([&](JsonWriter& w) { w.Name(c.text); }), c.json + ":");
  }
}

TEST(JsonWriter, FindsAnEscapeAtEveryOffset) {
  for (std::size_t at = 0; at < 40; ++at) {
    std::string text(40, 'x');
    text[at] = '\n';
    const std::string escaped = text.substr(0, at) + "\\n" + text.substr(at + 1);
    EXPECT_EQ(Written([&](JsonWriter& w) { w.String(text); }), "\"" + escaped + "\"");
  }
}

TEST(JsonWriter, PrintsNumbersAsTheServiceDoes) {
  const std::pair<double, std::string> doubles[] = {
      {0.0, "0.0"},
      {1.0, "1.0"},
      {0.5, "0.5"},
      {12.5, "12.5"},
      {100000.0, "100000.0"},
      {-3.0, "-3.0"},
      {1e21, "1000000000000000000000.0"},
      {0.1, "0.1"},
  };
  for (const auto& [value, text] : doubles) {
    EXPECT_EQ(Written([&](JsonWriter& w) { w.Double(value); }), text);
  }
  EXPECT_EQ(Written([](JsonWriter& w) { w.Integer(INT64_MIN); }), "-9223372036854775808");
}

TEST(JsonWriter, PrintsTimesInSeconds) {
  const std::pair<std::int64_t, std::string> times[] = {
      {1730000000123, "1730000000.123"},
      {1730000000007, "1730000000.007"},
      {1730000000000, "1730000000.000"},
      {5, "0.005"},
      {-1500, "-1.500"},
  };
  for (const auto& [ms, text] : times) {
    EXPECT_EQ(Written([&](JsonWriter& w) { w.Timestamp(ms); }), text);
  }
  EXPECT_EQ(Written([](JsonWriter& w) {
              w.BeginArray();
              w.Timestamp(1000);
              w.Timestamp(2000);
              w.EndArray();
            }),
            "[1.000,2.000]");
}

}  // namespace
}  // namespace hashrange
