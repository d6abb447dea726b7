// Tests of the meter behind the dispatcher: what a measurement says of a known traffic.
#include "measure/meter/meter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "measure/meter/metered_api.h"
#include "measure/meter/stripe.h"
#include "simulation/fault_plan.h"

namespace hashrange {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

class MeterTest : public testing::Test, protected MeteredApi {};

TEST_F(MeterTest, IsInTheChainOnlyWhileItMeasures) {
  EXPECT_EQ(chain.slot().load(), nullptr);
  Start();
  EXPECT_NE(chain.slot().load(), nullptr);
  EXPECT_TRUE(meter.Stop("test").ok());
  EXPECT_EQ(chain.slot().load(), nullptr);
  EXPECT_EQ(meter.Read("test").error().message, "There is no measurement \"test\".");
  EXPECT_EQ(meter.Stop("test").error().code, ErrorCode::kResourceNotFoundException);
}

TEST_F(MeterTest, ANameIsTakenOnce) {
  Start();
  const Status second = meter.Start("test", {}, {});
  EXPECT_EQ(second.error().code, ErrorCode::kResourceInUseException);
}

TEST_F(MeterTest, PatternsHaveTheTemplatesOfTheirKeys) {
  Start();
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    Put({"PK", "CUST#c" + n + "x", "SK", "META", "GSI1PK", "CUSTOMER", "GSI1SK", "2026-01-01"});
    Get("CUST#c" + n + "x", "META");
    api.Ok("Query", R"json({"TableName":"app",
      "KeyConditionExpression":"PK = :p AND begins_with(SK, :s)",
      "ScanIndexForward":false,"Limit":5,"ConsistentRead":true,
      "ExpressionAttributeValues":{":p":{"S":"CUST#c)json" +
                        n + R"(x"},":s":{"S":"ORDER#"}}})");
  }
  EXPECT_THAT(PatternTexts(Read()),
              ElementsAre("40 GetItem app where PK = CUST#{…} and SK = META",
                          "40 PutItem app where PK = CUST#{…} and SK = META",
                          "40 Query app where PK = CUST#{…} and SK begins_with ORDER#, "
                          "consistent, backward, limit 5"));
}

TEST_F(MeterTest, SearchesAndWritesOfVectorsAreCountedInBytes) {
  api.Ok("CreateTable", R"({"TableName":"vec","BillingMode":"PAY_PER_REQUEST",
    "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},
                            {"AttributeName":"tenant","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
    "VectorIndexes":[{"IndexName":"vix","VectorAttribute":{"AttributeName":"e"},"Dimensions":2,
      "DistanceFunction":"COSINE","Projection":{"ProjectionType":"ALL"},
      "SearchSchema":[{"AttributeName":"tenant","SearchSchemaElementType":"HASH"}]}]})");
  Start();
  for (const char* const id : {"a", "b"}) {
    api.Ok("PutItem", R"({"TableName":"vec","Item":{"id":{"S":")" + std::string(id) +
                          R"("},"tenant":{"S":"t"},"e":{"L":[{"N":"1"},{"N":"0"}]}}})");
  }
  for (const char* const tenant : {"t", "nobody"}) {
    api.Ok("SearchVectors", R"({"TableName":"vec","IndexName":"vix","SearchVector":[{"N":"1"},
      {"N":"2"}],"TopK":5,"SearchConditionExpression":"tenant = :t",
      "ExpressionAttributeValues":{":t":{"S":")" +
                                std::string(tenant) + "\"}}}");
  }
  const Measurement measurement = Read();
  const PatternMeasure writes = PatternOfText(measurement, "PutItem vec where id = a");
  EXPECT_EQ(writes.vector_bytes_written, 1024);
  const PatternMeasure searches =
      PatternOfText(measurement, "SearchVectors vec/vix, limit 5, filter tenant = ?");
  EXPECT_EQ(searches.calls, 2u);
  EXPECT_EQ(searches.members[0].kind, "search");
  EXPECT_EQ(searches.vector_bytes_searched, 2048);
  EXPECT_EQ(searches.vector_bytes_written, 0);
  EXPECT_EQ(searches.call.items_returned.max(), 2);
  EXPECT_TRUE(searches.units.empty());
  const auto table = std::ranges::find(measurement.tables, "vec", &TableMeasure::name);
  ASSERT_NE(table, measurement.tables.end());
  // id, tenant and e with their values: 3 + 7 + 9 bytes each.
  EXPECT_EQ(table->vector_index_bytes, 38);
  for (const ResourceMeasure& resource : measurement.resources) EXPECT_NE(resource.index, "vix");
}

TEST_F(MeterTest, AttributesNameThePlaceholders) {
  Put({"PK", "CUST#ada", "SK", "META", "customerId", "ada", "GSI1PK", "STATUS#OPEN", "GSI1SK", "1",
       "status", "OPEN"});
  Put({"PK", "CUST#bob", "SK", "META", "customerId", "bob", "GSI1PK", "STATUS#PAID", "GSI1SK", "2",
       "status", "PAID"});
  Start();
  Get("CUST#ada", "META");
  Get("CUST#eve", "META");
  api.Ok("Query", R"({"TableName":"app","IndexName":"GSI1","KeyConditionExpression":"GSI1PK = :p",
    "ExpressionAttributeValues":{":p":{"S":"STATUS#OPEN"}}})");
  const Measurement measurement = Read();
  EXPECT_THAT(PatternTexts(measurement),
              ElementsAre("1 Query app/GSI1 where GSI1PK = STATUS#{status}",
                          "2 GetItem app where PK = CUST#{customerId} and SK = META"));
  EXPECT_EQ(
      PatternOfText(measurement, "GetItem app where PK = CUST#{customerId} and SK = META").missing,
      1u);
}

TEST_F(MeterTest, AConstantKeyStaysLiteral) {
  Start();
  for (const char* name : {"ada", "bob", "eve"}) {
    Put({"PK", std::string("CUST#") + name, "SK", "META", "GSI1PK", "CUSTOMER", "GSI1SK", name,
         "name", name, "Type", "CUSTOMER"});
  }
  const Measurement measurement = Read();
  ASSERT_EQ(measurement.entities.size(), 1u);
  const EntityMeasure& customers = measurement.entities[0];
  EXPECT_EQ(customers.type, "CUSTOMER");
  EXPECT_EQ(customers.partition_key, "CUST#{name}");
  EXPECT_EQ(customers.items, 3u);
  EXPECT_EQ(customers.inserted, 3u);
  ASSERT_EQ(customers.indexes.size(), 1u);
  EXPECT_EQ(customers.indexes[0].partition_key, "CUSTOMER");
  EXPECT_EQ(customers.indexes[0].items, 3u);
}

// Such a statement reads no key at all.
TEST_F(MeterTest, AStatementThatContradictsItselfHasUnitsAndNoKey) {
  Put({"PK", "A", "SK", "S"});
  Start();
  std::thread([&] {  // whose first measured call it is
    api.Ok("ExecuteStatement",
           R"({"Statement":"SELECT * FROM app WHERE PK = 'A' AND SK > 'b' AND SK < 'a'"})");
  })
      .join();
  const Measurement measurement = Read();
  EXPECT_EQ(measurement.resources[0].read_units, 0.5);
  EXPECT_TRUE(measurement.resources[0].read_keys.keys.empty());
}

TEST_F(MeterTest, AMemberOfABatchThatFailsRemovesNothing) {
  Put({"PK", "A", "SK", "S"});
  Start();
  api.Ok("BatchExecuteStatement", R"({"Statements":[
      {"Statement":"INSERT INTO app VALUE {'PK':'A','SK':'S'}"},
      {"Statement":"INSERT INTO app VALUE {'PK':'A','SK':'T'}"}]})");
  for (const EntityMeasure& entity : Read().entities) {
    EXPECT_EQ(entity.removed, 0u) << entity.sort_key;
  }
}

TEST_F(MeterTest, UnitsAreSplitByTableAndIndex) {
  Start();
  Put({"PK", "A", "SK", "1", "GSI1PK", "G", "GSI1SK", "1"});
  api.Ok("UpdateItem", R"({"TableName":"app","Key":{"PK":{"S":"A"},"SK":{"S":"1"}},
    "UpdateExpression":"SET GSI1SK = :s","ExpressionAttributeValues":{":s":{"S":"2"}}})");
  api.Fails("PutItem", R"json({"TableName":"app","Item":{"PK":{"S":"A"},"SK":{"S":"1"}},
    "ConditionExpression":"attribute_not_exists(PK)"})json",
            "ConditionalCheckFailedException", "The conditional request failed");
  const Measurement measurement = Read();
  const PatternMeasure update =
      PatternOfText(measurement, "UpdateItem app where PK = A and SK = {digits}: SET GSI1SK = ?");
  ASSERT_EQ(update.units.size(), 2u);
  EXPECT_EQ(update.units[0].write_units, 1);
  EXPECT_EQ(update.units[1].index, "GSI1");
  EXPECT_EQ(update.units[1].write_units, 2);
  EXPECT_EQ(update.changed, 1u);
  ASSERT_EQ(update.index_moves.size(), 1u);
  EXPECT_EQ(update.index_moves[0].moved, 1u);
  const PatternMeasure refused = PatternOfText(
      measurement, "PutItem app where PK = A and SK = {digits}, if attribute_not_exists(PK)");
  EXPECT_EQ(refused.failed_conditions, 1u);
  EXPECT_EQ(refused.failed_write_units, 1);
  EXPECT_TRUE(refused.units.empty());
  ASSERT_EQ(refused.errors.size(), 1u);
  EXPECT_EQ(refused.errors[0].name, "ConditionalCheckFailedException");
}

TEST_F(MeterTest, OnlyTheTablesOfTheScopeAreMeasured) {
  ASSERT_TRUE(meter.Start("other table", {.tables = {"other"}}, {}).ok());
  ASSERT_TRUE(meter.Start("other account", {.account = "111122223333"}, {}).ok());
  ASSERT_TRUE(meter.Start("this one", {.tables = {"app"}}, {}).ok());
  Put({"PK", "A", "SK", "1"});
  EXPECT_TRUE(meter.Read("other table")->patterns.empty());
  EXPECT_TRUE(meter.Read("other account")->patterns.empty());
  EXPECT_EQ(meter.Read("this one")->patterns.size(), 1u);
}

TEST_F(MeterTest, TopKeysAndCollectionsAreNamed) {
  Start();
  for (int i = 0; i < 30; ++i) {
    Put({"PK", i < 20 ? "HOT" : "B" + std::to_string(i) + "x", "SK", std::to_string(i)});
  }
  const Measurement measurement = Read();
  const ResourceMeasure& table = measurement.resources[0];
  ASSERT_FALSE(table.written_keys.keys.empty());
  EXPECT_EQ(table.written_keys.keys[0].key, "PK=HOT");
  EXPECT_EQ(table.written_keys.keys[0].units, 20);
  EXPECT_EQ(table.collections.count, 11u);
  EXPECT_EQ(table.collections.largest[0].key, "PK=HOT");
  EXPECT_EQ(table.collections.largest[0].shape, "PK=HOT");
  ASSERT_FALSE(table.hot_windows.empty());
  EXPECT_EQ(table.hot_windows[0].key.key, "PK=HOT");
  EXPECT_EQ(table.hot_windows[0].calls, 30u);
  EXPECT_NEAR(table.distinct_partition_keys, 11, 0.5);
  EXPECT_NEAR(table.distinct_items, 30, 1.5);
}

// A write of the same sort key does not rise, and the first write of a collection has none before.
TEST_F(MeterTest, RisingWritesAreCounted) {
  Start();
  for (const char* sort : {"1", "2", "2", "1", "3"}) Put({"PK", "A", "SK", sort});
  Put({"PK", "B", "SK", "1"});
  const Measurement measurement = Read();
  const ResourceMeasure& table = measurement.resources[0];
  EXPECT_EQ(table.writes_in_order_known, 4u);
  EXPECT_EQ(table.rising_writes, 2u);
}

TEST_F(MeterTest, ExpiriesAreCountedByWhatTheyAre) {
  api.Ok("UpdateTimeToLive", R"({"TableName":"app",
    "TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})");
  Start();
  const std::int64_t now = api.clock().NowEpochMs() / 1000;
  constexpr std::int64_t kYear = 365 * 86'400;
  int number = 0;
  const auto put = [&](const std::string& value) {
    api.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"A"},"SK":{"S":")" +
                          std::to_string(number++) + "\"}" + value + "}}");
  };
  for (const std::int64_t seconds :
       {now - 10 * kYear, now - 60, now - 30, now + 60, now + 49 * kYear, now + 60 * kYear}) {
    put(R"(,"ttl":{"N":")" + std::to_string(seconds) + "\"}");
  }
  put(R"(,"ttl":{"N":")" + std::to_string(now * 1000) + "\"}");
  put(R"(,"ttl":{"S":"2026-01-01"})");
  put("");
  const Measurement measurement = Read();
  const ExpiryMeasure& expiry = measurement.tables[0].expiry;
  EXPECT_EQ(expiry.attribute, "ttl");
  EXPECT_EQ(expiry.seconds, 6u);
  EXPECT_EQ(expiry.milliseconds, 1u);
  EXPECT_EQ(expiry.not_numbers, 1u);
  EXPECT_EQ(expiry.far_future, 1u);
  EXPECT_EQ(expiry.long_past, 1u);
  EXPECT_EQ(expiry.expired, 2u);
}

// Returns the words of a list that is text, "N, S", in order.
std::string SortedWords(std::string_view list) {
  std::set<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(", "), list.size());
    words.insert(list.substr(0, end));
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  std::string sorted;
  for (const std::string_view word : words) sorted.append(sorted.empty() ? "" : ", ").append(word);
  return sorted;
}

// Each item is an entity of its own until its attributes name the placeholder of the keys.
TEST_F(MeterTest, AttributesOfEntitiesThatBecomeOneAreAddedUp) {
  const auto put = [&](const std::string& name, const std::string& others) {
    api.Ok("PutItem", R"({"TableName":"app","Item":{"PK":{"S":"CUST#)" + name +
                          R"("},"SK":{"S":"META"},"name":{"S":")" + name + "\"}," + others + "}}");
  };
  put("ada", R"("at":{"N":"1700000000"},"tags":{"L":[{"S":"a"},{"S":"b"}]})");
  put("bob", R"("at":{"N":"1700000000000"},"tags":{"L":[{"S":"a"}]})");
  put("eve", R"("at":{"N":"1700000000"},"tags":{"S":"none"})");
  Start();
  const Measurement measurement = Read();
  ASSERT_EQ(measurement.entities.size(), 1u);
  std::vector<std::string> attributes;
  for (const AttributeMeasure& each : measurement.entities[0].attributes) {
    std::ostringstream text;
    text << each.count << " " << each.name << " of " << each.name_bytes << " in " << each.size_bytes
         << " bytes: " << SortedWords(each.types) << "; " << SortedWords(each.time_forms) << "; "
         << each.largest_list;
    attributes.push_back(text.str());
  }
  // docs/service/02-types-and-sizes.md, section 7
  EXPECT_THAT(attributes,
              UnorderedElementsAre("3 PK of 6 in 30 bytes: S; ; 0", "3 SK of 6 in 18 bytes: S; ; 0",
                                   "3 name of 12 in 21 bytes: S; ; 0",
                                   "3 at of 6 in 12 bytes: N; milliseconds, seconds; 0",
                                   "3 tags of 12 in 28 bytes: L, S; ; 2"));
}

// There are so many names that patterns merge while sequences of them are counted.
TEST_F(MeterTest, SequencesOfPatternsThatMergeAreAddedUp) {
  Start();
  constexpr int kNames = 40;
  for (int i = 0; i < kNames; ++i) {
    const std::string name = {static_cast<char>('a' + i / 26), static_cast<char>('a' + i % 26)};
    Put({"PK", "CUST#" + name, "SK", "META"});
    Get("CUST#" + name, "META");
    api.clock().Advance(2000);
  }
  const Measurement measurement = Read();
  ASSERT_EQ(measurement.sequences.size(), 1u);
  EXPECT_EQ(measurement.sequences[0].kind, "read after write");
  EXPECT_EQ(measurement.sequences[0].count, kNames);
  EXPECT_EQ(measurement.sequences[0].calls, 2 * kNames);
}

// The same for members of batches that are never sent again. A caller's oldest ones are given up
// when there are many.
TEST_F(MeterTest, AbandonedMembersOfPatternsThatMergeAreAddedUp) {
  FaultPlan faults(chain);
  FaultSpec spec;
  spec.match.operations = {"BatchGetItem"};
  spec.action.kind = FaultAction::Kind::kUnprocessed;
  spec.action.unprocessed = 100;
  ASSERT_TRUE(faults.Add({spec}).ok());
  Start();
  constexpr int kNames = 40, kMembers = 11;
  for (int i = 0; i < kNames; ++i) {
    const std::string name = {static_cast<char>('a' + i / 26), static_cast<char>('a' + i % 26)};
    std::string keys;
    for (int member = 0; member < kMembers; ++member) {
      keys += std::string(keys.empty() ? "" : ",") + R"({"PK":{"S":"CUST#)" + name +
              R"("},"SK":{"S":")" + std::to_string(member) + "\"}}";
    }
    api.Ok("BatchGetItem", R"({"RequestItems":{"app":{"Keys":[)" + keys + "]}}}");
  }
  const Result<Measurement> measurement = meter.Stop("test");
  ASSERT_EQ(measurement->patterns.size(), 1u);
  EXPECT_EQ(measurement->patterns[0].unprocessed, kNames * (kMembers - 1));
  EXPECT_EQ(measurement->patterns[0].abandoned_unprocessed, kNames * (kMembers - 1));
}

// Each thread sees one value of the key, so only all of them together show that it is no constant.
TEST_F(MeterTest, AttributesNameAKeyOfWhichEachThreadSeesOneValue) {
  Start();
  for (const char* name : {"ada", "bob", "eve"}) {
    std::thread([&] { Put({"PK", name, "SK", "META", "name", name}); }).join();
  }
  api.Ok("DeleteTable", R"({"TableName":"app"})");
  EXPECT_THAT(PatternTexts(Read()), ElementsAre("3 PutItem app where PK = {name} and SK = META"));
}

TEST_F(MeterTest, SequencesOfOneCallerAreSeen) {
  Put({"PK", "A", "SK", "1"});
  Start();
  for (const char* sort : {"1", "2", "3", "4"}) Get("A", sort);
  Put({"PK", "A", "SK", "4"});
  const Measurement measurement = Read();
  std::vector<std::string> seen;
  for (const SequenceMeasure& sequence : measurement.sequences) {
    seen.push_back(sequence.kind + " " + std::to_string(sequence.count) + " " +
                   std::to_string(sequence.largest));
  }
  std::ranges::sort(seen);
  EXPECT_THAT(seen, ElementsAre("gets of one collection in a burst 1 4", "read before create 1 2"));
}

TEST_F(MeterTest, TheTemplatesOfADroppedTableHaveNames) {
  Start();
  Put({"PK", "CUST#ada", "SK", "META", "customerId", "ada", "GSI1PK", "CITY#Bern", "GSI1SK", "1",
       "city", "Bern"});
  Put({"PK", "CUST#bob", "SK", "META", "customerId", "bob", "GSI1PK", "CITY#Rome", "GSI1SK", "2",
       "city", "Rome"});
  api.Ok("Query", R"({"TableName":"app","IndexName":"GSI1","KeyConditionExpression":"GSI1PK = :p",
    "ExpressionAttributeValues":{":p":{"S":"CITY#Oslo"}}})");
  api.Ok("DeleteTable", R"({"TableName":"app"})");
  EXPECT_THAT(PatternTexts(Read()),
              ElementsAre("1 Query app/GSI1 where GSI1PK = CITY#{city}",
                          "2 PutItem app where PK = CUST#{customerId} and SK = META"));
}

// Test suites make and drop their tables again and again.
TEST_F(MeterTest, ADroppedTableIsListedWithWhatWasCounted) {
  Start();
  for (int suite = 0; suite < 3; ++suite) {
    for (int i = 0; i < 40; ++i) {
      Put({"PK", "CUST#" + std::to_string(i), "SK", "META", "GSI1PK", "CUSTOMER", "GSI1SK", "1"});
    }
    api.Ok("DeleteTable", R"({"TableName":"app"})");
    CreateTable();
  }
  api.Ok("DeleteTable", R"({"TableName":"app"})");
  const Measurement measurement = Read();
  ASSERT_EQ(measurement.tables.size(), 1u);
  const TableMeasure& table = measurement.tables[0];
  EXPECT_EQ(table.name, "app");
  EXPECT_TRUE(table.is_deleted);
  EXPECT_TRUE(table.on_demand);
  EXPECT_EQ(table.region, "us-east-1");
  EXPECT_THAT(table.hash, ElementsAre("PK"));
  EXPECT_EQ(table.items, 0);
  ASSERT_EQ(table.indexes.size(), 1u);
  EXPECT_EQ(table.indexes[0].name, "GSI1");
  EXPECT_EQ(table.indexes[0].projection, "ALL");
  EXPECT_TRUE(table.indexes[0].is_deleted);
  ASSERT_EQ(measurement.resources.size(), 2u);
  EXPECT_EQ(measurement.resources[0].write_units, 120);
  EXPECT_EQ(measurement.resources[1].write_units, 120);
  EXPECT_EQ(measurement.resources[1].written_keys.keys[0].key, "GSI1PK=CUSTOMER");
  for (const ResourceMeasure& resource : measurement.resources) {
    ASSERT_EQ(resource.heat_over_time.size(), 1u);
    double units = 0;
    for (const double each : resource.heat_over_time[0].write_units) units += each;
    EXPECT_EQ(units, 120) << resource.index;
  }
}

// A table of the same name whose key has fewer parts, and attributes of other types.
TEST_F(MeterTest, ADroppedTableWithOtherKeysIsAnotherTable) {
  Start();
  api.Ok("DeleteTable", R"({"TableName":"app"})");
  CreateSimple("app", "N");
  api.Ok("PutItem", R"({"TableName":"app","Item":{"id":{"N":"7"}}})");
  api.Ok("DeleteTable", R"({"TableName":"app"})");
  CreateTable();
  Put({"PK", "A", "SK", "META"});
  const Measurement measurement = Read();
  ASSERT_EQ(measurement.tables.size(), 2u);
  EXPECT_EQ(measurement.tables[0].name, "app");
  EXPECT_FALSE(measurement.tables[0].is_deleted);
  EXPECT_EQ(measurement.tables[1].name, "app (2)");
  EXPECT_TRUE(measurement.tables[1].is_deleted);
  EXPECT_THAT(PatternTexts(measurement), ElementsAre("1 PutItem app (2) where id = {number}",
                                                     "1 PutItem app where PK = A and SK = META"));
}

TEST_F(MeterTest, TablesOfOneNameInTwoAccountsAreToldApart) {
  Start();
  Put({"PK", "A", "SK", "META"});
  Put({"PK", "B", "SK", "META"});
  api.SignAs("111122223333", "us-east-1");
  CreateTable();
  Put({"PK", "A", "SK", "META", "GSI1PK", "G", "GSI1SK", "1"});
  const Measurement measurement = Read();
  std::vector<std::string> tables, resources;
  for (const TableMeasure& each : measurement.tables) {
    tables.push_back(each.name + ": " + std::to_string(each.items));
  }
  for (const ResourceMeasure& each : measurement.resources) {
    if (each.write_units == 0) continue;
    resources.push_back(each.table + " " + each.index + ": " + std::to_string(each.write_units));
  }
  EXPECT_THAT(tables, UnorderedElementsAre("000000000000 app: 2", "111122223333 app: 1"));
  EXPECT_THAT(resources,
              UnorderedElementsAre("000000000000 app : 2.000000", "111122223333 app : 1.000000",
                                   "111122223333 app GSI1: 1.000000"));
  EXPECT_THAT(PatternTexts(measurement),
              ElementsAre("1 PutItem 000000000000 app where PK = A and SK = META",
                          "1 PutItem 000000000000 app where PK = B and SK = META",
                          "1 PutItem 111122223333 app where PK = A and SK = META"));
  EXPECT_EQ(measurement.entities.size(), 3u);
}

// The kinds of access and the resources have small numbers, which must not be taken for each other.
TEST_F(MeterTest, EveryKindOfAccessToEveryTableHasAShapeOfItsOwn) {
  // Read locks all partitions at once, and ThreadSanitizer knows 64 locks.
  constexpr int kTables = 3;
  for (int table = 0; table < kTables; ++table) CreateSimple("table" + std::to_string(table));
  Start();
  for (int i = 0; i < 40; ++i) {  // more than one node holds, so that patterns merge
    for (int table = 0; table < kTables; ++table) {
      const std::string name = R"({"TableName":"table)" + std::to_string(table) + R"(",)";
      const std::string id = R"("id":{"S":"k)" + std::to_string(i) + "x\"}";
      api.Ok("Scan", name + R"("Limit":1})");
      api.Ok("PutItem", name + R"("Item":{)" + id + "}}");
      api.Ok("GetItem", name + R"("Key":{)" + id + "}}");
      api.Ok("Query", name + R"("KeyConditionExpression":"id = :id",
        "ExpressionAttributeValues":{":)" +
                          id.substr(1) + "}}");
    }
  }
  const Measurement measurement = Read();
  EXPECT_EQ(measurement.patterns.size(), std::size_t{4 * kTables});
  for (const PatternMeasure& pattern : measurement.patterns) {
    EXPECT_EQ(pattern.requests, 40u) << pattern.text;
  }
}

TEST_F(MeterTest, WhatAReadAsksForIsNeverTakenForAnotherTable) {
  CreateSimple("other");
  Start();
  constexpr int kChoices = 2;
  for (int choice = 0; choice < kChoices * kChoices * kChoices; ++choice) {
    const std::string options = std::string(R"("ConsistentRead":)") +
                                (choice & 1 ? "true" : "false") +
                                (choice & 2 ? R"(,"ScanIndexForward":false)" : "") +
                                (choice & 4 ? R"(,"Select":"COUNT")" : "");
    const std::string values = R"(,"ExpressionAttributeValues":{":k":{"S":"A"}}})";
    api.Ok("Query", R"({"TableName":"app","KeyConditionExpression":"PK = :k",)" + options + values);
    api.Ok("Query",
           R"({"TableName":"other","KeyConditionExpression":"id = :k",)" + options + values);
  }
  const std::vector<PatternMeasure> patterns = Read().patterns;
  EXPECT_EQ(patterns.size(), 16u);
  for (const PatternMeasure& pattern : patterns) {
    EXPECT_EQ(pattern.requests, 1u) << pattern.text;
    EXPECT_EQ(pattern.members[0].key[0].attribute, pattern.members[0].table == "app" ? "PK" : "id")
        << pattern.text;
  }
}

TEST_F(MeterTest, TablesBeyondTheLimitAreCountedAsOthers) {
  Start();
  const std::size_t tables = StripeCounters::kMaxResources + 20;
  for (std::size_t table = 0; table < tables; ++table) {
    CreateSimple("table" + std::to_string(table));
    const std::string name = R"({"TableName":"table)" + std::to_string(table) + "\"";
    api.Ok("PutItem", name + R"(,"Item":{"id":{"S":"1"}}})");
    api.Ok("DeleteTable", name + "}");
  }
  const Measurement measurement = Read();
  EXPECT_EQ(measurement.limits.other_resources, 20u);
  EXPECT_EQ(measurement.limits.other_patterns, 21u);
  EXPECT_EQ(measurement.patterns.size(), 1000u);
  std::uint64_t requests = 0;
  for (const PatternMeasure& pattern : measurement.patterns) requests += pattern.requests;
  EXPECT_EQ(requests, tables);
}

TEST_F(MeterTest, ShapesBeyondTheLimitAreCountedAsOthers) {
  Start();
  const std::size_t calls = StripeCounters::kMaxShapes + 50;
  for (std::size_t limit = 1; limit <= calls; ++limit) {
    api.Ok("Scan", R"({"TableName":"app","Limit":)" + std::to_string(limit) + "}");
  }
  const Measurement measurement = Read();
  EXPECT_EQ(measurement.patterns.size(), 1000u);
  std::uint64_t requests = 0;
  for (const PatternMeasure& pattern : measurement.patterns) requests += pattern.requests;
  EXPECT_EQ(requests, calls);
  EXPECT_EQ(measurement.resources[0].read_units, 0.5 * static_cast<double>(calls));
}

// Each call of "admit" has a shape of its own. The call of "seldom" is the cheapest, and is still
// told apart.
TEST_F(MeterTest, PatternsBeyondTheLimitKeepTheirNames) {
  Put({"PK", "order", "SK", "META"});
  const std::string item = R"({"TableName":"app","Key":{"PK":{"S":"order"},"SK":{"S":"META"}})";
  api.Ok("UpdateItem", item + R"(,"UpdateExpression":"SET tickets = :m",
    "ExpressionAttributeValues":{":m":{"M":{}}}})");
  for (const std::size_t calls :
       {std::size_t{1500}, PatternTable::kMaxPatterns + 500, StripeCounters::kMaxShapes + 500}) {
    SCOPED_TRACE(calls);
    Start();
    api.NamePattern("seldom");
    api.Ok("GetItem", R"({"TableName":"app","Key":{"PK":{"S":"none"},"SK":{"S":"META"}}})");
    api.NamePattern("admit");
    for (std::size_t call = 0; call < calls; ++call) {
      api.Ok("UpdateItem",
             item + R"(,"UpdateExpression":"REMOVE tickets.t)" + std::to_string(call) + "\"}");
    }
    api.NamePattern("");
    const Measurement measurement = *meter.Stop("test");
    std::map<std::string, std::uint64_t> requests;
    std::map<std::string, double> write_units;
    for (const PatternMeasure& pattern : measurement.patterns) {
      requests[pattern.name] += pattern.requests;
      for (const ResourceUnits& units : pattern.units) {
        write_units[pattern.name] += units.write_units;
      }
    }
    EXPECT_THAT(requests, UnorderedElementsAre(Pair("admit", calls), Pair("seldom", 1U)));
    EXPECT_EQ(write_units["admit"], static_cast<double>(calls));
    EXPECT_EQ(measurement.limits.other_patterns, calls - 998);
    EXPECT_EQ(measurement.patterns.size(), 1000U);
    EXPECT_EQ(std::ranges::count(measurement.patterns,
                                 std::string("GetItem app where PK = none and SK = META"),
                                 &PatternMeasure::text),
              1);
  }
}

TEST(PatternCounters, NamesBeyondTheLimitAreCountedAsOther) {
  std::vector<NamedCount> counts;
  for (std::size_t i = 0; i < 2 * kMaxNames; ++i) AddCount(counts, "app" + std::to_string(i));
  EXPECT_EQ(counts.size(), kMaxNames + 1);
  EXPECT_EQ(counts.back().name, "other");
  EXPECT_EQ(counts.back().count, kMaxNames);
}

}  // namespace
}  // namespace hashrange
