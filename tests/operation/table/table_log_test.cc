// The lines that the log has about tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/api.h"
#include "support/log_lines.h"

namespace hashrange {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kLoggedTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})";
constexpr char kLoggedName[] = R"({"TableName":"app"})";

void CreateChangeAndDelete(Api& api) {
  api.Ok("CreateTable", kLoggedTable);
  api.Fails("CreateTable", kLoggedTable, "ResourceInUseException", "Table already exists: app");
  api.Ok("UpdateTable", R"({"TableName":"app","DeletionProtectionEnabled":true})");
  api.Ok("UpdateTimeToLive", R"({"TableName":"app",
    "TimeToLiveSpecification":{"Enabled":true,"AttributeName":"t"}})");
  api.Ok("PutItem", R"({"TableName":"app","Item":{"k":{"S":"1"}}})");
  api.Ok("UpdateTable", R"({"TableName":"app","DeletionProtectionEnabled":false})");
  api.Ok("DeleteTable", kLoggedName);
}

TEST(TableLog, HasALineForEachTableCreatedChangedOrDeleted) {
  Api api;
  api.SignAs("111122223333", "eu-west-1");
  const test::LogLines logged(LogLevel::kInfo);
  CreateChangeAndDelete(api);
  EXPECT_THAT(logged.lines(), ElementsAre("table app created for 111122223333/eu-west-1",
                                          "table app changed for 111122223333/eu-west-1",
                                          "table app changed for 111122223333/eu-west-1",
                                          "table app changed for 111122223333/eu-west-1",
                                          "table app deleted for 111122223333/eu-west-1"));
}

TEST(TableLog, SharedTablesBelongToNoRegion) {
  Api api({.shared_tables = true});
  const test::LogLines logged(LogLevel::kInfo);
  api.Ok("CreateTable", kLoggedTable);
  EXPECT_THAT(logged.lines(), ElementsAre("table app created for 000000000000"));
}

TEST(TableLog, IsSilentAboveInfo) {
  Api api;
  const test::LogLines logged(LogLevel::kWarning);
  CreateChangeAndDelete(api);
  EXPECT_THAT(logged.lines(), IsEmpty());
}

}  // namespace
}  // namespace hashrange
