// Makes the request that a command of `hashrange ctl` sends, from the command's row in the table
// and the options that were given.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/ctl_table.h"

namespace hashrange {

struct GivenOption {
  const CtlOption* option;
  std::string value;
};

struct GivenCommand {
  const CtlCommand* command = nullptr;
  std::vector<GivenOption> options;
  bool deletes = false;
  std::string deleted;  // the ID to delete; empty: none was given
};

struct CtlRequest {
  std::string method;
  std::string target;
  std::string body;  // of a POST, and of a DELETE that is about a scope
};

// Returns nothing when the command does not have the option --follow. Otherwise returns the id of
// --since, after which to begin (empty: after all calls so far), and removes both options.
std::optional<std::string> TakeFollowStart(GivenCommand* given);

// Returns the request. Reads the files that options name.
// Errors: ValidationException  a file cannot be read, a value that must be JSON is not JSON, or two
//         options exclude each other
Result<CtlRequest> MakeCtlRequest(const GivenCommand& given);

}  // namespace hashrange
