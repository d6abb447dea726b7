#include <gtest/gtest.h>

#include <string>

#include "value/item.h"
#include "value/value_writer.h"
#include "wire/attribute_json.h"
#include "wire/parsed.h"

namespace hashrange {
namespace {

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
  writer.Name("Count");
  writer.Integer(1);
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
