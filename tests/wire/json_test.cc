#include <gtest/gtest.h>

#include <string>

#include "base/memory/arena.h"
#include "wire/json.h"
#include "wire/json_writer.h"
#include "wire/parsed.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;

// Appends the tree as text that shows the types of the values.
void Render(const JsonValue& value, std::string& out) {
  switch (value.type) {
    case Type::kNull:
      out += "null";
      return;
    case Type::kFalse:
    case Type::kTrue:
      out += value.type == Type::kTrue ? "true" : "false";
      return;
    case Type::kInteger:
      out += "i" + std::to_string(value.integer);
      return;
    case Type::kHugeInteger:
    case Type::kDecimal:
      out += (value.type == Type::kDecimal ? "d" : "h") + std::to_string(value.decimal);
      return;
    case Type::kString:
      out += "'" + std::string(value.string()) + "'";
      return;
    case Type::kNumberText:
      out += "n'" + std::string(value.string()) + "'";
      return;
    case Type::kArray:
      out += "[";
      for (const JsonValue& element : value.elements()) Render(element, out += " ");
      out += " ]";
      return;
    case Type::kObject:
      out += "{";
      for (const JsonMember& member : value.members()) {
        Render(member.value, out += " " + std::string(member.name) + "=");
      }
      out += " }";
  }
}

std::string Tree(std::string text) {
  Arena arena;
  const auto parsed = ParseJson({text.data(), text.size()}, arena);
  if (!parsed.ok()) {
    EXPECT_EQ(parsed.error().code, ErrorCode::kSerializationException);
    EXPECT_EQ(parsed.error().message, "");
    return "refused";
  }
  std::string out;
  Render(**parsed, out);
  return out;
}

struct TreeCase {
  std::string json;
  std::string tree;
};

TEST(JsonParser, BuildsTheTreeOfEachValue) {
  const TreeCase cases[] = {
      {"null", "null"},
      {" true ", "true"},
      {"\t\r\nfalse", "false"},
      {"\"\"", "''"},
      {"{}", "{ }"},
      {"[]", "[ ]"},
      {R"([1,"a",null,{"b":[]},[2]])", "[ i1 'a' null { b=[ ] } [ i2 ] ]"},
      {R"({"a":{"b":{"c":1}},"d":[{"e":2}]})", "{ a={ b={ c=i1 } } d=[ { e=i2 } ] }"},
      {R"("\"\\\/\b\f\n\r\t")", "'\"\\/\b\f\n\r\t'"},
      {R"("\u00e9\u20AC\ud83d\ude00")", "'é€😀'"},
      {"\"é€😀\"", "'é€😀'"},
      {R"("\ud7ff")", "'\xED\x9F\xBF'"},
      {R"("a\u0000b")", std::string("'a\0b'", 5)},
      {R"({"a\nb":1})", "{ a\nb=i1 }"},
  };
  for (const TreeCase& c : cases) EXPECT_EQ(Tree(c.json), c.tree) << c.json;
}

TEST(JsonParser, OfRepeatedMembersTheLastCountsAndNullIsAbsent) {
  std::string many = "{";
  std::string kept = "{";
  for (int i = 0; i < 40; ++i) {
    const std::string name = "k" + std::to_string(i);
    many += "\"" + name + "\":" + std::to_string(i) + ",";
    if (i != 7) kept += " " + name + "=i" + std::to_string(i);
  }
  const TreeCase cases[] = {
      {R"({"a":1,"a":2})", "{ a=i2 }"},
      {R"({"b":1,"a":2,"b":3,"c":4})", "{ a=i2 b=i3 c=i4 }"},
      {R"({"b":1,"a":2,"b":null})", "{ a=i2 }"},
      {R"({"b":null,"a":2,"b":1})", "{ a=i2 b=i1 }"},
      {R"({"a":null})", "{ }"},
      {R"({"":1,"":2})", "{ =i2 }"},
      {R"({"a":{"x":1,"x":2},"a":{"x":[null],"y":null}})", "{ a={ x=[ null ] } }"},
      {R"({"a":1,"\u0061":2})", "{ a=i2 }"},
      // Different names with the same length, first and last character.
      {R"({"axb":1,"ayb":2,"azb":3})", "{ axb=i1 ayb=i2 azb=i3 }"},
      {R"([{"a":1,"a":2},{"a":3}])", "[ { a=i2 } { a=i3 } ]"},
      {many + R"("k7":99})", kept + " k7=i99 }"},
      {many + R"("k7":null})", kept + " }"},
  };
  for (const TreeCase& c : cases) EXPECT_EQ(Tree(c.json), c.tree) << c.json;
}

TEST(JsonParser, TellsKindsOfNumbersApart) {
  const TreeCase cases[] = {
      {"0", "i0"},
      {"-0", "i0"},
      {"-12", "i-12"},
      {"9223372036854775807", "i9223372036854775807"},
      {"-9223372036854775808", "i-9223372036854775808"},
      {"9223372036854775808", "h9223372036854775808.000000"},
      {"-9223372036854775809", "h-9223372036854775808.000000"},
      {"1.0", "d1.000000"},
      {"-0.5", "d-0.500000"},
      {"1e2", "d100.000000"},
      {"1E+2", "d100.000000"},
      {"25e-2", "d0.250000"},
      {"1e-400", "d0.000000"},
      {"[1,2.5,3]", "[ i1 d2.500000 i3 ]"},
  };
  for (const TreeCase& c : cases) EXPECT_EQ(Tree(c.json), c.tree) << c.json;
}

TEST(JsonParser, RefusesWhatIsNotJson) {
  const std::string texts[] = {
      "",
      " ",
      "{",
      "}",
      "[1",
      "[1,]",
      "{\"a\"}",
      "{\"a\":}",
      "{\"a\":1,}",
      "{a:1}",
      "{'a':1}",
      "[1 2]",
      "nul",
      "tru",
      "True",
      "NaN",
      "Infinity",
      "-Infinity",
      "-",
      "+1",
      "00",
      "01",
      "-01",
      "1.",
      ".5",
      "1e",
      "1e+",
      "0x10",
      "1e400",
      "\"",
      "\"a",
      "\"\\x\"",
      "\"\\u12\"",
      "\"\\u12g4\"",
      "\"\n\"",
      "\"\t\"",
      "{} {}",
      "{}x",
      "1 2",
      "// c\n1",
      "/* c */1",
      "\xEF\xBB\xBF{}",
      std::string("{}\0", 3),
      std::string("{\0}", 3),
      std::string("\0", 1),
      std::string("\"a\0b\"", 5),
      std::string("[1,\0]", 5),
      // Lone surrogates, in either half and in names.
      R"("\ud800")",
      R"("\ud800x")",
      R"("\ud800\ud800")",
      R"("\ud800\u0041")",
      R"("\udc00")",
      R"("a\udfffb")",
      R"({"\udc00":1})",
      R"("\ude00\ud83d")",
      // Broken UTF-8: lone continuation, overlong, surrogate, too high, cut short.
      "\"\x80\"",
      "\"\xC0\xAF\"",
      "\"\xE0\x80\xAF\"",
      "\"\xED\xA0\x80\"",
      "\"\xF4\x90\x80\x80\"",
      "\"\xF0\x80\x80\x80\"",
      "\"\xE2\x82\"",
      "\"\xFF\"",
      "{\"\xC3\":1}",
      "\xC3\xA9",
  };
  for (const std::string& text : texts) EXPECT_EQ(Tree(text), "refused") << text;
}

TEST(JsonParser, NestsAThousandLevelsAndNoMore) {
  EXPECT_NE(Tree(Repeated(1000, "[") + Repeated(1000, "]")), "refused");
  EXPECT_EQ(Tree(Repeated(1001, "[") + Repeated(1001, "]")), "refused");
  EXPECT_NE(Tree(Repeated(999, "{\"a\":") + "{}" + Repeated(999, "}")), "refused");
  EXPECT_EQ(Tree(Repeated(1000, "{\"a\":") + "{}" + Repeated(1000, "}")), "refused");
  EXPECT_EQ(Tree(Repeated(1 << 20, "[")), "refused");
  EXPECT_EQ(Tree(Repeated(1 << 18, "{\"a\":")), "refused");
}

TEST(JsonParser, KeepsTheByteBehindTheBody) {
  std::string pipelined = "{}POST";
  Arena arena;
  EXPECT_TRUE(ParseJson({pipelined.data(), 2}, arena).ok());
  EXPECT_EQ(pipelined, "{}POST");
  EXPECT_FALSE(ParseJson({pipelined.data(), 1}, arena).ok());
  EXPECT_EQ(pipelined, "{}POST");
}

TEST(JsonParser, WorksAgainAfterAnError) {
  EXPECT_EQ(Tree("[1,{\"a\":[2,"), "refused");
  EXPECT_EQ(Tree("[1]"), "[ i1 ]");
}

TEST(JsonValue, IsWrittenBackCompactly) {
  Parsed json(R"( { "b" : [ 1 , -2.5 , "x\"" , true , false , null , { } ] , "a" : [ ] } )");
  OutputBuffer out;
  JsonWriter writer(out);
  WriteJson(*json, writer);
  EXPECT_EQ(out.view(), R"({"b":[1,-2.5,"x\"",true,false,null,{}],"a":[]})");
}

TEST(JsonValue, FindReturnsTheLastOfANameAndNoNull) {
  Parsed json(R"({"a":1,"b":2,"a":3,"c":4,"c":null,"d":null,"d":5})");
  EXPECT_EQ(json->Find("a")->integer, 3);
  EXPECT_EQ(json->Find("b")->integer, 2);
  EXPECT_EQ(json->Find("c"), nullptr);
  EXPECT_EQ(json->Find("d")->integer, 5);
  EXPECT_EQ(json->Find("e"), nullptr);
  Parsed array("[1]");
  EXPECT_EQ(array->Find("a"), nullptr);
}

// Returns the tree of a document as text, or the error message.
std::string Document(std::string text) {
  Arena arena;
  const auto parsed = ParseJsonData({text.data(), text.size()}, JsonDialect::kDocument, arena);
  if (!parsed.ok()) return parsed.error().message;
  std::string out;
  Render(**parsed, out);
  return out;
}

TEST(JsonParser, ADocumentKeepsItsNullsAndTheTextOfItsNumbers) {
  EXPECT_EQ(Document(R"({"a":null,"b":1.50,"c":[null,-0,1E2]})"),
            "{ a=null b=n'1.50' c=[ null n'-0' n'1E2' ] }");
  EXPECT_EQ(Document(R"({"a":123456789012345678901234567890,"a":null})"), "{ a=null }");
  EXPECT_EQ(Document("12345678901234567890.10"), "n'12345678901234567890.10'");
}

TEST(JsonParser, ErrorsInADocumentAreExplained) {
  EXPECT_EQ(Document("{\"a\":tru}"), "Invalid value. (at byte 9)");
  EXPECT_EQ(Document(""), "The document is empty. (at byte 1)");
  EXPECT_EQ(Document("\"\xc3\""), "It is not valid UTF-8.");
}

TEST(JsonParser, StrictParsingRefusesMembersThatDoNotCount) {
  const auto parse = [](std::string text, JsonDialect dialect) {
    Arena arena;
    const auto parsed = ParseJsonData({text.data(), text.size()}, dialect, arena);
    return parsed.ok() ? static_cast<int>((*parsed)->size) : -1;
  };
  EXPECT_EQ(parse(R"({"a":1,"b":[null]})", JsonDialect::kStrict), 2);
  EXPECT_EQ(parse(R"({"a":1,"b":null})", JsonDialect::kStrict), -1);
  EXPECT_EQ(parse(R"({"b":null})", JsonDialect::kStrict), -1);
  EXPECT_EQ(parse(R"({"a":1,"b":null})", JsonDialect::kRequest), 1);
  EXPECT_EQ(parse(R"({"a":1,"b":2,"a":1})", JsonDialect::kStrict), -1);
  EXPECT_EQ(parse(R"({"a":1,"b":2,"a":1})", JsonDialect::kRequest), 2);
  EXPECT_EQ(parse(R"([{"x":{"a":null,"a":null}}])", JsonDialect::kStrict), -1);
}

}  // namespace
}  // namespace hashrange
