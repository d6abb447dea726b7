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
      "The parameter 'TableName' is required but was not present in the request";
  const std::string arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/" + Repeated(250, "x");
  const std::string long_name = Repeated(256, "x");
  const std::string absent = Errors({Absent("tableName")});
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
      {"Scan", R"({"TableName":""})", Errors({Refused("", "tableName", AtLeastLong(1))})},
      {"GetItem", R"({"TableName":"a")" + key, "ok"},
      {"Scan", R"({"TableName":"ab"})", "ok"},
      {"DescribeTable", R"({"TableName":"ab"})",
       Errors({Refused("ab", "tableName", AtLeastLong(3))})},
      {"GetItem", R"({"TableName":")" + long_name + "\"" + key,
       Errors({Refused(long_name, "tableName", AtMostLong(255))})},
      {"GetItem", R"({"TableName":"bad table!@#")" + key,
       Errors({Refused("bad table!@#", "tableName", kPattern)})},
      {"GetItem", R"({"TableName":")" + arn + "\"" + key, "ok"},
      {"DescribeTable", R"({"TableName":")" + arn + "\"}", "ok"},
      {"GetItem", R"({"TableName":"é€😀")" + key, Errors({Refused("é€😀", "tableName", kPattern)})},
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
       Errors({Refused("INVALID", "keySchema.1.member.keyType", OneOf("HASH, RANGE"))})},
      {"CreateTable", request(R"([{"AttributeName":"pk","AttributeType":"INVALID"}])", schema),
       Errors(
           {Refused("INVALID", "attributeDefinitions.1.member.attributeType", OneOf("B, N, S"))})},
      {"CreateTable",
       request(definitions, R"([{"AttributeName":"a","KeyType":"HASH"},)"
                            R"({"AttributeName":"b","KeyType":"RANGE"},)"
                            R"({"AttributeName":"c","KeyType":"RANGE"}])"),
       Errors({Refused(
           "[KeySchemaElement(attributeName=a, keyType=HASH), KeySchemaElement(attributeName=b, "
           "keyType=RANGE), KeySchemaElement(attributeName=c, keyType=RANGE)]",
           "keySchema", AtMostLong(2))})},
      {"CreateTable", request(definitions, "[]"),
       Errors({Refused("[]", "keySchema", AtLeastLong(1))})},
      {"CreateTable",
       request(definitions, schema,
               ",\"LocalSecondaryIndexes\":[" + named("l1") + "],\"GlobalSecondaryIndexes\":[" +
                   named("g1") + "]"),
       Errors({Refused("g1", "globalSecondaryIndexes.1.member.indexName", AtLeastLong(3)),
               Refused("l1", "localSecondaryIndexes.1.member.indexName", AtLeastLong(3))})},
      {"CreateTable",
       request(definitions, schema,
               R"(,"GlobalSecondaryIndexes":[{"IndexName":"good","Projection":{},"KeySchema":[)"
               R"({"AttributeName":"a","KeyType":"HASH"},{"AttributeName":"b","KeyType":"X"}]}])"),
       Errors({Refused("X", "globalSecondaryIndexes.1.member.keySchema.2.member.keyType",
                       OneOf("HASH, RANGE"))})},
      {"CreateTable",
       request(definitions, schema,
               R"(,"GlobalSecondaryIndexes":[{"IndexName":"good","KeySchema":[)"
               R"({"AttributeName":"a","KeyType":"HASH"}],"Projection":{"ProjectionType":"X",)"
               R"("NonKeyAttributes":[""]}}])"),
       Errors({Refused("X", "globalSecondaryIndexes.1.member.projection.projectionType",
                       OneOf("ALL, INCLUDE, KEYS_ONLY")),
               Refused("[]", "globalSecondaryIndexes.1.member.projection.nonKeyAttributes",
                       "Member must satisfy constraint: [" + AtMostLong(255) + ", " +
                           AtLeastLong(1) + "]")})},
      {"CreateTable", request(definitions, schema, R"(,"BillingMode":"INVALID_MODE")"),
       Errors({Refused("INVALID_MODE", "billingMode", OneOf("PROVISIONED, PAY_PER_REQUEST"))})},
      {"CreateTable", request(definitions, schema, R"(,"TableClass":"X")"), "ok"},
      {"CreateTable",
       request(definitions, schema,
               R"(,"ProvisionedThroughput":{"ReadCapacityUnits":0.9,"WriteCapacityUnits":-1})"),
       Errors({Refused("-1", "provisionedThroughput.writeCapacityUnits", AtLeast(1)),
               Refused("0", "provisionedThroughput.readCapacityUnits", AtLeast(1))})},
      {"CreateTable", R"({"TableName":"ab"})",
       Errors({Absent("attributeDefinitions"), Refused("ab", "tableName", AtLeastLong(3)),
               Absent("keySchema")})},
      {"CreateTable", request("[null]", schema), Errors({Absent("attributeDefinitions.1.member")})},
  };
  ExpectAll(cases);
}

TEST(OperationConstraints, ChecksReadsAndLists) {
  const std::string select =
      OneOf("SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES");
  const std::string operators = OneOf(
      "IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS");
  const BoundCase cases[] = {
      {"Query", R"({"TableName":"abc","Limit":0})", Errors({RefusedAt("Limit", AtLeast(1))})},
      {"Scan", R"({"TableName":"abc","Limit":0})", Errors({Refused("0", "limit", AtLeast(1))})},
      {"Query", R"({"TableName":"abc","Select":"INVALID_VALUE"})",
       Errors({Refused("INVALID_VALUE", "select", select)})},
      {"Scan", R"({"TableName":"abc","ConditionalOperator":"XOR"})",
       Errors({Refused("XOR", "conditionalOperator", OneOf("OR, AND"))})},
      {"Scan", R"({"TableName":"abc","TotalSegments":0,"Segment":-1})",
       Errors({Refused("0", "totalSegments", AtLeast(1)), Refused("-1", "segment", AtLeast(0))})},
      {"Scan", R"({"TableName":"abc","TotalSegments":1000001,"Segment":0})",
       Errors({Refused("1000001", "totalSegments", AtMost(1000000))})},
      // A decimal is floored before it is checked and printed.
      {"Scan", R"({"TableName":"abc","Limit":-1.5})", Errors({Refused("-2", "limit", AtLeast(1))})},
      {"Scan", R"({"TableName":"abc","Limit":0.9})", Errors({Refused("0", "limit", AtLeast(1))})},
      {"Scan", R"({"TableName":"abc","Limit":1.9})", "ok"},
      {"Scan", R"({"TableName":"abc","TotalSegments":1000000.9,"Segment":0})", "ok"},
      {"Scan", R"({"TableName":"abc","TotalSegments":1000001.2,"Segment":0})",
       Errors({Refused("1000001", "totalSegments", AtMost(1000000))})},
      {"ListTables", R"({"Limit":100.5})", "ok"},
      {"ListTables", R"({"Limit":101.0})", Errors({Refused("101", "limit", AtMost(100))})},
      {"Query", R"({"TableName":"abc","KeyConditions":{"a":{}}})",
       Errors({Absent("keyConditions.a.member.comparisonOperator")})},
      {"Scan", R"({"TableName":"abc","ScanFilter":{"a":{"ComparisonOperator":"eq"}}})",
       Errors({Refused("eq", "scanFilter.a.member.comparisonOperator", operators)})},
      {"UpdateItem", R"({"TableName":"abc","Key":{},"AttributeUpdates":{"a":{"Action":"x"}}})",
       Errors({Refused("x", "attributeUpdates.a.member.action", OneOf("ADD, PUT, DELETE"))})},
      {"GetItem", R"({"TableName":"abc","Key":{},"AttributesToGet":[]})",
       Errors({Refused("[]", "attributesToGet", AtLeastLong(1))})},
      {"ListTables", R"({"Limit":101,"ExclusiveStartTableName":"a"})",
       Errors({Refused("a", "exclusiveStartTableName", AtLeastLong(3)),
               Refused("101", "limit", AtMost(100))})},
      {"UpdateTimeToLive", R"({"TableName":"abc","TimeToLiveSpecification":{"Enabled":true}})",
       Errors({Absent("timeToLiveSpecification.attributeName")})},
      {"UpdateTimeToLive", R"({"TableName":"abc","TimeToLiveSpecification":{"AttributeName":""}})",
       Errors({Refused("", "timeToLiveSpecification.attributeName", AtLeastLong(1)),
               Absent("timeToLiveSpecification.enabled")})},
      {"TagResource", R"({"Tags":[]})", "Invalid TableArn"},
      {"TagResource", R"({"ResourceArn":"arn:x"})", Errors({Absent("tags")})},
      {"GetItem", R"({"TableName":"abc","Key":{"pk":{}},"ExpressionAttributeNames":{}})", "ok"},
  };
  ExpectAll(cases);
}

TEST(OperationConstraints, ChecksBatchesAndTransactions) {
  const std::string keys_1 = R"({"pk":{"S":"a"}})";
  const std::string keys_101 = keys_1 + Repeated(100, "," + keys_1);
  const std::string put = R"({"PutRequest":{"Item":{"pk":{"S":"a"}}}})";
  const std::string map_value =
      "Map value must satisfy constraint: [" + AtMostLong(25) + ", " + AtLeastLong(1) + "]";
  const std::string empty_items = Errors({RefusedAt("RequestItems", AtLeastLong(1))});
  const std::string request_items_null = Errors({Absent("requestItems")});
  const BoundCase cases[] = {
      {"BatchGetItem", R"({"RequestItems":{},"ReturnConsumedCapacity":"INVALID"})", empty_items},
      {"BatchGetItem", "{}", request_items_null},
      {"BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[)" + keys_101 + "]}}}",
       Errors({RefusedAt("RequestItems.abc.member.Keys", AtMostLong(100))})},
      {"BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[]}}})",
       Errors({RefusedAt("RequestItems.abc.member.Keys", AtLeastLong(1))})},
      {"BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[]}},"ReturnConsumedCapacity":"INVALID"})",
       Errors({kBadCapacity})},
      {"BatchGetItem", R"({"RequestItems":{"ab":{"Keys":[{}]}}})",
       Errors({Refused(R"({"ab":{"Keys":[{}]}})", "requestItems", kNameKeys)})},
      {"BatchGetItem", R"({"RequestItems":{"arn:aws:dynamodb:x:1:table/t":{"Keys":[{}]}}})", "ok"},
      {"BatchWriteItem", R"({"RequestItems":{}})", "ok"},  // the operation itself refuses it
      {"BatchWriteItem", "{}", request_items_null},
      {"BatchWriteItem", R"({"RequestItems":{"abc":[]}})",
       Errors({Refused("{abc=[]}", "requestItems", map_value)})},
      {"BatchWriteItem", R"({"RequestItems":{"bad!name":[)" + put + "]}}",
       Errors({Refused("{bad!name=[WriteRequest(putRequest=PutRequest(item={pk=AttributeValue(s=a)}"
                       "), deleteRequest=null)]}",
                       "requestItems", kNameKeys)})},
      {"BatchWriteItem",
       R"({"ReturnConsumedCapacity":"INVALID","RequestItems":{"abc":[{"PutRequest":{}}]}})",
       Errors({kBadCapacity})},
      {"BatchWriteItem", R"({"RequestItems":{"abc":[{"PutRequest":{}}]}})",
       Errors({Absent("requestItems.abc.member.1.member.putRequest.item")})},
      {"TransactWriteItems", R"({"TransactItems":[]})",
       Errors({Refused("[]", "transactItems", AtLeastLong(1))})},
      {"TransactGetItems", R"({"TransactItems":[],"ReturnConsumedCapacity":"INVALID"})",
       Errors({kBadCapacity, Refused("[]", "transactItems", AtLeastLong(1))})},
      {"TransactWriteItems",
       R"({"TransactItems":[{"Put":{"TableName":"bad!name","Item":{}}}],"ClientRequestToken":")" +
           Repeated(37, "x") +
           R"(","ReturnConsumedCapacity":"INVALID",)"
           R"("ReturnItemCollectionMetrics":"INVALID"})",
       Errors({Refused(Repeated(37, "x"), "clientRequestToken", AtMostLong(36)), kBadCapacity,
               kBadMetrics,
               Refused("bad!name", "transactItems.1.member.put.tableName", kPattern)})},
      {"TransactWriteItems", R"({"TransactItems":[{"ConditionCheck":{"TableName":"a","Key":{}}}]})",
       Errors({Absent("transactItems.1.member.conditionCheck.conditionExpression")})},
      {"TransactWriteItems",
       R"({"TransactItems":[{"Delete":{"TableName":"a","Key":{},)"
       R"("ReturnValuesOnConditionCheckFailure":"x"}}]})",
       Errors({Refused("x", "transactItems.1.member.delete.returnValuesOnConditionCheckFailure",
                       OneOf("ALL_OLD, NONE"))})},
  };
  ExpectAll(cases);
}

}  // namespace
}  // namespace hashrange
