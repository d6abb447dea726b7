// The commands of `hashrange ctl`, as a table: each command is one call of the control API, and its
// options are members of the call's body, or parts of its path or query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

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
  const char* words = "";  // values that a shell offers: "{real}"; the server may allow others
};

// Returns the text for a terminal of an answer; nullopt when the answer has another form.
using AnswerWriter = std::optional<std::string> (*)(std::string body, std::size_t columns);

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
  AnswerWriter writer = nullptr;  // null: the answer is shown as a table (answer_table.h)
};

// Returns the commands in the order of the help.
std::span<const CtlCommand> CtlCommands();

}  // namespace hashrange
