// Tests of every error of a seed, with its file, line and reason. Nothing is loaded then.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "control/files/transfer_fixture.h"

namespace hashrange {
namespace {

using test::Definition;

class SeedErrors : public test::TransferFixture {
 protected:
  // Loads a correct table together with the table app, whose items are in the file.
  void Refuses(const std::string& file, const std::string& text, const std::string& error) {
    fs::remove_all(folder());
    Write("aaa.table.json", Definition("aaa"));
    Write("aaa.jsonl", R"({"PK":"a","SK":"1"})");
    Write("app.table.json", Definition("app"));
    Write(file, text);
    EXPECT_EQ(Load(""), "400 " + file + error) << text;
    EXPECT_EQ(api_.Ok("ListTables", "{}"), R"({"TableNames":[]})");
  }
};

constexpr const char* kGood = "{\"PK\":\"a\",\"SK\":\"1\"}\n";

TEST_F(SeedErrors, OfLines) {
  const std::string big(409'600, 'x');
  const struct {
    std::string line;
    std::string error;
  } kCases[] = {
      {"{\"PK\":\"b\"",
       "it is no JSON: Missing a comma or '}' after an object member. (at "
       "byte 10)"},
      {"[1,2]", "it is no JSON object"},
      {R"({"PK":"b"})",
       "One or more parameter values were invalid: Missing the key SK in the item"},
      {R"({"PK":"b","SK":1})",
       "One or more parameter values were invalid: Type mismatch for key SK expected: S actual: N"},
      {R"({"PK":{"S":"b"},"SK":{"S":"1"}})",
       "One or more parameter values were invalid: Type mismatch for key PK expected: S actual: M"},
      {R"({"PK":"","SK":"1"})",
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
       "contain an empty string value. Key: PK"},
      {R"({"PK":")" + std::string(2049, 'x') + R"(","SK":"1"})",
       "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size "
       "limit of2048 bytes"},
      {R"({"PK":"b","SK":")" + std::string(1025, 'x') + R"("})",
       "One or more parameter values were invalid: Aggregated size of all range keys has exceeded "
       "the size limit of 1024 bytes"},
      {R"({"PK":"b","SK":"1","age":"7"})",
       "One or more parameter values were invalid: Type mismatch for Index Key age Expected: N "
       "Actual: S IndexName: GSI1"},
      {R"({"PK":"b","SK":"1","s":")" + big + R"("})",
       "Item size has exceeded the maximum allowed size"},
      {R"({"PK":"b","SK":"1","n":1e126})",
       "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {R"({"PK":"b","SK":"1","n":1.00000000000000000000000000000000000001})",
       "Attempting to store more than 38 significant digits in a Number"},
      {R"({"PK":"b","SK":"1","l":)" + std::string(33, '[') + std::string(33, ']') + "}",
       "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
       "beyond supported limit"},
      {R"({"PK":"b","SK":"1","":7})", "Empty attribute name"},
      {R"({"PK":"b","SK":"1","m":{"":7}})", "Empty attribute name"},
      {"{\"PK\":\"b\",\"SK\":\"\xff\"}", "it is no JSON: It is not valid UTF-8."},
  };
  for (const auto& [line, error] : kCases) {
    Refuses("app.jsonl", kGood + std::string("\n") + line + "\n", ":3: " + error);
  }
}

TEST_F(SeedErrors, OfDynamoDbJson) {
  const struct {
    const char* value;
    const char* error;
  } kCases[] = {
      {R"({"N":"x"})", "The parameter cannot be converted to a numeric value: x"},
      {R"({"N":7})", "NUMBER_VALUE cannot be converted to String"},
      {R"({})",
       "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
      {R"({"S":"a","N":"1"})",
       "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
       "supported datatypes"},
      {R"({"SS":[]})",
       "One or more parameter values were invalid: An string set  may not be empty"},
      {R"({"SS":["a","a"]})",
       R"(One or more parameter values were invalid: Input collection ["a", "a"] contains duplicates.)"},
      {R"({"NULL":false})",
       "One or more parameter values were invalid: Null attribute value types must have the value "
       "of true"},
      {R"({"B":"x"})", "Base64 encoded length is expected a multiple of 4 bytes but found: 1"},
      {R"("text")", "Unexpected value type in payload"},
  };
  for (const auto& [value, error] : kCases) {
    Refuses("app.json",
            R"({"Item":{"PK":{"S":"a"},"SK":{"S":"1"}}})"
            "\n"
            R"({"PK":{"S":"b"},"SK":{"S":"1"},"v":)" +
                std::string(value) + "}",
            std::string(":2: ") + error);
  }
}

TEST_F(SeedErrors, OfCsv) {
  Refuses("app.csv", "", ":1: there is no header");
  Refuses("app.csv", "\n\n", ":1: there is no header");
  Refuses("app.csv", "PK,SK,age:text\n",
          ":1: \"text\" is no type in the column \"age:text\": S, N, B, BOOL, NULL, SS, NS, BS, L "
          "or M");
  Refuses("app.csv", "\nPK,SK\na,1\n\"x\n\",2\nb,\"3\"x\n",
          ":6: something stands behind a closing quote");
  Refuses("app.csv", "PK,SK\na,1\n,2\n",
          ":3: One or more parameter values were invalid: Missing the key PK in the item");
  Refuses("app.csv", "PK,SK,n:N\na,1,7\nb,1,seven\n",
          ":3: The parameter cannot be converted to a numeric value: seven");
  Refuses(
      "app.csv", "PK,SK,m:M\na,1,\"{\"\"x\"\"}\"\n",
      ":2: column m: it is no JSON: Missing a colon after a name of object member. (at byte 5)");
  Refuses("app.csv", "PK,SK\na,1\nb,\"2\n", ":3: a quote is not closed");
}

TEST_F(SeedErrors, OfFiles) {
  Refuses("app.json.gz", "plain", ": it is named .gz and is no gzip file");
  const std::string gzip = test::Gzipped(kGood);
  Refuses("app.json.gz", gzip.substr(0, gzip.size() - 1), ":1: its gzip data ends before its end");
  Refuses("app.jsonl", std::string((16 << 20) + 2, ' ') + "{\n",
          ":1: the line is longer than 16 MB");
}

TEST_F(SeedErrors, OfDefinitions) {
  Refuses("bad.table.json", "{", ": it is no JSON: Missing a name for object member. (at byte 2)");
  Refuses("bad.table.json", "", ": it is no JSON: The document is empty. (at byte 1)");
  Refuses("bad.table.json", R"({"TableName":"bad"})",
          ": 2 validation errors detected: Value null at 'attributeDefinitions' failed to satisfy "
          "constraint: Member must not be null; Value null at 'keySchema' failed to satisfy "
          "constraint: Member must not be null");
  Refuses("later.table.json", Definition("app"), ": the table app is in the seed already");
}

TEST_F(SeedErrors, TheFirstErrorInTheOrderOfTheFilesIsReported) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    text += i % 1000 == 777 ? "broken\n" : "{\"PK\":\"a\",\"SK\":\"" + std::to_string(i) + "\"}\n";
  }
  for (int round = 0; round < 5; ++round) {
    Refuses("app.jsonl", text, ":778: it is no JSON: Invalid value. (at byte 1)");
  }
}

TEST_F(SeedErrors, ABrokenLastLineLoadsNothing) {
  api_.Ok("CreateTable", Definition("old"));
  Write("new.table.json", Definition("new"));
  std::string good;
  for (int i = 0; i < 5000; ++i) good += "{\"PK\":\"a\",\"SK\":\"" + std::to_string(i) + "\"}\n";
  Write("new.jsonl", good);
  Write("old.jsonl", good + "{\"PK\":\"a\"}\n");
  EXPECT_EQ(Load("").substr(0, 19), "400 old.jsonl:5001:");
  EXPECT_EQ(api_.Ok("ListTables", "{}"), R"({"TableNames":["old"]})");
  api_.Answers("Scan", R"({"TableName":"old"})", R"({"Items":[],"Count":0,"ScannedCount":0})");
}

TEST_F(SeedErrors, TwoItemsOfOneKeyNameBothPlaces) {
  Write("app.table.json", Definition("app"));
  Write("app.csv", "PK,SK\na,1\nb,1\n");
  Write("app.jsonl",
        "{\"PK\":\"c\",\"SK\":\"1\"}\n{\"PK\":\"b\",\"SK\":\"1\"}\n{\"PK\":\"a\",\"SK\":\"1\"}\n");
  EXPECT_EQ(Load(""), "400 app.jsonl:2: the item has the key of that of app.csv:3");
  EXPECT_EQ(api_.Ok("ListTables", "{}"), R"({"TableNames":[]})");
}

TEST_F(SeedErrors, TheTableOfDataMustExist) {
  Write("app.jsonl", kGood);
  EXPECT_EQ(Load(""), "404 app.jsonl: there is no table app, and nothing defines it");
  EXPECT_EQ(Load("nothing"), "404 nothing: there is no such file or folder");
}

TEST_F(SeedErrors, TheErrorOfAnEmptyFolderExplainsSeeds) {
  Write("in/notes.txt", "x");
  EXPECT_EQ(Load("in"),
            "400 in: there is nothing to load: a table's definition is <table>.table.json or "
            "<table>/table.json, its items are <table>.json, .jsonl, .ndjson or .csv, or files of "
            "these kinds in <table>/, each with .gz or without");
}

TEST_F(SeedErrors, AGivenFormatAppliesToEveryFile) {
  Write("app.table.json", Definition("app"));
  Write("app.jsonl", kGood);
  EXPECT_EQ(Load("", {.format = DataFormat::kDynamoDb}),
            "400 app.jsonl:1: Unexpected value type in payload");
  EXPECT_EQ(Load("", {.format = DataFormat::kCsv}),
            "400 app.jsonl:1: a quote stands in a cell that does not begin with one");
  EXPECT_EQ(Load("", {.format = DataFormat::kJson}), "app 1");
}

}  // namespace
}  // namespace hashrange
