// What the management operations keep of a table, as time passes: point-in-time recovery,
// Contributor Insights, and the policies of a table and of its streams.
#include <gtest/gtest.h>

#include <string>

#include "support/api.h"

namespace hashrange {
namespace {

constexpr std::int64_t kManagementPhaseMs = 1000;
constexpr char kManagedTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
  "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}})";
constexpr char kManagedName[] = R"({"TableName":"app"})";
constexpr char kPolicyText[] = R"({\"Statement\":{\"Effect\":\"Deny\",\"Principal\":\"*\",)"
                               R"(\"Action\":\"*\",\"Resource\":\"*\"}})";

class ManagementStates : public testing::Test {
 protected:
  void Create() {
    api_.Ok("CreateTable", kManagedTable);
    Settle();
  }
  void Settle() { api_.clock().Advance(kManagementPhaseMs); }

  void ExpectRecovery(std::string_view backups, std::string_view recovery) {
    api_.Answers("DescribeContinuousBackups", kManagedName,
                 R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":")" +
                     std::string(backups) + R"(","PointInTimeRecoveryDescription":)" +
                     std::string(recovery) + "}}");
  }
  void SetRecovery(std::string_view specification) {
    api_.Ok("UpdateContinuousBackups", R"({"TableName":"app","PointInTimeRecoverySpecification":)" +
                                           std::string(specification) + "}");
  }

  std::string Insights() {
    const std::string body = api_.Ok("DescribeContributorInsights", kManagedName);
    constexpr std::string_view kMember = R"("ContributorInsightsStatus":")";
    const std::size_t begin = body.find(kMember) + kMember.size();
    return body.substr(begin, body.find('"', begin) - begin);
  }
  void UpdateInsights(std::string_view action) {
    api_.Ok("UpdateContributorInsights",
            R"({"TableName":"app","ContributorInsightsAction":")" + std::string(action) + "\"}");
  }

  std::string StreamArn() {
    const std::string body = api_.Ok("DescribeTable", kManagedName);
    constexpr std::string_view kMember = R"("LatestStreamArn":")";
    const std::size_t begin = body.find(kMember) + kMember.size();
    return body.substr(begin, body.find('"', begin) - begin);
  }
  static std::string OfResource(std::string_view arn, std::string_view more = "") {
    return R"({"ResourceArn":")" + std::string(arn) + "\"" + std::string(more) + "}";
  }
  static std::string WithPolicy() { return std::string(R"(,"Policy":")") + kPolicyText + "\""; }
  static std::string NoPolicy(std::string_view arn) {
    return "Resource-based policy not found for the provided ResourceArn: " + std::string(arn);
  }

  Api api_{{.transition_ms = kManagementPhaseMs}};
  const std::string arn_ = "arn:aws:dynamodb:us-east-1:000000000000:table/app";
};

TEST_F(ManagementStates, RecoveryHasAWindowThatFollowsTheClock) {
  api_.Ok("CreateTable", kManagedTable);
  ExpectRecovery("DISABLED", R"({"PointInTimeRecoveryStatus":"DISABLED"})");
  api_.Fails("UpdateContinuousBackups",
             R"({"TableName":"app","PointInTimeRecoverySpecification":)"
             R"({"PointInTimeRecoveryEnabled":true}})",
             "ContinuousBackupsUnavailableException",
             "Backups are being enabled for the table: app. Please retry later");
  Settle();
  SetRecovery(R"({"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":1})");
  api_.clock().Advance(400'000);
  ExpectRecovery("ENABLED", R"({"PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":1,)"
                            R"("EarliestRestorableDateTime":1700000001,)"
                            R"("LatestRestorableDateTime":1700000101})");
  api_.clock().Advance(86'400'000);
  ExpectRecovery("ENABLED", R"({"PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":1,)"
                            R"("EarliestRestorableDateTime":1700000401,)"
                            R"("LatestRestorableDateTime":1700086501})");
  SetRecovery(R"({"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":2})");
  ExpectRecovery("ENABLED", R"({"PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":2,)"
                            R"("EarliestRestorableDateTime":1700000001,)"
                            R"("LatestRestorableDateTime":1700086501})");
  SetRecovery(R"({"PointInTimeRecoveryEnabled":false})");
  SetRecovery(R"({"PointInTimeRecoveryEnabled":true})");
  ExpectRecovery("ENABLED", R"({"PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":35,)"
                            R"("EarliestRestorableDateTime":1700086801,)"
                            R"("LatestRestorableDateTime":1700086801})");
}

TEST_F(ManagementStates, InsightsAreEnablingAndDisablingForAPhase) {
  api_.Ok("CreateTable", kManagedTable);
  api_.Fails("UpdateContributorInsights",
             R"({"TableName":"app","ContributorInsightsAction":"ENABLE"})", "ValidationException",
             "Table or Index is not in a valid state to update Key Access Insights: TableStatus "
             "must be ACTIVE to enable ContributorInsights.");
  Settle();
  UpdateInsights("ENABLE");
  EXPECT_EQ(Insights(), "ENABLING");
  Settle();
  EXPECT_EQ(Insights(), "ENABLED");
  UpdateInsights("ENABLE");
  EXPECT_EQ(Insights(), "ENABLED");
  UpdateInsights("DISABLE");
  EXPECT_EQ(Insights(), "DISABLING");
  Settle();
  EXPECT_EQ(Insights(), "DISABLED");
}

TEST_F(ManagementStates, ChangesOutliveThePhaseInWhichTheyAreMade) {
  Create();
  api_.Ok("UpdateTable", R"({"TableName":"app","BillingMode":"PROVISIONED",)"
                         R"("ProvisionedThroughput":{"ReadCapacityUnits":5,)"
                         R"("WriteCapacityUnits":5}})");
  SetRecovery(R"({"PointInTimeRecoveryEnabled":true})");
  UpdateInsights("ENABLE");
  api_.Ok("PutResourcePolicy", OfResource(arn_, WithPolicy()));
  const std::string recovery = api_.Ok("DescribeContinuousBackups", kManagedName);
  const std::string policy = api_.Ok("GetResourcePolicy", OfResource(arn_));
  Settle();
  EXPECT_EQ(Insights(), "ENABLED");
  EXPECT_EQ(api_.Ok("DescribeContinuousBackups", kManagedName), recovery);
  EXPECT_EQ(api_.Ok("GetResourcePolicy", OfResource(arn_)), policy);
}

TEST_F(ManagementStates, AStreamHasAPolicyOfItsOwnWhileItIsEnabled) {
  Create();
  const std::string stream = StreamArn();
  const std::string put = api_.Ok("PutResourcePolicy", OfResource(stream, WithPolicy()));
  EXPECT_EQ(api_.Ok("PutResourcePolicy", OfResource(stream, WithPolicy())), put);
  EXPECT_EQ(api_.Ok("GetResourcePolicy", OfResource(stream)),
            std::string(R"({"Policy":")") + kPolicyText + "\"," + put.substr(1));
  api_.Fails("GetResourcePolicy", OfResource(arn_), "PolicyNotFoundException", NoPolicy(arn_));
  api_.Fails("PutResourcePolicy", OfResource(stream, WithPolicy() + R"(,"ExpectedRevisionId":"1")"),
             "PolicyNotFoundException", NoPolicy(stream));
  api_.Ok("UpdateTable", R"({"TableName":"app","StreamSpecification":{"StreamEnabled":false}})");
  Settle();
  api_.Fails("GetResourcePolicy", OfResource(stream), "PolicyNotFoundException", NoPolicy(stream));
  api_.Fails("PutResourcePolicy", OfResource(stream, WithPolicy()), "ResourceNotFoundException",
             "Requested resource not found: Stream: " + stream + " is disabled");
  api_.Ok("UpdateTable", R"({"TableName":"app","StreamSpecification":)"
                         R"({"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}})");
  Settle();
  EXPECT_NE(StreamArn(), stream);
  api_.Fails("GetResourcePolicy", OfResource(StreamArn()), "PolicyNotFoundException",
             NoPolicy(StreamArn()));
}

TEST_F(ManagementStates, APolicyIsGoneWithItsTable) {
  Create();
  api_.Ok("PutResourcePolicy", OfResource(arn_, WithPolicy()));
  api_.Ok("DeleteTable", kManagedName);
  Settle();
  Create();
  api_.Fails("GetResourcePolicy", OfResource(arn_), "PolicyNotFoundException", NoPolicy(arn_));
}

}  // namespace
}  // namespace hashrange
