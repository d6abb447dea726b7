// A table "app" whose throughput is enforced, and the bodies of refusals, for the tests of this
// folder.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "operation/call/caller.h"
#include "simulation/throttling_texts.h"
#include "simulation/throughput.h"
#include "support/api.h"

namespace hashrange {

inline constexpr char kTableArn[] = "arn:aws:dynamodb:us-east-1:000000000000:table/app";

inline std::string Units(int read, int write) {
  return R"({"ReadCapacityUnits":)" + std::to_string(read) + R"(,"WriteCapacityUnits":)" +
         std::to_string(write) + "}";
}

inline std::string MaxUnits(int read, int write) {
  return R"({"MaxReadRequestUnits":)" + std::to_string(read) + R"(,"MaxWriteRequestUnits":)" +
         std::to_string(write) + "}";
}

// Returns the definition of a table "app" with string keys pk and sk, a global index "byG" by g and
// a local index "byL" by l. `settings` and `index_settings` are members to add.
inline std::string TableJson(const std::string& settings, const std::string& index_settings) {
  return R"({"TableName":"app",)" + settings + R"(,
    "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
      {"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"},
      {"AttributeName":"l","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],
    "GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},
      "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}])" +
         (index_settings.empty() ? "" : "," + index_settings) + R"(}],
    "LocalSecondaryIndexes":[{"IndexName":"byL","Projection":{"ProjectionType":"ALL"},
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
                   {"AttributeName":"l","KeyType":"RANGE"}]}]})";
}

inline std::string Body(const char* type, const char* text, const char* member, const char* reason,
                        const std::string& resource) {
  return std::string(R"({"__type":")") + type + R"(","message":")" + text + R"(",")" + member +
         R"(":[{"reason":")" + reason + R"(","resource":")" + resource + R"("}]})";
}
inline std::string Exceeded(const char* text, const char* reason, const std::string& resource) {
  return Body("com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException", text,
              "ThrottlingReasons", reason, resource);
}
inline std::string MaximumExceeded(const char* reason, const std::string& resource) {
  return Body("com.amazon.coral.availability#ThrottlingException", kMaximumText,
              "throttlingReasons", reason, resource);
}

inline const std::string kIndexArn = std::string(kTableArn) + "/index/byG";

class ThroughputTest : public ::testing::Test {
 protected:
  void CreateProvisioned(int read, int write, int index_read, int index_write) {
    api_.Ok(
        "CreateTable",
        TableJson(R"("BillingMode":"PROVISIONED","ProvisionedThroughput":)" + Units(read, write),
                  R"("ProvisionedThroughput":)" + Units(index_read, index_write)));
    EXPECT_TRUE(throughput_.Enforce({}, true).ok());
  }
  void CreateOnDemand(const std::string& maximum, const std::string& index_maximum) {
    const std::string member = R"("OnDemandThroughput":)";
    api_.Ok("CreateTable", TableJson(R"("BillingMode":"PAY_PER_REQUEST")" +
                                         (maximum.empty() ? "" : "," + member + maximum),
                                     index_maximum.empty() ? "" : member + index_maximum));
    EXPECT_TRUE(throughput_.Enforce({}, true).ok());
  }
  static std::string PutJson(const std::string& sk, const std::string& more = "") {
    return R"({"TableName":"app","Item":{"pk":{"S":"a"},"sk":{"S":")" + sk + "\"}" + more + "}}";
  }
  void Refused(const char* operation, const std::string& request, const std::string& body) {
    const Api::Reply reply = api_.Call(operation, request);
    EXPECT_EQ(reply.http_status, 400) << operation << " " << request;
    EXPECT_EQ(reply.body, body) << operation << " " << request;
  }
  void Get(bool is_let_in, bool consistent = true) {
    const std::string request =
        std::string(R"({"TableName":"app","Key":{"pk":{"S":"a"},"sk":{"S":"none"}},)") +
        R"("ConsistentRead":)" + (consistent ? "true}" : "false}");
    if (is_let_in) {
      api_.Answers("GetItem", request, "{}");
    } else {
      Refused("GetItem", request,
              Exceeded(kTableText, "TableReadProvisionedThroughputExceeded", kTableArn));
    }
  }
  TableRef Table() { return api_.engine().catalog().Find({kDefaultAccount, "us-east-1"}, "app"); }
  ResourceState StateOf(std::size_t i) {
    const auto states = throughput_.StateOf(*Table());
    return i < states.size() ? states[i] : ResourceState{};
  }
  std::vector<PartitionMap> Maps() { return throughput_.PartitionMapsOf(*Table()); }

  GateChain gates_;
  Api api_{{.gate = &gates_.slot()}};
  Throughput throughput_{api_.engine(), gates_};
};

}  // namespace hashrange
