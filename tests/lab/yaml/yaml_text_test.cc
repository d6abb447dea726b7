#include "lab/yaml/yaml_text.h"

#include <gtest/gtest.h>

#include <string>

namespace hashrange {
namespace {

TEST(YamlText, PlainOrQuoted) {
  EXPECT_EQ(YamlPlain("order_id"), "order_id");
  EXPECT_EQ(YamlPlain("as it is"), "as it is");
  for (const char* word : {"", "true", "No", "null", "5", "a: b", "-a", "a ", "ä", "a#b"}) {
    EXPECT_EQ(YamlPlain(word).front(), '"') << word;
  }
  EXPECT_EQ(YamlQuoted("a\"b\\c\n\x01"), R"("a\"b\\c\x0A\x01")");
  EXPECT_EQ(YamlList({"a", "no"}), R"([a, "no"])");
}

TEST(YamlText, KeysOfOneOrSeveralAttributes) {
  EXPECT_EQ(YamlKey({"PK"}, {}), "[PK]");
  EXPECT_EQ(YamlKey({"PK"}, {"SK"}), "[PK, SK]");
  EXPECT_EQ(YamlKey({"a", "b"}, {}), "{hash: [a, b]}");
  EXPECT_EQ(YamlKey({"a"}, {"b", "c"}), "{hash: [a], range: [b, c]}");
}

TEST(YamlText, CommentsAreOneLine) {
  EXPECT_EQ(YamlComment("one\ntwo\r\n\tthree\x7f"), "one two three");
  EXPECT_EQ(YamlComment("a\xE2\x80\xA8"
                        "b\xC2\x85"
                        "c"),
            "a b c");
  EXPECT_EQ(YamlComment("\xFF\xFE"), "");
  EXPECT_EQ(YamlComment("Größe …"), "Größe …");
  EXPECT_LT(YamlComment(std::string(5000, 'x')).size(), 500U);
}

TEST(YamlText, Numbers) {
  EXPECT_EQ(YamlNumber(1000), "1000");
  EXPECT_EQ(YamlNumber(0.5), "0.5");
  EXPECT_EQ(YamlNumber(193.54), "193.5");
  EXPECT_EQ(YamlNumber(1e9), "1000000000");
  EXPECT_EQ(YamlNumber(0.000123), "0.000123");
  EXPECT_EQ(YamlNumber(0), "0");
}

}  // namespace
}  // namespace hashrange
