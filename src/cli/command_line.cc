#include "cli/command_line.h"

#include <sys/stat.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "base/file_text.h"
#include "base/log.h"
#include "cli/empty_option.h"
#include "cli/exit_codes.h"
#include "cli/help_text.h"
#include "cli/serve_options.h"

namespace hashrange {
namespace {

using Command = CommandLine::Command;

constexpr const char* kServeFooter =
    "The server listens only after the data and the seed are loaded. SIGINT and SIGTERM end it "
    "with\n"
    "exit code 0, also while it loads. Any access key and secret will do. An access key of 12 "
    "digits\n"
    "is an account with tables of its own, as is each Region, unless --shared is given.\n"
    "Example:\n"
    "  hashrange --port 8000 &\n"
    "  aws dynamodb list-tables --endpoint-url http://localhost:8000 --region us-east-1";

constexpr const char* kCheckFooter =
    "The program exits with 0 if nothing is damaged; with 1 if something is; with 2 if the "
    "directory\n"
    "cannot be opened, as when a server uses it. It writes nothing.";

constexpr const char* kRepairFooter =
    "A server does not start with a log that is damaged or shorter than it was. This command cuts\n"
    "the log where the damage begins, and cuts off all later changes, too. What it cuts off, it "
    "keeps\n"
    "in a file beside the log.\n"
    "The program exits with 0 if the directory can be used then; with 1 if something is damaged "
    "that it\n"
    "does not repair; with 2 if the directory cannot be opened, as when a server uses it.";

constexpr const char* kCompletionFooter =
    "Examples:\n"
    "  source <(hashrange completion bash)\n"
    "  source <(hashrange completion zsh)\n"
    "  hashrange completion fish | source";

constexpr const char* kManFooter =
    "Example:\n"
    "  hashrange man >hashrange.1 && man -l hashrange.1";

struct CommandRow {
  std::string_view name;
  Command command;
};
constexpr CommandRow kCommands[] = {
    {"serve", Command::kServe},   {"healthcheck", Command::kHealthcheck},
    {"check", Command::kCheck},   {"compact", Command::kCompact},
    {"repair", Command::kRepair}, {"completion", Command::kCompletion},
    {"man", Command::kMan},
};

CommandLine RefusedLine(const std::string& why) {
  std::fprintf(stderr, "hashrange: %s (see hashrange --help)\n", why.c_str());
  CommandLine line;
  line.command = Command::kNothing;
  line.exit_code = kUsageError;
  return line;
}

// The whole command line but for the options of `copy`, `ctl`, `lab` and `mcp`.
class ProgramParser {
 public:
  ProgramParser() {
    UseHelpText(app_);
    app_.set_version_flag("--version", "Hashrange " HASHRANGE_VERSION);
    app_.require_subcommand(0, 1);
    AddServeOptions(app_, line_);
    CLI::App& serve = Add("serve", "Serve until stopped (also without a command)", kServeFooter);
    AddServeOptions(serve, line_);
    CLI::App& healthcheck = Add("healthcheck", "Exit with 0 if a server answers, otherwise with 1",
                                "Example:\n  hashrange healthcheck --port 8000 && echo up");
    AddEndpoint(healthcheck, line_, "Ask at this address (default: 127.0.0.1)", "Ask at this port");
    AddDirectory(Add("check", "Read all data in a directory, and exit with 1 if it is damaged",
                     kCheckFooter));
    AddDirectory(Add("compact", "Make a directory as small as its data", ""));
    AddDirectory(Add("repair", "Cut damaged ends off the logs of a directory, and keep what is cut",
                     kRepairFooter));
    Add("copy", "Copy tables between endpoints, or from and into folders").allow_extras();
    Add("ctl", "Call a server's control API: reset, fork, faults, clock and more").allow_extras();
    Add("lab", "Compare layouts of keys before a program is written").allow_extras();
    Add("mcp", "Offer tools to agents by the Model Context Protocol").allow_extras();
    Add("completion", "Print the script that completes commands and options in a shell",
        kCompletionFooter)
        .add_option("SHELL", line_.shell, "bash, zsh or fish")
        ->required()
        ->type_name("")
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    Add("man", "Print the man page hashrange(1), in roff", kManFooter);
    app_.footer(kServeFooter);  // the commands would inherit it
  }

  const CLI::App& app() const { return app_; }

  CommandLine Parse(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
      line_.command = GivenCommand();
    } catch (const CLI::Success& asked) {
      line_.command = Command::kNothing;
      app_.exit(asked);
    } catch (const CLI::ExtrasError&) {
      Refuse("unknown argument: " + app_.remaining(true).front());
    } catch (const CLI::ParseError& wrong) {
      Refuse(wrong.what());
    }
    return line_;
  }

 private:
  CLI::App& Add(const char* name, const char* help, const char* footer = "") {
    CLI::App& command = *app_.add_subcommand(name, help);
    command.footer(footer);
    return command;
  }

  void AddDirectory(CLI::App& app) {
    app.add_option("DIR", line_.data, "The directory, which no server uses")
        ->required()
        ->type_name("");
  }

  // Errors: CLI::ParseError  the command is one that has to stand first
  Command GivenCommand() const {
    const auto given = app_.get_subcommands();
    if (given.empty()) return Command::kServe;
    const std::string& name = given.front()->get_name();
    if (name == "ctl") Throw("write the options of ctl after it: hashrange ctl --port …");
    if (name == "copy") Throw("write copy first: hashrange copy --from …");
    if (name == "lab") Throw("write lab first: hashrange lab run …");
    if (name == "mcp") Throw("write mcp first: hashrange mcp …");
    return std::ranges::find(kCommands, name, &CommandRow::name)->command;
  }

  [[noreturn]] static void Throw(const char* why) {
    throw CLI::ParseError(why, CLI::ExitCodes::BaseClass);
  }

  void Refuse(const std::string& why) { line_ = RefusedLine(why); }

  CommandLine line_;
  CLI::App app_{"Hashrange: an in-memory, DynamoDB-compatible server.", "hashrange"};
};

}  // namespace

std::string_view ProgramVersion() { return HASHRANGE_VERSION; }

CommandLine ParseCommandLine(int argc, const char* const* argv) {
  if (const std::string option = EmptyOption(argc, argv); !option.empty()) {
    return RefusedLine(option + " is empty");
  }
  return ProgramParser().Parse(argc, argv);
}

CommandDescription DescribeCommandLine() {
  return DescribeCommand(ProgramParser().app(), "hashrange");
}

std::string ReadControlToken(const CommandLine& line, std::string* error) {
  if (!line.control_token.empty()) return line.control_token;
  if (line.control_token_file.empty()) {
    const char* const token = std::getenv("HASHRANGE_TOKEN");
    return token ? token : "";
  }
  constexpr std::size_t kMaxTokenFileBytes = 64 << 10;
  auto text = ReadFileText(line.control_token_file, kMaxTokenFileBytes);
  if (!text.ok()) {
    *error = "--control-token-file: " + text.error().message;
    return {};
  }
  struct stat attributes {};
  if (stat(line.control_token_file.c_str(), &attributes) == 0 &&
      (attributes.st_mode & (S_IRGRP | S_IROTH)) != 0) {
    Log(LogLevel::kWarning, "--control-token-file: other users of this machine may read " +
                                line.control_token_file + ": chmod 600 shuts them out");
  }
  std::string token = std::move(*text);
  const std::size_t end = token.find_last_not_of(" \t\r\n");
  token.resize(end == token.npos ? 0 : end + 1);
  if (token.empty())
    *error = "--control-token-file: " + line.control_token_file + " holds no token";
  return token;
}

}  // namespace hashrange
