// A database without sockets whose calls are metered.
#pragma once

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "measure/meter/meter.h"
#include "simulation/gate_chain.h"
#include "support/api.h"

namespace hashrange {

class MeteredApi {
 public:
  MeteredApi() { CreateTable(); }

  // The table "app" with PK and SK, a global index GSI1 (GSI1PK, GSI1SK; ALL) and a local index LSI
  // (PK, at; KEYS_ONLY).
  void CreateTable() {
    api.Ok("CreateTable", R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},
        {"AttributeName":"SK","AttributeType":"S"},{"AttributeName":"GSI1PK","AttributeType":"S"},
        {"AttributeName":"GSI1SK","AttributeType":"S"},{"AttributeName":"at","AttributeType":"N"}],
      "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},
        {"AttributeName":"SK","KeyType":"RANGE"}],
      "LocalSecondaryIndexes":[{"IndexName":"LSI","Projection":{"ProjectionType":"KEYS_ONLY"},
        "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},
                     {"AttributeName":"at","KeyType":"RANGE"}]}],
      "GlobalSecondaryIndexes":[{"IndexName":"GSI1","Projection":{"ProjectionType":"ALL"},
        "KeySchema":[{"AttributeName":"GSI1PK","KeyType":"HASH"},
                     {"AttributeName":"GSI1SK","KeyType":"RANGE"}]}]})");
  }

  // A table whose only key attribute is "id".
  void CreateSimple(const std::string& name, const std::string& type = "S") {
    api.Ok("CreateTable", R"({"TableName":")" + name + R"(","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"id","AttributeType":")" +
                              type + R"("}],
      "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]})");
  }

  void Start(MeasurementSettings settings = {}) {
    const Status status = meter.Start("test", {}, std::move(settings));
    if (!status.ok()) throw std::runtime_error(status.error().message);
  }
  Measurement Read() { return *meter.Read("test"); }

  // Puts an item with these attributes, all of them texts: {"PK","USER#1","SK","META"}.
  void Put(const std::vector<std::string>& attributes) {
    std::string item;
    for (std::size_t i = 0; i + 1 < attributes.size(); i += 2) {
      item += (item.empty() ? "\"" : ",\"") + attributes[i] + "\":{\"S\":\"" + attributes[i + 1] +
              "\"}";
    }
    api.Ok("PutItem", R"({"TableName":"app","Item":{)" + item + "}}");
  }
  void Get(const std::string& partition, const std::string& sort) {
    api.Ok("GetItem", R"({"TableName":"app","Key":{"PK":{"S":")" + partition + R"("},"SK":{"S":")" +
                          sort + "\"}}}");
  }

  GateChain chain;
  Api api{{.gate = &chain.slot()}};
  Meter meter{chain, api.engine()};
};

// Returns the pattern of this text, or fails.
inline PatternMeasure PatternOfText(const Measurement& measurement, const std::string& text) {
  const auto found = std::ranges::find(measurement.patterns, text, &PatternMeasure::text);
  if (found != measurement.patterns.end()) return *found;
  std::string texts;
  for (const PatternMeasure& pattern : measurement.patterns) texts += pattern.text + "\n";
  throw std::runtime_error("no pattern \"" + text + "\" in\n" + texts);
}

// Returns the texts of all patterns with the number of their calls, ascending.
inline std::vector<std::string> PatternTexts(const Measurement& measurement) {
  std::vector<std::string> texts;
  for (const PatternMeasure& pattern : measurement.patterns) {
    texts.push_back(std::to_string(pattern.calls) + " " + pattern.text);
  }
  std::ranges::sort(texts);
  return texts;
}

}  // namespace hashrange
