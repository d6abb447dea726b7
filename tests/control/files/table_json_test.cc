#include "control/files/table_json.h"

#include <gtest/gtest.h>

#include <string>

#include "support/api.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

// Returns the input of CreateTable and then the attribute of time to live, or the error.
std::string CreateTableOf(std::string text, std::optional<std::string_view> name = {},
                          std::string_view fallback = {}) {
  Arena arena;
  const auto json = ParseJson({text.data(), text.size()}, arena);
  if (!json.ok()) return "no JSON";
  const auto table = ReadTableJson(**json, {name, fallback}, arena);
  if (!table.ok()) return table.error().message;
  OutputBuffer out;
  JsonWriter writer(out);
  WriteJson(table->create_table, writer);
  if (table->ttl_attribute) out.Append(" ttl ");
  if (table->ttl_attribute) out.Append(*table->ttl_attribute);
  return std::string(out.view());
}

TEST(TableJson, ADefinitionWithoutANameTakesTheOtherwiseName) {
  EXPECT_EQ(CreateTableOf(R"({"KeySchema":[]})", {}, "app"),
            R"({"KeySchema":[],"TableName":"app"})");
  EXPECT_EQ(CreateTableOf(R"({"Table":{"KeySchema":[]}})", {}, "app"),
            R"({"KeySchema":[],"BillingMode":"PROVISIONED","TableName":"app"})");
  EXPECT_EQ(CreateTableOf(R"({"TableName":"own"})", {}, "app"), R"({"TableName":"own"})");
  EXPECT_EQ(CreateTableOf(R"({"TableName":1})", {}, "app"), "it has no TableName");
  EXPECT_EQ(CreateTableOf(R"({"TableName":"own"})", "always", "app"), R"({"TableName":"always"})");
}

TEST(TableJson, AnInputOfCreateTableIsTakenAsItIs) {
  EXPECT_EQ(CreateTableOf(R"({"TableName":"app","KeySchema":[],"Whatever":1})"),
            R"({"TableName":"app","KeySchema":[],"Whatever":1})");
}

TEST(TableJson, AGivenNameReplacesTheName) {
  EXPECT_EQ(CreateTableOf(R"({"TableName":"app","KeySchema":[]})", "other"),
            R"({"KeySchema":[],"TableName":"other"})");
  EXPECT_EQ(CreateTableOf(R"({"Table":{"KeySchema":[]}})", "other"),
            R"({"KeySchema":[],"BillingMode":"PROVISIONED","TableName":"other"})");
}

TEST(TableJson, ADescriptionIsCutDownToWhatCreateTableTakes) {
  const std::string description = R"({"Table":{
    "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
    "TableName":"app","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],
    "TableStatus":"ACTIVE","CreationDateTime":1700000000.5,
    "ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},
    "TableSizeBytes":9,"ItemCount":1,"TableArn":"arn:x","TableId":"id",
    "BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1.5},
    "GlobalSecondaryIndexes":[{"IndexName":"G","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],
      "Projection":{"ProjectionType":"ALL"},"IndexStatus":"ACTIVE",
      "ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0},
      "OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":-1},
      "WarmThroughput":{"ReadUnitsPerSecond":12000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"},
      "IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:i"}],
    "LocalSecondaryIndexes":[{"IndexName":"L","KeySchema":[],"Projection":{"ProjectionType":"KEYS_ONLY"},
      "IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:i"}],
    "VectorIndexes":[{"IndexName":"V","SearchSchema":[{"AttributeName":"PK","SearchSchemaElementType":"HASH"}],
      "Projection":{"ProjectionType":"ALL"},"VectorAttribute":{"AttributeName":"e"},"Dimensions":3,
      "DistanceFunction":"COSINE","IndexStatus":"ACTIVE","IndexSizeBytes":0,"ItemCount":0,"IndexArn":"arn:i"}],
    "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},
    "LatestStreamLabel":"x","LatestStreamArn":"y","DeletionProtectionEnabled":true,
    "WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":4000,"Status":"ACTIVE"},
    "OnDemandThroughput":{"MaxReadRequestUnits":-1,"MaxWriteRequestUnits":-1},
    "TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS"},
    "SSEDescription":{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":"arn:k"}},
    "TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED","AttributeName":"expires"},
    "Tags":[{"Key":"a","Value":"b"}]})";
  const std::string created = CreateTableOf(description);
  EXPECT_EQ(created.substr(created.size() - 12), " ttl expires");
  EXPECT_TRUE(SameJson(created.substr(0, created.size() - 12), R"({
    "TableName":"app","AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
    "KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],"DeletionProtectionEnabled":true,
    "BillingMode":"PAY_PER_REQUEST",
    "WarmThroughput":{"ReadUnitsPerSecond":13000,"WriteUnitsPerSecond":4000},
    "GlobalSecondaryIndexes":[{"IndexName":"G","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],
      "Projection":{"ProjectionType":"ALL"},"OnDemandThroughput":{"MaxReadRequestUnits":5}}],
    "LocalSecondaryIndexes":[{"IndexName":"L","KeySchema":[],
      "Projection":{"ProjectionType":"KEYS_ONLY"}}],
    "VectorIndexes":[{"IndexName":"V","VectorAttribute":{"AttributeName":"e"},
      "SearchSchema":[{"AttributeName":"PK","SearchSchemaElementType":"HASH"}],
      "Projection":{"ProjectionType":"ALL"},"Dimensions":3,"DistanceFunction":"COSINE"}],
    "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},
    "TableClass":"STANDARD_INFREQUENT_ACCESS",
    "SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"arn:k"},
    "Tags":[{"Key":"a","Value":"b"}]})"))
      << created;
}

TEST(TableJson, ProvisionedThroughputIsKept) {
  EXPECT_EQ(CreateTableOf(R"({"TableDescription":{"TableName":"app","ProvisionedThroughput":)"
                          R"({"NumberOfDecreasesToday":1,"ReadCapacityUnits":5,)"
                          R"("WriteCapacityUnits":6},"WarmThroughput":)"
                          R"({"ReadUnitsPerSecond":5,"WriteUnitsPerSecond":6}}})"),
            R"({"TableName":"app","BillingMode":"PROVISIONED","ProvisionedThroughput":)"
            R"({"ReadCapacityUnits":5,"WriteCapacityUnits":6}})");
}

TEST(TableJson, TimeToLiveMayBeASpecificationOrADescription) {
  EXPECT_EQ(
      CreateTableOf(R"({"TableName":"app","TimeToLiveSpecification":)"
                    R"({"Enabled":true,"AttributeName":"ttl"}})"),
      R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})"
      " ttl ttl");
  EXPECT_EQ(CreateTableOf(R"({"TableName":"app","TimeToLiveSpecification":)"
                          R"({"Enabled":false,"AttributeName":"ttl"}})"),
            R"({"TableName":"app","TimeToLiveSpecification":{"Enabled":false,)"
            R"("AttributeName":"ttl"}})");
}

TEST(TableJson, OtherJsonIsRefused) {
  EXPECT_EQ(CreateTableOf("[]"), "it is no JSON object");
  EXPECT_EQ(CreateTableOf("{}"), "it has no TableName");
  EXPECT_EQ(CreateTableOf(R"({"TableName":7})"), "it has no TableName");
  EXPECT_EQ(CreateTableOf(R"({"Table":[]})"), "its description of a table is no JSON object");
  EXPECT_EQ(CreateTableOf(R"({"Table":{"GlobalSecondaryIndexes":[7],"ProvisionedThroughput":1}})"),
            "it has no TableName");
}

}  // namespace
}  // namespace hashrange
