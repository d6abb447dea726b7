// A table with two indexes behind a gate, for tests of what a gate learns.
#pragma once

#include <gtest/gtest.h>

#include "operation/call/gate.h"
#include "support/api.h"

namespace hashrange {

// The table "app" has the keys p and s. Its global index GSI on g has also n, and its local index
// LSI on l has keys only. It has no items yet.
template <typename TestGate>
class IndexedTableTest : public testing::Test {
 protected:
  IndexedTableTest() {
    api_.Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},
        {"AttributeName":"s","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"},
        {"AttributeName":"l","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],
      "GlobalSecondaryIndexes":[{"IndexName":"GSI",
        "Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["n"]},
        "KeySchema":[{"AttributeName":"g","KeyType":"HASH"}]}],
      "LocalSecondaryIndexes":[{"IndexName":"LSI","Projection":{"ProjectionType":"KEYS_ONLY"},
        "KeySchema":[{"AttributeName":"p","KeyType":"HASH"},
                     {"AttributeName":"l","KeyType":"RANGE"}]}]})");
  }

  TestGate gate_;
  GateSlot slot_{&gate_};
  Api api_{{.gate = &slot_}};
};

}  // namespace hashrange
