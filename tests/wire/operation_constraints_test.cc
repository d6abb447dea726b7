// The constraints of each operation's members: docs/service/01-wire-protocol.md, sections 7 to 10;
// 03-tables-and-indexes.md, sections 1 and 6; 06-query-and-scan.md, sections 2, 4 and 7;
// 07-batch.md, sections 1 and 2; 10-transactions.md, section 4; 12-streams-and-ttl.md,
// sections C1 and D.
#include <gtest/gtest.h>

#include <string>

#include "wire/bound.h"

namespace hashrange {
namespace {

using namespace test;  // NOLINT: the texts

TEST(OperationConstraints, ChecksTableNames) {
  const std::string key = R"(,"Key":{"pk":{"S":"a"}}})";
  const std::string missing =
      "The parameter 'TableName' is required but was not present in the "
      "request";
  const std::string arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/" + Repeated(250, "x");
  const std::string long_name = Repeated(256, "x");
  const std::string absent =
      kOne + "Value null at 'tableName'" + kFailed + "Member must not be null";
  const BoundCase cases[] = {
      {"GetItem", "{" + key.substr(1), absent},
      {"Query", "{}", absent},
      {"Scan", "{}", absent},
      {"DescribeTimeToLive", "{}", missing},
      {"CreateTable", R"({"BillingMode":"X"})", missing},
      {"DescribeTable", "{}", missing},
      {"UpdateTable", R"({"TableName":null})", missing},
      {"DeleteTable", "{}", missing},
      {"GetItem", R"({"TableName":"","ReturnConsumedCapacity":"X")" + key, kEmptyTableName},
      {"PutItem", R"({"TableName":"","ReturnValues":"bogus"})", kEmptyTableName},
      {"DeleteItem", R"({"TableName":""})", kEmptyTableName},
      {"Query", R"({"TableName":"","Limit":0})", kEmptyTableName},
      {"UpdateItem", R"({"TableName":"","ReturnValues":"bogus")" + key, kEmptyTableName},
      {"Scan", R"({"TableName":""})",
       kOne + "Value '' at 'tableName'" + kFailed +
           "Member must have length greater than or equal to 1"},
      {"GetItem", R"({"TableName":"a")" + key, "ok"},
      {"Scan", R"({"TableName":"ab"})", "ok"},
      {"DescribeTable", R"({"TableName":"ab"})",
       kOne + "Value 'ab' at 'tableName'" + kFailed +
           "Member must have length greater than or equal to 3"},
      {"GetItem", R"({"TableName":")" + long_name + "\"" + key,
       kOne + "Value '" + long_name + "' at 'tableName'" + kFailed +
           "Member must have length less than or equal to 255"},
      {"GetItem", R"({"TableName":"bad table!@#")" + key,
       kOne + "Value 'bad table!@#' at 'tableName'" + kFailed + kPattern},
      {"GetItem", R"({"TableName":")" + arn + "\"" + key, "ok"},
      {"DescribeTable", R"({"TableName":")" + arn + "\"}", "ok"},
      {"GetItem", R"({"TableName":"é€😀")" + key,
       kOne + "Value 'é€😀' at 'tableName'" + kFailed + kPattern},
  };
  ExpectAll(cases);
}

TEST(OperationConstraints, ChecksCreateTable) {
  const auto request = [](std::string_view definitions, std::string_view schema,
                          std::string_view more = {}) {
    return std::string(R"({"TableName":"abc","AttributeDefinitions":)")
        .append(definitions)
        .append(R"(,"KeySchema":)")
        .append(schema)
        .append(more)
        .append("}");
  };
  const std::string definitions = R"([{"AttributeName":"pk","AttributeType":"S"}])";
  const std::string schema = R"([{"AttributeName":"pk","KeyType":"HASH"}])";
  const std::string index =
      R"({"IndexName":"?","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"Projection":{}})";
  const auto named = [&](std::string_view name) {
    return std::string(index).replace(index.find('?'), 1, name);
  };
  const BoundCase cases[] = {
      {"CreateTable", request(definitions, schema), "ok"},
      {"CreateTable", request(definitions, R"([{"AttributeName":"pk","KeyType":"INVALID"}])"),
       kOne + "Value 'INVALID' at 'keySchema.1.member.keyType'" + kFailed +
           "Member must satisfy enum value set: [HASH, RANGE]"},
      {"CreateTable", request(R"([{"AttributeName":"pk","AttributeType":"INVALID"}])", schema),
       kOne + "Value 'INVALID' at 'attributeDefinitions.1.member.attributeType'" + kFailed +
           "Member must satisfy enum value set: [B, N, S]"},
      {"CreateTable",
       request(definitions, R"([{"AttributeName":"a","KeyType":"HASH"},)"
                            R"({"AttributeName":"b","KeyType":"RANGE"},)"
                            R"({"AttributeName":"c","KeyType":"RANGE"}])"),
       kOne +
           "Value '[KeySchemaElement(attributeName=a, keyType=HASH), "
           "KeySchemaElement(attributeName=b, keyType=RANGE), "
           "KeySchemaElement(attributeName=c, keyType=RANGE)]' at 'keySchema'" +
           kFailed + "Member must have length less than or equal to 2"},
      {"CreateTable", request(definitions, "[]"),
       kOne + "Value '[]' at 'keySchema'" + kFailed +
           "Member must have length greater than or equal to 1"},
      {"CreateTable",
       request(definitions, schema,
               ",\"LocalSecondaryIndexes\":[" + named("l1") + "],\"GlobalSecondaryIndexes\":[" +
                   named("g1") + "]"),
       kTwo + "Value 'g1' at 'globalSecondaryIndexes.1.member.indexName'" + kFailed +
           "Member must have length greater than or equal to 3; Value 'l1' at "
           "'localSecondaryIndexes.1.member.indexName'" +
           kFailed + "Member must have length greater than or equal to 3"},
      {"CreateTable",
       request(definitions, schema,
               R"(,"GlobalSecondaryIndexes":[{"IndexName":"good","Projection":{},"KeySchema":[)"
               R"({"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"X"}]}])"),
       kOne + "Value 'X' at 'globalSecondaryIndexes.1.member.keySchema.2.member.keyType'" +
           kFailed + "Member must satisfy enum value set: [HASH, RANGE]"},
      {"CreateTable",
       request(definitions, schema,
               R"(,"GlobalSecondaryIndexes":[{"IndexName":"good","KeySchema":[)"
               R"({"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"X",)"
               R"("NonKeyAttributes":[""]}}])"),
       kTwo + "Value 'X' at 'globalSecondaryIndexes.1.member.projection.projectionType'" + kFailed +
           "Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]; Value '[]' at "
           "'globalSecondaryIndexes.1.member.projection.nonKeyAttributes'" +
           kFailed +
           "Member must satisfy constraint: [Member must have length less than or equal to 255, "
           "Member must have length greater than or equal to 1]"},
      {"CreateTable", request(definitions, schema, R"(,"BillingMode":"INVALID_MODE")"),
       kOne + "Value 'INVALID_MODE' at 'billingMode'" + kFailed +
           "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]"},
      {"CreateTable", request(definitions, schema, R"(,"TableClass":"X")"), "ok"},
      {"CreateTable",
       request(definitions, schema,
               R"(,"ProvisionedThroughput":{"ReadCapacityUnits":0.9,"WriteCapacityUnits":-1})"),
       kTwo + "Value '-1' at 'provisionedThroughput.writeCapacityUnits'" + kFailed +
           "Member must have value greater than or equal to 1; Value '0' at "
           "'provisionedThroughput.readCapacityUnits'" +
           kFailed + "Member must have value greater than or equal to 1"},
      {"CreateTable", R"({"TableName":"ab"})",
       "3 validation errors detected: Value null at 'attributeDefinitions'" + kFailed +
           "Member must not be null; Value 'ab' at 'tableName'" + kFailed +
           "Member must have length greater than or equal to 3; Value null at 'keySchema'" +
           kFailed + "Member must not be null"},
      {"CreateTable", request("[null]", schema),
       kOne + "Value null at 'attributeDefinitions.1.member'" + kFailed +
           "Member must not be null"},
  };
  ExpectAll(cases);
}

TEST(OperationConstraints, ChecksReadsAndLists) {
  const std::string select =
      "Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, "
      "ALL_PROJECTED_ATTRIBUTES]";
  const std::string operators =
      "Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, "
      "NE, LE, BEGINS_WITH, GE, CONTAINS]";
  const std::string at_least_1 = "Member must have value greater than or equal to 1";
  const BoundCase cases[] = {
      {"Query", R"({"TableName":"abc","Limit":0})",
       kOne + "Value at 'Limit'" + kFailed + at_least_1},
      {"Scan", R"({"TableName":"abc","Limit":0})",
       kOne + "Value '0' at 'limit'" + kFailed + at_least_1},
      {"Query", R"({"TableName":"abc","Select":"INVALID_VALUE"})",
       kOne + "Value 'INVALID_VALUE' at 'select'" + kFailed + select},
      {"Scan", R"({"TableName":"abc","ConditionalOperator":"XOR"})",
       kOne + "Value 'XOR' at 'conditionalOperator'" + kFailed +
           "Member must satisfy enum value set: [OR, AND]"},
      {"Scan", R"({"TableName":"abc","TotalSegments":0,"Segment":-1})",
       kTwo + "Value '0' at 'totalSegments'" + kFailed + at_least_1 + "; Value '-1' at 'segment'" +
           kFailed + "Member must have value greater than or equal to 0"},
      {"Scan", R"({"TableName":"abc","TotalSegments":1000001,"Segment":0})",
       kOne + "Value '1000001' at 'totalSegments'" + kFailed +
           "Member must have value less than or equal to 1000000"},
      // A decimal is floored before it is checked and printed.
      {"Scan", R"({"TableName":"abc","Limit":-1.5})",
       kOne + "Value '-2' at 'limit'" + kFailed + at_least_1},
      {"Scan", R"({"TableName":"abc","Limit":0.9})",
       kOne + "Value '0' at 'limit'" + kFailed + at_least_1},
      {"Scan", R"({"TableName":"abc","Limit":1.9})", "ok"},
      {"Scan", R"({"TableName":"abc","TotalSegments":1000000.9,"Segment":0})", "ok"},
      {"Scan", R"({"TableName":"abc","TotalSegments":1000001.2,"Segment":0})",
       kOne + "Value '1000001' at 'totalSegments'" + kFailed +
           "Member must have value less than or equal to 1000000"},
      {"ListTables", R"({"Limit":100.5})", "ok"},
      {"ListTables", R"({"Limit":101.0})",
       kOne + "Value '101' at 'limit'" + kFailed +
           "Member must have value less than or equal to 100"},
      {"Query", R"({"TableName":"abc","KeyConditions":{"a":{}}})",
       kOne + "Value null at 'keyConditions.a.member.comparisonOperator'" + kFailed +
           "Member must not be null"},
      {"Scan", R"({"TableName":"abc","ScanFilter":{"a":{"ComparisonOperator":"eq"}}})",
       kOne + "Value 'eq' at 'scanFilter.a.member.comparisonOperator'" + kFailed + operators},
      {"UpdateItem", R"({"TableName":"abc","Key":{},"AttributeUpdates":{"a":{"Action":"x"}}})",
       kOne + "Value 'x' at 'attributeUpdates.a.member.action'" + kFailed +
           "Member must satisfy enum value set: [ADD, PUT, DELETE]"},
      {"GetItem", R"({"TableName":"abc","Key":{},"AttributesToGet":[]})",
       kOne + "Value '[]' at 'attributesToGet'" + kFailed +
           "Member must have length greater than or equal to 1"},
      {"ListTables", R"({"Limit":101,"ExclusiveStartTableName":"a"})",
       kTwo + "Value 'a' at 'exclusiveStartTableName'" + kFailed +
           "Member must have length greater than or equal to 3; Value '101' at 'limit'" + kFailed +
           "Member must have value less than or equal to 100"},
      {"UpdateTimeToLive", R"({"TableName":"abc","TimeToLiveSpecification":{"Enabled":true}})",
       kOne + "Value null at 'timeToLiveSpecification.attributeName'" + kFailed +
           "Member must not be null"},
      {"UpdateTimeToLive", R"({"TableName":"abc","TimeToLiveSpecification":{"AttributeName":""}})",
       kTwo + "Value '' at 'timeToLiveSpecification.attributeName'" + kFailed +
           "Member must have length greater than or equal to 1; Value null at "
           "'timeToLiveSpecification.enabled'" +
           kFailed + "Member must not be null"},
      {"TagResource", R"({"Tags":[]})", "Invalid TableArn"},
      {"TagResource", R"({"ResourceArn":"arn:x"})",
       kOne + "Value null at 'tags'" + kFailed + "Member must not be null"},
      {"GetItem", R"({"TableName":"abc","Key":{"pk":{}},"ExpressionAttributeNames":{}})", "ok"},
  };
  ExpectAll(cases);
}

TEST(OperationConstraints, ChecksBatchesAndTransactions) {
  const std::string keys_1 = R"({"pk":{"S":"a"}})";
  const std::string keys_101 = keys_1 + Repeated(100, "," + keys_1);
  const std::string put = R"({"PutRequest":{"Item":{"pk":{"S":"a"}}}})";
  const std::string map_value =
      "Map value must satisfy constraint: [Member must have length less than or equal to 25, "
      "Member must have length greater than or equal to 1]";
  const std::string empty_items = kOne + "Value at 'RequestItems'" + kFailed +
                                  "Member must have length greater than or equal to 1";
  const std::string request_items_null =
      kOne + "Value null at 'requestItems'" + kFailed + "Member must not be null";
  const std::string tail = "Member must have length greater than or equal to 1";
  const BoundCase cases[] = {
      {"BatchGetItem", R"({"RequestItems":{},"ReturnConsumedCapacity":"INVALID"})", empty_items},
      {"BatchGetItem", "{}", request_items_null},
      {"BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[)" + keys_101 + "]}}}",
       kOne + "Value at 'RequestItems.abc.member.Keys'" + kFailed +
           "Member must have length less than or equal to 100"},
      {"BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[]}}})",
       kOne + "Value at 'RequestItems.abc.member.Keys'" + kFailed + tail},
      {"BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[]}},"ReturnConsumedCapacity":"INVALID"})",
       kOne + kBadCapacity},
      {"BatchGetItem", R"({"RequestItems":{"ab":{"Keys":[{}]}}})",
       kOne + R"(Value '{"ab":{"Keys":[{}]}}' at 'requestItems')" + kFailed + kNameKeys},
      {"BatchGetItem", R"({"RequestItems":{"arn:aws:dynamodb:x:1:table/t":{"Keys":[{}]}}})", "ok"},
      {"BatchWriteItem", R"({"RequestItems":{}})", "ok"},  // the operation itself refuses it
      {"BatchWriteItem", "{}", request_items_null},
      {"BatchWriteItem", R"({"RequestItems":{"abc":[]}})",
       kOne + "Value '{abc=[]}' at 'requestItems'" + kFailed + map_value},
      {"BatchWriteItem", R"({"RequestItems":{"bad!name":[)" + put + "]}}",
       kOne +
           "Value '{bad!name=[WriteRequest(putRequest=PutRequest(item={pk=AttributeValue(s=a)}), "
           "deleteRequest=null)]}' at 'requestItems'" +
           kFailed + kNameKeys},
      {"BatchWriteItem",
       R"({"ReturnConsumedCapacity":"INVALID","RequestItems":{"abc":[{"PutRequest":{}}]}})",
       kOne + kBadCapacity},
      {"BatchWriteItem", R"({"RequestItems":{"abc":[{"PutRequest":{}}]}})",
       kOne + "Value null at 'requestItems.abc.member.1.member.putRequest.item'" + kFailed +
           "Member must not be null"},
      {"TransactWriteItems", R"({"TransactItems":[]})",
       kOne + "Value '[]' at 'transactItems'" + kFailed + tail},
      {"TransactGetItems", R"({"TransactItems":[],"ReturnConsumedCapacity":"INVALID"})",
       kTwo + kBadCapacity + "; Value '[]' at 'transactItems'" + kFailed + tail},
      {"TransactWriteItems",
       R"({"TransactItems":[{"Put":{"TableName":"bad!name","Item":{}}}],"ClientRequestToken":")" +
           Repeated(37, "x") +
           R"(","ReturnConsumedCapacity":"INVALID",)"
           R"("ReturnItemCollectionMetrics":"INVALID"})",
       "4 validation errors detected: Value '" + Repeated(37, "x") + "' at 'clientRequestToken'" +
           kFailed + "Member must have length less than or equal to 36; " + kBadCapacity + "; " +
           kBadMetrics + "; Value 'bad!name' at 'transactItems.1.member.put.tableName'" + kFailed +
           kPattern},
      {"TransactWriteItems", R"({"TransactItems":[{"ConditionCheck":{"TableName":"a","Key":{}}}]})",
       kOne + "Value null at 'transactItems.1.member.conditionCheck.conditionExpression'" +
           kFailed + "Member must not be null"},
      {"TransactWriteItems",
       R"({"TransactItems":[{"Delete":{"TableName":"a","Key":{},)"
       R"("ReturnValuesOnConditionCheckFailure":"x"}}]})",
       kOne + "Value 'x' at 'transactItems.1.member.delete.returnValuesOnConditionCheckFailure'" +
           kFailed + "Member must satisfy enum value set: [ALL_OLD, NONE]"},
  };
  ExpectAll(cases);
}

}  // namespace
}  // namespace hashrange
