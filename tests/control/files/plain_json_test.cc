#include "control/files/plain_json.h"

#include <gtest/gtest.h>

#include <string>

#include "base/output_buffer.h"
#include "support/items.h"

namespace hashrange {
namespace {

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
