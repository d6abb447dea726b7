// An endpoint in this process for tests of runs at an endpoint: a server of its own database.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hashrange/database.h"
#include "hashrange/server.h"
#include "lab/endpoint/endpoint_lab.h"
#include "lab/run/lab_run.h"
#include "lab/run/run_file.h"
#include "remote/client/credential_source.h"
#include "remote/client/endpoint_url.h"

namespace hashrange {

class EndpointServerTest : public testing::Test {
 protected:
  EndpointServerTest() {
    std::string error;
    server_ = Server::Start(database_, {.host = "127.0.0.1", .port = 0, .threads = 1}, &error);
    EXPECT_TRUE(server_) << error;
    options_.url = *ParseEndpointUrl(server_->endpoint());
    options_.credentials = credentials_.get();
    options_.note = [this](const std::string& note) { notes_.push_back(note); };
    options_.stop = &stop_;
  }

  // Returns what the calls of the file did here, with what the modelled run did.
  Result<LabResult> Run(const LabFile& file) {
    HR_ASSIGN(const auto lab, EndpointLab::Open(file, options_));
    HR_ASSIGN(LabResult result, RunLab(file, {.threads = 1, .confirms_first_limit = false}));
    HR_ASSIGN(result.endpoint, lab->Run(result));
    return result;
  }
  // The same for a file of one layout, where that succeeds.
  EndpointLayoutRun RunOne(const LabFile& file) {
    auto result = Run(file);
    EXPECT_TRUE(result.ok()) << result.error().message;
    if (!result.ok()) return {};
    EXPECT_EQ(result->endpoint->runs.size(), 1U);
    modelled_ = std::move(result->runs[0]);
    return std::move(result->endpoint->runs[0]);
  }

  void AddFault(const std::string& rule) {
    const auto answer = database_.Control("POST", "faults", R"({"rules":[)" + rule + "]}");
    EXPECT_EQ(answer.status, 200) << answer.body;
  }
  std::string Tables() { return database_.Call("ListTables", "{}").body; }

  static constexpr const char* kNoTables = R"({"TableNames":[]})";

  Database database_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<CredentialSource> credentials_ =
      GivenCredentials({.access_key = "key", .secret_key = "secret"});
  std::atomic<bool> stop_ = false;
  EndpointRunOptions options_ = {};
  std::vector<std::string> notes_ = {};
  LayoutRun modelled_ = {};
};

// Returns the counts of the patterns, a line each: calls, failed, skipped, requests, throttled,
// broken, items, not made, unfinished.
inline std::string CountsText(const EndpointLayoutRun& run) {
  std::string text;
  for (const EndpointPatternRun& pattern : run.patterns) {
    text += pattern.run.name + ":";
    for (const std::uint64_t count :
         {pattern.run.calls, pattern.run.failed, pattern.run.skipped, pattern.run.requests,
          pattern.run.throttled, pattern.run.broken, pattern.run.items, pattern.not_made,
          pattern.unfinished}) {
      text += " " + std::to_string(count);
    }
    text += "\n";
  }
  return text;
}

}  // namespace hashrange
