// Indexes that are added to a table or deleted: their phases, and the answers to reads and writes
// meanwhile (docs/service/13-update-table-and-gsi-lifecycle.md, sections 6 and 7).
#include "operation/table/online_index_fixture.h"

namespace hashrange {
namespace {

class OnlineIndexTest : public OnlineIndexFixture {};

class OnlineIndexAtOnceTest : public OnlineIndexFixture {
 protected:
  OnlineIndexAtOnceTest() : OnlineIndexFixture(0) {}
};

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

TEST_F(OnlineIndexTest, AConsistentReadOfItIsRefusedAsOfAnyIndex) {
  api_.Ok("UpdateTable", Creation("by-b"));
  Settle();
  api_.Fails("Scan", R"({"TableName":"app","IndexName":"by-b","ConsistentRead":true})",
             "ValidationException",
             "Consistent reads are not supported on global secondary indexes");
}

TEST_F(OnlineIndexTest, ItIsBackfillingUntilItIsFilled) {
  api_.Ok("UpdateTable", Creation("by-b"));
  for (int i = 0; i < 5; ++i) Settle();
  EXPECT_EQ(States(true), "ACTIVE by-a:ACTIVE=3 by-b:CREATING/true=0");
  PutItem(3);  // the write itself enters the item
  EXPECT_EQ(States(true), "ACTIVE by-a:ACTIVE=4 by-b:CREATING/true=1");
  ExpectUnreadable("by-b", kBackfilling);
  Fill();
  EXPECT_EQ(States(true), "ACTIVE by-a:ACTIVE=4 by-b:ACTIVE=4");
  ExpectCount("by-b", 4);
}

TEST_F(OnlineIndexTest, ItsPhasesPassWithoutALookUp) {
  api_.Ok("UpdateTable", Creation("by-b"));
  Fill();
  api_.clock().Advance(10 * kTransitionMs);
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE by-b:ACTIVE");
}

TEST_F(OnlineIndexTest, ItCanBeCreatedTogetherWithTheSwitchToOnDemand) {
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

TEST_F(OnlineIndexTest, ItCanBeDeletedWhileItIsBackfilling) {
  api_.Ok("UpdateTable", Creation("by-b"));
  Settle();
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Deletion("by-b"))),
            "UPDATING by-a:ACTIVE by-b:DELETING");
  ExpectUnreadable("by-b", kBackfilling);
  PutItem(0);  // its entry was never made
  PutItem(7);
  Fill();
  Settle();
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE");
  EXPECT_EQ(AttributesDefined(), "apk");
  // The index can be created again.
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
  // The stored item can still be read, and its other attributes can be written.
  api_.Answers("UpdateItem", R"({"TableName":"app","Key":{"pk":{"S":"n"}},
      "UpdateExpression":"SET noted = :o","ExpressionAttributeValues":{":o":{"N":"2"}},
      "ReturnValues":"ALL_NEW"})",
               R"({"Attributes":{"pk":{"S":"n"},"b":{"N":"1"},"noted":{"N":"2"}}})");
  api_.Ok("UpdateTable", Deletion("by-b"));
  Settle();
  api_.Ok("PutItem", kPut);
}

TEST_F(OnlineIndexAtOnceTest, TheNextCallSeesAnActiveTableAndABackfillingIndex) {
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Creation("by-b")), true),
            "UPDATING by-a:ACTIVE=3 by-b:CREATING/false=0");
  EXPECT_EQ(States(true), "ACTIVE by-a:ACTIVE=3 by-b:CREATING/true=0");
  ExpectUnreadable("by-b", kBackfilling);
  ExpectInUse("DeleteTable", kName,
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

TEST_F(OnlineIndexAtOnceTest, ADeletedIndexIsGone) {
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Deletion("by-a")), true), "UPDATING by-a:DELETING=3");
  EXPECT_EQ(States(), "ACTIVE");
  ExpectUnreadable("by-a", kNoIndex);
  api_.Ok("UpdateTable", Creation("by-a"));
  Fill();
  ExpectCount("by-a", 3);
}

TEST_F(OnlineIndexAtOnceTest, ABackfillingIndexCanBeDeleted) {
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
