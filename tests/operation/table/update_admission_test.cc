// The answers of UpdateTable and DeleteTable while an index is created or deleted, or the table is
// updated (docs/service/13-update-table-and-gsi-lifecycle.md, section 6).
#include "operation/table/online_index_fixture.h"

namespace hashrange {
namespace {

class UpdateAdmissionTest : public OnlineIndexFixture {};

TEST_F(UpdateAdmissionTest, WhileAnIndexIsAllocated) {
  api_.Ok("UpdateTable", Creation("by-b"));
  ExpectInUse(
      "UpdateTable", Deletion("by-b"),
      "Index creation is in resource allocation phase. Retry deletion during backfilling phase "
      "or when the index is active. Table: app Index: by-b");
  ExpectInUse("UpdateTable", Throughput("by-b", 3),
              "Index is being created but is not backfilling yet. Table: app Index: by-b");
  ExpectInUse("UpdateTable", Creation("by-b"), "Index is being created.  Table: app Index: by-b");
  api_.Fails("UpdateTable", Creation("by-c", "c"), "LimitExceededException", kOneAtATime);
  api_.Fails("UpdateTable", Deletion("by-a"), "LimitExceededException", kOneAtATime);
  api_.Fails("UpdateTable", Deletion("ghost"), "LimitExceededException", kOneAtATime);
  const std::string iops =
      "Can't change table IOPS when an index is being created. Table: app Indexes: [by-b]";
  ExpectInUse("UpdateTable", kRaise, iops);
  ExpectInUse("UpdateTable", kOnDemand, iops);
  ExpectInUse(
      "UpdateTable", kLimit,
      "OnDemandThroughput cannot be updated while index creation is in progress for indexes: "
      "[by-b]");
  ExpectInUse(
      "UpdateTable", kStream,
      "Can't change stream status when an index is being created. Table: app Indexes: [by-b]");
  ExpectInUse("UpdateTable", kClass, "Table is being updated: app");
  api_.Ok("UpdateTable", kWarm);
  ExpectInUse("DeleteTable", kName,
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

TEST_F(UpdateAdmissionTest, WhileAnIndexIsBackfilling) {
  api_.Ok("UpdateTable", Creation("by-b"));
  Settle();
  ExpectInUse("UpdateTable", Creation("by-b"), "Index is being created.  Table: app Index: by-b");
  api_.Fails("UpdateTable", Creation("by-c", "c"), "LimitExceededException", kOneAtATime);
  api_.Fails("UpdateTable", Deletion("by-a"), "LimitExceededException", kOneAtATime);
  ExpectInUse("DeleteTable", kName,
              "Cannot delete table while indexes are being created, updated, or deleted.");
  api_.Ok("UpdateTable", kProtect);
  api_.Ok("UpdateTable", kWarm);
  api_.Ok("UpdateTable", kEncrypt);
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Throughput("by-a", 3))),
            "ACTIVE by-a:UPDATING by-b:CREATING/true");
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Throughput("by-b", 3))),
            "ACTIVE by-a:UPDATING by-b:CREATING/true");
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", kRaise)), "UPDATING by-a:UPDATING by-b:CREATING/true");
  ExpectInUse("UpdateTable", kStream,
              "Can't enable or disable stream while table IOPS are being updated. Table: app");
  // The changes take effect when their time has passed; the index is ACTIVE when it is filled.
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

TEST_F(UpdateAdmissionTest, WhileAnIndexIsDeleted) {
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Deletion("by-a"))), "UPDATING by-a:DELETING");
  const std::string deleted = "Index is being deleted. Table: app Index: by-a";
  ExpectInUse("UpdateTable", Deletion("by-a"), deleted);
  ExpectInUse("UpdateTable", Throughput("by-a", 3), deleted);
  ExpectInUse("UpdateTable", Creation("by-a", "a"), deleted);
  api_.Fails("UpdateTable", Creation("by-b"), "LimitExceededException", kOneAtATime);
  const std::string iops =
      "Can't change table IOPS when an index is being deleted. Table: app Indexes: [by-a]";
  ExpectInUse("UpdateTable", kRaise, iops);
  ExpectInUse("UpdateTable", kOnDemand, iops);
  ExpectInUse(
      "UpdateTable", kLimit,
      "OnDemandThroughput cannot be updated while index deletion is in progress for indexes: "
      "[by-a]");
  ExpectInUse(
      "UpdateTable", kStream,
      "Can't change stream status when an index is being deleted. Table: app Indexes: [by-a]");
  ExpectInUse("DeleteTable", kName,
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

TEST_F(UpdateAdmissionTest, TheModeOfAnOnDemandTableCanBeSentAgain) {
  api_.Ok("UpdateTable", kOnDemand);
  Settle();
  api_.Ok("UpdateTable", Deletion("by-a"));
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", kOnDemand)), "UPDATING by-a:DELETING");
  Settle();
  EXPECT_EQ(States(), "ACTIVE");
}

TEST_F(UpdateAdmissionTest, WhileTheTableIsUpdated) {
  api_.Ok("UpdateTable", kRaise);
  const std::string iops =
      "Can't create or delete indexes while table IOPS are being updated. "
      "Table: app";
  ExpectInUse("UpdateTable", Creation("by-b"), iops);
  ExpectInUse("UpdateTable", Deletion("by-a"), iops);
  ExpectInUse("UpdateTable", Throughput("by-a", 3),
              "Table IOPS are currently being updated. Table: app");
  Settle();
  api_.Ok("UpdateTable", kClass);
  const std::string in_progress =
      "a table class update is in progress. Table: app TableClassUpdateInProgress: "
      "STANDARD_INFREQUENT_ACCESS";
  ExpectInUse("UpdateTable", Creation("by-b"),
              "Can't create or delete an index when " + in_progress);
  ExpectInUse("UpdateTable", kClass, "Can't update table class when " + in_progress);
  ExpectInUse("UpdateTable", kStream, "Can't change stream status when " + in_progress);
  ExpectInUse("UpdateTable", kLimit,
              "OnDemandThroughput cannot be updated while TableClass update is in progress. "
              "TableClassUpdateInProgress: STANDARD_INFREQUENT_ACCESS");
  Settle();
  for (const char* change : {kEncrypt, kWarm, kProtect}) api_.Ok("UpdateTable", change);
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", Creation("by-b"))),
            "UPDATING by-a:ACTIVE by-b:CREATING/false");
}

}  // namespace
}  // namespace hashrange
