// AgentFixture: an McpServer on a database in process. Lines are sent, and all messages that the
// server writes until they are answered are kept.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "hashrange/database.h"
#include "mcp/agent_target.h"
#include "mcp/mcp_server.h"
#include "support/temporary_folder.h"
#include "wire/owned_json.h"

namespace hashrange {

class AgentFixture : public testing::Test {
 protected:
  explicit AgentFixture(bool is_read_only = false) : tools_(is_read_only) { Start(); }

  void Start() {
    server_ = std::make_unique<McpServer>(
        place_, tools_, McpIdentity{.version = "1.2.3", .instructions = "Use the tools."},
        [this](std::string_view message) {
          std::lock_guard lock(mutex_);
          messages_.emplace_back(message);
        });
  }

  // Sends the lines, waits until all calls are answered, and returns what was written, a message on
  // each line.
  std::string Send(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) server_->Receive(line);
    EXPECT_TRUE(server_->Finish(std::chrono::minutes(5)));
    std::string all;
    for (const std::string& message : messages_) all += message + "\n";
    messages_.clear();
    Start();
    return all;
  }
  std::string SendOne(const std::string& line) { return Send({line}); }

  // Returns the line that calls a tool.
  static std::string CallOf(std::string_view tool, std::string_view arguments) {
    return std::string(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")")
        .append(tool)
        .append(R"(","arguments":)")
        .append(arguments)
        .append("}}");
  }
  // Returns the answer to a call of a tool.
  std::string Answer(std::string_view tool, std::string_view arguments) {
    server_->Receive(CallOf(tool, arguments));
    // The end of the input would stop a tool that takes long.
    const auto is_answered = [this] {
      std::lock_guard lock(mutex_);
      return !messages_.empty();
    };
    while (!is_answered()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Send({});
  }
  // Returns the text of a tool's result, with "ERROR " before the text of an error.
  std::string Tool(std::string_view tool, std::string_view arguments = "{}") {
    const std::string answer = Answer(tool, arguments);
    const auto json = OwnedJson::Parse(answer, JsonDialect::kDocument);
    if (!json.ok()) return "not JSON: " + answer;
    const JsonValue* const result = json->value().Find("result");
    if (!result) return answer;
    const std::string words(result->Find("content")->elements()[0].Find("text")->string());
    const bool is_error = result->Find("isError")->type == JsonValue::Type::kTrue;
    return (is_error ? "ERROR " : "") + words;
  }

  const test::TemporaryFolder temporary_folder_;
  const std::string folder_ = temporary_folder_.path().string();
  Database database_;
  DatabaseTarget target_{database_, "111122223333", "us-east-1", ""};
  ReportFolder reports_{folder_};
  ToolPlace place_{target_, reports_};
  ToolTable tools_;
  std::mutex mutex_;
  std::vector<std::string> messages_;
  std::unique_ptr<McpServer> server_;
};

}  // namespace hashrange
