// The records that writes to a table add to its stream (docs/service/12-streams-and-ttl.md,
// sections A1 to A3).
#include <gtest/gtest.h>

#include <string>

#include "operation/stream/stream_reader.h"
#include "support/items.h"

namespace hashrange {
namespace {

using test::StreamReader;

std::string TableWithStream(std::string_view view) {
  return std::string(R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
                            {"AttributeName":"sk","AttributeType":"N"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
    "StreamSpecification":{"StreamEnabled":true,"StreamViewType":")")
      .append(view)
      .append("\"}}");
}

constexpr char kKey[] = R"({"pk":{"S":"a"},"sk":{"N":"1"}})";
constexpr char kOld[] = R"({"pk":{"S":"a"},"sk":{"N":"1"},"v":{"S":"old"}})";
constexpr char kNew[] = R"({"pk":{"S":"a"},"sk":{"N":"1"},"v":{"S":"newer"}})";

// Returns a record of the item above. `images`: its members NewImage and OldImage.
std::string Record(std::string_view event, int number, int size_bytes, std::string_view view,
                   std::string images) {
  if (!images.empty()) images.push_back(',');
  return std::string(R"({"eventName":")")
      .append(event)
      .append(R"(","dynamodb":{"ApproximateCreationDateTime":1700000000,"Keys":)")
      .append(kKey)
      .append(",")
      .append(images)
      .append(R"("SequenceNumber":"10000000000000000000)")
      .append(std::to_string(number))
      .append(R"(","SizeBytes":)")
      .append(std::to_string(size_bytes))
      .append(R"(,"StreamViewType":")")
      .append(view)
      .append("\"}}");
}
std::string NewImage(const char* item) { return std::string(R"("NewImage":)") + item; }
std::string OldImage(const char* item) { return std::string(R"("OldImage":)") + item; }

class StreamRecords : public testing::Test {
 protected:
  void Put(const char* item) {
    api_.Ok("PutItem", std::string(R"({"TableName":"app","Item":)") + item + "}");
  }
  std::string WithKey(std::string_view more = "") {
    return std::string(R"({"TableName":"app","Key":)").append(kKey).append(more).append("}");
  }

  Api api_;
};

// The key takes 7 bytes, the old item 11, the new one 13.
TEST_F(StreamRecords, ShowWhatTheViewSays) {
  const struct {
    const char* view;
    std::string inserted, modified, removed;  // images
    int insert_bytes, modify_bytes, remove_bytes;
  } kRows[] = {
      {"KEYS_ONLY", "", "", "", 7, 7, 7},
      {"NEW_IMAGE", NewImage(kOld), NewImage(kNew), "", 18, 20, 7},
      {"OLD_IMAGE", "", OldImage(kOld), OldImage(kNew), 7, 18, 20},
      {"NEW_AND_OLD_IMAGES", NewImage(kOld), NewImage(kNew) + "," + OldImage(kOld), OldImage(kNew),
       18, 31, 20},
  };
  for (const auto& row : kRows) {
    api_.Ok("CreateTable", TableWithStream(row.view));
    Put(kOld);
    Put(kNew);
    api_.Ok("DeleteItem", WithKey());
    StreamReader(api_, "app")
        .Expect("[" + Record("INSERT", 1, row.insert_bytes, row.view, row.inserted) + "," +
                Record("MODIFY", 2, row.modify_bytes, row.view, row.modified) + "," +
                Record("REMOVE", 3, row.remove_bytes, row.view, row.removed) + "]");
    api_.Ok("DeleteTable", R"({"TableName":"app"})");
  }
}

TEST_F(StreamRecords, AnItemThatIsOnlyAKeyHasAnImage) {
  api_.Ok("CreateTable", TableWithStream("NEW_AND_OLD_IMAGES"));
  api_.Ok("UpdateItem", WithKey());
  StreamReader(api_, "app")
      .Expect("[" + Record("INSERT", 1, 14, "NEW_AND_OLD_IMAGES", NewImage(kKey)) + "]");
}

TEST_F(StreamRecords, TimesAreWholeSeconds) {
  api_.Ok("CreateTable", TableWithStream("KEYS_ONLY"));
  api_.clock().Advance(999);
  Put(kOld);
  StreamReader(api_, "app").Expect("[" + Record("INSERT", 1, 7, "KEYS_ONLY", "") + "]");
}

// Each row is a write that succeeds or is refused, and does not change any item. In a request "#"
// is replaced by the item's key, and "?" by the key of an item that does not exist.
struct IdleWrite {
  const char* operation;
  const char* request;
  int status = 200;
};
constexpr IdleWrite kIdleWrites[] = {
    {"PutItem", R"({"TableName":"app","Item":{"pk":{"S":"a"},"sk":{"N":"1"},"n":{"N":"1"},
      "m":{"M":{"x":{"S":"1"},"y":{"S":"2"}}},"s":{"SS":["p","q"]}}})"},
    {"PutItem", R"({"TableName":"app","Item":{"s":{"SS":["q","p"]},
      "m":{"M":{"y":{"S":"2"},"x":{"S":"1"}}},"n":{"N":"1.00"},"sk":{"N":"1e0"},"pk":{"S":"a"}}})"},
    {"UpdateItem", R"({"TableName":"app","Key":#})"},
    {"UpdateItem", R"({"TableName":"app","Key":#,"UpdateExpression":"SET n = :n",
      "ExpressionAttributeValues":{":n":{"N":"1.0"}}})"},
    {"UpdateItem", R"({"TableName":"app","Key":#,"UpdateExpression":"ADD n :z",
      "ExpressionAttributeValues":{":z":{"N":"0"}}})"},
    {"UpdateItem", R"({"TableName":"app","Key":#,"UpdateExpression":"SET m = :m",
      "ExpressionAttributeValues":{":m":{"M":{"y":{"S":"2"},"x":{"S":"1"}}}}})"},
    {"UpdateItem", R"({"TableName":"app","Key":#,"UpdateExpression":"ADD s :s",
      "ExpressionAttributeValues":{":s":{"SS":["p"]}}})"},
    {"UpdateItem", R"({"TableName":"app","Key":#,"UpdateExpression":"REMOVE absent"})"},
    {"UpdateItem",
     R"({"TableName":"app","Key":#,"AttributeUpdates":{"absent":{"Action":"DELETE"}}})"},
    {"UpdateItem", R"({"TableName":"app","Key":?,"UpdateExpression":"REMOVE absent"})"},
    {"DeleteItem", R"({"TableName":"app","Key":?})"},
    {"DeleteItem",
     R"j({"TableName":"app","Key":#,"ConditionExpression":"attribute_not_exists(pk)"})j", 400},
    {"BatchWriteItem", R"({"RequestItems":{"app":[{"DeleteRequest":{"Key":?}},
      {"PutRequest":{"Item":{"pk":{"S":"a"},"sk":{"N":"1"},"n":{"N":"1"},
        "m":{"M":{"x":{"S":"1"},"y":{"S":"2"}}},"s":{"SS":["p","q"]}}}}]}})"},
    {"TransactWriteItems", R"j({"TransactItems":[
      {"Update":{"TableName":"app","Key":#,"UpdateExpression":"SET n = n"}},
      {"ConditionCheck":{"TableName":"app","Key":?,
        "ConditionExpression":"attribute_not_exists(pk)"}}]})j"},
    {"TransactWriteItems", R"j({"TransactItems":[{"Delete":{"TableName":"app","Key":#}},
      {"ConditionCheck":{"TableName":"app","Key":?,
        "ConditionExpression":"attribute_exists(pk)"}}]})j",
     400},
};

TEST_F(StreamRecords, AWriteThatChangesNothingAddsNone) {
  api_.Ok("CreateTable", TableWithStream("KEYS_ONLY"));
  api_.Ok(kIdleWrites[0].operation, kIdleWrites[0].request);
  for (const IdleWrite& write : kIdleWrites) {
    std::string request;
    for (const char* at = write.request; *at; ++at) {
      if (*at == '#') {
        request += kKey;
      } else if (*at == '?') {
        request += R"({"pk":{"S":"none"},"sk":{"N":"1"}})";
      } else {
        request += *at;
      }
    }
    const Api::Reply reply = api_.Call(write.operation, request);
    EXPECT_EQ(reply.http_status, write.status) << request << "\n" << reply.body;
    StreamReader(api_, "app").Expect("[" + Record("INSERT", 1, 7, "KEYS_ONLY", "") + "]");
  }
}

TEST_F(StreamRecords, BatchesAndTransactionsAddOneForEachItem) {
  api_.Ok("CreateTable", TableWithStream("KEYS_ONLY"));
  Put(kOld);
  api_.Ok("BatchWriteItem",
          std::string(R"({"RequestItems":{"app":[{"PutRequest":{"Item":)") + kNew + "}}]}}");
  api_.Ok(
      "TransactWriteItems",
      std::string(R"({"TransactItems":[{"Update":{"TableName":"app","Key":)") + kKey +
          R"(,"UpdateExpression":"SET n = :n","ExpressionAttributeValues":{":n":{"N":"1"}}}}]})");
  api_.Ok("TransactWriteItems",
          std::string(R"({"TransactItems":[{"Delete":{"TableName":"app","Key":)") + kKey + "}}]}");
  StreamReader(api_, "app")
      .Expect("[" + Record("INSERT", 1, 7, "KEYS_ONLY", "") + "," +
              Record("MODIFY", 2, 7, "KEYS_ONLY", "") + "," +
              Record("MODIFY", 3, 7, "KEYS_ONLY", "") + "," +
              Record("REMOVE", 4, 7, "KEYS_ONLY", "") + "]");
}

TEST_F(StreamRecords, TheServicesOwnDeletionSaysSo) {
  api_.Ok("CreateTable", TableWithStream("KEYS_ONLY"));
  Put(kOld);
  const TableRef table = api_.engine().catalog().Find({"000000000000", "us-east-1"}, "app");
  Arena arena;
  test::ItemMaker maker(table->key);
  const auto erase = [](ItemView) { return Decision::Erase(); };
  const ItemWrite write{
      {table.get(), maker.At({test::S("a"), maker.N(1)})}, erase, WriteOrigin::kTimeToLive};
  WriteOutcome outcome;
  ASSERT_EQ(api_.engine().Commit({&write, 1}, {&outcome, 1}, arena), CommitResult::kCommitted);
  std::string removed = Record("REMOVE", 2, 7, "KEYS_ONLY", "");
  removed.pop_back();
  removed += R"(,"userIdentity":{"Type":"Service","PrincipalId":"dynamodb.amazonaws.com"}})";
  StreamReader(api_, "app")
      .Expect("[" + Record("INSERT", 1, 7, "KEYS_ONLY", "") + "," + removed + "]");
}

TEST_F(StreamRecords, TablesWithoutStreamHaveNone) {
  std::string plain = TableWithStream("KEYS_ONLY");
  const std::size_t at = plain.find(R"(,
    "StreamSpecification")");
  plain.replace(at, std::string::npos, "}");
  api_.Ok("CreateTable", plain);
  Put(kOld);
  api_.Ok("UpdateTable", R"({"TableName":"app","StreamSpecification":{"StreamEnabled":true,
    "StreamViewType":"KEYS_ONLY"}})");
  StreamReader reader(api_, "app");
  reader.Expect("[]");
  Put(kNew);
  api_.Ok("UpdateTable", R"({"TableName":"app","StreamSpecification":{"StreamEnabled":false}})");
  Put(kOld);
  reader.Expect("[" + Record("MODIFY", 1, 7, "KEYS_ONLY", "") + "]");
}

}  // namespace
}  // namespace hashrange
