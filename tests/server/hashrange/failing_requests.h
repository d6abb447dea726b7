// A database that a test calls while allocations fail, and all that can be read of it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <regex>
#include <string>
#include <vector>

#include "hashrange/database.h"
#include "server/hashrange/request_scenarios.h"
#include "support/allocation_failures.h"

namespace hashrange::test {

// Returns a new database with two tables and some items. `directory`: where it keeps its data.
inline std::unique_ptr<Database> MakeDatabase(const std::string& directory = "") {
  auto database =
      std::make_unique<Database>(Database::Options{.ttl_interval_ms = 0,
                                                   .data_directory = directory,
                                                   .sync_interval_ms = Database::kNeverFlushed});
  database->SetTime(1'800'000'000'000);
  std::vector<ApiCall> calls = {
      {"CreateTable", std::string(kOrders)},
      {"CreateTable", std::string(kUsers)},
      {"UpdateTimeToLive",
       R"({"TableName":"orders","TimeToLiveSpecification":{"AttributeName":"expires","Enabled":true}})"}};
  for (int i = 0; i < 8; ++i) {
    calls.push_back({"PutItem", Order(i, i % 2 ? "odd" : "even", "note " + std::to_string(i % 3))});
    calls.push_back({"PutItem", R"({"TableName":"users","Item":{"pk":{"S":"user )" +
                                    std::to_string(i) + R"("},"group":{"S":"first"}}})"});
  }
  for (const ApiCall& call : calls) {
    const Answer answer = database->Call(call.operation, call.json, kCaller);
    EXPECT_TRUE(answer.ok()) << answer.body;
  }
  return database;
}

inline std::string TextOf(const std::string& body, const std::string& name) {
  std::smatch found;
  const bool is_found = std::regex_search(body, found, std::regex("\"" + name + "\":\"([^\"]*)\""));
  return is_found ? found[1].str() : "";
}

// Returns the records of the stream of a table.
inline std::string Records(Database& database, const std::string& table) {
  const auto call = [&](const char* operation, const std::string& json) {
    return database.Call(operation, json, kCaller).body;
  };
  const std::string described = call("DescribeTable", R"({"TableName":")" + table + R"("})");
  const std::string arn = TextOf(described, "LatestStreamArn");
  if (arn.empty()) return "";
  const std::string stream = R"("StreamArn":")" + arn + "\"";
  const std::string shard = TextOf(call("DescribeStream", "{" + stream + "}"), "ShardId");
  const std::string iterator =
      TextOf(call("GetShardIterator", "{" + stream + R"(,"ShardId":")" + shard +
                                          R"(","ShardIteratorType":"TRIM_HORIZON"})"),
             "ShardIterator");
  return call("GetRecords", R"({"ShardIterator":")" + iterator + R"("})");
}

// Returns everything that can be read, but for what is random or names a moment.
inline std::string StateOf(Database& database) {
  std::string state;
  const auto add = [&](const char* operation, const std::string& json) {
    state += operation + json + "\n" + database.Call(operation, json, kCaller).body + "\n";
  };
  add("ListTables", "{}");
  add("ListStreams", "{}");
  for (const std::string table : {"orders", "users", "more"}) {
    const std::string name = R"("TableName":")" + table + "\"";
    add("DescribeTable", "{" + name + "}");
    add("DescribeTimeToLive", "{" + name + "}");
    add("ListTagsOfResource", R"({"ResourceArn":")" + std::string(kStreamArn) + table + R"("})");
    add("Scan", "{" + name + "}");
    for (const std::string index : {"by-group", "by-note", "by-added"}) {
      add("Scan", "{" + name + R"(,"IndexName":")" + index + R"("})");
    }
    state += Records(database, table) + "\n";
  }
  static const std::regex random(
      "\"(eventID|TableId|NextShardIterator|LatestStreamLabel|StreamLabel|Stream_?Arn|"
      "LatestStreamArn)\":"
      "\"[^\"]*\"");
  return std::regex_replace(state, random, "");
}

class RequestFailures : public testing::TestWithParam<Scenario> {
 protected:
  static Answer Call(Database& database, const ApiCall& call) {
    return database.Call(call.operation, call.json, kCaller);
  }

  // The states that the database may have after the call.
  std::vector<std::string> AllowedStates() {
    const Scenario& scenario = GetParam();
    const auto parted = MakeDatabase();
    std::vector<std::string> states = {StateOf(*parted)};
    for (const ApiCall& part : scenario.parts) {
      EXPECT_TRUE(Call(*parted, part).ok());
      states.push_back(StateOf(*parted));
    }
    const auto whole = MakeDatabase();
    const Answer answer = Call(*whole, scenario.call);
    EXPECT_TRUE(answer.ok()) << answer.body;
    states.push_back(StateOf(*whole));
    return states;
  }

  struct Outcome {
    int status = 500;
    std::string body;
    bool have_happened = false;  // an allocation has failed
  };
  // Makes the call with the allocation of that number failing.
  Outcome TryCall(Failing failing, std::int64_t number) {
    Outcome outcome;
    AllocationFailures failures(number, failing);
    try {
      outcome.status =
          database_->Call(GetParam().call.operation, GetParam().call.json, outcome.body, kCaller);
    } catch (const std::bad_alloc&) {  // not even the error could be answered
    }
    outcome.have_happened = failures.have_happened();
    return outcome;
  }

  // Makes the call and checks what it has done. Returns whether an allocation has failed.
  bool CallOnce(Failing failing, std::int64_t number, const std::vector<std::string>& states) {
    if (!database_) database_ = MakeDatabase();
    const auto [status, body, have_happened] = TryCall(failing, number);
    EXPECT_TRUE(status == 200 || status == 500) << number << ": " << body;
    const std::string state = StateOf(*database_);
    if (status == 200) {
      EXPECT_EQ(state, states.back()) << number;
    } else {
      EXPECT_NE(std::ranges::find(states, state), states.end()) << number << ": " << state;
    }
    if (state == states.front() && status != 200) return have_happened;
    // It has changed something: it is made again, and the next round begins with a new database.
    const Answer again = Call(*database_, GetParam().call);
    if (!again.ok()) {
      EXPECT_NE(GetParam().repeated, "") << number << ": " << again.body;
      EXPECT_NE(again.body.find(GetParam().repeated), std::string::npos) << again.body;
    }
    if (GetParam().is_done_once) {
      EXPECT_EQ(StateOf(*database_), states.back()) << number;
    }
    database_ = nullptr;
    return have_happened;
  }

  void FailEach(Failing failing) {
    const std::vector<std::string> states = AllowedStates();
    std::int64_t number = 0;
    while (CallOnce(failing, number, states) && !HasFailure()) {
      number += HASHRANGE_FAILURE_STEP;
      ++failed_;
    }
    database_ = nullptr;
  }

  std::unique_ptr<Database> database_;
  std::int64_t failed_ = 0;
};

}  // namespace hashrange::test
