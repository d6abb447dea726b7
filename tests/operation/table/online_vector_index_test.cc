// Vector indexes that are added to a table or deleted: their phases, and what is refused meanwhile
// (docs/service/15-vector-search.md, sections 4 and 5).
#include "operation/table/online_index_fixture.h"

namespace hashrange {
namespace {

class OnlineVectorIndexTest : public OnlineIndexFixture {
 protected:
  OnlineVectorIndexTest() {
    api_.Ok("UpdateTable", kOnDemand);
    Settle();
  }
  static std::string VectorCreation(const std::string& index) {
    return R"({"TableName":"app","AttributeDefinitions":[{"AttributeName":"b","AttributeType":"S"}],
      "VectorIndexUpdates":[{"Create":{"IndexName":")" +
           index + R"(","VectorAttribute":{"AttributeName":"e"},"Dimensions":2,
        "DistanceFunction":"COSINE","Projection":{"ProjectionType":"KEYS_ONLY"},
        "SearchSchema":[{"AttributeName":"b","SearchSchemaElementType":"INLINE_FILTER"}]}}]})";
  }
  static std::string VectorDeletion(const std::string& index) {
    return R"({"TableName":"app","VectorIndexUpdates":[{"Delete":{"IndexName":")" + index +
           R"("}}]})";
  }
  // The creation of a global index of an on-demand table.
  static constexpr char kGlobalCreation[] = R"({"TableName":"app",
    "AttributeDefinitions":[{"AttributeName":"c","AttributeType":"S"}],
    "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-c",
      "KeySchema":[{"AttributeName":"c","KeyType":"HASH"}],
      "Projection":{"ProjectionType":"ALL"}}}]})";
};

TEST_F(OnlineVectorIndexTest, ItsPhasesAreDescribed) {
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", VectorCreation("vix"))),
            "UPDATING by-a:ACTIVE vix:CREATING/false");
  Fill();
  api_.clock().Advance(kTransitionMs - 1);
  EXPECT_EQ(States(), "UPDATING by-a:ACTIVE vix:CREATING/false");
  EXPECT_EQ(AttributesDefined(), "abpk");
  api_.clock().Advance(1);
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE vix:CREATING/true");
  Settle();
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE vix:ACTIVE");
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", VectorDeletion("vix"))),
            "UPDATING by-a:ACTIVE vix:DELETING");
  Settle();
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE");
  EXPECT_EQ(AttributesDefined(), "apk");
}

TEST_F(OnlineVectorIndexTest, ItIsBackfillingUntilItIsFilled) {
  api_.Ok("UpdateTable", VectorCreation("vix"));
  for (int i = 0; i < 5; ++i) Settle();
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE vix:CREATING/true");
  Fill();
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE vix:ACTIVE");
}

TEST_F(OnlineVectorIndexTest, NoOtherIndexIsCreatedOrDeletedMeanwhile) {
  api_.Ok("UpdateTable", VectorCreation("vix"));
  for (int phase = 0; phase < 2; ++phase) {
    ExpectInUse("UpdateTable", VectorCreation("vix"),
                "Index is being created.  Table: app Index: vix");
    api_.Fails("UpdateTable", VectorCreation("two"), "LimitExceededException", kOneAtATime);
    api_.Fails("UpdateTable", VectorDeletion("ghost"), "LimitExceededException", kOneAtATime);
    api_.Fails("UpdateTable", kGlobalCreation, "LimitExceededException", kOneAtATime);
    api_.Fails("UpdateTable", Deletion("by-a"), "LimitExceededException", kOneAtATime);
    ExpectInUse("DeleteTable", kName,
                "Cannot delete table while indexes are being created, updated, or deleted.");
    Settle();
  }
  Fill();
  Settle();
  api_.Ok("UpdateTable", kGlobalCreation);
  api_.Fails("UpdateTable", VectorDeletion("vix"), "LimitExceededException", kOneAtATime);
}

TEST_F(OnlineVectorIndexTest, ItCanBeDeletedWhenItsResourcesAreAllocated) {
  api_.Ok("UpdateTable", VectorCreation("vix"));
  ExpectInUse(
      "UpdateTable", VectorDeletion("vix"),
      "Index creation is in resource allocation phase. Retry deletion during backfilling phase "
      "or when the index is active. Table: app Index: vix");
  Settle();
  EXPECT_EQ(StatesIn(api_.Ok("UpdateTable", VectorDeletion("vix"))),
            "UPDATING by-a:ACTIVE vix:DELETING");
  ExpectInUse("UpdateTable", VectorDeletion("vix"),
              "Index is being deleted. Table: app Index: vix");
  Settle();
  EXPECT_EQ(States(), "ACTIVE by-a:ACTIVE");
  Fill();
  api_.Ok("DeleteTable", kName);
}

TEST_F(OnlineVectorIndexTest, WrongVectorsAreRefusedFromItsCreationToItsDeletion) {
  const std::string put = R"({"TableName":"app","Item":{"pk":{"S":"v"},"e":{"L":[{"N":"1"}]}}})";
  const auto expect_refused = [&] {
    api_.Fails("PutItem", put, "ValidationException",
               "One or more parameter values were invalid. Invalid size for parameter e, "
               "Expected: 2, Actual: 1 IndexName: vix");
  };
  api_.Ok("PutItem", put);
  api_.Ok("UpdateTable", VectorCreation("vix"));
  expect_refused();
  Settle();
  expect_refused();
  Fill();
  Settle();
  expect_refused();
  api_.Ok("UpdateTable", VectorDeletion("vix"));
  expect_refused();
  Settle();
  api_.Ok("PutItem", put);
}

}  // namespace
}  // namespace hashrange
