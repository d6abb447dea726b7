// Reading attribute values: docs/service/02-types-and-sizes.md, sections 2 to 5.
#include <gtest/gtest.h>

#include <string>

#include "value/item.h"
#include "value/value_writer.h"
#include "wire/attribute_json.h"
#include "wire/parsed.h"

namespace hashrange {
namespace {

constexpr ValidationLayer kLayers[] = {ValidationLayer::kEnveloped, ValidationLayer::kBare,
                                       ValidationLayer::kOlder};

const std::string kEnvelope = "1 validation error detected: ";
const std::string kParameter = "One or more parameter values were invalid: ";
const std::string kNotNumeric = "The parameter cannot be converted to a numeric value";
const std::string kOverflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
const std::string kUnderflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
const std::string kTooManyDigits =
    "Attempting to store more than 38 significant digits in a Number";
const std::string kNesting =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
    "beyond supported limit";
const std::string kEmptyValue =
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
const std::string kTwoTypes =
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
    "supported datatypes";

// Returns the value as JSON again, or the error message.
std::string ReadBack(std::string_view json, ValidationLayer layer, int max_levels = kMaxDepth) {
  Parsed parsed(json);
  const auto value = ReadAttributeValue(*parsed, layer, parsed.arena(), max_levels);
  if (!value.ok()) {
    EXPECT_EQ(value.error().code, ErrorCode::kValidationException);
    return value.error().message;
  }
  OutputBuffer out;
  JsonWriter writer(out);
  WriteAttributeValue(*value, writer);
  return std::string(out.view());
}

std::string ReadAllBack(std::string_view json, ValidationLayer layer) {
  Parsed parsed(json);
  const auto attributes = ReadAttributes(*parsed, layer, parsed.arena());
  if (!attributes.ok()) return attributes.error().message;
  OutputBuffer out;
  JsonWriter writer(out);
  WriteAttributes(*attributes, writer);
  return std::string(out.view());
}

TEST(AttributeJson, ReadsEveryType) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"S":""})", R"({"S":""})"},
      {R"({"S":"a\u0000\"é"})", R"({"S":"a\u0000\"é"})"},
      {R"({"N":"-01.50E+1"})", R"({"N":"-15"})"},
      {R"({"B":"AAECAw=="})", R"({"B":"AAECAw=="})"},
      {R"({"B":""})", R"({"B":""})"},
      {R"({"BOOL":true})", R"({"BOOL":true})"},
      {R"({"BOOL":"no"})", R"({"BOOL":false})"},
      {R"({"NULL":true})", R"({"NULL":true})"},
      {R"({"NULL":"1"})", R"({"NULL":true})"},
      {R"({"SS":["b","","a"]})", R"({"SS":["","a","b"]})"},
      {R"({"NS":["10","9","-1.0"]})", R"({"NS":["-1","9","10"]})"},
      {R"({"BS":["/w==","AA==",""]})", R"({"BS":["","AA==","/w=="]})"},
      {R"({"SS":["a",null]})", R"({"SS":["a"]})"},
      {R"({"L":[]})", R"({"L":[]})"},
      {R"({"L":[{"S":"a"},{"L":[{"N":"1"}]},{"M":{}}]})",
       R"({"L":[{"S":"a"},{"L":[{"N":"1"}]},{"M":{}}]})"},
      {R"({"M":{"b":{"SS":["y","x"]},"a":{"NULL":true}}})",
       R"({"M":{"a":{"NULL":true},"b":{"SS":["x","y"]}}})"},
      {R"({"M":{"a":{"S":"1"},"b":null,"a":{"S":"2"},"a":{"S":"3"}}})", R"({"M":{"a":{"S":"3"}}})"},
      {R"({"S":"a","X":1,"N":null})", R"({"S":"a"})"},
      {R"({"S":"a","S":"b"})", R"({"S":"b"})"},
      {R"({"L":[{"S":"a","S":"b"},{"L":[],"L":[{"S":"c"}]}]})",
       R"({"L":[{"S":"b"},{"L":[{"S":"c"}]}]})"},
  };
  for (const auto& [json, expected] : cases) {
    for (ValidationLayer layer : kLayers) EXPECT_EQ(ReadBack(json, layer), expected) << json;
  }
}

TEST(AttributeJson, KeepsStringsInTheBody) {
  std::string body = R"({"S":"text"})";
  Arena arena;
  const auto json = ParseJson({body.data(), body.size()}, arena);
  const auto value = ReadAttributeValue(**json, ValidationLayer::kBare, arena);
  EXPECT_EQ(value->data, body.data() + body.find("text"));
}

TEST(AttributeJson, NeverEnvelopesMissingAndRepeatedTypes) {
  const std::pair<const char*, std::string> cases[] = {
      {"{}", kEmptyValue},
      {"null", kEmptyValue},
      {R"({"X":{"S":"a"}})", kEmptyValue},
      {R"({"S":null})", kEmptyValue},
      {R"({"S":"a","S":null})", kEmptyValue},
      {R"({"L":[null]})", kEmptyValue},
      {R"({"M":{"a":{}}})", kEmptyValue},
      {R"({"S":"a","N":"1"})", kTwoTypes},
      {R"({"L":[],"M":{}})", kTwoTypes},
      {R"({"L":[{"L":[{"S":"a"}],"M":{"b":{"S":"a"}}}]})", kTwoTypes},
  };
  for (const auto& [json, message] : cases) {
    for (ValidationLayer layer : kLayers) EXPECT_EQ(ReadBack(json, layer), message) << json;
  }
}

struct WordingCase {
  std::string json;
  std::string current;
  std::string older;
};

TEST(AttributeJson, ErrorsHaveTheWordsOfTheLayer) {
  const auto number = [](std::string text) { return R"({"N":")" + text + "\"}"; };
  const auto same = [](std::string json, const std::string& message) {
    return WordingCase{std::move(json), message, message};
  };
  const WordingCase cases[] = {
      same(R"({"NULL":false})",
           kParameter + "Null attribute value types must have the value of true"),
      same(R"({"NULL":"no"})",
           kParameter + "Null attribute value types must have the value of true"),
      same(R"({"SS":[]})", kParameter + "An string set  may not be empty"),
      same(R"({"SS":[null]})", kParameter + "An string set  may not be empty"),
      same(R"({"NS":[]})", kParameter + "An number set  may not be empty"),
      same(R"({"BS":[]})", kParameter + "Binary sets should not be empty"),
      same(number("abc"), kNotNumeric + ": abc"),
      same(number(" 5"), kNotNumeric + ":  5"),
      {number(""), kNotNumeric + ": ", kNotNumeric},
      {R"({"NS":["1",""]})", kNotNumeric + ": ", kNotNumeric},
      same(number("1e126"), kOverflow),
      same(number("1e-131"), kUnderflow),
      same(number(Repeated(39, "1")), kTooManyDigits),
      {number("1e2147483647"), kOverflow, kUnderflow},
      {number("-1e+2147483647"), kOverflow, kUnderflow},
      {number("1e-99999999999"), kUnderflow, kUnderflow},
      same(number("1e9223372036854775808"), kNotNumeric + ": 1e9223372036854775808"),
      {R"({"SS":["b","a","b"]})",
       kParameter + R"(Input collection ["a", "b", "b"] contains duplicates.)",
       kParameter + "Input collection [b, a, b] contains duplicates."},
      {R"({"SS":["a","b","a","b"]})",
       kParameter + R"(Input collection ["a", "b", "a", "b"] contains duplicates.)",
       kParameter + "Input collection [a, b, a, b] contains duplicates."},
      {R"({"SS":["c","a","c","a","b"]})",
       kParameter + R"(Input collection ["a", "c", "c", "a", "b"] contains duplicates.)",
       kParameter + "Input collection [c, a, c, a, b] contains duplicates."},
      {R"({"BS":["/w==","AA==","AA=="]})",
       kParameter + R"(Input collection ["AA==","/w==","AA=="]of type BS contains duplicates.)",
       kParameter + "Input collection [/w==, AA==, AA==]of type BS contains duplicates."},
      {R"({"NS":["2","1","2"]})", kParameter + "Input collection contains duplicates.",
       "Input collection contains duplicates"},
      {R"({"NS":["1","1.0"]})", kParameter + "Input collection contains duplicates.",
       "Input collection contains duplicates"},
      same(R"({"L":[{"S":"a"},{"M":{"x":{"N":"abc"}}}]})", kNotNumeric + ": abc"),
      // The tags are checked one after the other, and their number last.
      same(R"({"S":"a","N":"abc"})", kNotNumeric + ": abc"),
  };
  for (const WordingCase& c : cases) {
    EXPECT_EQ(ReadBack(c.json, ValidationLayer::kEnveloped), kEnvelope + c.current) << c.json;
    EXPECT_EQ(ReadBack(c.json, ValidationLayer::kBare), c.current) << c.json;
    EXPECT_EQ(ReadBack(c.json, ValidationLayer::kOlder), c.older) << c.json;
  }
}

TEST(AttributeJson, TheOlderLayerReadsOrdinaryNumbersAlike) {
  for (const char* text : {"1e125", "-1.5E-130", "12.50", "1e+2", "0e125", "00.1e-3", "1.e5"}) {
    const std::string json = R"({"N":")" + std::string(text) + "\"}";
    EXPECT_EQ(ReadBack(json, ValidationLayer::kOlder), ReadBack(json, ValidationLayer::kBare));
  }
}

TEST(AttributeJson, NestsThirtyTwoLevelsAndNoMore) {
  for (ValidationLayer layer : kLayers) {
    EXPECT_EQ(ReadBack(NestedMaps(32), layer), NestedMaps(32));
    const std::string message =
        layer == ValidationLayer::kEnveloped ? kEnvelope + kNesting : kNesting;
    EXPECT_EQ(ReadBack(NestedMaps(33), layer), message);
    EXPECT_EQ(ReadBack(NestedMaps(400), layer), message);
    EXPECT_EQ(ReadBack(R"({"S":"a","L":[)" + NestedMaps(32) + "]}", layer), message);
    EXPECT_EQ(ReadBack(NestedMaps(33), layer, 33), NestedMaps(33));
    EXPECT_EQ(ReadBack(NestedMaps(34), layer, 33), message);
  }
}

TEST(AttributeJson, ReadsAMapOfAttributes) {
  const std::pair<std::string, std::string> cases[] = {
      {"{}", "{}"},
      {R"({"b":{"S":"1"},"a":{"N":"2"},"c":null,"b":{"S":"3"}})",
       R"({"a":{"N":"2"},"b":{"S":"3"}})"},
      {R"({"b":{"N":"x"},"a":{"N":"y"}})", kNotNumeric + ": x"},
      {R"({"a":{"N":"x"},"":{"S":""}})", "Empty attribute name"},
      {R"({"a":{"M":{"":{"S":""}}}})", "Empty attribute name"},
      // Depth wins over an empty nested key and a bad number; an empty name wins over depth.
      {R"({"a":{"M":{"":{"S":""}}},"b":{"N":"x"},"c":)" + NestedMaps(33) + "}", kNesting},
      {R"({"c":)" + NestedMaps(33) + R"(,"":{"S":""}})", "Empty attribute name"},
  };
  for (const auto& [json, expected] : cases) {
    EXPECT_EQ(ReadAllBack(json, ValidationLayer::kBare), expected) << json;
  }
  EXPECT_EQ(ReadAllBack(R"({"":{"S":""}})", ValidationLayer::kEnveloped), "Empty attribute name");
}

TEST(AttributeJson, WideValuesAreReadInOnePass) {
  // Many entries under one map, unsorted and repeated, at the deepest level.
  std::string wide = R"({"M":{)";
  for (int i = 0; i < 5000; ++i) {
    wide += (i == 0 ? "\"k" : ",\"k") + std::to_string(i * 7919 % 2500) + R"(":{"N":")" +
            std::to_string(i) + "\"}";
  }
  wide += "}}";
  Parsed parsed(wide);
  const auto value = ReadAttributeValue(*parsed, ValidationLayer::kBare, parsed.arena());
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(MemberCount(*value), 2500u);
  std::string last;
  for (MapReader entries(*value); !entries.done();) {
    const Attribute entry = entries.Next();
    EXPECT_LT(last, entry.name);
    last = entry.name;
  }
}

TEST(AttributeJsonWriter, WritesAnItemWithItsKeys) {
  Parsed parsed(R"({"z":{"S":"\n"},"sk":{"N":"2.50"},"pk":{"B":"/w=="},"a":{"M":{"é":{"L":[]}}}})");
  const auto attributes = ReadAttributes(*parsed, ValidationLayer::kEnveloped, parsed.arena());
  ASSERT_TRUE(attributes.ok());
  const KeySchema schema{{{"pk", AttributeType::kB}}, {{"sk", AttributeType::kN}}};
  const ItemRef item = Item::Make(schema, *attributes);
  OutputBuffer out;
  out.Append("before:");
  JsonWriter writer(out);
  writer.BeginObject();
  writer.Name("Item");
  WriteItem(ItemView(schema, item.get()), writer);
  writer.IntegerMember("Count", 1);
  writer.EndObject();
  EXPECT_EQ(out.view(),
            R"(before:{"Item":{"pk":{"B":"/w=="},"sk":{"N":"2.5"},"a":{"M":{"é":{"L":[]}}},)"
            R"("z":{"S":"\n"}},"Count":1})");
}

TEST(AttributeJsonWriter, WritesAMissingItemAsAnEmptyObject) {
  OutputBuffer out;
  JsonWriter writer(out);
  WriteItem(ItemView(), writer);
  EXPECT_EQ(out.view(), "{}");
}

TEST(AttributeJsonWriter, SeparatesElementsOfEveryKind) {
  const std::string json =
      R"({"L":[{"S":"a"},{"N":"1"},{"B":"AA=="},{"BOOL":true},{"NULL":true},{"SS":["a","b"]},)"
      R"({"NS":["1","2"]},{"BS":["AA==","AQ=="]},{"L":[{"S":"x"},{"S":"y"}]},)"
      R"({"M":{"a":{"S":"x"},"b":{"S":"y"}}}]})";
  Parsed parsed(json);
  const auto value = ReadAttributeValue(*parsed, ValidationLayer::kBare, parsed.arena());
  ASSERT_TRUE(value.ok());
  OutputBuffer out;
  JsonWriter writer(out);
  WriteAttributeValue(*value, writer);
  EXPECT_EQ(out.view(), json);
}

TEST(AttributeJsonWriter, WritesTheLongestNumber) {
  for (const char* text : {"-1E-130", "-9.9999999999999999999999999999999999999E+125", "1E-130"}) {
    Parsed parsed(R"({"N":")" + std::string(text) + "\"}");
    const auto value = ReadAttributeValue(*parsed, ValidationLayer::kBare, parsed.arena());
    ASSERT_TRUE(value.ok());
    OutputBuffer out;
    JsonWriter writer(out);
    WriteAttributeValue(*value, writer);
    Number number;
    ASSERT_EQ(Number::Parse(text, &number), NumberError::kNone);
    EXPECT_EQ(out.view(), R"({"N":")" + number.ToText() + "\"}");
  }
}

}  // namespace
}  // namespace hashrange
