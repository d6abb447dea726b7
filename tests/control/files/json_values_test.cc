// Tests of seeds in JSON where a line is not an item: arrays, indented objects, answers of scans.
#include <gtest/gtest.h>

#include <string>

#include "control/files/transfer_fixture.h"

namespace hashrange {
namespace {

class JsonValues : public test::TransferFixture {
 protected:
  JsonValues() { Write("app.table.json", test::Definition("app")); }

  // Returns the result of loading the file, and then the table's items.
  std::string LoadFile(const std::string& name, std::string_view text, SeedRequest request = {}) {
    Write(name, text);
    const std::string loaded = Load("", request);
    fs::remove(folder() / name);
    return loaded;
  }
  std::string Items() {
    return api_.Ok("Scan", R"({"TableName":"app","ProjectionExpression":"PK,age"})");
  }
};

constexpr char kIndented[] = R"([
  {
    "PK": "a",
    "SK": "1",
    "age": 7
  },
  {
    "PK": "a", "SK": "2", "address": {"city": "Bern"}
  }
]
)";

constexpr char kScan[] = R"({
    "Items": [
        {
            "PK": {
                "S": "a"
            },
            "SK": {
                "S": "1"
            },
            "age": {
                "N": "7"
            }
        },
        {
            "PK": {
                "S": "b"
            },
            "SK": {
                "S": "1"
            }
        }
    ],
    "Count": 2,
    "ScannedCount": 2,
    "ConsumedCapacity": null
}
)";

TEST_F(JsonValues, ArraysLoad) {
  EXPECT_EQ(LoadFile("app.json", kIndented), "app 2");
  EXPECT_EQ(api_.Ok("Scan", R"({"TableName":"app"})"),
            R"({"Items":[{"PK":{"S":"a"},"SK":{"S":"1"},"age":{"N":"7"}},)"
            R"({"PK":{"S":"a"},"SK":{"S":"2"},"address":{"M":{"city":{"S":"Bern"}}}}],)"
            R"("Count":2,"ScannedCount":2})");
  EXPECT_EQ(LoadFile("app.json.gz", test::Gzipped(kIndented)), "app 2");
  EXPECT_EQ(LoadFile("app.json", R"([{"PK":{"S":"c"},"SK":{"S":"1"}}])"), "app 1");
  EXPECT_EQ(LoadFile("app.json", "[]"), "app 0");
}

TEST_F(JsonValues, ObjectsOverSeveralLinesLoad) {
  EXPECT_EQ(
      LoadFile("app.json", "{\n\"PK\": \"a\",\n\"SK\": \"1\"\n}\n{\"PK\":\"b\",\"SK\":\"1\"}\n"),
      "app 2");
  EXPECT_EQ(
      LoadFile("app.json", "{\n\"Item\": {\"PK\": {\"S\":\"a\"}, \"SK\": {\"S\":\"1\"}}\n}\n"),
      "app 1");
}

TEST_F(JsonValues, TheAnswerOfAScanLoads) {
  EXPECT_EQ(LoadFile("app.json", kScan), "app 2");
  EXPECT_EQ(Items(), R"({"Items":[{"PK":{"S":"b"}},{"PK":{"S":"a"},"age":{"N":"7"}}],)"
                     R"("Count":2,"ScannedCount":2})");
  EXPECT_EQ(LoadFile("app.json.gz", test::Gzipped(kScan)), "app 2");
  std::string in_one_line = kScan;
  std::erase(in_one_line, '\n');
  EXPECT_EQ(LoadFile("app.json", in_one_line), "app 2");
  EXPECT_EQ(LoadFile("app.json", R"({"Items":[{"PK":"d","SK":"1"}],"Count":1})"), "app 1");
  EXPECT_EQ(LoadText(kScan, {.table = "app"}), "app 2");
}

TEST_F(JsonValues, APartOfAScanLoadsWithAWarning) {
  const std::string warning =
      "app.json: it is only a part of a table: by its LastEvaluatedKey or NextToken the scan that "
      "it holds was to go on";
  const std::string page = R"({"Items":[{"PK":{"S":"a"},"SK":{"S":"1"}}],"Count":1,)"
                           R"("LastEvaluatedKey":{"PK":{"S":"a"},"SK":{"S":"1"}}})";
  EXPECT_EQ(LoadFile("app.json", page), "app 1; " + warning);
  // The file has all pages: the last page has no LastEvaluatedKey.
  EXPECT_EQ(LoadFile("app.json", page + "\n" + R"({"Items":[{"PK":{"S":"b"},"SK":{"S":"1"}}]})"),
            "app 2");
}

TEST_F(JsonValues, ItemsMayHaveAListNamedItems) {
  const std::string item = R"({"PK":"a","SK":"1","Items":[{"sku":1}]})";
  EXPECT_EQ(LoadFile("app.jsonl", item + "\n" + R"({"PK":"b","SK":"1"})"), "app 2");
  EXPECT_EQ(LoadFile("app.json", "[" + item + "]"), "app 1");
}

TEST_F(JsonValues, ErrorsNameTheLine) {
  EXPECT_EQ(LoadFile("app.json", "[\n{\"PK\":\"a\",\"SK\":\"1\"},\n{\"PK\":\"b\"}\n]"),
            "400 app.json:3: One or more parameter values were invalid: Missing the key SK in the "
            "item");
  EXPECT_EQ(LoadFile("app.json", "[\n{\"PK\":\"a\",\"SK\":\"1\"},\n{\"PK\" \"b\"}\n]"),
            "400 app.json:3: it is no JSON: Missing a colon after a name of object member. (at "
            "byte 7)");
  EXPECT_EQ(LoadFile("app.json", "[\n{\"PK\":\"a\",\"SK\":\"1\"}\n{}]"),
            "400 app.json:3: a comma, or the end of the array, is missing here");
  EXPECT_EQ(LoadFile("app.json", "[\n7]"), "400 app.json:2: it is no JSON object");
  EXPECT_EQ(LoadFile("app.json", "[{\"PK\":\"a\",\"SK\":\"1\"},\n{\"PK\":\"a\",\"SK\":\"1\"}]"),
            "400 app.json:2: the item has the key of that of app.json:1");
  EXPECT_EQ(LoadFile("app.json", "[" + std::string(5000, '[')),
            "400 app.json:1: what begins here has no end");
  EXPECT_EQ(
      LoadFile("app.json", "[{\"PK\":" + std::string(5000, '[') + std::string(5000, ']') + "}]"),
      "400 app.json:1: it is no JSON: It is nested too deep, or holds half a surrogate pair. "
      "(at byte 1007)");
}

TEST_F(JsonValues, ADefinitionMayLackItsName) {
  const std::string definition = test::Definition("x");
  const std::string without = "{" + definition.substr(definition.find(',') + 1);
  fs::remove(folder() / "app.table.json");
  Write("users.table.json", without);
  Write("orders/table.json", without);
  Write("users.jsonl", R"({"PK":"a","SK":"1"})");
  EXPECT_EQ(Load(""), "orders 0, users 1");
  Write("other.table.json", without);
  EXPECT_EQ(Load("other.table.json"), "other 0");
  EXPECT_EQ(Load("other.table.json", {.table = "named"}), "named 0");
}

}  // namespace
}  // namespace hashrange
