// The commands of `hashrange ctl`, as a table: each command is one call of the control API, and its
// options are members of the call's body, or parts of its path or query. The request of a command
// is made from its row and the options that were given.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/ctl/answer_text.h"

namespace hashrange {

struct CtlOption {
  enum class Kind : std::uint8_t {
    kText,         // a string
    kScope,        // a string that says which tables a call is about, a deletion, too
    kValue,        // JSON if the text is JSON, otherwise a string: 60, {"min":"1ms",…}, 200ms
    kValueOrTrue,  // as kValue; true when the option has no value
    kJson,         // JSON; the whole body when `member` is empty
    kFile,         // the name of a file with JSON, which ctl reads
    kPath,         // the name of a file or folder that the server opens; sent as an absolute path
    kTrue,         // a flag that sends true
    kFalse,        // a flag that sends false
    kName,         // replaces the '*' in the path
    kTarget,       // the path itself, with its query
    kFilter,       // a parameter of the query
    kFollow,       // a flag for ctl itself: it asks for new calls again and again
  };

  const char* name;    // "--account"; a name without dashes is a positional argument: "FROM"
  const char* member;  // the member of the body or the parameter of the query; empty: neither
  Kind kind;
  const char* help;
  bool required = false;
  const char* words = "";  // that a shell offers: "watch,enforce"; the server may allow others
};

struct CtlCommand {
  enum class Act : std::uint8_t {
    kGet,
    kPost,
    kGetOrPost,  // POST when a member of the body is given
    // As kGetOrPost, but when there are only options of the kind kScope, they are the query of a
    // GET.
    kGetOfScopeOrPost,
    kDelete,
  };
  // What the option --delete deletes.
  enum class Deletion : std::uint8_t {
    kNone,       // there is no such option
    kOfId,       // --delete [ID]: what has the ID, which is sent in the path; without it, all
    kOfOptions,  // what the options of the kinds kScope and kFilter choose; without them, all
  };

  const char* name;
  const char* path;  // after "/_hashrange/"
  Act act;
  Deletion deletion;
  std::span<const CtlOption> options;
  const char* help;
  AnswerWriter writer = nullptr;  // null: the answer is shown as a table (answer_text.h)
};

// Returns the commands in the order of the help.
std::span<const CtlCommand> CtlCommands();

struct GivenOption {
  const CtlOption* option;
  std::string value;
};

struct GivenCommand {
  const CtlCommand* command = nullptr;
  std::vector<GivenOption> options = {};
  bool deletes = false;
  std::string deleted = {};  // the ID to delete; empty: none was given
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
