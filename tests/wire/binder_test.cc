// The combined messages of docs/service/01-wire-protocol.md, sections 7 to 10: the rules of every
// operation.
#include "wire/binder.h"

#include <gtest/gtest.h>

#include <string>

#include "base/text/text_encodings.h"
#include "wire/bound.h"
#include "wire/member_constraints.h"

namespace hashrange {
namespace {

using namespace test;  // NOLINT: the texts of bound.h

TEST(Binder, CombinesAsTheServiceDoes) {
  const std::string item = R"("Item":{"pk":{"S":"a"}})";
  const std::string key = R"("Key":{"pk":{"S":"a"}})";
  const BoundCase cases[] = {
      {"PutItem",
       R"({"TableName":"abc",)" + item +
           R"(,"ReturnItemCollectionMetrics":"INVALID","ReturnValues":"INVALID",)"
           R"("ReturnConsumedCapacity":"INVALID"})",
       Errors({kBadCapacity, kBadReturnValues, kBadMetrics})},
      {"DeleteItem",
       R"({"TableName":"abc",)" + key +
           R"(,"ReturnValues":"INVALID","ReturnConsumedCapacity":"INVALID"})",
       Errors({kBadCapacity, kBadReturnValues})},
      {"UpdateItem",
       R"({"TableName":"abc",)" + key +
           R"(,"ReturnValues":"INVALID","ReturnConsumedCapacity":"INVALID"})",
       Errors({kBadReturnValues})},
      {"UpdateItem", R"({"TableName":""})",
       Errors({Refused("", "tableName", AtLeastLong(1)), Absent("key")})},
      {"UpdateItem",
       R"({"TableName":"","ReturnValues":"INVALID","ReturnConsumedCapacity":"INVALID"})",
       Errors({kBadCapacity, Refused("", "tableName", AtLeastLong(1)),
               Refused("INVALID", "returnValues",
                       OneOf("ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW")),
               Absent("key")})},
      {"UpdateItem", R"({"TableName":"abc","ConditionalOperator":"XOR"})",
       Errors({Refused("XOR", "conditionalOperator", OneOf("OR, AND")), Absent("key")})},
      {"Query", R"({"TableName":"abc","ConditionalOperator":"XOR","Select":"INVALID"})",
       kBadOperator},
      {"BatchWriteItem",
       R"({"RequestItems":{"bad!name":[]},"ReturnConsumedCapacity":"INVALID",)"
       R"("ReturnItemCollectionMetrics":"INVALID"})",
       Errors({kBadCapacity, kBadMetrics})},
      {"BatchGetItem",
       R"({"RequestItems": {"bad!name": {"Keys": [{"pk": {"S": "a"}}]}},)"
       R"("ReturnConsumedCapacity":"INVALID"})",
       Errors({Refused(R"({"bad!name":{"Keys":[{"pk":{"S":"a"}}]}})", "requestItems", kNameKeys),
               kBadCapacity})},
  };
  ExpectAll(cases);
}

TEST(Binder, ATextMayFailItsLengthAndItsPattern) {
  const auto errors = [](std::string_view value, std::string_view path, bool pattern_first) {
    const std::string length = Refused(value, path, AtLeastLong(3));
    const std::string pattern = Refused(value, path, kPattern);
    return pattern_first ? Errors({pattern, length}) : Errors({length, pattern});
  };
  const std::string index =
      R"({"IndexName":"","Projection":{},"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}]})";
  const std::string create = R"({"TableName":"abc","AttributeDefinitions":[],)"
                             R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)";
  const std::string long_name = Repeated(256, "!");
  const BoundCase cases[] = {
      {"DescribeTable", R"({"TableName":""})", errors("", "tableName", false)},
      {"DeleteTable", R"({"TableName":"a!"})", errors("a!", "tableName", false)},
      {"DescribeTable", R"({"TableName":")" + long_name + "\"}",
       Errors({Refused(long_name, "tableName", AtMostLong(255)),
               Refused(long_name, "tableName", kPattern)})},
      {"CreateTable", create + R"("GlobalSecondaryIndexes":[)" + index + "]}",
       errors("", "globalSecondaryIndexes.1.member.indexName", false)},
      {"UpdateTable",
       R"({"TableName":"abc","GlobalSecondaryIndexUpdates":[{"Create":)" + index + "}]}",
       errors("", "globalSecondaryIndexUpdates.1.member.create.indexName", false)},
      {"ListTables", R"({"ExclusiveStartTableName":""})",
       errors("", "exclusiveStartTableName", true)},
      {"ListTables", R"({"ExclusiveStartTableName":"a;"})",
       errors("a;", "exclusiveStartTableName", true)},
      {"Query", R"({"TableName":"abc","IndexName":"a;"})", errors("a;", "indexName", true)},
      {"Scan", R"({"TableName":"abc","IndexName":""})", errors("", "indexName", true)},
      // The name in an item operation has one error at a time.
      {"Scan", R"({"TableName":")" + long_name + "\"}",
       Errors({Refused(long_name, "tableName", AtMostLong(255))})},
  };
  ExpectAll(cases);
}

TEST(Binder, PrintsAtMostTenErrors) {
  std::string definitions;
  for (int i = 0; i < 6; ++i) definitions += i == 0 ? "{}" : ",{}";
  const std::string message = BindMessage(
      "CreateTable", R"({"TableName":"abc","AttributeDefinitions":[)" + definitions + "]}");
  EXPECT_TRUE(message.starts_with("10 validation errors detected: ")) << message;
  EXPECT_TRUE(message.ends_with("at 'attributeDefinitions.5.member.attributeName'" + kFailed +
                                "Member must not be null"))
      << message;
}

TEST(Binder, CutsTheEchoOfALongCollection) {
  const std::string list = R"({"TransactItems":[)" + Repeated(200000, "{},") + "{}]}";
  const std::string map =
      R"({"RequestItems":{"a!":{"Keys":[)" + Repeated(200000, "{\"é\":{}},") + "{}]}}}";
  const std::pair<std::string, std::string> cases[] = {
      {BindMessage("TransactWriteItems", list), "' at 'transactItems'" + kFailed + AtMostLong(100)},
      {BindMessage("BatchGetItem", map), "' at 'requestItems'" + kFailed + kNameKeys},
  };
  for (const auto& [message, tail] : cases) {
    EXPECT_LT(message.size(), kMaxEchoBytes + 500);
    EXPECT_TRUE(message.ends_with(tail)) << tail;
    EXPECT_TRUE(IsValidUtf8(message));
  }
}

// The cut is after the last character of which all bytes fit.
TEST(Binder, CutsTheEchoBetweenTwoCharacters) {
  for (const std::string_view character : {"é", "€", "😀"}) {
    for (std::size_t pad = 0; pad < character.size(); ++pad) {
      const std::string head = R"({"a!":{"Keys":[{")" + Repeated(static_cast<int>(pad), "x");
      const std::size_t fitting = (kMaxEchoBytes - head.size()) / character.size();
      const std::string name = Repeated(static_cast<int>(fitting), character);
      EXPECT_EQ(BindMessage("BatchGetItem", R"({"RequestItems":)" + head + name +
                                                std::string(character) + R"(":{}}]}}})"),
                Errors({Refused(head + name, "requestItems", kNameKeys)}))
          << character << pad;
    }
  }
}

TEST(Binder, CutsOnlyAnEchoThatIsTooLong) {
  const std::string head = "{a!=[WriteRequest(putRequest=PutRequest(item={k=AttributeValue(s=";
  const std::string tail = ")}), deleteRequest=null)]}";
  for (const int more : {-1, 0, 1, 2, 26, 27}) {
    const std::string text =
        Repeated(static_cast<int>(kMaxEchoBytes - head.size() - tail.size()) + more, "x");
    EXPECT_EQ(
        BindMessage(
            "BatchWriteItem",
            R"({"RequestItems":{"a!":[{"PutRequest":{"Item":{"k":{"S":")" + text + R"("}}}}]}})"),
        Errors({Refused((head + text + tail).substr(0, kMaxEchoBytes), "requestItems", kNameKeys)}))
        << more;
  }
}

TEST(Binder, ChecksTheNamesInAttributeValues) {
  const std::string longest = Repeated(65535, "é");
  const std::string too_long = longest + "x";
  const auto value = [](const std::string& name) { return R"({")" + name + R"(":{"S":"v"}})"; };
  const auto message = [&](std::string_view path) {
    return Errors({Refused("{" + too_long + "=AttributeValue(s=v)}", path,
                           "Map keys must satisfy constraint: [" + AtMostLong(65535) + "]")});
  };
  const std::string put = R"({"TableName":"abc","Item":)";
  const std::string scan = R"({"TableName":"abc","ExpressionAttributeValues":{":v":)";
  const BoundCase cases[] = {
      {"PutItem", put + value(longest) + "}", "ok"},
      {"PutItem", put + value(too_long) + "}", message("item")},
      {"PutItem", put + R"({"a":{"M":)" + value(longest) + "}}}", "ok"},
      {"PutItem", put + R"({"a":{"M":)" + value(too_long) + "}}}", message("item.a.member.m")},
      {"PutItem", put + R"({"a":{"L":[null,{"M":)" + value(too_long) + "}]}}}",
       message("item.a.member.l.2.member.m")},
      {"Scan", scan + R"({"M":{"b":{"M":)" + value(too_long) + "}}}}}",
       message("expressionAttributeValues.:v.member.m.b.member.m")},
      {"ExecuteStatement", R"({"Statement":"x","Parameters":[{"M":)" + value(too_long) + "}]}",
       message("parameters.1.member.m")},
  };
  ExpectAll(cases);
}

TEST(Binder, ChecksNamesHoweverDeepTheyAre) {
  const std::string value = Repeated(489, R"({"M":{"a":)") + R"({"M":{")" + Repeated(65536, "x") +
                            R"(":{"S":"v"})" + Repeated(490, "}}");
  const std::string message =
      BindMessage("PutItem", R"({"TableName":"abc","Item":{"a":)" + value + "}}");
  EXPECT_TRUE(message.ends_with("at 'item.a.member." + Repeated(489, "m.a.member.") + "m'" +
                                kFailed + "Map keys must satisfy constraint: [" +
                                AtMostLong(65535) + "]"))
      << message.substr(message.size() - 300);
}

TEST(Binder, SaysWhichLayerHandlesTheRequest) {
  struct LayerCase {
    const char* operation;
    std::string body;
    ValidationLayer layer;
    std::string message;
  };
  const auto put = [](int levels) {
    return R"({"TableName":"abc","ReturnValues":"X","Item":{"a":)" + NestedMaps(levels) + "}}";
  };
  const std::string older_return_values = Errors(
      {Refused("X", "returnValues", OneOf("ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW"))});
  const LayerCase cases[] = {
      {"PutItem", put(1), ValidationLayer::kEnveloped, Errors({kBadReturnValues})},
      {"PutItem", put(62), ValidationLayer::kEnveloped, Errors({kBadReturnValues})},
      {"PutItem", put(63), ValidationLayer::kOlder, older_return_values},
      {"PutItem", put(400), ValidationLayer::kOlder, older_return_values},
      {"PutItem",
       R"({"TableName":"abc","ReturnValues":"X","Item":{"a":)" + NestedMaps(63) +
           R"(,"b":{"S":"x"}}})",
       ValidationLayer::kOlder, older_return_values},
      {"UpdateItem", R"({"TableName":"abc","Key":{}})", ValidationLayer::kEnveloped, "ok"},
      {"UpdateItem", R"({"TableName":"abc"})", ValidationLayer::kOlder, Errors({Absent("key")})},
      {"GetItem", R"({"TableName":"abc","Key":{"a":)" + NestedMaps(100) + "}}",
       ValidationLayer::kBare, "ok"},
      {"Scan", R"({"TableName":"abc"})", ValidationLayer::kOlder, "ok"},
  };
  for (const LayerCase& c : cases) {
    Parsed json(c.body);
    ValidationLayer layer = ValidationLayer::kBare;
    const Status status = BindRequest(*FindOperationShape(c.operation), *json, &layer);
    EXPECT_EQ(status.ok() ? "ok" : status.error().message, c.message) << c.body;
    EXPECT_EQ(layer, c.layer) << c.body;
  }
}

TEST(RequestObject, GivesMembersByNameAndType) {
  Parsed json(R"({"s":"x","i":7,"d":-1.5,"b":"yes","f":false,"o":{"a":1},"l":[1,2],"n":null})");
  const RequestObject request(*json);
  EXPECT_EQ(request.String("s"), "x");
  EXPECT_EQ(request.Integer("i"), 7);
  EXPECT_EQ(request.Integer("d"), -2);
  EXPECT_EQ(request.Double("i"), 7.0);
  EXPECT_EQ(request.Double("d"), -1.5);
  EXPECT_EQ(request.Boolean("b"), true);
  EXPECT_EQ(request.Boolean("f"), false);
  EXPECT_EQ(request.Object("o")->Integer("a"), 1);
  EXPECT_EQ(request.List("l").size(), 2u);
  EXPECT_FALSE(request.Has("n"));
  EXPECT_EQ(request.String("n"), std::nullopt);
  EXPECT_EQ(request.Integer("x"), std::nullopt);
  EXPECT_EQ(request.Boolean("x"), std::nullopt);
  EXPECT_FALSE(request.Object("x"));
  EXPECT_TRUE(request.List("x").empty());
}

}  // namespace
}  // namespace hashrange
