// The commands of `hashrange ctl`, as a table: each is one call of the control API, and its
// options are the members of the call's body, parts of its path or of its query.
#pragma once

#include <cstdint>
#include <span>

namespace hashrange {

struct CtlOption {
  enum class Kind : std::uint8_t {
    kText,         // a string
    kValue,        // JSON where it is JSON, else a string: 60, true, {"min":"1ms",…}, 200ms
    kValueOrTrue,  // the same; without a value it is true
    kJson,         // JSON; without a member the whole body
    kFile,         // the name of a file with JSON, which is read here
    kPath,         // the name of a file or folder, which the server opens: sent with its whole path
    kTrue,         // a flag
    kFalse,        // a flag that switches off
    kName,         // stands in the path, where the '*' is
    kTarget,       // the path itself, with its query
    kFilter,       // stands in the query
    kFollow,       // a flag for ctl itself: what is new is asked for again and again
  };

  const char* name;    // "--account"; without dashes it is known by its place: "FROM"
  const char* member;  // of the body or the query; empty: of neither
  Kind kind;
  const char* help;
  bool required = false;
};

struct CtlCommand {
  enum class Act : std::uint8_t {
    kGet,
    kPost,
    kGetOrPost,  // POST when a member of the body is given
    kDelete,
  };

  const char* name;
  const char* path;  // behind "/_hashrange/"
  Act act;
  bool has_delete;  // `--delete [ID]` is DELETE, of the path or of the ID below it
  std::span<const CtlOption> options;
  const char* help;
};

// In the order of the help.
std::span<const CtlCommand> CtlCommands();

}  // namespace hashrange
