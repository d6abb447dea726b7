// ClientRequestToken: how long a token is known, and what it stands for.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "operation/call/gate.h"
#include "support/api.h"

namespace hashrange {
namespace {

constexpr char kTokenTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"N"}],
  "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}]})";

constexpr char kTokenMismatch[] =
    "The request uses the same client token as a previous, but non-identical request. Do not reuse "
    "a client token with different requests, unless the requests are identical";

class RequestToken : public testing::Test {
 protected:
  RequestToken() { api_.Ok("CreateTable", kTokenTable); }

  std::string Add(const std::string& condition = "") {
    return R"({"ClientRequestToken":"t","TransactItems":[{"Update":{"TableName":"app",
      "Key":{"k":{"N":"1"}},"UpdateExpression":"ADD n :o",)" +
           condition + R"("ExpressionAttributeValues":{":o":{"N":"1"}}}}]})";
  }
  void ExpectSum(const std::string& sum) {
    api_.Answers("GetItem", R"({"TableName":"app","Key":{"k":{"N":"1"}}})",
                 R"({"Item":{"k":{"N":"1"},"n":{"N":")" + sum + "\"}}}");
  }
  Api api_;
};

TEST_F(RequestToken, IsKnownForTenMinutes) {
  api_.Answers("TransactWriteItems", Add(), "{}");
  api_.clock().Advance(10 * 60 * 1000 - 1);
  api_.Answers("TransactWriteItems", Add(), "{}");
  ExpectSum("1");
  api_.clock().Advance(1);
  api_.Answers("TransactWriteItems", Add(), "{}");
  ExpectSum("2");
}

TEST_F(RequestToken, OfACancelledTransactionIsUnknown) {
  const std::string conditional = Add(R"j("ConditionExpression":"attribute_exists(k)",)j");
  api_.Fails("TransactWriteItems", conditional, "TransactionCanceledException",
             "Transaction cancelled, please refer cancellation reasons for specific reasons "
             "[ConditionalCheckFailed]");
  api_.Answers("TransactWriteItems", Add(), "{}");
  api_.Fails("TransactWriteItems", conditional, "IdempotentParameterMismatchException",
             kTokenMismatch);
  ExpectSum("1");
}

// Two requests with the same meaning are the same request: numbers count by value, a table may be
// named by its ARN, and members may have any order.
TEST_F(RequestToken, StandsForWhatTheRequestMeans) {
  api_.Answers("TransactWriteItems", Add(), "{}");
  api_.Answers("TransactWriteItems",
               R"({"ReturnConsumedCapacity":"TOTAL","TransactItems":[{"Update":{
        "ExpressionAttributeValues":{":o":{"N":"1.0"}},"UpdateExpression":"ADD n :o",
        "Key":{"k":{"N":"01"}},"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/app"}}],
        "ClientRequestToken":"t"})",
               R"({"ConsumedCapacity":[
                   {"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/app",
                    "CapacityUnits":2,"ReadCapacityUnits":2}]})");
  api_.Fails("TransactWriteItems", Add(R"("ReturnValuesOnConditionCheckFailure":"ALL_OLD",)"),
             "IdempotentParameterMismatchException", kTokenMismatch);
  ExpectSum("1");
}

TEST_F(RequestToken, IsOfOneAccountAndRegion) {
  api_.Answers("TransactWriteItems", Add(), "{}");
  const char* const others[][2] = {{"111122223333", "us-east-1"}, {"AKIDEXAMPLE", "eu-west-1"}};
  for (const auto& [access_key, region] : others) {
    api_.SignAs(access_key, region);
    api_.Ok("CreateTable", kTokenTable);
    api_.Answers("TransactWriteItems", Add(), "{}");
    ExpectSum("1");
  }
}

// A replay costs what it would cost to read, for each action, the larger of the item before and
// after its first execution: here 5 KB before a Delete, 9 KB after a Put, and nothing for a check.
TEST_F(RequestToken, ReplaysCostTheImagesOfTheFirstTime) {
  const auto item = [](const char* key, int bytes) {
    return std::string(R"({"k":{"N":")") + key + R"("},"a":{"S":")" + std::string(bytes, 'x') +
           "\"}}";
  };
  api_.Ok("PutItem", R"({"TableName":"app","Item":)" + item("1", 5000) + "}");
  const std::string request =
      R"({"ClientRequestToken":"t","ReturnConsumedCapacity":"INDEXES","TransactItems":[
      {"Delete":{"TableName":"app","Key":{"k":{"N":"1"}}}},
      {"Put":{"TableName":"app","Item":)" +
      item("2", 9000) +
      R"j(}},{"ConditionCheck":{"TableName":"app","Key":{"k":{"N":"3"}},
      "ConditionExpression":"attribute_not_exists(k)"}}]})j";
  const auto capacity = [](const std::string& kind, const std::string& units) {
    const std::string pair =
        "\"CapacityUnits\":" + units + ",\"" + kind + "CapacityUnits\":" + units;
    return R"({"ConsumedCapacity":[{"TableName":"app",)" + pair + ",\"Table\":{" + pair + "}}]}";
  };
  api_.Answers("TransactWriteItems", request, capacity("Write", "30"));
  api_.Ok("PutItem", R"({"TableName":"app","Item":)" + item("1", 1) + "}");
  api_.Answers("TransactWriteItems", request, capacity("Read", "12"));
  api_.Answers("GetItem", R"({"TableName":"app","Key":{"k":{"N":"1"}}})",
               R"({"Item":)" + item("1", 1) + "}");
}

// A reset takes a table out of the catalog together with the tokens of its transactions, whichever
// of a transaction's tables it is. DeleteTable leaves the tokens.
TEST_F(RequestToken, IsForgottenWhenOneOfItsTablesIsReset) {
  std::string other = kTokenTable;
  other.replace(other.find("app"), 3, "other");
  api_.Ok("CreateTable", other);
  const auto request = [](const std::string& token) {
    return R"({"ClientRequestToken":")" + token +
           R"(","TransactItems":[{"Update":{"TableName":"app",
      "Key":{"k":{"N":"1"}},"UpdateExpression":"ADD n :o","ExpressionAttributeValues":
      {":o":{"N":"1"}}}},{"Put":{"TableName":"other","Item":{"k":{"N":"1"}}}}]})";
  };
  const auto expect_other = [&](std::string_view answer) {
    api_.Answers("GetItem", R"({"TableName":"other","Key":{"k":{"N":"1"}}})", answer);
  };
  api_.Answers("TransactWriteItems", request("t"), "{}");
  api_.Ok("DeleteTable", R"({"TableName":"other"})");
  api_.Ok("CreateTable", other);
  api_.Answers("TransactWriteItems", request("t"), "{}");
  ExpectSum("1");
  expect_other("{}");
  for (const auto& [name, definition, sum] :
       {std::tuple{"other", other, "3"}, std::tuple{"app", std::string(kTokenTable), "1"}}) {
    api_.Answers("TransactWriteItems", request(name), "{}");
    const Scope scope{.account_id = "000000000000", .region = "us-east-1", .table = name};
    Catalog& catalog = api_.engine().catalog();
    ASSERT_TRUE(catalog.Exchange(catalog.TablesOf(scope), {}, &scope));
    api_.Ok("CreateTable", definition);
    api_.Answers("TransactWriteItems", request(name), "{}");
    ExpectSum(sum);
    expect_other(R"({"Item":{"k":{"N":"1"}}})");
  }
}

// Calls a function once, on a thread of its own, while a transaction is under way.
class InterruptingGate : public Gate {
 public:
  std::optional<Error> Enter(Call&, const Access&) override {
    if (const auto interrupt = std::exchange(interrupt_, nullptr)) std::thread(interrupt).join();
    return std::nullopt;
  }
  void Leave(Call&, const Access&, const Usage&) override {}
  void Interrupt(std::function<void()> interrupt) { interrupt_ = std::move(interrupt); }

 private:
  std::function<void()> interrupt_;
};

TEST(RequestTokenInUse, IsInProgressUntilItsTransactionEnds) {
  InterruptingGate gate;
  GateSlot slot{&gate};
  Api api({.gate = &slot});
  api.Ok("CreateTable", kTokenTable);
  const auto put = [](const char* token, const char* key) {
    return std::string(R"({"ClientRequestToken":")") + token +
           R"(","TransactItems":[{"Put":{"TableName":"app","Item":{"k":{"N":")" + key + "\"}}}}]}";
  };
  gate.Interrupt([&] {
    api.Fails("TransactWriteItems", put("t", "1"), "TransactionInProgressException",
              "Transaction from previous request is still in progress");
    api.Fails("TransactWriteItems", put("t", "2"), "IdempotentParameterMismatchException",
              kTokenMismatch);
    api.Answers("TransactWriteItems", put("other", "2"), "{}");
  });
  api.Answers("TransactWriteItems", put("t", "1"), "{}");
  api.Answers("TransactWriteItems", put("t", "1"), "{}");
  api.Answers("Scan", R"({"TableName":"app","Select":"COUNT"})", R"({"Count":2,"ScannedCount":2})");
}

}  // namespace
}  // namespace hashrange
