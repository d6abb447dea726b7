// What a command of `hashrange ctl` sends: from its row and the options that were given.
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
  std::string deleted;  // the ID; empty: all
};

struct CtlRequest {
  std::string method;
  std::string target;
  std::string body;  // of a POST
};

// Takes out of the options what says that the command follows a list: the id behind which to
// begin; empty: behind all there is. None when it does not follow.
std::optional<std::string> TakeFollowStart(GivenCommand* given);

// Reads the files that options name.
// Errors: ValidationException  a file cannot be read; what has to be JSON is not; two options
//         that do not go together
Result<CtlRequest> MakeCtlRequest(const GivenCommand& given);

}  // namespace hashrange
