// The bound on memory through calls: what is refused, what goes on, and that a refusal follows what
// is stored.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/memory/live_memory.h"
#include "hashrange/database.h"
#include "platform/memory.h"

namespace hashrange {
namespace {

constexpr std::int64_t kRoomBytes = 8 << 20;

constexpr std::string_view kRefusal =
    R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError",)"
    R"("message":"The data of the server takes all of its --max-memory. Delete items or tables."})";

std::string Definition(std::string_view name) {
  return R"({"TableName":")" + std::string(name) +
         R"(","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk",
            "AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})";
}

std::string Key(int number) { return R"({"pk":{"S":"item )" + std::to_string(number) + R"("}})"; }

std::string Item(int number) {
  std::string item = Key(number);
  item.pop_back();
  return item + R"(,"text":{"S":")" + std::string(2000, 'x') + R"("}})";
}

std::string OfTable(const std::string& rest) { return R"({"TableName":"app",)" + rest + "}"; }

class MaxMemory : public ::testing::Test {
 protected:
  MaxMemory() { EXPECT_TRUE(database_.Call("CreateTable", Definition("app")).ok()); }

  Answer Put(int number) { return database_.Call("PutItem", OfTable(R"("Item":)" + Item(number))); }
  // Puts items until one is refused. Returns their number.
  int Fill() {
    int count = 0;
    while (Put(count).ok()) ++count;
    return count;
  }
  void Delete(int first, int end) {
    for (int i = first; i < end; ++i) {
      EXPECT_TRUE(database_.Call("DeleteItem", OfTable(R"("Key":)" + Key(i))).ok());
    }
  }
  void ExpectRefused(std::string_view operation, const std::string& json) {
    const Answer answer = database_.Call(operation, json);
    EXPECT_EQ(answer.status, 500) << operation;
    EXPECT_EQ(answer.body, kRefusal) << operation;
  }
  void ExpectDone(std::string_view operation, const std::string& json) {
    const Answer answer = database_.Call(operation, json);
    EXPECT_TRUE(answer.ok()) << operation << answer.body;
  }

  Database database_{{.max_memory_bytes = CountLiveMemory().total() + kRoomBytes}};
};

TEST_F(MaxMemory, ARefusalFollowsWhatIsStored) {
  const int count = Fill();
  // Each item takes about 2,100 bytes. The thread reports 256 KiB later at most.
  EXPECT_GT(count, kRoomBytes / 2300);
  EXPECT_LT(count, (kRoomBytes + 2 * kReportBytes) / 2000);
  EXPECT_EQ(Put(-1).body, kRefusal);
  EXPECT_TRUE(Put(0).ok());  // it does not grow
  for (int round = 0; round < 3; ++round) {
    Delete(0, 1000);
    for (int i = 0; i < 700; ++i) EXPECT_TRUE(Put(i).ok());
    int more = 10'000;
    while (Put(more).ok()) ++more;
    EXPECT_LT(more, 10'700);
    Delete(10'000, more);
  }
  Delete(0, count);
  EXPECT_NEAR(Fill(), count, 300);
}

TEST_F(MaxMemory, WhatStoresIsRefusedAsAWholeAndTheRestGoesOn) {
  const int count = Fill();
  const std::string put = R"({"PutRequest":{"Item":)" + Item(-1) + "}}";
  const std::string erase = R"({"DeleteRequest":{"Key":)" + Key(1) + "}}";
  ExpectRefused("PutItem", OfTable(R"("Item":)" + Item(-1)));
  ExpectRefused("UpdateItem", OfTable(R"("Key":)" + Key(-2)));
  ExpectRefused("BatchWriteItem", R"({"RequestItems":{"app":[)" + put + "]}}");
  ExpectRefused("TransactWriteItems", R"({"TransactItems":[{"Delete":{"TableName":"app","Key":)" +
                                          Key(1) + R"(}},{"Put":{"TableName":"app","Item":)" +
                                          Item(-1) + "}}]}");
  ExpectRefused("ExecuteStatement", R"({"Statement":"INSERT INTO app VALUE {'pk':'new'}"})");
  ExpectRefused("ExecuteStatement", R"({"Statement":"UPDATE app SET more=')" +
                                        std::string(100, 'x') + R"(' WHERE pk='item 1'"})");
  ExpectRefused("ExecuteTransaction",
                R"({"TransactStatements":[{"Statement":"DELETE FROM app WHERE pk='item 1'"},
                                          {"Statement":"INSERT INTO app VALUE {'pk':'new'}"}]})");
  ExpectRefused("CreateTable", Definition("more"));
  ExpectRefused("UpdateTable",
                OfTable(R"("AttributeDefinitions":[{"AttributeName":"text","AttributeType":"S"}],
                   "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-text","KeySchema":[
                   {"AttributeName":"text","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}])"));
  ExpectRefused("UpdateTimeToLive",
                OfTable(R"("TimeToLiveSpecification":{"AttributeName":"t","Enabled":true})"));
  const Answer seeded =
      database_.Control("POST", "seed", R"({"table":"app","data":"{\"pk\":\"new\"}\n"})");
  EXPECT_EQ(seeded.status, 500);
  EXPECT_EQ(seeded.body,
            R"({"error":"data:1: The data of the server takes all of its --max-memory. )"
            R"(Delete items or tables."})");
  const Answer counted = database_.Call("Scan", OfTable(R"("Select":"COUNT")"));
  EXPECT_TRUE(counted.ok());

  ExpectDone("GetItem", OfTable(R"("Key":)" + Key(count - 1)));
  EXPECT_NE(database_.Call("GetItem", OfTable(R"("Key":)" + Key(1))).body.find("item 1"),
            std::string::npos);  // nothing was deleted
  ExpectDone("DescribeTable", R"({"TableName":"app"})");
  ExpectDone("TransactGetItems",
             R"({"TransactItems":[{"Get":{"TableName":"app","Key":)" + Key(1) + "}}]}");
  ExpectDone("ExecuteStatement", R"({"Statement":"SELECT * FROM app WHERE pk='item 1'"})");
  ExpectDone("DeleteItem", OfTable(R"("Key":)" + Key(1)));
  ExpectDone("BatchWriteItem",
             R"({"RequestItems":{"app":[{"DeleteRequest":{"Key":)" + Key(2) + "}}]}}");
  ExpectDone("TransactWriteItems",
             R"({"TransactItems":[{"Delete":{"TableName":"app","Key":)" + Key(3) + "}}]}");
  ExpectDone("ExecuteStatement", R"({"Statement":"DELETE FROM app WHERE pk='item 4'"})");
  ExpectDone("TagResource",
             R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/app",
                 "Tags":[{"Key":"a","Value":"b"}]})");
  ExpectDone("DeleteTable", R"({"TableName":"app"})");
  ExpectDone("CreateTable", Definition("app"));
  EXPECT_NEAR(Fill(), count, 300);
}

TEST_F(MaxMemory, WhatFreesMemoryIsDone) {
  const int count = Fill();
  const std::string shrink =
      R"(,"UpdateExpression":"REMOVE #t","ExpressionAttributeNames":{"#t":"text"})";
  const std::string shorten = R"(,"UpdateExpression":"SET #t = :t",
      "ExpressionAttributeNames":{"#t":"text"},"ExpressionAttributeValues":{":t":{"S":"short"}})";
  const std::string lengthen = R"(,"UpdateExpression":"SET #t = :t, more = :t",
      "ExpressionAttributeNames":{"#t":"text"},"ExpressionAttributeValues":{":t":{"S":")" +
                               std::string(1900, 'y') + R"("}})";
  ExpectRefused("UpdateItem", OfTable(R"("Key":)" + Key(1) + lengthen));
  ExpectDone("UpdateItem", OfTable(R"("Key":)" + Key(1) + shrink));
  ExpectDone("UpdateItem", OfTable(R"("Key":)" + Key(2) + shorten));
  ExpectDone("PutItem", OfTable(R"("Item":)" + Key(3)));
  ExpectDone("ExecuteStatement", R"({"Statement":"UPDATE app REMOVE \"text\" WHERE pk='item 4'"})");
  const Answer shrunk =
      database_.Call("BatchGetItem", R"({"RequestItems":{"app":{"Keys":[)" + Key(1) + "," + Key(3) +
                                         "," + Key(4) + "]}}}");
  EXPECT_EQ(shrunk.body, R"({"Responses":{"app":[)" + Key(1) + "," + Key(3) + "," + Key(4) +
                             R"(]},"UnprocessedKeys":{}})");

  const std::string put = R"({"PutRequest":{"Item":)" + Item(-1) + "}}";
  const std::string erase = R"({"DeleteRequest":{"Key":)" + Key(5) + "}}";
  const Answer batch =
      database_.Call("BatchWriteItem", R"({"RequestItems":{"app":[)" + put + "," + erase + "]}}");
  EXPECT_EQ(batch.body, R"({"UnprocessedItems":{"app":[)" + put + "]}}");
  EXPECT_EQ(database_.Call("GetItem", OfTable(R"("Key":)" + Key(5))).body, "{}");
  ExpectDone("TransactWriteItems",
             R"({"TransactItems":[{"Delete":{"TableName":"app","Key":)" + Key(6) +
                 R"(}},{"Update":{"TableName":"app","Key":)" + Key(7) + shrink +
                 R"(}},{"ConditionCheck":{"TableName":"app","Key":)" + Key(8) +
                 ",\"ConditionExpression\":\"attribute_exists(pk)\"}}]}");
  ExpectRefused("TransactWriteItems", R"({"TransactItems":[{"Delete":{"TableName":"app","Key":)" +
                                          Key(9) + R"(}},{"Update":{"TableName":"app","Key":)" +
                                          Key(10) + lengthen + "}}]}");
  EXPECT_NE(database_.Call("GetItem", OfTable(R"("Key":)" + Key(9))).body, "{}");
  const Answer statements =
      database_.Call("BatchExecuteStatement",
                     R"({"Statements":[{"Statement":"DELETE FROM app WHERE pk='item 11'"},
                         {"Statement":"UPDATE app SET more=')" +
                         std::string(100, 'x') + R"(' WHERE pk='item 12'"}]})");
  EXPECT_EQ(statements.body,
            R"({"Responses":[{"TableName":"app"},{"Error":{"Code":"InternalServerError","Message":)"
            R"("The data of the server takes all of its --max-memory. Delete items or tables."},)"
            R"("TableName":"app"}]})");
  EXPECT_EQ(database_.Control("POST", "reset", R"({"account":"000000000000"})").status, 200);
  // Another thread frees the items.
  for (int i = 0; i < 1000 && !database_.Call("CreateTable", Definition("app")).ok(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_NEAR(Fill(), count, 300);
}

TEST_F(MaxMemory, EntriesOfIndexesTakeMemory) {
  ExpectDone("CreateTable", R"({"TableName":"sparse","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
      {"AttributeName":"g","AttributeType":"S"},{"AttributeName":"h","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"GlobalSecondaryIndexes":[
      {"IndexName":"by-g","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],
       "Projection":{"ProjectionType":"ALL"}},
      {"IndexName":"by-h","KeySchema":[{"AttributeName":"h","KeyType":"HASH"}],
       "Projection":{"ProjectionType":"ALL"}}]})");
  const auto with = [](const std::string& attribute) {
    return R"({"TableName":"sparse","Item":{"pk":{"S":"a"},")" + attribute + R"(":{"S":"1"}}})";
  };
  ExpectDone("PutItem", with("x"));
  Fill();
  ExpectRefused("PutItem", with("g"));  // as large as the item before, and one entry more
  ExpectDone("PutItem", with("y"));
  Delete(0, 1000);
  ExpectDone("PutItem", with("g"));
  Fill();
  ExpectDone("PutItem", with("h"));  // one entry for another
  ExpectDone("PutItem", with("x"));
  ExpectRefused("PutItem", with("h"));
}

// Forks under measurements, each with a few calls.
class MeasuredForks : public ::testing::Test {
 protected:
  static constexpr int kMeasurements = 16;

  static std::int64_t Measured() { return CountLiveMemory().of(MemoryPart::kMeasurements); }
  static std::int64_t Tables() { return CountLiveMemory().of(MemoryPart::kTables); }
  static std::string AccountOf(int number) { return std::to_string(200'000'000'000 + number); }

  void StartMeasurements(Database& database) {
    for (int i = 0; i < kMeasurements; ++i) {
      const Answer answer =
          database.Control("POST", "measurements", R"({"name":")" + std::to_string(i) + R"("})");
      EXPECT_EQ(answer.status, 200) << answer.body;
    }
  }
  static Answer Fork(Database& database, int number) {
    return database.Control("POST", "fork",
                            R"({"from":"000000000000","to":")" + AccountOf(number) + R"("})");
  }
  static void Use(Database& database, int number) {
    const std::string account = AccountOf(number);
    const Credential as{.access_key = account};
    EXPECT_TRUE(database.Call("PutItem", OfTable(R"("Item":)" + Key(1)), as).ok());
    EXPECT_TRUE(database.Call("GetItem", OfTable(R"("Key":)" + Key(1)), as).ok());
  }
};

TEST_F(MeasuredForks, CostLittleAndCount) {
  const std::int64_t measured_before = Measured(), tables_before = Tables();
  // A thread keeps ended measurements, without what they counted, until its next call.
  constexpr std::int64_t kKept = kMeasurements * 10'000;
  {
    Database database;
    EXPECT_TRUE(database.Call("CreateTable", Definition("app")).ok());
    StartMeasurements(database);
    constexpr int kForks = 100;
    for (int i = 0; i < kForks; ++i) EXPECT_EQ(Fork(database, i).status, 200);
    EXPECT_LT(Measured() - measured_before, 100'000);  // a fork without calls counts nothing
    EXPECT_GT(Tables() - tables_before, kForks * 1000);
    for (int i = 0; i < kForks; ++i) Use(database, i);
    const std::int64_t of_each = (Measured() - measured_before) / kForks / kMeasurements;
    EXPECT_GT(of_each, 1000);
    EXPECT_LT(of_each, 40'000);
    EXPECT_EQ(database.Control("DELETE", "measurements").status, 200);
    EXPECT_LT(Measured() - measured_before, kKept);
    EXPECT_EQ(database.Control("POST", "reset", "{}").status, 200);
  }
  EXPECT_NEAR(static_cast<double>(Measured()), static_cast<double>(measured_before), kKept);
  EXPECT_EQ(Tables(), tables_before);
}

TEST_F(MeasuredForks, AreBounded) {
  constexpr std::int64_t kRoom = 16 << 20;
  Database database({.max_memory_bytes = CountLiveMemory().total() + kRoom});
  EXPECT_TRUE(database.Call("CreateTable", Definition("app")).ok());
  StartMeasurements(database);
  int forks = 0;
  for (; forks < 4000 && Fork(database, forks).status == 200; ++forks) Use(database, forks);
  EXPECT_LT(forks, 4000);
  EXPECT_EQ(Fork(database, forks).body,
            R"({"error":"The data of the server takes all of its --max-memory. )"
            R"(Delete items or tables."})");
  const std::int64_t full = Measured();
  for (int i = 0; i < 200; ++i) {  // what is new is not counted any more
    const std::string account = AccountOf(forks + i);
    EXPECT_EQ(
        database.Call("GetItem", OfTable(R"("Key":)" + Key(1)), {.access_key = account}).status,
        400);
  }
  EXPECT_LT(Measured() - full, 1 << 20);
  EXPECT_EQ(database.Control("DELETE", "measurements/0").status, 200);
  EXPECT_EQ(database.Control("DELETE", "measurements").body, R"({"measurements":15})");
  EXPECT_EQ(Fork(database, forks).status, 200);
}

TEST_F(MaxMemory, IsShownByTheMetrics) {
  Fill();
  const std::string text = database_.Control("GET", "metrics").body;
  EXPECT_NE(text.find("\nhashrange_memory_bytes{part=\"items\"} "), std::string::npos);
  EXPECT_NE(text.find("\nhashrange_memory_bytes{part=\"leaves\"} "), std::string::npos);
  EXPECT_NE(text.find("\nhashrange_max_memory_bytes "), std::string::npos);
  EXPECT_EQ(text.find("\nhashrange_max_memory_bytes 0\n"), std::string::npos);
}

TEST_F(MaxMemory, ThreadsFillAndEmptyTheTable) {
  constexpr int kThreads = 3, kItems = 3000;
  std::atomic<int> refused{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([this, t, &refused] {
      for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < kItems; ++i) {
          const Answer answer = Put(t * kItems + i);
          if (!answer.ok()) ++refused;
          EXPECT_TRUE(answer.ok() || answer.body == kRefusal);
        }
        Delete(t * kItems, (t + 1) * kItems);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // All threads together store twice as much as there is room for.
  EXPECT_GT(refused, 0);
  EXPECT_NEAR(Fill(), kRoomBytes / 2150, 400);
}

// A sanitizer's allocator takes more than it says.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
std::int64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all_pages = 0, resident_pages = 0;
  file >> all_pages >> resident_pages;
  return resident_pages * sysconf(_SC_PAGESIZE);
}

// Items of `bytes` in a table with an index and a stream.
void ExpectCloseToResidentMemory(int items, std::size_t bytes) {
  Database database;
  std::string definition = Definition("app");
  definition.pop_back();
  definition += R"(,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})";
  ASSERT_TRUE(database.Call("CreateTable", definition).ok());
  ReturnFreeMemory();  // of the tests before
  const std::int64_t live = CountLiveMemory().total(), resident = ResidentBytes();
  for (int i = 0; i < items; ++i) {
    ASSERT_TRUE(database
                    .Call("PutItem", R"({"TableName":"app","Item":{"pk":{"S":"customer#)" +
                                         std::to_string(i * 7919 % items) + R"("},"text":{"S":")" +
                                         std::string(bytes, 'x') + "\"}}}")
                    .ok());
  }
  const auto live_growth = static_cast<double>(CountLiveMemory().total() - live);
  const auto resident_growth = static_cast<double>(ResidentBytes() - resident);
  EXPECT_GT(live_growth, 30e6);
  EXPECT_GT(live_growth / resident_growth, 0.9) << bytes;
  EXPECT_LT(live_growth / resident_growth, 1.1) << bytes;
}

TEST(LiveMemoryOfCalls, IsWithinATenthOfTheGrowthOfResidentMemory) {
  ExpectCloseToResidentMemory(250'000, 20);
  ExpectCloseToResidentMemory(100'000, 500);
  ExpectCloseToResidentMemory(8'000, 20'000);
}
#endif

TEST(NoMaxMemory, IsTheDefaultInProcess) {
  Database database;
  const std::string text = database.Control("GET", "metrics").body;
  EXPECT_NE(text.find("\nhashrange_max_memory_bytes 0\n"), std::string::npos);
}

}  // namespace
}  // namespace hashrange
