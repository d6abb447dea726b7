#include "cli/ctl/ctl.h"

#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "cli/ctl/answer_text.h"
#include "cli/ctl/ctl_follow.h"
#include "cli/ctl/ctl_table.h"
#include "cli/ctl/measure_commands.h"
#include "cli/ctl/server_call.h"
#include "cli/options/command_parser.h"
#include "cli/terminal/program_output.h"

namespace hashrange {
namespace {

using Kind = CtlOption::Kind;
using Deletion = CtlCommand::Deletion;

constexpr const char* kCtlPath = "hashrange ctl";

constexpr const char* kCtlFooter =
    "Where the server is: --endpoint, or --host and --port, or HASHRANGE_ENDPOINT in the\n"
    "environment, or http://127.0.0.1:8000. Its token: --token, or HASHRANGE_TOKEN. These options\n"
    "may stand before or after the command. The output is tables on a terminal, JSON in a pipe.\n"
    "Examples:\n"
    "  hashrange ctl reset --account 111122223333\n"
    "  hashrange ctl clock --freeze 2026-01-01T00:00:00Z --advance 2d\n"
    "  hashrange ctl requests --follow --table app\n"
    "  hashrange ctl get requests?operation=Scan\n"
    "  hashrange ctl measure report before.json after.json";

// An option of a command of the table, and what the command line gives for it.
struct OptionValue {
  const CtlOption* row = nullptr;  // null: --delete
  bool is_given = false;
  std::string text = {};
};

struct CommandValues {
  const CtlCommand* command = nullptr;
  std::deque<OptionValue> options = {};  // a deque, because rows point to the values
};

// What the parser fills in.
struct CtlLine {
  ServerOptions server = {};
  bool asks_for_json = false;
  std::deque<CommandValues> commands = {};
  MeasureLine measure = {};
};

// Returns the row of a flag.
OptionRow FlagRow(const char* name, const char* help, OptionValue& value) {
  const auto note = [&value](const std::string&) {
    value.is_given = true;
    return std::string();
  };
  return {name, "", help, kNoTarget, OptionRules{.check = note}};
}

// Returns the row of an option with a value; a check would not see a value that is left out.
OptionRow ValueRow(const char* name, const char* form, const char* help, OptionValue& value) {
  const auto take = [&value](const std::string& text) {
    value.is_given = true;
    value.text = text;
  };
  return {name, form, help, take};
}

// Returns the name of the option's value. The name of an argument says whether it is a file.
const char* FormOf(const CtlOption& option) {
  if (option.kind == Kind::kJson) return "JSON";
  if (option.kind != Kind::kFile && option.kind != Kind::kPath) return "TEXT";
  return *option.name == '-' ? "FILE" : "";
}

OptionRow RowOf(const CtlOption& option, OptionValue& value) {
  const Kind kind = option.kind;
  if (kind == Kind::kTrue || kind == Kind::kFalse || kind == Kind::kFollow) {
    return FlagRow(option.name, option.help, value);
  }
  OptionRow row = ValueRow(option.name, FormOf(option), option.help, value);
  row.rules.words = WordsIn(option.words);
  row.rules.is_required = option.required;
  row.rules.value_is_optional = kind == Kind::kValueOrTrue;
  return row;
}

// Returns the row of a command, whose options set `values`.
CommandRow RowOf(const CtlCommand& command, CommandValues& values) {
  CommandRow row{.path = command.name, .help = command.help, .footer = kCtlFooter};
  for (const CtlOption& option : command.options) {
    OptionRow added = RowOf(option, values.options.emplace_back(OptionValue{.row = &option}));
    (added.is_argument() ? row.arguments : row.options).push_back(std::move(added));
  }
  if (command.deletion == Deletion::kNone) return row;
  OptionValue& deleted = values.options.emplace_back();
  if (command.deletion == Deletion::kOfOptions) {
    row.options.push_back(FlagRow("--delete", "Delete all, or what the options choose", deleted));
  } else {
    row.options.push_back(
        ValueRow("--delete", "ID", "Delete the one of this ID, or all of them", deleted));
    row.options.back().rules.value_is_optional = true;
  }
  return row;
}

CommandRow CtlRow(CtlLine& line) {
  const auto names_address = [&line](const std::string&) {
    line.server.names_address = true;
    return std::string();
  };
  CommandRow ctl{
      .path = kCtlPath,
      .help = "Call the control API of a server: reset, fork, faults, clock and more.",
      .footer = kCtlFooter,
      .options = {{"--endpoint", "URL", "The server: http://HOST:PORT", &line.server.endpoint,
                   OptionRules{.excludes = {"--host", "--port"}}},
                  {"--host", "ADDRESS", "The server's address", &line.server.address.host,
                   OptionRules{.check = names_address}},
                  {"--port", "PORT", "The server's port", &line.server.address.port,
                   OptionRules{.check = names_address}},
                  {"--token", "TOKEN", "The --control-token that the server was started with",
                   &line.server.token},
                  {"--json", "", "Print JSON, not tables, on a terminal, too",
                   &line.asks_for_json}},
      .question = "which command?",
      .hands_options_down = true,
      .takes_empty_texts = true,
      .tells_unknown_first = true};
  for (const CtlCommand& command : CtlCommands()) {
    CommandValues& values = line.commands.emplace_back(CommandValues{.command = &command});
    ctl.commands.push_back(RowOf(command, values));
  }
  ctl.commands.push_back(MeasureRow(line.measure));
  ctl.commands.back().footer = kCtlFooter;
  return ctl;
}

GivenCommand GivenOf(const CommandValues& values) {
  GivenCommand given{.command = values.command};
  for (const OptionValue& option : values.options) {
    if (!option.is_given) continue;
    if (option.row) {
      given.options.push_back({option.row, option.text});
    } else {
      given.deletes = true;
      given.deleted = option.text;
    }
  }
  return given;
}

// Sends the call, and prints the answer unless it is followed.
Status CallAndPrint(const HttpCall& call, OutputForm form, AnswerWriter writer) {
  HR_ASSIGN(const HttpReply reply, SendCtlCall(call));
  return PrintText(AnswerText(reply, form, writer));
}

int RunCommand(GivenCommand given, const CtlLine& line) {
  const std::optional<std::string> follow_start = TakeFollowStart(&given);
  Result<CtlRequest> request = MakeCtlRequest(given);
  if (!request.ok()) return RefuseUsage(kCtlPath, request.error().message);
  if (follow_start && request->method != "GET") {
    return RefuseUsage(kCtlPath, "--follow goes only with options that filter the list");
  }
  Result<HttpCall> call = CallTo(line.server);
  if (!call.ok()) return RefuseUsage(kCtlPath, call.error().message);
  call->method = std::move(request->method);
  call->target = std::move(request->target);
  call->body = std::move(request->body);
  const OutputForm form = ChooseOutput(line.asks_for_json);
  if (follow_start) return FollowRequests(std::move(*call), *follow_start, form);
  const Status done = CallAndPrint(*call, form, given.command->writer);
  if (done.ok()) return 0;
  PrintError(done.error().message);
  return kFailure;
}

int RunMeasureOf(CtlLine& line, const std::string& command) {
  Result<HttpCall> call = CallTo(line.server);
  if (!call.ok()) return RefuseUsage(kCtlPath, call.error().message);
  line.measure.server = std::move(*call);
  line.measure.asks_for_json = line.asks_for_json;
  return RunMeasure(command, line.measure);
}

}  // namespace

CommandRow DescribeCtl() {
  CtlLine line;
  return CtlRow(line);
}

int RunCtl(int argc, const char* const* argv) {
  CtlLine line;
  const ParsedLine parsed = ParseRows(CtlRow(line), argc, argv);
  if (parsed.is_printed) return 0;
  if (!parsed.wrong.empty()) return RefuseUsage(kCtlPath, parsed.wrong);
  if (parsed.commands.size() > 1) return RunMeasureOf(line, parsed.commands.back());
  for (const CommandValues& values : line.commands) {
    if (values.command->name != parsed.commands.front()) continue;
    return RunCommand(GivenOf(values), line);
  }
  return RefuseUsage(kCtlPath, "which command?");  // not reached: the parser knows no other command
}

}  // namespace hashrange
