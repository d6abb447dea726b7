// Tests that a seed of a dump restores the whole table: random items of every type, through plain
// files and gzip, with indexes, a stream, a time to live and tags.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "control/files/table_json.h"
#include "control/files/transfer_fixture.h"

namespace hashrange {
namespace {

class RoundTrip : public test::TransferFixture {
 protected:
  std::string Text() {
    static const char* const kPieces[] = {"a",   "é",       "😀", "\\\"", "\\\\",
                                          "\\n", "\\u0000", ":",  " "};
    std::string text;
    for (auto left = random_() % 12; left > 0; --left) text += kPieces[random_() % 9];
    return text;
  }
  std::string Number() {
    std::string text = random_() % 2 ? "-" : "";
    for (auto left = 1 + random_() % 37; left > 0; --left)
      text += static_cast<char>('1' + random_() % 9);
    return text + "E" + std::to_string(static_cast<int>(random_() % 150) - 90);
  }
  std::string Base64() {
    std::string text;
    for (auto left = random_() % 6; left > 0; --left) {
      for (int i = 0; i < 4; ++i) text += "ABCxyz019+/"[random_() % 11];
    }
    return text;
  }
  std::string Set(const char* tag, const std::string& a, const std::string& b) {
    const std::string rest = a == b ? "" : ",\"" + b + "\"";
    return std::string("{\"") + tag + "\":[\"" + a + "\"" + rest + "]}";
  }
  std::string Value(int depth) {
    switch (random_() % (depth > 0 ? 11 : 9)) {
      case 0:
        return "{\"S\":\"" + Text() + "\"}";
      case 1:
        return "{\"N\":\"" + Number() + "\"}";
      case 2:
        return "{\"B\":\"" + Base64() + "\"}";
      case 3:
        return random_() % 2 ? "{\"BOOL\":true}" : "{\"BOOL\":false}";
      case 4:
        return "{\"NULL\":true}";
      case 5:
        return Set("SS", Text(), Text() + "x");
      case 6:
        return Set("NS", Number(), "0");
      case 7:
        return Set("BS", Base64(), "AAAA" + Base64() + "BBBB");
      case 8:
        return "{\"N\":\"" + std::to_string(random_() % 10) + "\"}";
      case 9: {
        std::string list;
        for (auto left = random_() % 4; left > 0; --left) {
          list.append(list.empty() ? "" : ",").append(Value(depth - 1));
        }
        return "{\"L\":[" + list + "]}";
      }
      default: {
        std::string map;
        for (auto left = random_() % 4; left > 0; --left) {
          map.append(map.empty() ? "" : ",").append("\"k" + std::to_string(left) + Text() + "\":");
          map.append(Value(depth - 1));
        }
        return "{\"M\":{" + map + "}}";
      }
    }
  }
  std::string Item(int number) {
    std::string item = R"({"PK":{"S":"p)" + Text() + R"("},"SK":{"S":"s)" + Text() +
                       std::to_string(number) + R"("})";
    if (random_() % 2) item += R"(,"age":{"N":")" + std::to_string(random_() % 50) + "\"}";
    for (auto left = random_() % 20; left > 0; --left) {
      item += ",\"a" + std::to_string(left) + "\":" + Value(4);
    }
    return item + "}";
  }

  // Returns the input of CreateTable for the table, and the attribute of time to live.
  static std::string Settings(std::string text) {
    Arena arena;
    const auto json = ParseJson({text.data(), text.size()}, arena);
    const auto table = ReadTableJson(**json, {}, arena);
    OutputBuffer out;
    JsonWriter writer(out);
    WriteJson(table->create_table, writer);
    return std::string(out.view()).append(*table->ttl_attribute);
  }

  std::mt19937 random_{11};
};

TEST_F(RoundTrip, ADumpGivesBackEveryItemAndSetting) {
  std::string definition = test::Definition("app");
  definition.insert(1,
                    R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},)"
                    R"("Tags":[{"Key":"k","Value":"v"}],"DeletionProtectionEnabled":true,)"
                    R"("TableClass":"STANDARD_INFREQUENT_ACCESS",)"
                    R"("OnDemandThroughput":{"MaxReadRequestUnits":9},)"
                    R"("WarmThroughput":{"ReadUnitsPerSecond":12500,"WriteUnitsPerSecond":4000},)");
  api_.Ok("CreateTable", definition);
  api_.Ok("UpdateTimeToLive",
          R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"}})");
  for (int i = 0; i < 1000; ++i) {
    api_.Ok("PutItem", R"({"TableName":"app","Item":)" + Item(i) + "}");
  }
  EXPECT_EQ(DumpInto("plain"), "app 1000");
  EXPECT_EQ(DumpInto("gzip", {.compresses = true}), "app 1000");
  int account = 0;
  for (const char* from : {"plain", "gzip"}) {
    const std::string id = "11112222333" + std::to_string(account++);
    EXPECT_EQ(Load(from, {.caller = {id, "us-east-1"}, .threads = 2}), "app 1000");
    const DumpRequest request{.caller = {id, "us-east-1"}};
    EXPECT_EQ(DumpInto(std::string("again-") + from, request), "app 1000");
    EXPECT_EQ(Read(std::string("again-") + from + "/app/items.json"), Read("plain/app/items.json"));
    // Scans of the table and of its index return the same items in the same order.
    for (const char* index : {"", R"(,"IndexName":"GSI1")"}) {
      const std::string scan = R"({"TableName":"app")" + std::string(index) + "}";
      api_.SignAs("AKIDEXAMPLE", "us-east-1");
      const std::string before = api_.Ok("Scan", scan);
      api_.SignAs(id, "us-east-1");
      EXPECT_EQ(api_.Ok("Scan", scan), before);
    }
    api_.Answers("DescribeTimeToLive", R"({"TableName":"app"})",
                 R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"t"}})");
    EXPECT_EQ(Settings(Read(std::string("again-") + from + "/app/table.json")),
              Settings(Read("plain/app/table.json")));
    api_.SignAs("AKIDEXAMPLE", "us-east-1");
  }
}

}  // namespace
}  // namespace hashrange
