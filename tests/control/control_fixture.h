// ControlFixture: a database in process and its control API. Calls return a line "<status> <body>".
// The answers of control calls are held against their types.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "control/answer_types.h"
#include "hashrange/database.h"

namespace hashrange {

class ControlFixture : public testing::Test {
 protected:
  explicit ControlFixture(const Database::Options& options = {}) : database_(options) {}

  std::string Control(std::string_view method, std::string_view path, std::string_view json = {}) {
    const Answer answer = database_.Control(method, path, json);
    if (answer.ok()) {
      EXPECT_EQ(ProblemOfAnswer(method, path, answer.body, &seen_), "") << path << answer.body;
    }
    return Line(answer);
  }
  std::string Post(std::string_view path, std::string_view json = {}) {
    return Control("POST", path, json);
  }
  std::string Call(std::string_view operation, std::string_view json,
                   std::string_view account = "000000000000",
                   std::string_view region = "us-east-1") {
    return Line(database_.Call(operation, json, {account, region}));
  }
  // Returns the body of a call that must succeed.
  std::string Ok(std::string_view operation, std::string_view json,
                 std::string_view account = "000000000000", std::string_view region = "us-east-1") {
    const Answer answer = database_.Call(operation, json, {account, region});
    EXPECT_EQ(answer.status, 200) << operation << " " << json << "\n" << answer.body;
    return answer.body;
  }

  // Returns the text that follows `"name":"` in a body, up to the next quote; empty without a
  // match.
  static std::string Text(std::string_view body, std::string_view name) {
    const std::string start = std::string("\"").append(name).append("\":\"");
    const std::size_t at = body.find(start);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = body.substr(at + start.size());
    return std::string(rest.substr(0, rest.find('"')));
  }
  // Returns the body without the member "name", whose value differs from run to run.
  static std::string Without(std::string body, std::string_view name) {
    const std::string start = std::string("\"").append(name).append("\":");
    const std::size_t at = body.find(start);
    if (at == std::string::npos) return body;
    std::size_t end = at + start.size();
    end = body[end] == '"' ? body.find('"', end + 1) + 1 : body.find_first_of(",}", end);
    return body.erase(at, end - at);
  }

  Database database_;
  SeenRows seen_;

 private:
  static std::string Line(const Answer& answer) {
    return std::to_string(answer.status) + " " + answer.body;
  }
};

// Returns the object with `more` members in front.
inline std::string With(std::string_view more, std::string_view object) {
  return std::string("{").append(more).append(",").append(object.substr(1));
}

// A table "app" with the keys PK and SK, a global and a local index, a stream and tags.
inline constexpr char kAppTable[] =
    R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST","DeletionProtectionEnabled":true,)"
    R"("AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},)"
    R"({"AttributeName":"SK","AttributeType":"S"},{"AttributeName":"G","AttributeType":"S"},)"
    R"({"AttributeName":"L","AttributeType":"N"}],)"
    R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
    R"({"AttributeName":"SK","KeyType":"RANGE"}],)"
    R"("GlobalSecondaryIndexes":[{"IndexName":"byG","Projection":{"ProjectionType":"ALL"},)"
    R"("KeySchema":[{"AttributeName":"G","KeyType":"HASH"},)"
    R"({"AttributeName":"SK","KeyType":"RANGE"}]}],)"
    R"("LocalSecondaryIndexes":[{"IndexName":"byL","Projection":{"ProjectionType":"KEYS_ONLY"},)"
    R"("KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},)"
    R"({"AttributeName":"L","KeyType":"RANGE"}]}],)"
    R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},)"
    R"("Tags":[{"Key":"team","Value":"red"}]})";

// Returns the definition of an on-demand table with the string key "k".
inline std::string SimpleTable(std::string_view name) {
  return std::string(R"({"TableName":")")
      .append(name)
      .append(R"(","BillingMode":"PAY_PER_REQUEST",)")
      .append(R"("AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"}],)")
      .append(R"("KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})");
}

}  // namespace hashrange
