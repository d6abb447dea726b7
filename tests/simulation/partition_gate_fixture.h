// A table "app" whose modelled partitions serve so few units that a few calls saturate them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simulation/throughput_fixture.h"

namespace hashrange {

// An item "pk", "sk" of the table "app", with members to add.
inline std::string Put(const std::string& pk, const std::string& sk, const std::string& more = "") {
  return R"({"TableName":"app","Item":{"pk":{"S":")" + pk + R"("},"sk":{"S":")" + sk + "\"}" +
         more + "}}";
}
inline std::string InIndex(const std::string& g) { return R"(,"g":{"S":")" + g + "\"}"; }

class PartitionGateTest : public ThroughputTest {
 protected:
  // Partitions that serve 10 write units and 10 read units a second and save half a second.
  static PartitionRule Rule(PartitionMode mode) {
    PartitionRule rule{.mode = mode};
    rule.parameters.read_units = 10;
    rule.parameters.write_units = 10;
    rule.parameters.new_read_units = 40;
    rule.parameters.new_write_units = 40;
    return rule;
  }
  void CreateTable(const std::string& settings = R"("BillingMode":"PAY_PER_REQUEST")") {
    const bool is_provisioned = settings.find("PROVISIONED") != std::string::npos;
    api_.Ok("CreateTable",
            TableJson(settings,
                      is_provisioned ? R"("ProvisionedThroughput":)" + Units(1000, 1000) : ""));
  }
  // A table with an index byG by g, and without a local index.
  void CreateTableWithoutLocalIndex() {
    api_.Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
        {"AttributeName":"sk","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},
                   {"AttributeName":"sk","KeyType":"RANGE"}],
      "GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}]})");
  }
  void Model(PartitionMode mode) { Model(Rule(mode)); }
  void Model(const PartitionRule& rule) { ASSERT_TRUE(throughput_.ModelPartitions(rule).ok()); }
  // Calls until a call is refused. Returns how many were let in, and the refusal.
  int CallUntilRefused(const char* operation, const std::string& request, std::string* refusal) {
    for (int count = 0; count < 10'000; ++count) {
      const Api::Reply reply = api_.Call(operation, request);
      if (reply.http_status == 200) continue;
      *refusal = reply.body;
      return count;
    }
    ADD_FAILURE() << operation << " is never refused";
    return 0;
  }
  static double WriteUnits(const PartitionMap& map) {
    double units = 0;
    for (const PartitionMeasure& each : map.partitions) units += each.write_units;
    return units;
  }
};

}  // namespace hashrange
