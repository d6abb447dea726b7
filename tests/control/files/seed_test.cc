#include "control/files/seed.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "control/files/transfer_fixture.h"

namespace hashrange {
namespace {

using test::Definition;

class Seed : public test::TransferFixture {
 protected:
  void HasItem(const std::string& table, const std::string& key, const std::string& item) {
    api_.Answers("GetItem", R"({"TableName":")" + table + R"(","Key":)" + key + "}",
                 R"({"Item":)" + item + "}");
  }
  std::string Tables() { return api_.Ok("ListTables", "{}"); }
};

constexpr const char* kKey = R"({"PK":{"S":"a"},"SK":{"S":"1"}})";

TEST_F(Seed, EachFormatIsRecognised) {
  const struct {
    const char* file;
    const char* text;
    const char* item;
  } kCases[] = {
      {"app.json", R"({"Item":{"PK":{"S":"a"},"SK":{"S":"1"},"age":{"N":"07"}}})",
       R"({"PK":{"S":"a"},"SK":{"S":"1"},"age":{"N":"7"}})"},
      {"app.jsonl", R"({"PK":{"S":"a"},"SK":{"S":"1"},"tags":{"SS":["b","a"]}})",
       R"({"PK":{"S":"a"},"SK":{"S":"1"},"tags":{"SS":["a","b"]}})"},
      {"app.ndjson", R"({"PK":"a","SK":"1","m":{"l":[null,1.5]}})",
       R"({"PK":{"S":"a"},"SK":{"S":"1"},"m":{"M":{"l":{"L":[{"NULL":true},{"N":"1.5"}]}}}})"},
      {"app.json", R"({"PK":"a","SK":"1"})", R"({"PK":{"S":"a"},"SK":{"S":"1"}})"},
      {"app.csv", "PK,SK,age,name\r\na,1,7,\"x, \"\"y\"\"\"\r\n",
       R"({"PK":{"S":"a"},"SK":{"S":"1"},"age":{"N":"7"},"name":{"S":"x, \"y\""}})"},
  };
  for (const auto& [file, text, item] : kCases) {
    for (const bool gzip : {false, true}) {
      fs::remove_all(folder());
      const std::string name = std::string("in/") + file + (gzip ? ".gz" : "");
      Write(name, gzip ? test::Gzipped(text) : text);
      Write("in/app.table.json", Definition("app"));
      EXPECT_EQ(Load("in"), "app 1") << file;
      HasItem("app", kKey, item);
      api_.Ok("DeleteTable", R"({"TableName":"app"})");
    }
  }
}

TEST_F(Seed, AFolderHoldsManyTables) {
  Write("users.table.json", "\xEF\xBB\xBF" + Definition("users"));
  Write("users.jsonl", "{\"PK\":\"a\",\"SK\":\"1\"}\n\n{\"PK\":\"a\",\"SK\":\"2\"}\n");
  Write("users.csv", "PK,SK\na,3\n");
  Write("orders/table.json", R"({"Table":)" + Definition("orders-2026") + "}");
  Write("orders/part-1.json", R"({"PK":"a","SK":"1"})");
  Write("orders/part-2.json.gz", test::Gzipped(R"({"PK":"b","SK":"1"})"));
  Write("empty.table.json", Definition("empty"));
  Write("README.md", "not of the seed");
  Write(".hidden/x.json", "not of the seed");
  Write("docs/notes.txt", "not of the seed");
  EXPECT_EQ(Load(""), "empty 0, orders-2026 2, users 3");
  EXPECT_EQ(Tables(), R"({"TableNames":["empty","orders-2026","users"]})");
}

TEST_F(Seed, OneTableOfAFolderMayBePicked) {
  for (const char* name : {"one", "two"}) {
    Write(std::string(name) + ".table.json", Definition(name));
    Write(std::string(name) + ".jsonl", R"({"PK":"a","SK":"1"})");
  }
  EXPECT_EQ(Load("", {.table = "two"}), "two 1");
  EXPECT_EQ(Tables(), R"({"TableNames":["two"]})");
  EXPECT_EQ(Load("", {.table = "three"}).substr(0, 4), "404 ");
}

TEST_F(Seed, AFileGoesIntoTheTableOfItsNameOrTheOneNamed) {
  api_.Ok("CreateTable", Definition("users"));
  api_.Ok("CreateTable", Definition("others"));
  Write("users.jsonl", R"({"PK":"a","SK":"1"})");
  EXPECT_EQ(Load("users.jsonl"), "users 1");
  EXPECT_EQ(Load("users.jsonl", {.table = "others"}), "others 1");
  EXPECT_EQ(Load("users.jsonl", {.table = "none"}),
            "404 users.jsonl: there is no table none, and nothing defines it");
}

TEST_F(Seed, ATextIsLoadedLikeAFile) {
  std::string json = Definition("app");
  Arena arena;
  const JsonValue* const definition = *ParseJson({json.data(), json.size()}, arena);
  EXPECT_EQ(LoadText("{\"PK\":\"a\",\"SK\":\"1\"}\n", {.definition = definition}), "app 1");
  EXPECT_EQ(LoadText("PK,SK\na,2\n", {.table = "app", .format = DataFormat::kCsv}), "app 1");
  EXPECT_EQ(LoadText("{}"), "400 data needs a table or a definition");
  EXPECT_EQ(LoadText("{\"PK\":\"b\",\"SK\":\"1\"}", {.table = "copy", .definition = definition}),
            "copy 1");
}

TEST_F(Seed, AnExportOfTheServiceIsRead) {
  const std::string id = "AWSDynamoDB/01700000000000-0123abcd/";
  Write(
      id + "manifest-summary.json",
      R"({"version":"2020-06-30","tableArn":"arn:aws:dynamodb:us-east-1:111122223333:table/prod"})");
  Write(
      id + "manifest-files.json",
      R"({"itemCount":1,"dataFileS3Key":"prefix/AWSDynamoDB/01700000000000-0123abcd/data/a.json.gz"})"
      "\n"
      R"({"itemCount":0,"dataFileS3Key":"prefix/AWSDynamoDB/01700000000000-0123abcd/data/b.json.gz"})"
      "\n");
  Write(id + "data/a.json.gz",
        test::Gzipped("{\"Item\":{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"1\"}}}\n"));
  Write(id + "data/b.json.gz", test::Gzipped(""));
  Write(id + "data/stray.json.gz", "not of the export");
  EXPECT_EQ(Load("").substr(0, 4), "404 ");
  api_.Ok("CreateTable", Definition("prod"));
  EXPECT_EQ(Load(""), "prod 1");
  EXPECT_EQ(Load(id), "prod 1");
  Write("table.json", Definition("local"));
  EXPECT_EQ(Load(""), "local 1");
  EXPECT_EQ(Load("", {.table = "named"}), "named 1");
}

TEST_F(Seed, AnExportWithoutItemsNeedsItsTable) {
  const std::string id = "prod/AWSDynamoDB/01700000000000-0123abcd/";
  Write(id + "manifest-files.json", "");
  EXPECT_EQ(Load(""), "404 there is no table prod, and nothing defines it");
  api_.Ok("CreateTable", Definition("prod"));
  EXPECT_EQ(Load(""), "prod 0");
}

TEST_F(Seed, ItemsOfAnExistingTableAreReplaced) {
  api_.Ok("CreateTable", Definition("app"));
  api_.Ok("PutItem",
          R"({"TableName":"app","Item":{"PK":{"S":"a"},"SK":{"S":"1"},"old":{"S":"x"}}})");
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"b"},"SK":{"S":"1"}}})");
  Write("app.table.json", Definition("app"));
  Write("app.jsonl", R"({"PK":"a","SK":"1","new":1})");
  EXPECT_EQ(Load(""), "app 1");
  HasItem("app", kKey, R"({"PK":{"S":"a"},"SK":{"S":"1"},"new":{"N":"1"}})");
  HasItem("app", R"({"PK":{"S":"b"},"SK":{"S":"1"}})", R"({"PK":{"S":"b"},"SK":{"S":"1"}})");
}

TEST_F(Seed, AnExistingTableWithAnotherKeyOrIndexIsAnError) {
  std::string other = Definition("app");
  other.replace(other.find("\"GSI1\""), 6, "\"GSI2\"");
  api_.Ok("CreateTable", other);
  Write("app.table.json", Definition("app"));
  EXPECT_EQ(Load(""),
            "409 app.table.json: the table app is there, with another key or other indexes");
}

TEST_F(Seed, AVectorIndexIsComparedAndItsVectorsAreChecked) {
  const auto definition = [](const std::string& dimensions) {
    return R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],
      "VectorIndexes":[{"IndexName":"vix","VectorAttribute":{"AttributeName":"e"},"Dimensions":)" +
           dimensions + R"(,"DistanceFunction":"COSINE","Projection":{"ProjectionType":"ALL"}}]})";
  };
  Write("app.table.json", definition("2"));
  Write("app.jsonl", R"({"PK":"a","e":[1,2]})");
  EXPECT_EQ(Load(""), "app 1");
  EXPECT_EQ(Load(""), "app 1");
  Write("app.jsonl", R"({"PK":"a","e":[1]})");
  EXPECT_EQ(Load(""),
            "400 app.jsonl:1: One or more parameter values were invalid. Invalid size for "
            "parameter e, Expected: 2, Actual: 1 IndexName: vix");
  Write("app.table.json", definition("3"));
  EXPECT_EQ(Load(""),
            "409 app.table.json: the table app is there, with another key or other indexes");
}

TEST_F(Seed, IndexesContainTheLoadedItems) {
  Write("app.table.json", Definition("app"));
  Write("app.jsonl", "{\"PK\":\"a\",\"SK\":\"1\",\"age\":7}\n{\"PK\":\"b\",\"SK\":\"1\"}\n");
  EXPECT_EQ(Load(""), "app 2");
  api_.Answers("Query",
               R"({"TableName":"app","IndexName":"GSI1","KeyConditionExpression":"age = :a",)"
               R"("ExpressionAttributeValues":{":a":{"N":"7"}}})",
               R"({"Items":[{"PK":{"S":"a"},"SK":{"S":"1"},"age":{"N":"7"}}],"Count":1,)"
               R"("ScannedCount":1})");
}

TEST_F(Seed, AStreamBeginsBehindTheItemsOfANewTable) {
  std::string definition = Definition("app");
  definition.insert(
      1, R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},)");
  Write("app.table.json", definition);
  Write("app.jsonl", R"({"PK":"a","SK":"1"})");
  EXPECT_EQ(Load(""), "app 1");
  const TableRef table = api_.engine().catalog().Find({"000000000000", "us-east-1"}, "app");
  ASSERT_TRUE(table->settings.stream && table->settings.stream->storage);
  const std::string arn = table->arn + "/stream/" + table->settings.latest_stream_label;
  const auto records = [&] {
    const std::string shard = api_.Ok("DescribeStream", R"({"StreamArn":")" + arn + R"("})");
    const std::size_t id = shard.find("shardId-");
    const std::string iterator =
        api_.Ok("GetShardIterator", R"({"StreamArn":")" + arn + R"(","ShardId":")" +
                                        shard.substr(id, shard.find('"', id) - id) +
                                        R"(","ShardIteratorType":"TRIM_HORIZON"})");
    const std::string text = api_.Ok("GetRecords", iterator);
    std::size_t count = 0;
    for (auto at = text.find("eventID"); at != std::string::npos;
         at = text.find("eventID", at + 1)) {
      ++count;
    }
    return count;
  };
  EXPECT_EQ(records(), 0u);
  api_.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"b"},"SK":{"S":"1"}}})");
  EXPECT_EQ(records(), 1u);
  // Items of an existing table are written as by PutItem.
  EXPECT_EQ(LoadText(R"({"PK":"c","SK":"1"})", {.table = "app"}), "app 1");
  EXPECT_EQ(records(), 2u);
}

TEST_F(Seed, ItemsExpireByTheDefinition) {
  std::string definition = Definition("app");
  definition.insert(1, R"("TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"},)");
  Write("app.table.json", definition);
  Write("app.jsonl",
        "{\"PK\":\"a\",\"SK\":\"1\",\"ttl\":1600000000}\n{\"PK\":\"b\",\"SK\":\"1\"}\n");
  EXPECT_EQ(Load(""), "app 2");
  api_.Answers("DescribeTimeToLive", R"({"TableName":"app"})",
               R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"ttl"}})");
  api_.time_to_live().Sweep();
  api_.Answers("Scan", R"({"TableName":"app"})",
               R"({"Items":[{"PK":{"S":"b"},"SK":{"S":"1"}}],"Count":1,"ScannedCount":1})");
}

TEST_F(Seed, TagsComeWithTheDefinition) {
  std::string definition = Definition("app");
  definition.insert(1, R"("Tags":[{"Key":"team","Value":"blue"}],)");
  Write("app.table.json", definition);
  EXPECT_EQ(Load("app.table.json"), "app 0");
  api_.Answers("ListTagsOfResource",
               R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app"})",
               R"({"Tags":[{"Key":"team","Value":"blue"}]})");
}

TEST_F(Seed, TablesBelongToTheCaller) {
  Write("app.table.json", Definition("app"));
  EXPECT_EQ(Load("", {.caller = {"111122223333", "eu-west-1"}}), "app 0");
  EXPECT_EQ(Tables(), R"({"TableNames":[]})");
  const TableRef table = api_.engine().catalog().Find({"111122223333", "eu-west-1"}, "app");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->arn, "arn:aws:dynamodb:eu-west-1:111122223333:table/app");
}

std::string ManyLines(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) {
    lines += "{\"PK\":\"" + std::to_string(i % 97) + "\",\"SK\":\"" + std::to_string(i) +
             "\",\"age\":" + std::to_string(i % 1000) + "}\n";
  }
  return lines;
}

// A reader meanwhile finds no table, or all tables with all items.
TEST_F(Seed, NewTablesAppearCompleteAndTogether) {
  constexpr int kItems = 20'000;
  Write("one.table.json", Definition("one"));
  Write("one.jsonl", ManyLines(kItems));
  Write("two.table.json", Definition("two"));
  Write("two.jsonl", ManyLines(kItems));
  std::atomic<bool> is_loaded{false};
  std::atomic<int> looks{0};
  std::thread watcher([&] {
    Catalog& catalog = api_.engine().catalog();
    const AccountName account{"000000000000", "us-east-1"};
    while (!is_loaded) {
      const TableRef one = catalog.Find(account, "one");
      if (one) {
        EXPECT_TRUE(catalog.Find(account, "two"));
        EXPECT_EQ(api_.engine().StatisticsOf(*one, nullptr).item_count, kItems);
        EXPECT_EQ(api_.engine().StatisticsOf(*one, &one->indexes[0]).item_count, kItems);
      }
      ++looks;
    }
  });
  EXPECT_EQ(Load("", {.threads = 2}), "one 20000, two 20000");
  is_loaded = true;
  watcher.join();
  EXPECT_GT(looks, 0);
}

// No write to a table is lost while a seed loads items into the table.
TEST_F(Seed, ATableIsLoadedBesideItsWriters) {
  api_.Ok("CreateTable", Definition("app"));
  std::atomic<bool> is_loaded{false};
  std::atomic<int> written{0};
  std::thread writer([&] {
    while (!is_loaded || written < 10) {
      api_.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"writer"},"SK":{"S":")" +
                             std::to_string(written++) + R"("}}})");
    }
  });
  std::thread changer([&] {
    while (!is_loaded) {
      for (const char* enabled : {"true", "false"}) {
        api_.Ok("UpdateTimeToLive",
                R"({"TableName":"app","TimeToLiveSpecification":{"AttributeName":"t","Enabled":)" +
                    std::string(enabled) + "}}");
      }
    }
  });
  EXPECT_EQ(LoadText(ManyLines(20'000), {.table = "app", .threads = 2}), "app 20000");
  is_loaded = true;
  writer.join();
  changer.join();
  const TableRef table = api_.engine().catalog().Find({"000000000000", "us-east-1"}, "app");
  EXPECT_EQ(api_.engine().StatisticsOf(*table, nullptr).item_count, 20'000 + written);
}

}  // namespace
}  // namespace hashrange
