// Indexes that are added to and taken from a table that is in use: their phases, and what is
// answered meanwhile (reference 13, section 6).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backfill/backfiller.h"
#include "support/api.h"

namespace hashrange {
namespace {

constexpr std::int64_t kTransitionMs = 1000;

constexpr char kTable[] = R"({"TableName":"app",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
                          {"AttributeName":"a","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
  "ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":5},
  "GlobalSecondaryIndexes":[{"IndexName":"by-a",
    "KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},
    "ProvisionedThroughput":{"ReadCapacityUnits":2,"WriteCapacityUnits":2}}]})";
constexpr char kName[] = R"({"TableName":"app"})";
constexpr char kRaise[] =
    R"({"TableName":"app","ProvisionedThroughput":{"ReadCapacityUnits":9,"WriteCapacityUnits":9}})";
constexpr char kOnDemand[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST"})";
constexpr char kProtect[] = R"({"TableName":"app","DeletionProtectionEnabled":true})";
constexpr char kWarm[] = R"({"TableName":"app","WarmThroughput":{"ReadUnitsPerSecond":70}})";
constexpr char kLimit[] = R"({"TableName":"app","OnDemandThroughput":{"MaxReadRequestUnits":7}})";
constexpr char kClass[] = R"({"TableName":"app","TableClass":"STANDARD_INFREQUENT_ACCESS"})";
constexpr char kStream[] = R"({"TableName":"app",
  "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})";
constexpr char kEncrypt[] = R"({"TableName":"app","SSESpecification":{"Enabled":true}})";

constexpr char kInUse[] = "Attempt to change a resource which is still in use: ";
constexpr char kOneAtATime[] =
    "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per "
    "table";

std::string Creation(const std::string& index, const std::string& attribute = "b") {
  return R"({"TableName":"app","AttributeDefinitions":[{"AttributeName":")" + attribute +
         R"(","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":")" +
         index + R"(","KeySchema":[{"AttributeName":")" + attribute +
         R"(","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},"ProvisionedThroughput":
         {"ReadCapacityUnits":1,"WriteCapacityUnits":1}}}]})";
}
std::string Deletion(const std::string& index) {
  return R"({"TableName":"app","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":")" + index +
         R"("}}]})";
}
std::string Throughput(const std::string& index, int units) {
  const std::string u = std::to_string(units);
  return R"({"TableName":"app","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":")" + index +
         R"(","ProvisionedThroughput":{"ReadCapacityUnits":)" + u + R"(,"WriteCapacityUnits":)" +
         u + R"(}}}]})";
}

class OnlineIndexTest : public testing::Test {
 protected:
  explicit OnlineIndexTest(std::int64_t transition_ms = kTransitionMs)
      : api_({.backfiller = &backfiller_, .transition_ms = transition_ms}) {
    api_.Ok("CreateTable", kTable);
    Settle();
    for (int i = 0; i < 3; ++i) PutItem(i);
  }
  void Settle() { api_.clock().Advance(kTransitionMs); }
  void Fill() {
    while (backfiller_.Work()) {
    }
  }
  void PutItem(int i) {
    const std::string n = std::to_string(i);
    api_.Ok("PutItem", R"({"TableName":"app","Item":{"pk":{"S":")" + n +
                           R"("},"a":{"S":"x"},"b":{"S":"y"}}})");
  }

  // "<TableStatus> <index>:<IndexStatus>[/<Backfilling>][=<ItemCount>] …" of a description.
  std::string StatesIn(const std::string& body, bool with_counts = false) {
    std::string states = TextAfter(body, "\"TableStatus\":", 0);
    std::size_t at = 0;
    while ((at = body.find("{\"IndexName\":", at)) != std::string::npos) {
      const std::string index = body.substr(at, body.find("\"IndexArn\":", at) - at);
      states += " " + TextAfter(index, "\"IndexName\":", 0) + ":" +
                TextAfter(index, "\"IndexStatus\":", 0);
      const std::string backfilling = TextAfter(index, "\"Backfilling\":", 0);
      if (!backfilling.empty()) states += "/" + backfilling;
      if (with_counts) states += "=" + TextAfter(index, "\"ItemCount\":", 0);
      at += 1;
    }
    return states;
  }
  std::string States(bool with_counts = false) {
    return StatesIn(api_.Ok("DescribeTable", kName), with_counts);
  }
  static std::string TextAfter(const std::string& body, const std::string& name, std::size_t from) {
    const std::size_t at = body.find(name, from);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + name.size();
    std::string text = body.substr(begin, body.find_first_of(",}", begin) - begin);
    std::erase(text, '"');
    return text;
  }
  std::string AttributesDefined() {
    const std::string body = api_.Ok("DescribeTable", kName);
    std::string names;
    const std::size_t end = body.find(']');
    for (std::size_t at = 0; (at = body.find("\"AttributeName\":", at)) < end; ++at) {
      names += TextAfter(body, "\"AttributeName\":", at);
    }
    return names;
  }
  void InUse(std::string_view operation, const std::string& json, const std::string& detail) {
    api_.Fails(operation, json, "ResourceInUseException", kInUse + detail);
  }
  std::string QueryOf(const std::string& index, const std::string& attribute = "b") {
    return R"({"TableName":"app","IndexName":")" + index + R"(","KeyConditionExpression":")" +
           attribute + R"( = :v","ExpressionAttributeValues":{":v":{"S":"y"}},"Select":"COUNT"})";
  }
  std::string ScanOf(const std::string& index) {
    return R"({"TableName":"app","IndexName":")" + index + R"(","Select":"COUNT"})";
  }
  void ExpectCount(const std::string& index, int count) {
    const std::string n = std::to_string(count);
    const std::string answer = R"({"Count":)" + n + R"(,"ScannedCount":)" + n + "}";
    api_.Answers("Query", QueryOf(index), answer);
    api_.Answers("Scan", ScanOf(index), answer);
  }
  void ExpectUnreadable(const std::string& index, const std::string& text) {
    api_.Fails("Query", QueryOf(index), "ValidationException", text + index);
    api_.Fails("Scan", ScanOf(index), "ValidationException", text + index);
  }

  Api api_;
  Backfiller backfiller_{api_.engine(), {.at_once = 0, .has_thread = false}};
};

class OnlineIndexAtOnceTest : public OnlineIndexTest {
 protected:
  OnlineIndexAtOnceTest() : OnlineIndexTest(0) {}
};

constexpr char kNoIndex[] = "The table does not have the specified index: ";
constexpr char kBackfilling[] = "Cannot read from backfilling global secondary index: ";

TEST_F(OnlineIndexTest, ItsPhasesAreDescribed) {
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Creation("by-b")), true),
            "UPDATING by-a:ACTIVE=3 by-b:CREATING/false=0");
  Fill();
  api_.clock().Advance(kTransitionMs - 1);
  EXPECT_EQ(States(true), "UPDATING by-a:ACTIVE=3 by-b:CREATING/false=0");
  EXPECT_EQ(AttributesDefined(), "abpk");
  ExpectUnreadable("by-b", kNoIndex);
  api_.clock().Advance(1);
  EXPECT_EQ(States(true), "ACTIVE by-a:ACTIVE=3 by-b:CREATING/true=3");
  ExpectUnreadable("by-b", kBackfilling);
  api_.clock().Advance(kTransitionMs - 1);
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE by-b:CREATING/true");
  api_.clock().Advance(1);
  EXPECT_EQ(States(true), "ACTIVE by-a:ACTIVE=3 by-b:ACTIVE=3");
  ExpectCount("by-b", 3);
}

TEST_F(OnlineIndexTest, AConsistentReadOfItIsRefusedAsEver) {
  api_.Ok("UpdateTable", Creation("by-b"));
  Settle();
  api_.Fails("Scan", R"({"TableName":"app","IndexName":"by-b","ConsistentRead":true})",
             "ValidationException",
             "Consistent reads are not supported on global secondary indexes");
}

TEST_F(OnlineIndexTest, ItBackfillsForAsLongAsThatTakes) {
  api_.Ok("UpdateTable", Creation("by-b"));
  for (int i = 0; i < 5; ++i) Settle();
  EXPECT_EQ(States(true), "ACTIVE by-a:ACTIVE=3 by-b:CREATING/true=0");
  PutItem(3);  // enters by itself
  EXPECT_EQ(States(true), "ACTIVE by-a:ACTIVE=4 by-b:CREATING/true=1");
  ExpectUnreadable("by-b", kBackfilling);
  Fill();
  EXPECT_EQ(States(true), "ACTIVE by-a:ACTIVE=4 by-b:ACTIVE=4");
  ExpectCount("by-b", 4);
}

TEST_F(OnlineIndexTest, NobodyNeedsToLookForItsPhasesToPass) {
  api_.Ok("UpdateTable", Creation("by-b"));
  Fill();
  api_.clock().Advance(10 * kTransitionMs);
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE by-b:ACTIVE");
}

TEST_F(OnlineIndexTest, WhileItIsAllocated) {
  api_.Ok("UpdateTable", Creation("by-b"));
  InUse("UpdateTable", Deletion("by-b"),
        "Index creation is in resource allocation phase. Retry deletion during backfilling phase "
        "or when the index is active. Table: app Index: by-b");
  InUse("UpdateTable", Throughput("by-b", 3),
        "Index is being created but is not backfilling yet. Table: app Index: by-b");
  InUse("UpdateTable", Creation("by-b"), "Index is being created. Table: app Index: by-b");
  api_.Fails("UpdateTable", Creation("by-c", "c"), "LimitExceededException", kOneAtATime);
  api_.Fails("UpdateTable", Deletion("by-a"), "LimitExceededException", kOneAtATime);
  api_.Fails("UpdateTable", Deletion("ghost"), "LimitExceededException", kOneAtATime);
  const std::string iops =
      "Can't change table IOPS when an index is being created. Table: app Indexes: [by-b]";
  InUse("UpdateTable", kRaise, iops);
  InUse("UpdateTable", kOnDemand, iops);
  InUse("UpdateTable", kLimit,
        "OnDemandThroughput cannot be updated while index creation is in progress for indexes: "
        "[by-b]");
  InUse("UpdateTable", kStream,
        "Can't change stream status when an index is being created. Table: app Indexes: [by-b]");
  InUse("UpdateTable", kClass, "Table is being updated: app");
  api_.Fails("UpdateTable", kWarm, "InternalServerError",
             "Table is under system maintenance, please try again later");
  InUse("DeleteTable", kName,
        "Cannot delete table while indexes are being created, updated, or deleted.");
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Throughput("by-a", 3))),
            "UPDATING by-a:UPDATING by-b:CREATING/false");
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", kProtect)),
            "UPDATING by-a:UPDATING by-b:CREATING/false");
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", kEncrypt)),
            "UPDATING by-a:UPDATING by-b:CREATING/false");
  PutItem(4);
  Fill();
  Settle();
  EXPECT_EQ(States(true), "ACTIVE by-a:ACTIVE=4 by-b:CREATING/true=4");
  Settle();
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE by-b:ACTIVE");
}

TEST_F(OnlineIndexTest, WhileItIsBackfilling) {
  api_.Ok("UpdateTable", Creation("by-b"));
  Settle();
  InUse("UpdateTable", Creation("by-b"), "Index is being created. Table: app Index: by-b");
  api_.Fails("UpdateTable", Creation("by-c", "c"), "LimitExceededException", kOneAtATime);
  api_.Fails("UpdateTable", Deletion("by-a"), "LimitExceededException", kOneAtATime);
  InUse("DeleteTable", kName,
        "Cannot delete table while indexes are being created, updated, or deleted.");
  api_.Ok("UpdateTable", kProtect);
  api_.Ok("UpdateTable", kWarm);
  api_.Ok("UpdateTable", kEncrypt);
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Throughput("by-a", 3))),
            "ACTIVE by-a:UPDATING by-b:CREATING/true");
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Throughput("by-b", 3))),
            "ACTIVE by-a:UPDATING by-b:CREATING/true");
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", kRaise)), "UPDATING by-a:UPDATING by-b:CREATING/true");
  InUse("UpdateTable", kStream,
        "Can't enable or disable stream while table IOPS are being updated. Table: app");
  // What was asked for comes in its time, the index when it is filled.
  Settle();
  Settle();
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE by-b:CREATING/true");
  EXPECT_EQ(TextAfter(api_.Ok("DescribeTable", kName), "\"ReadCapacityUnits\":", 0), "9");
  Fill();
  EXPECT_EQ(States(true), "ACTIVE by-a:ACTIVE=3 by-b:ACTIVE=3");
  const std::string body = api_.Ok("DescribeTable", kName);
  EXPECT_EQ(TextAfter(body, "\"ReadCapacityUnits\":", body.find("by-b")), "3");
  EXPECT_EQ(TextAfter(body, "\"DeletionProtectionEnabled\":", 0), "true");
}

TEST_F(OnlineIndexTest, WhileOneIsDeleted) {
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Deletion("by-a"))), "UPDATING by-a:DELETING");
  const std::string deleted = "Index is being deleted. Table: app Index: by-a";
  InUse("UpdateTable", Deletion("by-a"), deleted);
  InUse("UpdateTable", Throughput("by-a", 3), deleted);
  InUse("UpdateTable", Creation("by-a", "a"), deleted);
  api_.Fails("UpdateTable", Creation("by-b"), "LimitExceededException", kOneAtATime);
  const std::string iops =
      "Can't change table IOPS when an index is being deleted. Table: app Indexes: [by-a]";
  InUse("UpdateTable", kRaise, iops);
  InUse("UpdateTable", kOnDemand, iops);
  InUse("UpdateTable", kLimit,
        "OnDemandThroughput cannot be updated while index deletion is in progress for indexes: "
        "[by-a]");
  InUse("UpdateTable", kStream,
        "Can't change stream status when an index is being deleted. Table: app Indexes: [by-a]");
  InUse("DeleteTable", kName,
        "Cannot delete table while indexes are being created, updated, or deleted.");
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", kProtect)), "UPDATING by-a:DELETING");
  EXPECT_EQ(AttributesDefined(), "apk");
  PutItem(3);
  api_.Answers("Scan", ScanOf("by-a"), R"({"Count":4,"ScannedCount":4})");
  Settle();
  EXPECT_EQ(States(), "ACTIVE");
  EXPECT_EQ(AttributesDefined(), "pk");
  ExpectUnreadable("by-a", kNoIndex);
}

TEST_F(OnlineIndexTest, TheModeOfAnOnDemandTableCanBeSentAgain) {
  api_.Ok("UpdateTable", kOnDemand);
  Settle();
  api_.Ok("UpdateTable", Deletion("by-a"));
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", kOnDemand)), "UPDATING by-a:DELETING");
  Settle();
  EXPECT_EQ(States(), "ACTIVE");
}

TEST_F(OnlineIndexTest, WhileTheTableIsUpdated) {
  api_.Ok("UpdateTable", kRaise);
  const std::string iops =
      "Can't create or delete indexes while table IOPS are being updated. "
      "Table: app";
  InUse("UpdateTable", Creation("by-b"), iops);
  InUse("UpdateTable", Deletion("by-a"), iops);
  InUse("UpdateTable", Throughput("by-a", 3), "Table IOPS are currently being updated. Table: app");
  Settle();
  api_.Ok("UpdateTable", kClass);
  const std::string in_progress =
      "a table class update is in progress. Table: app TableClassUpdateInProgress: "
      "STANDARD_INFREQUENT_ACCESS";
  InUse("UpdateTable", Creation("by-b"), "Can't create or delete an index when " + in_progress);
  InUse("UpdateTable", kClass, "Can't update table class when " + in_progress);
  InUse("UpdateTable", kStream, "Can't change stream status when " + in_progress);
  InUse("UpdateTable", kLimit,
        "OnDemandThroughput cannot be updated while TableClass update is in progress. "
        "TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS");
  Settle();
  for (const char* change : {kEncrypt, kWarm, kProtect}) api_.Ok("UpdateTable", change);
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Creation("by-b"))),
            "UPDATING by-a:ACTIVE by-b:CREATING/false");
}

TEST_F(OnlineIndexTest, ItComesWithTheSwitchToOnDemand) {
  std::string switched = Creation("by-b");
  switched.erase(switched.find(R"(,"ProvisionedThroughput")"));
  switched += R"(}}],"BillingMode":"PAY_PER_REQUEST"})";
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", switched)),
            "UPDATING by-a:UPDATING by-b:CREATING/false");
  Fill();
  Settle();
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE by-b:CREATING/true");
  Settle();
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE by-b:ACTIVE");
  ExpectCount("by-b", 3);
}

TEST_F(OnlineIndexTest, ItIsGivenUpWhileItIsBackfilling) {
  api_.Ok("UpdateTable", Creation("by-b"));
  Settle();
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Deletion("by-b"))),
            "UPDATING by-a:ACTIVE by-b:DELETING");
  ExpectUnreadable("by-b", kBackfilling);
  PutItem(0);  // whose entry was never made
  PutItem(7);
  Fill();
  Settle();
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE");
  EXPECT_EQ(AttributesDefined(), "apk");
  // And may be made again.
  api_.Ok("UpdateTable", Creation("by-b"));
  Fill();
  Settle();
  Settle();
  ExpectCount("by-b", 4);
}

TEST_F(OnlineIndexTest, WritesOfAnotherTypeAreRefusedFromItsCreationToItsDeletion) {
  constexpr char kPut[] = R"({"TableName":"app","Item":{"pk":{"S":"n"},"b":{"N":"1"}}})";
  constexpr char kMismatch[] =
      "One or more parameter values were invalid: Type mismatch for Index Key b Expected: S "
      "Actual: N IndexName: by-b";
  api_.Ok("PutItem", kPut);
  api_.Ok("UpdateTable", Creation("by-b"));
  api_.Fails("PutItem", kPut, "ValidationException", kMismatch);
  Fill();
  Settle();
  Settle();
  api_.Fails("PutItem", kPut, "ValidationException", kMismatch);
  ExpectCount("by-b", 3);
  // What is stored stays readable, can be written to otherwise, and can be deleted.
  api_.Answers("UpdateItem", R"({"TableName":"app","Key":{"pk":{"S":"n"}},
      "UpdateExpression":"SET noted = :o","ExpressionAttributeValues":{":o":{"N":"2"}},
      "ReturnValues":"ALL_NEW"})",
               R"({"Attributes":{"pk":{"S":"n"},"b":{"N":"1"},"noted":{"N":"2"}}})");
  api_.Ok("UpdateTable", Deletion("by-b"));
  Settle();
  api_.Ok("PutItem", kPut);
}

TEST_F(OnlineIndexAtOnceTest, TheNextCallSeesATableThatWorksAndAnIndexThatFills) {
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Creation("by-b")), true),
            "UPDATING by-a:ACTIVE=3 by-b:CREATING/false=0");
  EXPECT_EQ(States(true), "ACTIVE by-a:ACTIVE=3 by-b:CREATING/true=0");
  ExpectUnreadable("by-b", kBackfilling);
  InUse("DeleteTable", kName,
        "Cannot delete table while indexes are being created, updated, or deleted.");
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", kRaise)), "UPDATING by-a:ACTIVE by-b:CREATING/true");
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE by-b:CREATING/true");
  EXPECT_EQ(TextAfter(api_.Ok("DescribeTable", kName), "\"ReadCapacityUnits\":", 0), "9");
  api_.Ok("UpdateTable", kProtect);
  PutItem(3);
  Fill();
  EXPECT_EQ(States(true), "ACTIVE by-a:ACTIVE=4 by-b:ACTIVE=4");
  ExpectCount("by-b", 4);
  EXPECT_EQ(TextAfter(api_.Ok("DescribeTable", kName), "\"DeletionProtectionEnabled\":", 0),
            "true");
}

TEST_F(OnlineIndexAtOnceTest, OneThatIsDeletedIsGone) {
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Deletion("by-a")), true), "UPDATING by-a:DELETING=3");
  EXPECT_EQ(States(), "ACTIVE");
  ExpectUnreadable("by-a", kNoIndex);
  api_.Ok("UpdateTable", Creation("by-a"));
  Fill();
  ExpectCount("by-a", 3);
}

TEST_F(OnlineIndexAtOnceTest, OneThatFillsIsGivenUp) {
  api_.Ok("UpdateTable", Creation("by-b"));
  api_.Ok("UpdateTable", Deletion("by-b"));
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE");
  Fill();
  api_.Ok("DeleteTable", kName);
}

TEST_F(OnlineIndexAtOnceTest, ATableMayHaveTwentyIndexesOneAfterTheOther) {
  for (int i = 1; i < 20; ++i) {
    api_.Ok("UpdateTable", Creation("index-" + std::to_string(i)));
    Fill();
  }
  ExpectCount("index-19", 3);
  api_.Fails("UpdateTable", Creation("index-20"), "LimitExceededException",
             "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table "
             "limit of 20");
}

}  // namespace
}  // namespace hashrange
