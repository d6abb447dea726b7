// The texts with which the service refuses what is throttled.
#pragma once

namespace hashrange {

inline constexpr char kTableText[] =
    "The level of configured provisioned throughput for the table was exceeded. Consider "
    "increasing your provisioning level with the UpdateTable API.";
inline constexpr char kIndexText[] =
    "The level of configured provisioned throughput for one or more global secondary indexes of "
    "the table was exceeded. Consider increasing your provisioning level for the "
    "under-provisioned global secondary indexes with the UpdateTable API";
inline constexpr char kMaximumText[] =
    "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
inline constexpr char kHotText[] =
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically "
    "scaling your table or index so please try again shortly. If exceptions persist, check if you "
    "have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
    "bp-partition-key-design.html";
inline constexpr char kHotIndexText[] =
    "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is "
    "automatically scaling your index so please try again shortly.";
inline constexpr char kQuotaText[] =
    "Throughput exceeds the current throughput limit for your account. To request a limit "
    "increase, contact AWS Support at https://aws.amazon.com/support.";

}  // namespace hashrange
