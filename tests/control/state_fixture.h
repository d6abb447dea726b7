// StateFixture: actions and observations for the tests of reset, fork and snapshots, on the table
// "app" with a global index, a local index and a stream.
#pragma once

#include <string>
#include <string_view>

#include "control/control_fixture.h"

namespace hashrange {

inline constexpr char kA[] = "111122223333";
inline constexpr char kB[] = "444455556666";
inline constexpr char kEnableTimeToLive[] =
    R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})";
inline constexpr char kListApp[] = R"({"TableName":"app"})";
inline constexpr char kNoTables[] = R"(200 {"TableNames":[]})";

class StateFixture : public ControlFixture {
 protected:
  explicit StateFixture(const Database::Options& options = {}) : ControlFixture(options) {}

  void MakeApp(std::string_view account = "000000000000") {
    Ok("CreateTable", kAppTable, account);
    Ok("UpdateTimeToLive", kEnableTimeToLive, account);
    for (int i = 1; i <= 3; ++i) Put(i, account);
  }
  void Put(int i, std::string_view account) {
    const std::string n = std::to_string(i);
    Ok("PutItem",
       R"({"TableName":"app","Item":{"PK":{"S":"p"},"SK":{"S":")" + n +
           R"("},"G":{"S":"g"},"L":{"N":")" + n + R"("}}})",
       account);
  }
  std::string Count(std::string_view account) {
    return CountOf(Ok("Scan", R"({"TableName":"app","Select":"COUNT"})", account));
  }
  std::string CountIn(std::string_view index, std::string_view condition,
                      std::string_view account) {
    return CountOf(Ok("Query",
                      std::string(R"({"TableName":"app","Select":"COUNT","IndexName":")")
                          .append(index)
                          .append(R"(","KeyConditionExpression":")")
                          .append(condition)
                          .append(R"(","ExpressionAttributeValues":{":v":{"S":")")
                          .append(index == "byG" ? "g" : "p")
                          .append(R"("}}})"),
                      account));
  }
  // Returns the numbers of items by the table and its indexes: "3 3 3".
  std::string Counts(std::string_view account) {
    return Count(account) + " " + CountIn("byG", "G = :v", account) + " " +
           CountIn("byL", "PK = :v", account);
  }
  std::string StreamArn(std::string_view account) {
    return Text(Ok("DescribeTable", kListApp, account), "LatestStreamArn");
  }
  std::string DescribeStream(const std::string& arn, std::string_view account) {
    return Call("DescribeStream", R"({"StreamArn":")" + arn + "\"}", account);
  }
  static std::string NoSuchStream(const std::string& arn) {
    return R"(400 {"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",)"
           R"("message":"Requested resource not found: Stream: )" +
           arn + " not found\"}";
  }
  std::string StreamStatus(const std::string& arn, std::string_view account) {
    return Text(DescribeStream(arn, account), "StreamStatus");
  }
  // Returns the answer of ListStreams when this stream of table app is the only stream.
  static std::string OneStream(const std::string& arn) {
    const std::string label = arn.substr(arn.rfind('/') + 1);
    return R"({"Streams":[{"StreamArn":")" + arn + R"(","TableName":"app","StreamLabel":")" +
           label + R"("}]})";
  }
  // Returns the sort keys of the stream's records, the oldest first.
  std::string Records(const std::string& arn, std::string_view account) {
    const std::string shard =
        Text(Ok("DescribeStream", R"({"StreamArn":")" + arn + "\"}", account), "ShardId");
    const std::string iterator = Text(Ok("GetShardIterator",
                                         R"({"ShardIteratorType":"TRIM_HORIZON","StreamArn":")" +
                                             arn + R"(","ShardId":")" + shard + "\"}",
                                         account),
                                      "ShardIterator");
    std::string records = Ok("GetRecords", R"({"ShardIterator":")" + iterator + "\"}", account);
    std::string keys;
    constexpr std::string_view kKeys = R"("Keys":{"PK":{"S":"p"},"SK":{"S":")";
    for (std::size_t at = records.find(kKeys); at != std::string::npos;
         at = records.find(kKeys, at + 1)) {
      keys += records[at + kKeys.size()];
    }
    return keys;
  }

 private:
  static std::string CountOf(const std::string& body) {
    constexpr std::string_view kCount = R"("Count":)";
    const std::size_t at = body.find(kCount) + kCount.size();
    return body.substr(at, body.find(',', at) - at);
  }
};

}  // namespace hashrange
