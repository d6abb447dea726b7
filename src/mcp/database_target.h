// DatabaseTarget: the tables of one account and Region of a database in this process. Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "mcp/agent_target.h"

namespace hashrange {

class DatabaseTarget : public AgentTarget {
 public:
  // `served_at`: where programs reach the same tables; empty: nowhere. The database outlives the
  // target.
  DatabaseTarget(Database& database, std::string account, std::string region,
                 std::string served_at);

  std::string Description() const override;
  std::string Account() const override { return account_; }
  std::string Region() const override { return region_; }
  Answer Call(std::string_view operation, std::string_view json) override;
  Result<std::string> Control(std::string_view method, std::string_view path,
                              std::string_view json) override;

 private:
  Database& database_;
  const std::string account_;
  const std::string region_;
  const std::string served_at_;
};

// Returns the body of an answer of the control API.
// Errors: those of AgentTarget::Control, with the answer's sentence
Result<std::string> ControlBody(int status, std::string body);

}  // namespace hashrange
