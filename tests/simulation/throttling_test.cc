// Tests the exception, text and members of the error for each of the 16 throttling reasons.
#include "simulation/throttling.h"

#include <gtest/gtest.h>

#include "base/memory/output_buffer.h"
#include "simulation/throttling_texts.h"
#include "wire/error_body.h"

namespace hashrange {
namespace {

constexpr char kProvisioned[] =
    "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException";
constexpr char kGeneral[] = "com.amazon.coral.availability#ThrottlingException";
constexpr char kLimit[] = "com.amazonaws.dynamodb.v20120810#RequestLimitExceeded";

struct Row {
  const char* reason;
  const char* provisioned_type;  // of a provisioned table
  const char* provisioned_text;
  const char* on_demand_type;
  const char* on_demand_text;
};
constexpr Row kRows[] = {
    {"TableReadProvisionedThroughputExceeded", kProvisioned, kTableText, kProvisioned, kTableText},
    {"TableReadKeyRangeThroughputExceeded", kProvisioned, kTableText, kGeneral, kHotText},
    {"TableReadMaxOnDemandThroughputExceeded", kGeneral, kMaximumText, kGeneral, kMaximumText},
    {"TableReadAccountLimitExceeded", kLimit, kQuotaText, kLimit, kQuotaText},
    {"TableWriteProvisionedThroughputExceeded", kProvisioned, kTableText, kProvisioned, kTableText},
    {"TableWriteKeyRangeThroughputExceeded", kProvisioned, kTableText, kGeneral, kHotText},
    {"TableWriteMaxOnDemandThroughputExceeded", kGeneral, kMaximumText, kGeneral, kMaximumText},
    {"TableWriteAccountLimitExceeded", kLimit, kQuotaText, kLimit, kQuotaText},
    {"IndexReadProvisionedThroughputExceeded", kProvisioned, kIndexText, kProvisioned, kIndexText},
    {"IndexReadKeyRangeThroughputExceeded", kProvisioned, kIndexText, kGeneral, kHotText},
    {"IndexReadMaxOnDemandThroughputExceeded", kGeneral, kMaximumText, kGeneral, kMaximumText},
    {"IndexReadAccountLimitExceeded", kLimit, kQuotaText, kLimit, kQuotaText},
    {"IndexWriteProvisionedThroughputExceeded", kProvisioned, kIndexText, kProvisioned, kIndexText},
    {"IndexWriteKeyRangeThroughputExceeded", kGeneral, kHotIndexText, kGeneral, kHotIndexText},
    {"IndexWriteMaxOnDemandThroughputExceeded", kGeneral, kMaximumText, kGeneral, kMaximumText},
    {"IndexWriteAccountLimitExceeded", kGeneral, kHotIndexText, kGeneral, kHotIndexText},
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
    const bool is_general = type == kGeneral;
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
            Expected(kGeneral, kHotText, "TableWriteKeyRangeThroughputExceeded"));
}

TEST_F(Throttling, TheExceptionCanBeChosen) {
  const auto reason = *ParseThrottlingReason("TableReadKeyRangeThroughputExceeded");
  table_.settings.on_demand = true;
  EXPECT_EQ(BodyOf(reason, "GetItem", ErrorCode::kProvisionedThroughputExceededException),
            Expected(kProvisioned, kTableText, "TableReadKeyRangeThroughputExceeded"));
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
