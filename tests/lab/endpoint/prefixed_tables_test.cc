#include "lab/endpoint/prefixed_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "lab/plan/layout_plan.h"
#include "lab/run/run_file.h"

namespace hashrange {
namespace {

constexpr const char* kServedThings = R"(
lab: 1
entities: {Thing: {count: 4, attributes: {id: {sequence: 4}, ends_at: {time: {ahead: 30d}, form: seconds}}}}
access_patterns:
  ask: {get: Thing, by: [id], rate: 1/s}
  ask all: {get: Thing, by: [id], rate: 1/s}
layouts:
  one:
    tables: {things: {key: [PK], ttl: ends_at, items: {Thing: {PK: "{id}"}}}}
    serve:
      ask: [{GetItem: {TableName: things, Key: {PK: {S: "{id}"}}}}]
      ask all: [{BatchGetItem: {RequestItems: {things: {Keys: [{PK: {S: "{id}"}}]}}}}]
  two: {tables: {things: {key: [PK], items: {Thing: {PK: "{id}"}}}}}
client: {latency: 7ms}
)";

TEST(PrefixedLab, EachLayoutHasTablesOfItsOwn) {
  const auto file = PrefixedLab(FileOf(kServedThings), "try-");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->layouts[0].tables[0].name, "try-1-things");
  EXPECT_EQ(file->layouts[1].tables[0].name, "try-2-things");
  EXPECT_EQ(file->client.latency_ms, 0);
  EXPECT_EQ(file->layouts[0].serves[0].requests[0].json,
            R"({"TableName":"try-1-things","Key":{"PK":{"S":"{id}"}}})");
  EXPECT_EQ(file->layouts[0].serves[1].requests[0].json,
            R"({"RequestItems":{"try-1-things":{"Keys":[{"PK":{"S":"{id}"}}]}}})");
  const auto plan = PlanLayout(*file, 0);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_TRUE(plan->update_ttls.empty());
  EXPECT_EQ(plan->patterns[1].steps[0].request.operation, "BatchGetItem");
}

TEST(PrefixedLab, OnlyNamesOfTablesAreChanged) {
  LabFile file = FileOf(kServedThings);
  file.layouts[0].serves[0].requests[0].json =
      R"({"TableName":"things","Item":{"TableName":{"S":"things"},"m":{"M":{"TableName":{"S":"a"}}}},)"
      R"("ExpressionAttributeNames":{"RequestItems":"TableName","TableName":"x"}})";
  file.layouts[0].serves[1].requests[0].json =
      R"({"TransactItems":[{"Put":{"TableName":"things","Item":{"RequestItems":{"M":{"a":{"N":"1"}}}}}},)"
      R"({"Delete":{"TableName":"things","ExpressionAttributeNames":{"TableName":"x"}}}]})";
  const auto renamed = PrefixedLab(file, "try-");
  ASSERT_TRUE(renamed.ok()) << renamed.error().message;
  EXPECT_EQ(
      renamed->layouts[0].serves[0].requests[0].json,
      R"({"TableName":"try-1-things","Item":{"TableName":{"S":"things"},"m":{"M":{"TableName":{"S":"a"}}}},)"
      R"("ExpressionAttributeNames":{"RequestItems":"TableName","TableName":"x"}})");
  EXPECT_EQ(
      renamed->layouts[0].serves[1].requests[0].json,
      R"({"TransactItems":[{"Put":{"TableName":"try-1-things","Item":{"RequestItems":{"M":{"a":{"N":"1"}}}}}},)"
      R"({"Delete":{"TableName":"try-1-things","ExpressionAttributeNames":{"TableName":"x"}}}]})");
}

TEST(PrefixedLab, AWrongPrefixIsRefused) {
  const LabFile file = FileOf(kServedThings);
  const auto wrong = PrefixedLab(file, "a b");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().message,
            "With the prefix \"a b\", a table would be named a b1-things, and names of tables have "
            "3 to 255 letters, digits, _, - and .");
  EXPECT_FALSE(PrefixedLab(file, std::string(250, 'x')).ok());
  EXPECT_TRUE(PrefixedLab(file, std::string(245, 'x')).ok());
}

TEST(PrefixedLab, UniquePrefixesDiffer) {
  const std::string prefix = UniquePrefix();
  EXPECT_EQ(prefix.size(), std::string("hashrange-lab-abcdef-").size());
  EXPECT_TRUE(prefix.starts_with("hashrange-lab-"));
  EXPECT_TRUE(prefix.ends_with("-"));
  EXPECT_NE(UniquePrefix(), prefix);
}

}  // namespace
}  // namespace hashrange
