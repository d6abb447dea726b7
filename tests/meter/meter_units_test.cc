// For every successful answer, the units of a measurement are those that the client saw: random
// calls of several threads, whose ConsumedCapacity is summed up beside the meter.
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "meter/metered_api.h"
#include "wire/json.h"

namespace hashrange {
namespace {

// The units that clients saw, by index; empty: the table. Summed up by several threads.
class SeenUnits {
 public:
  void Add(std::string answer) {
    Arena arena;
    const JsonValue& json =
        **ParseJsonData({answer.data(), answer.size()}, JsonDialect::kRequest, arena);
    const JsonValue* const capacity = json.Find("ConsumedCapacity");
    if (!capacity) return;
    std::lock_guard lock(mutex_);
    if (capacity->type == JsonValue::Type::kObject) return AddTable(*capacity);
    for (const JsonValue& table : capacity->elements()) AddTable(table);
  }

  std::map<std::string, double> units;
  double total = 0;

 private:
  static double UnitsIn(const JsonValue& json) {
    const JsonValue* const value = json.Find("CapacityUnits");
    return value->type == JsonValue::Type::kInteger ? static_cast<double>(value->integer)
                                                    : value->decimal;
  }
  void AddTable(const JsonValue& table) {
    total += UnitsIn(table);
    if (const JsonValue* const own = table.Find("Table")) units[""] += UnitsIn(*own);
    for (const char* kind : {"GlobalSecondaryIndexes", "LocalSecondaryIndexes"}) {
      const JsonValue* const indexes = table.Find(kind);
      if (!indexes) continue;
      for (const JsonMember& index : indexes->members()) {
        units[std::string(index.name)] += UnitsIn(index.value);
      }
    }
  }

  std::mutex mutex_;
};

class RandomCalls {
 public:
  RandomCalls(MeteredApi& metered, SeenUnits& seen, unsigned seed)
      : metered_(metered), seen_(seen), random_(seed) {}

  void Run(int calls) {
    for (int i = 0; i < calls; ++i) Make();
  }

 private:
  int Below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  std::string Key() {
    return R"("PK":{"S":"P#)" + std::to_string(Below(8)) + R"("},"SK":{"S":"S#)" +
           std::to_string(Below(6)) + "\"}";
  }
  std::string Item() {
    std::string item = Key() + R"(,"text":{"S":")" + std::string(Below(3000), 'x') + "\"}";
    if (Below(3) > 0) item += R"(,"at":{"N":")" + std::to_string(Below(4)) + "\"}";
    if (Below(3) > 0) {
      item += R"(,"GSI1PK":{"S":"G#)" + std::to_string(Below(3)) + R"("},"GSI1SK":{"S":")" +
              std::to_string(Below(9)) + "\"}";
    }
    return item;
  }
  void Make();
  void Call(const char* operation, const std::string& members, const char* head = "") {
    const std::string body =
        "{" + std::string(head) + R"("ReturnConsumedCapacity":"INDEXES",)" + members + "}";
    const Api::Reply reply = metered_.api.Call(operation, body);
    if (reply.http_status == 200) seen_.Add(reply.body);
  }
  std::string Action() {
    const std::string table = R"("TableName":"app",)";
    switch (Below(4)) {
      case 0:
        return R"({"Put":{)" + table + R"("Item":{)" + Item() + "}}}";
      case 1:
        return R"({"Delete":{)" + table + R"("Key":{)" + Key() + "}}}";
      case 2:
        return R"({"Update":{)" + table + R"("Key":{)" + Key() +
               R"(},"UpdateExpression":"SET n = :n","ExpressionAttributeValues":{":n":{"N":"1"}}}})";
      default:
        return R"({"ConditionCheck":{)" + table + R"("Key":{)" + Key() +
               R"json(},"ConditionExpression":"attribute_exists(PK)"}})json";
    }
  }

  MeteredApi& metered_;
  SeenUnits& seen_;
  std::mt19937 random_;
};

void RandomCalls::Make() {
  constexpr const char* kTable = R"("TableName":"app",)";
  switch (Below(14)) {
    case 0:
    case 1:
      return Call("PutItem", R"("Item":{)" + Item() + "}", kTable);
    case 2:
      return Call("GetItem",
                  R"("Key":{)" + Key() + R"(},"ConsistentRead":)" + (Below(2) ? "true" : "false"),
                  kTable);
    case 3:
      return Call("UpdateItem",
                  R"("Key":{)" + Key() + R"(},"UpdateExpression":"SET GSI1PK = :g",
        "ExpressionAttributeValues":{":g":{"S":"G#)" +
                      std::to_string(Below(3)) + "\"}}",
                  kTable);
    case 4:
      return Call(
          "DeleteItem",
          R"("Key":{)" + Key() + R"json(},"ConditionExpression":"attribute_exists(at)")json",
          kTable);
    case 5:
      return Call("Query",
                  R"("KeyConditionExpression":"PK = :p","ConsistentRead":true,
        "ExpressionAttributeValues":{":p":{"S":"P#)" +
                      std::to_string(Below(8)) + "\"}}",
                  kTable);
    case 6:
      return Call("Query",
                  R"("IndexName":"GSI1","KeyConditionExpression":"GSI1PK = :p",
        "FilterExpression":"n = :n","ProjectionExpression":"SK",
        "ExpressionAttributeValues":{":n":{"N":"1"},":p":{"S":"G#)" +
                      std::to_string(Below(3)) + "\"}}",
                  kTable);
    case 7:
      return Call("Query",
                  R"("IndexName":"LSI","KeyConditionExpression":"PK = :p",
        "Select":"ALL_ATTRIBUTES","ExpressionAttributeValues":{":p":{"S":"P#)" +
                      std::to_string(Below(8)) + "\"}}",
                  kTable);
    case 8:
      return Call("Scan", Below(2) ? R"("Limit":7)" : R"("IndexName":"GSI1")", kTable);
    case 9:
      return Call("BatchGetItem",
                  R"("RequestItems":{"app":{"Keys":[{)" + Key() + "},{" + Key() + "}]}}");
    case 10:
      return Call("BatchWriteItem", R"("RequestItems":{"app":[{"PutRequest":{"Item":{)" + Item() +
                                        R"(}}},{"DeleteRequest":{"Key":{)" + Key() + "}}}]}");
    case 11:
      return Call("TransactGetItems", R"("TransactItems":[{"Get":{"TableName":"app","Key":{)" +
                                          Key() + R"(}}},{"Get":{"TableName":"app","Key":{)" +
                                          Key() + "}}}]");
    case 12: {
      const std::string actions = R"("TransactItems":[)" + Action() + "," + Action() + "]";
      const std::string token = R"("ClientRequestToken":"t)" + std::to_string(random_()) + "\",";
      Call("TransactWriteItems", actions, token.c_str());
      return Call("TransactWriteItems", actions, token.c_str());  // a replay
    }
    default:
      return Call(
          "BatchExecuteStatement",
          R"("Statements":[{"Statement":"SELECT * FROM app WHERE PK = 'P#1' AND SK = 'S#1'"},
        {"Statement":"INSERT INTO app VALUE {'PK':'P#2','SK':'S#)" +
              std::to_string(Below(6)) + R"('}"},
        {"Statement":"UPDATE app SET n = 1 WHERE PK = 'P#3' AND SK = 'S#3'"}])");
  }
}

TEST(MeterUnits, AreThoseThatClientsSaw) {
  MeteredApi metered;
  metered.Start();
  SeenUnits seen;
  std::vector<std::jthread> threads;
  for (unsigned thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] { RandomCalls(metered, seen, thread).Run(1500); });
  }
  threads.clear();
  const Measurement measurement = metered.Read();
  double of_resources = 0, of_patterns = 0, of_time = 0;
  for (const ResourceMeasure& resource : measurement.resources) {
    of_resources += resource.read_units + resource.write_units;
    if (!resource.index.empty()) {
      EXPECT_EQ(resource.read_units + resource.write_units, seen.units[resource.index])
          << resource.index;
    }
  }
  for (const PatternMeasure& pattern : measurement.patterns) {
    double of_pattern = 0;
    for (const ResourceUnits& units : pattern.units) {
      of_pattern += units.read_units + units.write_units;
    }
    of_patterns += of_pattern;
    const auto& sizes = pattern.call;
    EXPECT_EQ(sizes.read_units.sum() + sizes.write_units.sum(), of_pattern) << pattern.text;
  }
  for (const TimeBucket& bucket : measurement.time.buckets) {
    of_time += bucket.read_units + bucket.write_units;
  }
  EXPECT_GT(seen.total, 1000);
  EXPECT_EQ(of_resources, seen.total);
  EXPECT_EQ(of_patterns, seen.total);
  EXPECT_EQ(of_time, seen.total);
}

}  // namespace
}  // namespace hashrange
