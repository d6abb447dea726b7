// CopyTest: a copy between two databases of this process, without HTTP.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hashrange/database.h"
#include "remote/copy/copy_endpoint.h"
#include "remote/copy/copy_run.h"
#include "remote/copy/segment_scan.h"
#include "support/temporary_folder.h"
#include "wire/owned_json.h"

namespace hashrange {

// A database as an endpoint that counts its calls.
class CountingEndpoint : public ApiEndpoint {
 public:
  CountingEndpoint(Database& database, std::string name)
      : database_(database), name_(std::move(name)) {}

  ServiceReply Call(std::string_view operation, std::string json) override {
    if (before_call) before_call(operation);
    if (operation == "BatchWriteItem" && !batch_answer.empty()) {
      ServiceReply reply;
      reply.status = 200;
      reply.body = batch_answer;
      return reply;
    }
    ServiceReply reply = CallDatabase(database_, operation, json);
    if (after_call) after_call(operation, json, reply);
    std::lock_guard lock(mutex_);
    calls_.emplace_back(operation);
    return reply;
  }
  const std::string& name() const override { return name_; }

  std::size_t Calls(std::string_view operation) const {
    std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(std::ranges::count(calls_, operation));
  }

  std::function<void(std::string_view operation)> before_call;
  // May change the reply.
  std::function<void(std::string_view operation, const std::string& json, ServiceReply& reply)>
      after_call;
  std::string batch_answer;  // to each BatchWriteItem, in place of the database's; empty: none

 private:
  Database& database_;
  const std::string name_;
  mutable std::mutex mutex_;
  std::vector<std::string> calls_;
};

class CopyTest : public testing::Test {
 protected:
  CopyTest() {
    source_.SetTime(1'700'000'000'000);
    destination_.SetTime(1'700'000'000'000);
    request_.from = &from_;
    request_.to = &to_;
    request_.state_file = folder_ / "state";
    request_.patience = {.first_wait = std::chrono::milliseconds(1),
                         .longest_wait = std::chrono::milliseconds(2),
                         .until_failure = std::chrono::seconds(10)};
    request_.note = [this](const std::string& note) { notes_.push_back(note); };
  }

  static std::string Ok(Database& database, std::string_view operation, const std::string& json) {
    const Answer answer = database.Call(operation, json);
    EXPECT_EQ(answer.status, 200) << operation << json << answer.body;
    return answer.body;
  }

  static std::string OnDemandTable(const std::string& name) {
    return R"({"TableName":")" + name +
           R"(","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
           R"({"AttributeName":"pk","AttributeType":"S"}],)"
           R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})";
  }

  // Puts items "item 0", "item 1", … of about `bytes` bytes.
  static void Fill(Database& database, const std::string& table, int items, int bytes = 100) {
    for (int i = 0; i < items; ++i) {
      Ok(database, "PutItem",
         R"({"TableName":")" + table + R"(","Item":{"pk":{"S":"item )" + std::to_string(i) +
             R"("},"n":{"N":")" + std::to_string(i) + R"("},"text":{"S":")" +
             std::string(static_cast<std::size_t>(bytes), 'x') + R"("}}})");
    }
  }

  // Creates an on-demand table and fills it.
  static void MakeTable(Database& database, const std::string& table, int items, int bytes = 100) {
    Ok(database, "CreateTable", OnDemandTable(table));
    Fill(database, table, items, bytes);
  }

  // Returns the items of a table as JSON, sorted.
  static std::vector<std::string> Items(Database& database, const std::string& table) {
    std::vector<std::string> items;
    std::string next;
    do {
      std::string answer = Ok(database, "Scan",
                              R"({"TableName":")" + table + "\"" +
                                  (next.empty() ? "" : ",\"ExclusiveStartKey\":" + next) + "}");
      Arena arena;
      const auto json = ParseJson({answer.data(), answer.size()}, arena);
      for (const JsonValue& item : (*json)->Find("Items")->elements()) {
        items.push_back(JsonText(item));
      }
      const JsonValue* const key = (*json)->Find("LastEvaluatedKey");
      next = key ? JsonText(*key) : "";
    } while (!next.empty());
    std::ranges::sort(items);
    return items;
  }

  // Returns the description of a table, without what differs between any two tables.
  static std::string Description(Database& database, const std::string& table) {
    const std::string answer = Ok(database, "DescribeTable", R"({"TableName":")" + table + R"("})");
    return std::regex_replace(answer, std::regex("\"TableId\":\"[^\"]*\","), "");
  }

  static void AddFaults(Database& database, const std::string& rules) {
    const Answer answer = database.Control("POST", "faults", R"({"seed":1,"rules":)" + rules + "}");
    EXPECT_EQ(answer.status, 200) << answer.body;
  }

  // Runs the copy, which succeeds. Returns what was copied: "app>app 10 verified".
  std::vector<std::string> Copied() {
    const auto result = RunCopy(request_);
    if (!result.ok()) return {"failed: " + result.error().message};
    std::vector<std::string> tables;
    for (const CopiedTable& table : result->tables) {
      tables.push_back(table.name + ">" + table.target + " " + std::to_string(table.items) +
                       (table.is_verified ? " verified" : "") +
                       (table.difference.empty() ? "" : " " + table.difference));
    }
    result_ = *result;
    return tables;
  }
  // Runs the copy, which fails. Returns the sentence.
  std::string Failure() {
    const auto result = RunCopy(request_);
    return result.ok() ? "it did not fail" : result.error().message;
  }

  // Expects that a database that is loaded from the folder has the items of the source.
  void ExpectDumpHasItems(const std::filesystem::path& dump, const std::string& table) {
    std::string error;
    ASSERT_TRUE(destination_.Seed(dump.string(), &error)) << error;
    EXPECT_EQ(Items(destination_, table), Items(source_, table));
  }

  static std::string FileText(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void WriteFile(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }

  const test::TemporaryFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
  Database source_;
  Database destination_;
  CountingEndpoint from_{source_, "http://source:8000"};
  CountingEndpoint to_{destination_, "http://destination:8000"};
  std::atomic<bool> stop_{false};
  CopyRequest request_;
  CopyResult result_;
  std::vector<std::string> notes_;
};

}  // namespace hashrange
