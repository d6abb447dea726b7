#include "cli/ctl.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/nearest_name.h"
#include "cli/ctl_answer.h"
#include "cli/ctl_call.h"
#include "cli/ctl_follow.h"
#include "cli/ctl_measure.h"
#include "cli/ctl_request.h"
#include "cli/exit_codes.h"
#include "cli/help_text.h"
#include "cli/server_address.h"
#include "remote/client/http_call.h"

namespace hashrange {
namespace {

// Long enough for a call that reads or writes large files.
constexpr std::chrono::minutes kPatience{10};
constexpr std::size_t kMaxAnswerBytes = std::size_t{1} << 30;

constexpr const char* kExample =
    "Where the server is: --endpoint, or --host and --port, or HASHRANGE_ENDPOINT in the\n"
    "environment, or http://127.0.0.1:8000. Its token: --token, or HASHRANGE_TOKEN. These options\n"
    "may stand before or after the command. The output is tables on a terminal, JSON in a pipe.\n"
    "Examples:\n"
    "  hashrange ctl reset --account 111122223333\n"
    "  hashrange ctl clock --freeze 2026-01-01T00:00:00Z --advance 2d\n"
    "  hashrange ctl requests --follow --table app\n"
    "  hashrange ctl get requests?operation=Scan\n"
    "  hashrange ctl measure report before.json after.json";

int RefuseUsage(const std::string& why) {
  std::fprintf(stderr, "hashrange: %s (see hashrange ctl --help)\n", why.c_str());
  return kUsageError;
}

int Fail(const std::string& why) {
  PrintCtlError(why);
  return 1;
}

std::string FromEnvironment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::vector<std::string_view> CommandNames() {
  std::vector<std::string_view> names = {"measure"};
  for (const CtlCommand& command : CtlCommands()) names.push_back(command.name);
  return names;
}

// The arguments of one command, which the parser fills in.
class CommandArguments {
 public:
  CommandArguments(const CtlCommand& command, CLI::App& parent)
      : command_(command), app_(*parent.add_subcommand(command.name, command.help)) {
    for (const CtlOption& option : command.options) Add(option);
    using Deletion = CtlCommand::Deletion;
    if (command.deletion == Deletion::kOfOptions) {
      const std::string help = "Delete all, or what the options choose";
      delete_ = app_.add_flag("--delete", help);
    } else if (command.deletion == Deletion::kOfId) {
      delete_ = app_.add_option("--delete", deleted_, "Delete the one of this ID, or all of them");
      delete_->type_name("[ID]")->expected(0, 1);
    }
  }
  CommandArguments(const CommandArguments&) = delete;
  CommandArguments& operator=(const CommandArguments&) = delete;

  bool is_given() const { return app_.parsed(); }

  GivenCommand ToGivenCommand() const {
    GivenCommand given{&command_, {}, delete_ && delete_->count() > 0, deleted_};
    for (const auto& [row, option, value] : options_) {
      if (option->count() > 0) given.options.push_back({row, value});
    }
    return given;
  }

 private:
  struct Value {
    const CtlOption* row;
    CLI::Option* option;
    std::string value;
  };

  void Add(const CtlOption& row) {
    using Kind = CtlOption::Kind;
    Value& value = options_.emplace_back(Value{&row, nullptr, {}});
    if (row.kind == Kind::kTrue || row.kind == Kind::kFalse || row.kind == Kind::kFollow) {
      value.option = app_.add_flag(row.name, row.help);
      return;
    }
    const bool is_json = row.kind == Kind::kJson;
    const bool is_file = row.kind == Kind::kFile || row.kind == Kind::kPath;
    const char* const file = *row.name == '-' ? "FILE" : "";  // an argument's name says it
    value.option = app_.add_option(row.name, value.value, row.help);
    value.option->type_name(is_json ? "JSON" : is_file ? file : "TEXT")->required(row.required);
    if (row.kind == Kind::kValueOrTrue) value.option->type_name("[TEXT]")->expected(0, 1);
    if (*row.words != '\0') value.option->check(CLI::Validator(row.words));  // allows all words
  }

  const CtlCommand& command_;
  CLI::App& app_;
  std::deque<Value> options_;  // a deque, because the parser keeps pointers to the values
  CLI::Option* delete_ = nullptr;
  std::string deleted_;
};

// Prints the answer of the call, or the reason of a failure. Returns the exit code.
int CallAndPrint(const HttpCall& call, CtlOutput output, AnswerWriter writer) {
  const Result<HttpReply> reply = SendCtlCall(call);
  if (!reply.ok()) return Fail(reply.error().message);
  return PrintAnswer(*reply, output, writer) ? 0 : Fail("cannot write the answer");
}

// The whole command line of `ctl`.
class CtlLine {
 public:
  CtlLine() {
    UseHelpText(app_);
    app_.require_subcommand(1);
    app_.fallthrough();  // these options may stand after the command, too
    app_.footer(kExample);
    endpoint_option_ = app_.add_option("--endpoint", endpoint_, "The server: http://HOST:PORT");
    endpoint_option_->type_name("URL");
    host_option_ = app_.add_option("--host", address_.host, "The server's address");
    host_option_->type_name("ADDRESS")->excludes(endpoint_option_);
    port_option_ = app_.add_option("--port", address_.port, "The server's port");
    port_option_->type_name("PORT")->excludes(endpoint_option_);
    app_.add_option("--token", token_, "The --control-token that the server was started with")
        ->type_name("TOKEN");
    app_.add_flag("--json", asks_for_json_, "Print JSON, not tables, on a terminal, too");
    for (const CtlCommand& command : CtlCommands()) commands_.emplace_back(command, app_);
    measure_.emplace(app_);
  }

  const CLI::App& app() const { return app_; }

  int Run(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& asked) {
      return app_.exit(asked);
    } catch (const CLI::ParseError& wrong) {
      return RefuseUsage(WhyWrong(wrong));
    }
    if (measure_->is_given()) return RunMeasure();
    for (const CommandArguments& arguments : commands_) {
      if (arguments.is_given()) return Run(arguments.ToGivenCommand());
    }
    return RefuseUsage("which command?");
  }

 private:
  std::string WhyWrong(const CLI::ParseError& wrong) const {
    const std::vector<std::string> unknown = app_.remaining(true);
    const bool needs_subcommand = measure_->lacks_subcommand();
    const bool has_command = !app_.get_subcommands().empty() && !needs_subcommand;
    if (unknown.empty()) {
      if (needs_subcommand) return "which command of measure?";
      return has_command ? wrong.what() : "which command?";
    }
    const std::string& first = unknown.front();
    if (has_command || first.starts_with('-')) return "unknown argument: " + first;
    return needs_subcommand ? UnknownNameSentence("command", first, MeasureCommand::Names())
                            : UnknownNameSentence("command", first, CommandNames());
  }

  int Run(GivenCommand given) {
    const std::optional<std::string> follow_start = TakeFollowStart(&given);
    Result<CtlRequest> request = MakeCtlRequest(given);
    if (!request.ok()) return RefuseUsage(request.error().message);
    if (follow_start && request->method != "GET") {
      return RefuseUsage("--follow goes only with options that filter the list");
    }
    Result<HttpCall> call = MakeCall();
    if (!call.ok()) return RefuseUsage(call.error().message);
    call->method = std::move(request->method);
    call->target = std::move(request->target);
    call->body = std::move(request->body);
    const CtlOutput output = ChooseOutput(asks_for_json_);
    return follow_start ? FollowRequests(std::move(call).value(), *follow_start, output)
                        : CallAndPrint(*call, output, given.command->writer);
  }

  int RunMeasure() const {
    const Result<HttpCall> call = MakeCall();
    if (!call.ok()) return RefuseUsage(call.error().message);
    return measure_->Run(*call, asks_for_json_);
  }

  // Returns a call to the server without its method, target and body.
  // Errors: ValidationException  the text of the endpoint has another form
  Result<HttpCall> MakeCall() const {
    ServerAddress address = address_;
    const bool is_named = host_option_->count() > 0 || port_option_->count() > 0;
    const std::string url = is_named ? "" : Endpoint();
    if (!url.empty()) {
      const auto endpoint = ReadEndpoint(url);
      if (!endpoint) return ValidationError("not an endpoint like http://127.0.0.1:8000: " + url);
      address = *endpoint;
    }
    HttpCall call;
    call.host = address.host;
    call.port = address.port;
    const std::string token = token_.empty() ? FromEnvironment("HASHRANGE_TOKEN") : token_;
    if (!token.empty()) call.authorization = "Bearer " + token;
    call.timeout = kPatience;
    call.max_answer_bytes = kMaxAnswerBytes;
    return call;
  }

  std::string Endpoint() const {
    return endpoint_option_->count() > 0 ? endpoint_ : FromEnvironment("HASHRANGE_ENDPOINT");
  }

  CLI::App app_{"Call the control API of a server: reset, fork, faults, clock and more.",
                "hashrange ctl"};
  CLI::Option* endpoint_option_;
  CLI::Option* host_option_;
  CLI::Option* port_option_;
  std::string endpoint_;
  ServerAddress address_;
  std::string token_;
  bool asks_for_json_ = false;
  std::deque<CommandArguments> commands_;
  std::optional<MeasureCommand> measure_;  // made after the settings of `app_`, which it inherits
};

}  // namespace

CommandDescription DescribeCtl() { return DescribeCommand(CtlLine().app(), "hashrange ctl"); }

int RunCtl(int argc, const char* const* argv) {
  // Never deleted: the parser has many parts, which take time to free, and the process ends anyway.
  return (new CtlLine)->Run(argc, argv);
}

}  // namespace hashrange
