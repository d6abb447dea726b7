// The messages of docs/service/01-wire-protocol.md, section 6, through BindRequest.
#include <gtest/gtest.h>

#include <string>

#include "wire/binder.h"
#include "wire/parsed.h"

namespace hashrange {
namespace {

// Returns the message of the SerializationException; "ok" or "types are right" without one.
std::string TypeError(std::string_view operation, const std::string& body) {
  Parsed json(body);
  const Status status = BindRequest(*FindOperationShape(operation), *json);
  if (status.ok()) return "ok";
  if (status.error().code != ErrorCode::kSerializationException) return "types are right";
  return status.error().message;
}

constexpr const char* kStart = "Start of structure or map found where not expected";
constexpr const char* kField = "Unexpected field type";
constexpr const char* kPayload = "Unexpected value type in payload";
constexpr const char* kBase64 = "only base-64-encoded strings are convertible to bytes";
constexpr const char* kRight = "types are right";
constexpr const char* kParameterized =
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
    "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
    "java.lang.Class are in module java.base of loader 'bootstrap')";
#define HR_MODEL "com.amazonaws.dynamodb.v20120810."

// A row of the reference's table: a request, and the message for each JSON type in place of `?`.
struct TypeRow {
  const char* operation;
  const char* request;
  const char* bool_text;
  const char* integer;
  const char* decimal;
  const char* string;
  const char* array;
  const char* object;
};

TEST(MemberTypes, RefusesEachJsonTypeInTheServicesWords) {
  const TypeRow rows[] = {
      {"GetItem", R"({"TableName":?})", "TRUE_VALUE cannot be converted to String",
       "NUMBER_VALUE cannot be converted to String", "DECIMAL_VALUE cannot be converted to String",
       kRight, "Unrecognized collection type class java.lang.String", kStart},
      {"GetItem", R"({"ConsistentRead":?})", kRight, "NUMBER_VALUE cannot be converted to Boolean",
       "DECIMAL_VALUE cannot be converted to Boolean", "Unexpected token received from parser",
       "Unrecognized collection type class java.lang.Boolean", kStart},
      {"Query", R"({"Limit":?})", "TRUE_VALUE cannot be converted to Integer", kRight, kRight,
       "STRING_VALUE cannot be converted to Integer",
       "Unrecognized collection type class java.lang.Integer", kStart},
      {"CreateTable", R"({"ProvisionedThroughput":{"ReadCapacityUnits":?}})",
       "TRUE_VALUE cannot be converted to Long", kRight, kRight,
       "STRING_VALUE cannot be converted to Long",
       "Unrecognized collection type class java.lang.Long", kStart},
      {"GetItem", R"({"Key":{"a":{"B":?}}})", kBase64, kBase64, kBase64,
       "Base64 encoded length is expected a multiple of 4 bytes but found: 3",
       "Unrecognized collection type class java.nio.ByteBuffer", kStart},
      {"GetItem", R"({"Key":{"a":{"BS":[?]}}})", kBase64, kBase64, kBase64,
       "Base64 encoded length is expected a multiple of 4 bytes but found: 3",
       "Unrecognized collection type class java.nio.ByteBuffer", kStart},
      {"GetItem", R"({"AttributesToGet":?})", kField, kField, kField, kField, kRight, kStart},
      {"GetItem", R"({"Key":{"a":{"SS":?}}})", kField, kField, kField, kField, kRight, kStart},
      {"GetItem", R"({"Key":{"a":{"L":?}}})", kField, kField, kField, kField, kRight, kStart},
      {"GetItem", R"({"Key":?})", kField, kField, kField, kField,
       "Unrecognized collection type java.util.Map<java.lang.String, " HR_MODEL "AttributeValue>",
       kRight},
      {"GetItem", R"({"Key":{"a":{"M":?}}})", kField, kField, kField, kField,
       "Unrecognized collection type java.util.Map<java.lang.String, " HR_MODEL "AttributeValue>",
       kRight},
      {"CreateTable", R"({"ProvisionedThroughput":?})", kField, kField, kField, kField,
       "Unrecognized collection type class " HR_MODEL "ProvisionedThroughput", kRight},
      {"CreateTable", R"({"KeySchema":[?]})", kPayload, kPayload, kPayload, kPayload,
       "Unrecognized collection type class " HR_MODEL "KeySchemaElement", kRight},
      {"GetItem", R"({"Key":{"a":?}})", kPayload, kPayload, kPayload, kPayload,
       "Unrecognized collection type class " HR_MODEL "AttributeValue", kRight},
      {"GetItem", R"({"Key":{"a":{"L":[?]}}})", kPayload, kPayload, kPayload, kPayload,
       "Unrecognized collection type class " HR_MODEL "AttributeValue", kRight},
      {"PutItem", R"({"Expected":{"a":{"Value":?}}})", kField, kField, kField, kField,
       "Unrecognized collection type class " HR_MODEL "AttributeValue", kRight},
      {"BatchGetItem", R"({"RequestItems":{"t":{"Keys":[?]}}})", kParameterized, kParameterized,
       kParameterized, kParameterized,
       "Unrecognized collection type java.util.Map<java.lang.String, " HR_MODEL "AttributeValue>",
       kRight},
      {"BatchWriteItem", R"({"RequestItems":{"t":?}})", kParameterized, kParameterized,
       kParameterized, kParameterized, kRight, kStart},
  };
  for (const TypeRow& row : rows) {
    const std::pair<const char*, const char*> cells[] = {
        {"true", row.bool_text}, {"7", row.integer}, {"7.5", row.decimal},
        {"\"abc\"", row.string}, {"[]", row.array},  {"{}", row.object},
    };
    for (const auto& [value, message] : cells) {
      std::string body = row.request;
      body.replace(body.find('?'), 1, value);
      const std::string got = TypeError(row.operation, body);
      EXPECT_EQ(got == "ok" ? kRight : got, message) << row.operation << " " << body;
    }
  }
}

struct TypeCase {
  const char* operation;
  const char* body;
  const char* message;
};

TEST(MemberTypes, NamesTheJavaTypeOfEachMap) {
  const TypeCase cases[] = {
      {"PutItem", R"({"Expected":[]})", HR_MODEL "ExpectedAttributeValue"},
      {"UpdateItem", R"({"AttributeUpdates":[]})", HR_MODEL "AttributeValueUpdate"},
      {"Query", R"({"KeyConditions":[]})", HR_MODEL "Condition"},
      {"Scan", R"({"ScanFilter":[]})", HR_MODEL "Condition"},
      {"BatchGetItem", R"({"RequestItems":[]})", HR_MODEL "KeysAndAttributes"},
      {"BatchWriteItem", R"({"RequestItems":[]})", "java.util.List<" HR_MODEL "WriteRequest>"},
      {"GetItem", R"({"ExpressionAttributeNames":[]})", "java.lang.String"},
  };
  for (const TypeCase& c : cases) {
    EXPECT_EQ(TypeError(c.operation, c.body),
              std::string("Unrecognized collection type java.util.Map<java.lang.String, ") +
                  c.message + ">");
  }
}

TEST(MemberTypes, ChecksValuesOfScalarsToo) {
  const TypeCase cases[] = {
      {"GetItem", R"({"TableName":false})", "FALSE_VALUE cannot be converted to String"},
      {"GetItem", R"({"ConsistentRead":"maybe"})", "Unexpected token received from parser"},
      {"GetItem", R"({"ConsistentRead":"YES"})", kRight},
      {"GetItem", R"({"ConsistentRead":"0"})", kRight},
      {"GetItem", R"({"Key":{"a":{"BOOL":"x"}}})", "Unexpected token received from parser"},
      {"GetItem", R"({"Key":{"a":{"N":1}}})", "NUMBER_VALUE cannot be converted to String"},
      {"GetItem", R"({"Key":{"a":{"NS":[1.5]}}})", "DECIMAL_VALUE cannot be converted to String"},
      {"Query", R"({"Limit":2147483647})", kRight},
      {"Query", R"({"Limit":2147483648})", "NUMBER_VALUE cannot be converted to Integer"},
      {"Query", R"({"Limit":-2147483648})", kRight},
      {"Query", R"({"Limit":-2147483649})", "NUMBER_VALUE cannot be converted to Integer"},
      {"Query", R"({"Limit":2147483647.9})", kRight},
      {"Query", R"({"Limit":1e10})", "NUMBER_VALUE cannot be converted to Integer"},
      {"Query", R"({"Limit":2147483648.0})", "NUMBER_VALUE cannot be converted to Integer"},
      {"Query", R"({"Limit":-2147483648.5})", "NUMBER_VALUE cannot be converted to Integer"},
      {"Query", R"({"Limit":1e2})", kRight},
      {"UpdateTable", R"({"ProvisionedThroughput":{"ReadCapacityUnits":9223372036854775807}})",
       kRight},
      {"UpdateTable", R"({"ProvisionedThroughput":{"ReadCapacityUnits":9223372036854775808}})",
       "NUMBER_VALUE cannot be converted to Long"},
      {"UpdateTable", R"({"ProvisionedThroughput":{"ReadCapacityUnits":1e19}})",
       "NUMBER_VALUE cannot be converted to Long"},
      {"GetItem", R"({"Key":{"a":{"B":"AA=="}}})", kRight},
      {"GetItem", R"({"Key":{"a":{"B":""}}})", kRight},
      {"GetItem", R"({"Key":{"a":{"B":"AAA"}}})",
       "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
      {"GetItem", R"({"Key":{"a":{"B":"AB=="}}})",
       "Invalid last non-pad Base64 character dectected"},
      {"GetItem", R"({"Key":{"a":{"B":"=+/="}}})",
       "Invalid last non-pad Base64 character dectected"},
      {"GetItem", R"({"Key":{"a":{"B":"A*AA"}}})",
       "Invalid last non-pad Base64 character dectected"},
      {"GetItem", R"({"Key":{"a":{"B":"AA==AAAA"}}})",
       "Invalid last non-pad Base64 character dectected"},
  };
  for (const TypeCase& c : cases) {
    const std::string got = TypeError(c.operation, c.body);
    EXPECT_EQ(got == "ok" ? kRight : got, c.message) << c.body;
  }
}

TEST(MemberTypes, FindsPaddingWithinALongBinary) {
  const std::string padded = Repeated(255, "AAAA") + "AA==" + Repeated(255, "AAAA");
  EXPECT_EQ(TypeError("GetItem", R"({"Key":{"a":{"B":")" + padded + "\"}}}"),
            "Invalid last non-pad Base64 character dectected");
  EXPECT_EQ(TypeError("GetItem", R"({"Key":{"a":{"B":")" + Repeated(512, "AAAA") + "\"}}}"),
            "types are right");
}

TEST(MemberTypes, TheFirstErrorOfTheRequestWins) {
  EXPECT_EQ(TypeError("GetItem", R"({"Key":{"a":{"M":{"b":{"S":1}}}},"TableName":true})"),
            "NUMBER_VALUE cannot be converted to String");
  EXPECT_EQ(TypeError("GetItem", R"({"TableName":true,"Key":{"a":{"M":{"b":{"S":1}}}}})"),
            "TRUE_VALUE cannot be converted to String");
}

TEST(MemberTypes, ARepeatedMemberIsCheckedAsItWasGivenLast) {
  EXPECT_EQ(TypeError("GetItem", R"({"TableName":1,"TableName":"t","Key":{"a":{"S":[],"S":"x"}}})"),
            "ok");
  EXPECT_EQ(TypeError("GetItem", R"({"TableName":"t","TableName":true})"),
            "TRUE_VALUE cannot be converted to String");
}

TEST(MemberTypes, NullCountsAsAbsentAndUnknownMembersAreIgnored) {
  EXPECT_EQ(
      TypeError("GetItem", R"({"TableName":"t","Key":{"a":{"S":null,"X":1},"b":null},"Limit":{},)"
                           R"("ConsistentRead":null,"AttributesToGet":null})"),
      "ok");
}

TEST(MemberTypes, ABodyThatIsNoObjectIsRefusedWithoutText) {
  for (const char* body : {"[]", "1", "\"a\"", "true", "null"}) {
    EXPECT_EQ(TypeError("GetItem", body), "") << body;
  }
}

TEST(MemberTypes, ReadsBooleansInAnyCase) {
  const std::pair<const char*, int> cases[] = {{"true", 1},       {"false", 0},   {"\"TrUe\"", 1},
                                               {"\"1\"", 1},      {"\"Yes\"", 1}, {"\"FALSE\"", 0},
                                               {"\"0\"", 0},      {"\"nO\"", 0},  {"\"\"", -1},
                                               {"\"true \"", -1}, {"1", -1},      {"null", -1}};
  for (const auto& [json, expected] : cases) {
    Parsed value(json);
    const auto got = BooleanOf(*value);
    EXPECT_EQ(got ? static_cast<int>(*got) : -1, expected) << json;
  }
}

}  // namespace
}  // namespace hashrange
