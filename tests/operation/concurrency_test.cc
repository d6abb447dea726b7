// Many threads call one Dispatcher: the guarantees of each operation hold under concurrency.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "support/api.h"

namespace hashrange {
namespace {

constexpr int kThreads = 8;
constexpr int kRoundsOfThread = 150;

constexpr char kConcurrentTable[] = R"({"TableName":"app","BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"k","AttributeType":"S"},
    {"AttributeName":"owner","AttributeType":"S"}],
  "KeySchema":[{"AttributeName":"k","KeyType":"HASH"}],
  "GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[
    {"AttributeName":"owner","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]})";

class Concurrency : public testing::Test {
 protected:
  Concurrency() { api_.Ok("CreateTable", kConcurrentTable); }

  void OnThreads(const std::function<void(int)>& work) {
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) threads.emplace_back(work, thread);
    for (std::thread& thread : threads) thread.join();
  }
  int HttpStatusOf(const std::string& operation, const std::string& json) {
    return api_.Call(operation, json).http_status;
  }
  void ExpectNumber(const std::string& key, int n) {
    api_.Answers(
        "GetItem",
        R"({"TableName":"app","Key":{"k":{"S":")" + key + R"("}},"ProjectionExpression":"n"})",
        R"({"Item":{"n":{"N":")" + std::to_string(n) + "\"}}}");
  }

  Api api_;
};

TEST_F(Concurrency, EveryKeyIsCreatedOnce) {
  std::atomic<int> created = 0;
  OnThreads([&](int thread) {
    for (int i = 0; i < kRoundsOfThread; ++i) {
      const std::string put = R"({"TableName":"app","Item":{"k":{"S":"key)" + std::to_string(i) +
                              R"("},"owner":{"S":"t)" + std::to_string(thread) +
                              R"j("}},"ConditionExpression":"attribute_not_exists(k)"})j";
      if (HttpStatusOf("PutItem", put) == 200) ++created;
    }
  });
  EXPECT_EQ(created, kRoundsOfThread);
  const std::string count = std::to_string(kRoundsOfThread);
  for (const char* index : {"", R"(,"IndexName":"gsi")"}) {
    api_.Answers("Scan", std::string(R"({"TableName":"app","Select":"COUNT")").append(index) + "}",
                 R"({"Count":)" + count + R"(,"ScannedCount":)" + count + "}");
  }
}

TEST_F(Concurrency, NoIncrementIsLost) {
  OnThreads([&](int thread) {
    for (int i = 0; i < kRoundsOfThread; ++i) {
      const std::string update =
          R"({"TableName":"app","Key":{"k":{"S":"sum"}},"UpdateExpression":"ADD n :o SET #o = :w",
          "ExpressionAttributeNames":{"#o":"owner"},
          "ExpressionAttributeValues":{":o":{"N":"1"},":w":{"S":")" +
          std::to_string(thread) + "\"}}}";
      EXPECT_EQ(HttpStatusOf("UpdateItem", update), 200);
    }
  });
  ExpectNumber("sum", kThreads * kRoundsOfThread);
  api_.Answers("Scan", R"({"TableName":"app","IndexName":"gsi","Select":"COUNT"})",
               R"({"Count":1,"ScannedCount":1})");
}

// Transactions move money between accounts; readers always see the same sum.
TEST_F(Concurrency, TransactionsKeepTheSum) {
  constexpr int kAccounts = 4;
  const auto account = [](int i) { return "account" + std::to_string(i % kAccounts); };
  std::string gets;
  for (int i = 0; i < kAccounts; ++i) {
    api_.Ok("PutItem",
            R"({"TableName":"app","Item":{"k":{"S":")" + account(i) + R"("},"n":{"N":"100"}}})");
    gets += std::string(i ? "," : "") + R"({"Get":{"TableName":"app","Key":{"k":{"S":")" +
            account(i) + R"("}},"ProjectionExpression":"n"}})";
  }
  const auto step = [&](int from, const char* sign, const char* condition) {
    return R"({"Update":{"TableName":"app","Key":{"k":{"S":")" + account(from) +
           R"("}},"UpdateExpression":"SET n = n )" + sign + R"( :o",)" + condition +
           R"("ExpressionAttributeValues":{":o":{"N":"7"}}}})";
  };
  OnThreads([&](int thread) {
    for (int i = 0; i < kRoundsOfThread; ++i) {
      if (thread % 4 == 0) {
        const std::string body =
            api_.Call("TransactGetItems", R"({"TransactItems":[)" + gets + "]}").body;
        int sum = 0;
        for (std::size_t at = 0; (at = body.find(R"("N":")", at)) != std::string::npos; ++at) {
          sum += std::stoi(body.substr(at + 5));
        }
        EXPECT_EQ(sum, 100 * kAccounts) << body;
      } else {
        HttpStatusOf("TransactWriteItems",
                     R"({"TransactItems":[)" +
                         step(thread + i, "-", R"("ConditionExpression":"n >= :o",)") + "," +
                         step(thread + i + 1, "+", "") + "]}");
      }
    }
  });
}

// Many threads send a write with the same token: the write happens once.
TEST_F(Concurrency, OneTokenWritesOnce) {
  for (int round = 0; round < 20; ++round) {
    const std::string write =
        R"({"ClientRequestToken":"t)" + std::to_string(round) +
        R"(","TransactItems":[{"Update":{"TableName":"app","Key":{"k":{"S":"once"}},
        "UpdateExpression":"ADD n :o","ExpressionAttributeValues":{":o":{"N":"1"}}}}]})";
    OnThreads([&](int) {
      const Api::Reply reply = api_.Call("TransactWriteItems", write);
      const bool in_progress =
          reply.body.find("#TransactionInProgressException") != std::string::npos;
      EXPECT_TRUE(reply.http_status == 200 || in_progress) << reply.body;
    });
    ExpectNumber("once", round + 1);
  }
}

// A table is deleted and created while other threads write to it: every answer is a success or a
// ResourceNotFoundException.
TEST_F(Concurrency, TablesMayBeDeletedWhileTheyAreWritten) {
  OnThreads([&](int thread) {
    for (int i = 0; i < kRoundsOfThread; ++i) {
      if (thread == 0) {
        HttpStatusOf("DeleteTable", R"({"TableName":"app"})");
        HttpStatusOf("CreateTable", kConcurrentTable);
        continue;
      }
      const Api::Reply reply = api_.Call(
          "BatchWriteItem",
          R"({"RequestItems":{"app":[{"PutRequest":{"Item":{"k":{"S":"a"},"owner":{"S":"o"}}}},
          {"PutRequest":{"Item":{"k":{"S":"b"}}}}]},"ReturnConsumedCapacity":"INDEXES"})");
      const bool gone = reply.body.find("#ResourceNotFoundException") != std::string::npos;
      EXPECT_TRUE(reply.http_status == 200 || gone) << reply.body;
    }
  });
}

}  // namespace
}  // namespace hashrange
