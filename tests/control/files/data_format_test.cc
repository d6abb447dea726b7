#include "control/files/data_format.h"

#include <gtest/gtest.h>

#include <string>

#include "base/memory/output_buffer.h"
#include "support/items.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

std::string Read(std::string line, DataFormat format) {
  Arena arena;
  const auto item = ReadItemLine({line.data(), line.size()}, format, arena);
  if (!item.ok()) return item.error().message;
  OutputBuffer out;
  JsonWriter writer(out);
  WriteJson(*item, writer);
  return std::string(out.view());
}

TEST(ItemLine, ALineOfAnExportIsUnwrapped) {
  EXPECT_EQ(Read(R"({"Item":{"PK":{"S":"a"},"n":{"N":"1"}}})", DataFormat::kDynamoDb),
            R"({"PK":{"S":"a"},"n":{"N":"1"}})");
}

TEST(ItemLine, ABareItemIsTakenAsItIs) {
  EXPECT_EQ(Read(R"( {"PK":{"S":"a"},"x":null} )", DataFormat::kDynamoDb), R"({"PK":{"S":"a"}})");
}

TEST(ItemLine, AnAttributeNamedItemIsNoWrapper) {
  EXPECT_EQ(Read(R"({"Item":{"S":"a"}})", DataFormat::kDynamoDb), R"({"Item":{"S":"a"}})");
  EXPECT_EQ(Read(R"({"Item":{"Item":{"S":"a"}}})", DataFormat::kDynamoDb), R"({"Item":{"S":"a"}})");
  EXPECT_EQ(Read(R"({"Item":{"M":{}},"PK":{"S":"a"}})", DataFormat::kDynamoDb),
            R"({"Item":{"M":{}},"PK":{"S":"a"}})");
}

TEST(ItemLine, PlainJsonGetsItsTypes) {
  EXPECT_EQ(Read(R"({"PK":"a","Item":null})", DataFormat::kJson),
            R"({"PK":{"S":"a"},"Item":{"NULL":true}})");
}

TEST(ItemLine, OtherThanAnObjectIsRefused) {
  const struct {
    const char* line;
    const char* why;
  } kCases[] = {
      {"[1]", "it is no JSON object"},
      {"7", "it is no JSON object"},
      {"{", "it is no JSON: Missing a name for object member. (at byte 2)"},
      {R"({"a":1,})", "it is no JSON: Missing a name for object member. (at byte 8)"},
      {R"({"a" 1})", "it is no JSON: Missing a colon after a name of object member. (at byte 6)"},
      {R"({"a":1 "b":2})",
       "it is no JSON: Missing a comma or '}' after an object member. (at byte 8)"},
      {R"({"a":"x)", "it is no JSON: Missing a closing quotation mark in string. (at byte 8)"},
      {R"({"a":1}{"a":2})",
       "it is no JSON: The document root must not be followed by other values. (at byte "
       "8)"},
      {"{\"a\":\"\xff\"}", "it is no JSON: It is not valid UTF-8."},
      {R"({"a":"\udc00"})",
       "it is no JSON: It is nested too deep, or holds half a surrogate pair. (at byte "
       "14)"},
  };
  for (const auto& [line, why] : kCases) {
    EXPECT_EQ(Read(line, DataFormat::kDynamoDb), why) << line;
    EXPECT_EQ(Read(line, DataFormat::kJson), why) << line;
  }
  const std::string deep = "{\"a\":" + std::string(2000, '[') + std::string(2000, ']') + "}";
  EXPECT_EQ(Read(deep, DataFormat::kJson),
            "it is no JSON: It is nested too deep, or holds half a surrogate pair. (at byte "
            "1006)");
  EXPECT_EQ(Read(std::string("{}\0", 3), DataFormat::kJson),
            "it is no JSON: It holds a zero byte. (at byte 3)");
}

TEST(ItemLine, AKeyDecidesTheFormatOfAFile) {
  const KeySchema key = test::KeysOf("PK", "SK");
  const struct {
    const char* line;
    DataFormat format;
  } kCases[] = {
      {R"({"Item":{"PK":{"S":"a"}}})", DataFormat::kDynamoDb},
      {R"({"PK":{"S":"a"},"m":{"M":{}}})", DataFormat::kDynamoDb},
      {R"({"PK":"a","m":{"S":"x"}})", DataFormat::kJson},
      {R"({"PK":7})", DataFormat::kJson},
      {R"({"Item":"x","PK":"a"})", DataFormat::kJson},
      {R"({"pk":"a"})", DataFormat::kJson},
      {R"({"pk":{"S":"a"}})", DataFormat::kDynamoDb},
      {"no JSON", DataFormat::kDynamoDb},
  };
  for (const auto& [line, format] : kCases) EXPECT_EQ(FormatOfLine(line, key), format) << line;
}

// Returns the attribute values of a document, as JSON.
std::string Values(std::string document) {
  Arena arena;
  const auto json =
      ParseJsonData({document.data(), document.size()}, JsonDialect::kDocument, arena);
  if (!json.ok()) return json.error().message;
  OutputBuffer out;
  JsonWriter writer(out);
  WriteJson(ToAttributeValues(**json, arena), writer);
  return std::string(out.view());
}

TEST(PlainJson, EachTypeHasItsValue) {
  EXPECT_EQ(Values(R"({"s":"x","n":7,"t":true,"f":false,"nil":null,"l":[1,"a",[]],"m":{"a":{}}})"),
            R"({"s":{"S":"x"},"n":{"N":"7"},"t":{"BOOL":true},"f":{"BOOL":false},)"
            R"("nil":{"NULL":true},"l":{"L":[{"N":"1"},{"S":"a"},{"L":[]}]},)"
            R"("m":{"M":{"a":{"M":{}}}}})");
}

TEST(PlainJson, NumbersKeepTheirDigits) {
  EXPECT_EQ(Values(R"({"a":12345678901234567890123456789012345678,"b":-1.50E+2,"c":0.1})"),
            R"({"a":{"N":"12345678901234567890123456789012345678"},"b":{"N":"-1.50E+2"},)"
            R"("c":{"N":"0.1"}})");
}

TEST(PlainJson, TheLastOfRepeatedNamesCountsAtEveryDepth) {
  EXPECT_EQ(Values(R"({"a":1,"b":null,"a":null,"m":{"x":1,"x":[2]}})"),
            R"({"b":{"NULL":true},"a":{"NULL":true},"m":{"M":{"x":{"L":[{"N":"2"}]}}}})");
}

TEST(PlainJson, AnItemIsWrittenAsADocument) {
  test::ItemMaker maker(test::KeysOf("PK"));
  ValueWriter list(maker.arena());
  list.BeginList(3);
  list.Value(maker.N(-3));
  list.Value(MakeBool(false));
  list.BeginMap(1);
  list.Name("x\"y");
  list.Value(MakeNull());
  list.End();
  list.End();
  const ItemRef item =
      maker.Make({{"PK", test::S("é\n")}, {"n", maker.N(12)}, {"l", list.Finish()}});
  OutputBuffer out;
  JsonWriter writer(out);
  EXPECT_TRUE(WritePlainItem({maker.schema(), item.get()}, writer).ok());
  EXPECT_EQ(out.view(), R"({"PK":"é\n","l":[-3,false,{"x\"y":null}],"n":12})");
}

TEST(PlainJson, SetsAndBinaryHaveNoForm) {
  test::ItemMaker maker(test::KeysOf("PK"));
  std::string_view members[] = {"a", "b"};
  const ValueView set = MakeSet(AttributeType::kSS, members, maker.arena());
  for (const ValueView value : {set, ValueView(AttributeType::kB, "x")}) {
    const ItemRef item = maker.Make({{"PK", test::S("a")}, {"tags", value}});
    OutputBuffer out;
    JsonWriter writer(out);
    const Status written = WritePlainItem({maker.schema(), item.get()}, writer);
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().message,
              "the attribute tags holds a set or binary, for which plain JSON has no form: dump it "
              "in the format dynamodb");
  }
}

}  // namespace
}  // namespace hashrange
