// Tests the exception, text and members of the error for each of the 16 throttling reasons.
#include "simulation/throttling.h"

#include <gtest/gtest.h>

#include "base/memory/output_buffer.h"
#include "wire/error_body.h"

namespace hashrange {
namespace {

constexpr char kTable[] =
    "The level of configured provisioned throughput for the table was exceeded. Consider "
    "increasing "
    "your provisioning level with the UpdateTable API.";
constexpr char kIndex[] =
    "The level of configured provisioned throughput for one or more global secondary indexes of "
    "the "
    "table was exceeded. Consider increasing your provisioning level for the under-provisioned "
    "global secondary indexes with the UpdateTable API";
constexpr char kHot[] =
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically "
    "scaling your table or index so please try again shortly. If exceptions persist, check if you "
    "have a hot key: "
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html";
constexpr char kHotIndex[] =
    "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is "
    "automatically scaling your index so please try again shortly.";
constexpr char kMaximum[] =
    "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
constexpr char kAccountLimit[] =
    "Throughput exceeds the current throughput limit for your account. To request a limit "
    "increase, "
    "contact AWS Support at https://aws.amazon.com/support.";

constexpr char kProvisioned[] =
    "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException";
constexpr char kThrottling[] = "com.amazon.coral.availability#ThrottlingException";
constexpr char kLimit[] = "com.amazonaws.dynamodb.v20120810#RequestLimitExceeded";

struct Row {
  const char* reason;
  const char* provisioned_type;  // of a provisioned table
  const char* provisioned_text;
  const char* on_demand_type;
  const char* on_demand_text;
};
constexpr Row kRows[] = {
    {"TableReadProvisionedThroughputExceeded", kProvisioned, kTable, kProvisioned, kTable},
    {"TableReadKeyRangeThroughputExceeded", kProvisioned, kTable, kThrottling, kHot},
    {"TableReadMaxOnDemandThroughputExceeded", kThrottling, kMaximum, kThrottling, kMaximum},
    {"TableReadAccountLimitExceeded", kLimit, kAccountLimit, kLimit, kAccountLimit},
    {"TableWriteProvisionedThroughputExceeded", kProvisioned, kTable, kProvisioned, kTable},
    {"TableWriteKeyRangeThroughputExceeded", kProvisioned, kTable, kThrottling, kHot},
    {"TableWriteMaxOnDemandThroughputExceeded", kThrottling, kMaximum, kThrottling, kMaximum},
    {"TableWriteAccountLimitExceeded", kLimit, kAccountLimit, kLimit, kAccountLimit},
    {"IndexReadProvisionedThroughputExceeded", kProvisioned, kIndex, kProvisioned, kIndex},
    {"IndexReadKeyRangeThroughputExceeded", kProvisioned, kIndex, kThrottling, kHot},
    {"IndexReadMaxOnDemandThroughputExceeded", kThrottling, kMaximum, kThrottling, kMaximum},
    {"IndexReadAccountLimitExceeded", kLimit, kAccountLimit, kLimit, kAccountLimit},
    {"IndexWriteProvisionedThroughputExceeded", kProvisioned, kIndex, kProvisioned, kIndex},
    {"IndexWriteKeyRangeThroughputExceeded", kThrottling, kHotIndex, kThrottling, kHotIndex},
    {"IndexWriteMaxOnDemandThroughputExceeded", kThrottling, kMaximum, kThrottling, kMaximum},
    {"IndexWriteAccountLimitExceeded", kThrottling, kHotIndex, kThrottling, kHotIndex},
};

class Throttling : public testing::Test {
 protected:
  Throttling() {
    table_.arn = "arn:aws:dynamodb:us-east-1:000000000000:table/app";
    index_.schema.name = "GSI1";
  }

  std::string BodyOf(const ThrottlingReason& reason, std::string_view operation,
                     std::optional<ErrorCode> code = {}) {
    OutputBuffer out;
    WriteErrorBody(ThrottlingError(reason, {table_, &index_, operation}, code), out);
    return std::string(out.view());
  }

  static std::string Expected(std::string_view type, std::string_view text,
                              std::string_view reason) {
    const bool is_general = type == kThrottling;
    const bool is_index = reason.starts_with("Index");
    return std::string(R"({"__type":")")
        .append(type)
        .append(R"(","message":")")
        .append(text)
        .append(is_general ? R"(","throttlingReasons":[{"reason":")"
                           : R"(","ThrottlingReasons":[{"reason":")")
        .append(reason)
        .append(R"(","resource":"arn:aws:dynamodb:us-east-1:000000000000:table/app)")
        .append(is_index ? "/index/GSI1" : "")
        .append(R"("}]})");
  }

  TableVersion table_;
  IndexVersion index_;
};

TEST_F(Throttling, EachReasonHasItsException) {
  for (const Row& row : kRows) {
    const auto reason = ParseThrottlingReason(row.reason);
    ASSERT_TRUE(reason) << row.reason;
    EXPECT_EQ(ThrottlingReasonName(*reason), row.reason);
    table_.settings.on_demand = false;
    EXPECT_EQ(BodyOf(*reason, "PutItem"),
              Expected(row.provisioned_type, row.provisioned_text, row.reason));
    table_.settings.on_demand = true;
    EXPECT_EQ(BodyOf(*reason, "PutItem"),
              Expected(row.on_demand_type, row.on_demand_text, row.reason));
  }
}

TEST_F(Throttling, HotPartitionOfABatchWriteIsAThrottlingException) {
  const auto reason = *ParseThrottlingReason("TableWriteKeyRangeThroughputExceeded");
  EXPECT_EQ(BodyOf(reason, "BatchWriteItem"),
            Expected(kThrottling, kHot, "TableWriteKeyRangeThroughputExceeded"));
}

TEST_F(Throttling, TheExceptionCanBeChosen) {
  const auto reason = *ParseThrottlingReason("TableReadKeyRangeThroughputExceeded");
  table_.settings.on_demand = true;
  EXPECT_EQ(BodyOf(reason, "GetItem", ErrorCode::kProvisionedThroughputExceededException),
            Expected(kProvisioned, kTable, "TableReadKeyRangeThroughputExceeded"));
}

TEST_F(Throttling, UnknownNamesAreNoReasons) {
  for (const char* text :
       {"", "Table", "TableWrite", "TableWriteThroughputExceeded",
        "tableWriteKeyRangeThroughputExceeded", "WriteKeyRangeThroughputExceeded",
        "TableWriteKeyRangeThroughputExceeded ", "TableDeleteKeyRangeThroughputExceeded"}) {
    EXPECT_FALSE(ParseThrottlingReason(text)) << text;
  }
}

}  // namespace
}  // namespace hashrange
