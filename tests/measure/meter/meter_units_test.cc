// For every successful answer, the units of a measurement are what the client saw: random
// calls of several threads, whose ConsumedCapacity is summed up beside the meter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "measure/measurement_json.h"
#include "measure/meter/metered_api.h"
#include "support/json_in_lines.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

// The units that clients saw, by index; empty: the table. Summed up by several threads.
class SeenUnits {
 public:
  void Add(const char* operation, std::string answer) {
    Arena arena;
    const JsonValue& json =
        **ParseJsonData({answer.data(), answer.size()}, JsonDialect::kRequest, arena);
    const JsonValue* const capacity = json.Find("ConsumedCapacity");
    std::lock_guard lock(mutex_);
    answers.insert(operation);
    if (!capacity) return;
    if (capacity->type == JsonValue::Type::kObject) return AddTable(*capacity);
    for (const JsonValue& table : capacity->elements()) AddTable(table);
  }
  void AddReplay() {
    std::lock_guard lock(mutex_);
    ++replays;
  }

  std::map<std::string, double> units;
  double total = 0;
  std::uint64_t replays = 0;
  std::set<std::string> answers;  // the operations that succeeded

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

// Calls of the tables "app" and "other".
class RandomCalls {
 public:
  RandomCalls(MeteredApi& metered, SeenUnits& seen, unsigned seed)
      : metered_(metered), seen_(seen), random_(seed) {}

  void Run(int calls) {
    for (int i = 0; i < calls; ++i) Make();
  }

 private:
  int Below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  // Some keys have names in them, of which there are so many that they become a placeholder.
  std::string Key() {
    const std::string partition = Below(4) > 0
                                      ? "P#" + std::to_string(Below(8))
                                      : "N#" + std::string(1, static_cast<char>('a' + Below(26))) +
                                            (Below(2) == 0 ? "da" : "ob");
    return R"("PK":{"S":")" + partition + R"("},"SK":{"S":"S#)" + std::to_string(Below(6)) + "\"}";
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
  bool Make();
  // Returns whether the call succeeded.
  bool Call(const char* operation, const std::string& members, const char* head = "") {
    const std::string body =
        "{" + std::string(head) + R"("ReturnConsumedCapacity":"INDEXES",)" + members + "}";
    const Api::Reply reply = metered_.api.Call(operation, body);
    if (reply.http_status != 200) return false;
    seen_.Add(operation, reply.body);
    return true;
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

bool RandomCalls::Make() {
  constexpr const char* kTable = R"("TableName":"app",)";
  switch (Below(15)) {
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
          R"("Key":{)" + Key() + R"json(},"ConditionExpression":"attribute_exists(GSI1PK)")json",
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
      const bool is_done = Call("TransactWriteItems", actions, token.c_str());
      const bool is_replayed = is_done && Call("TransactWriteItems", actions, token.c_str());
      if (is_replayed) seen_.AddReplay();
      return is_replayed;
    }
    case 13:
      return Call(
          "BatchExecuteStatement",
          R"("Statements":[{"Statement":"SELECT * FROM app WHERE PK = 'P#1' AND SK = 'S#1'"},
        {"Statement":"SELECT * FROM app WHERE PK = 'P#2' AND SK = 'S#2'"}])");
    default:
      return Call("BatchExecuteStatement", R"("Statements":[
        {"Statement":"INSERT INTO app VALUE {'PK':'P#2','SK':'S#)" +
                                               std::to_string(Below(6)) + R"('}"},
        {"Statement":"INSERT INTO other VALUE {'id':'1'}"},
        {"Statement":"UPDATE app SET n = 1 WHERE PK = 'P#3' AND SK = 'S#3'"}])");
  }
}

// Checks that what a measurement says of a table or an index agrees with itself, wherever there are
// so few keys and windows that all of them are listed.
void ExpectSumsOfResource(const ResourceMeasure& resource) {
  SCOPED_TRACE(resource.table + " " + resource.index);
  double read_heat = 0, write_heat = 0, read_slices = 0, write_slices = 0;
  for (const HeatRange& heat : resource.heat) {
    read_heat += heat.read_units;
    write_heat += heat.write_units;
  }
  for (const HeatSlice& slice : resource.heat_over_time) {
    for (const double units : slice.read_units) read_slices += units;
    for (const double units : slice.write_units) write_slices += units;
  }
  constexpr double kRounding = 0.1;  // heat over time is kept in floats
  EXPECT_NEAR(read_heat, resource.read_units, 1e-6);
  EXPECT_NEAR(read_slices, resource.read_units, kRounding);
  EXPECT_NEAR(write_heat, resource.write_units, 1e-6);
  EXPECT_NEAR(write_slices, resource.write_units, kRounding);
  std::map<std::string, double> of_windows;
  for (const HotWindow& window : resource.hot_windows) {
    of_windows[window.direction] += window.total_units;
  }
  EXPECT_EQ(of_windows["write"], resource.write_units);
  EXPECT_EQ(of_windows["read"], resource.read_keys.total_units);
  EXPECT_EQ(resource.written_keys.total_units, resource.write_units);
  for (const TopKeys* top : {&resource.read_keys, &resource.written_keys}) {
    double of_keys = 0;
    for (const KeyCount& key : top->keys) of_keys += key.units;
    EXPECT_LE(of_keys, top->total_units);
    if (top->keys.size() < 50) {
      EXPECT_EQ(of_keys, top->total_units);
    }
  }
}

// Checks that the writes inserted and removed what the table has more or less now.
void ExpectItemsOfWrites(const Measurement& measurement) {
  std::int64_t more = 0, of_patterns = 0, of_entities = 0;
  for (const TableMeasure& table : measurement.tables) more += table.items - table.items_at_begin;
  for (const PatternMeasure& pattern : measurement.patterns) {
    of_patterns += static_cast<std::int64_t>(pattern.inserted - pattern.removed);
  }
  for (const EntityMeasure& entity : measurement.entities) {
    of_entities += static_cast<std::int64_t>(entity.inserted - entity.removed);
  }
  EXPECT_EQ(of_patterns, more);
  EXPECT_EQ(of_entities, more);
}

TEST(MeterUnits, AreThoseThatClientsSaw) {
  MeteredApi metered;
  metered.CreateSimple("other");
  metered.Start();
  SeenUnits seen;
  std::vector<std::jthread> threads;
  for (unsigned thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] { RandomCalls(metered, seen, thread).Run(1500); });
  }
  threads.clear();
  const Measurement measurement = metered.Read();
  ExpectItemsOfWrites(measurement);
  double of_resources = 0, of_patterns = 0, of_time = 0;
  std::uint64_t replays = 0;
  for (const ResourceMeasure& resource : measurement.resources) {
    ExpectSumsOfResource(resource);
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
    replays += pattern.replays;
    if (pattern.operation == "UpdateItem") {  // sets GSI1PK to a value of three bytes
      EXPECT_EQ(pattern.changed_bytes, 9.0 * static_cast<double>(pattern.requests)) << pattern.text;
    }
    const bool returns_all = pattern.operation == "GetItem" ||
                             pattern.operation == "BatchGetItem" || pattern.operation == "Scan";
    if (returns_all) {
      EXPECT_EQ(pattern.call.bytes_returned.sum(), pattern.call.bytes_examined.sum())
          << pattern.text;
    }
    const auto& sizes = pattern.call;
    EXPECT_EQ(sizes.read_units.sum() + sizes.write_units.sum(), of_pattern) << pattern.text;
  }
  for (const TimeBucket& bucket : measurement.time.buckets) {
    of_time += bucket.read_units + bucket.write_units;
  }
  EXPECT_THAT(seen.answers,
              testing::ElementsAre("BatchExecuteStatement", "BatchGetItem", "BatchWriteItem",
                                   "DeleteItem", "GetItem", "PutItem", "Query", "Scan",
                                   "TransactGetItems", "TransactWriteItems", "UpdateItem"));
  EXPECT_GT(seen.replays, 0u);
  EXPECT_EQ(replays, seen.replays);
  EXPECT_GT(seen.total, 1000);
  EXPECT_EQ(of_resources, seen.total);
  EXPECT_EQ(of_patterns, seen.total);
  EXPECT_EQ(of_time, seen.total);
}

// Returns everything that a measurement says that does not depend on the threads that made the
// calls. Every call is made on the same thread or, `on_threads`, each few of them on a thread of
// their own.
std::string MeasuredText(unsigned seed, bool on_threads) {
  MeteredApi metered;
  metered.CreateSimple("other");
  SeenUnits seen;
  RandomCalls calls(metered, seen, seed);
  calls.Run(50);
  metered.Start();
  for (int turn = 0; turn < 60; ++turn) {
    metered.api.clock().Advance(turn * 37);
    const auto run = [&] { calls.Run(2 * (turn % 7)); };
    on_threads ? std::thread(run).join() : run();
  }
  Measurement measurement = metered.Read();
  ExpectItemsOfWrites(measurement);
  const auto name_of = [](const auto& each) { return std::pair(each.table, each.index); };
  std::ranges::sort(measurement.resources, {}, name_of);
  for (ResourceMeasure& resource : measurement.resources) {
    ExpectSumsOfResource(resource);
    resource.heat.clear();  // sums of fractions, which depend on their order
    resource.heat_over_time.clear();
    resource.writes_in_order_known = resource.rising_writes = 0;  // of one thread after another
    // Of each thread only the hottest keys of a window are counted.
    for (HotWindow& window : resource.hot_windows) window.key = {};
  }
  for (PatternMeasure& pattern : measurement.patterns) {
    std::ranges::sort(pattern.index_moves, {}, name_of);
  }
  for (EntityMeasure& entity : measurement.entities) std::ranges::sort(entity.units, {}, name_of);
  for (TimeBucket& bucket : measurement.time.buckets) {
    bucket.peak_minute_read_units = bucket.peak_minute_write_units = 0;  // as threads were late
  }
  std::ranges::sort(measurement.key_templates, {}, [](const KeyTemplateMeasure& each) {
    return std::tie(each.table, each.index, each.attribute, each.text);
  });
  measurement.sequences.clear();  // a thread serves all calls of a connection
  measurement.server_time.clear();
  OutputBuffer text;
  JsonWriter writer(text);
  WriteMeasurement(measurement, writer);
  return InLines(std::string(text.view()));
}

TEST(MeterUnits, AreTheSameWhicheverThreadsMakeTheCalls) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    EXPECT_EQ(MeasuredText(seed, true), MeasuredText(seed, false)) << seed;
  }
}

}  // namespace
}  // namespace hashrange
