// The program: runs the command that the command line names, and sets up the log of `serve`.
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/log.h"
#include "cli/command_line.h"
#include "cli/console_command.h"
#include "cli/copy_command.h"
#include "cli/ctl/ctl.h"
#include "cli/ctl/server_call.h"
#include "cli/data/data_commands.h"
#include "cli/health_stand_in.h"
#include "cli/lab_line.h"
#include "cli/mcp_command.h"
#include "cli/serve.h"
#include "platform/net/host_lookup.h"
#include "platform/signals.h"

namespace {

// The levels in the order of hashrange::LogLevel.
constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::debug, spdlog::level::info,
                                                 spdlog::level::warn, spdlog::level::err};

void StartLog(const std::string& level_name) {
  const spdlog::level::level_enum least = spdlog::level::from_str(level_name);
  auto logger = std::make_shared<spdlog::logger>("hashrange",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_level(least);
  logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %l %v");
  const auto* const level = std::ranges::find(kLevels, least);
  hashrange::SetLogSink(
      [logger](hashrange::LogLevel at, std::string_view message) {
        logger->log(kLevels[static_cast<int>(at)],
                    spdlog::string_view_t(message.data(), message.size()));
      },
      static_cast<hashrange::LogLevel>(level - std::begin(kLevels)));
}

}  // namespace

int main(int argc, char** argv) {
  using hashrange::CommandLine;
  hashrange::UseBuiltInHostLookups();
  if (argc > 0 && hashrange::IsHealthStandIn(argv[0])) {
    return hashrange::RunHealthStandIn(std::span(argv + 1, argv + argc));
  }
  // These have command lines of their own, whose many rows would slow down the start of a server.
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "ctl") return hashrange::RunCtl(argc - 1, argv + 1);
  if (command == "console") return hashrange::RunConsole(argc - 1, argv + 1);
  if (command == "copy") {
    return hashrange::RunCopyLine(hashrange::ParseCopyLine(argc - 1, argv + 1));
  }
  if (command == "lab") return hashrange::RunLabLine(hashrange::ParseLabLine(argc - 1, argv + 1));
  if (command == "mcp") {
    hashrange::BlockStopSignals();
    const hashrange::McpLine line = hashrange::ParseMcpLine(argc - 1, argv + 1);
    if (line.is_over) return line.exit_code;
    StartLog(line.place.log_level);
    hashrange::ServeAgents(line);
  }
  // The signals are blocked at once, since a starter may stop a server as soon as it runs. Blocked
  // signals do no harm to the other commands, which end soon by themselves.
  hashrange::BlockStopSignals();
  const CommandLine line = hashrange::ParseCommandLine(argc, argv);
  const std::string& directory = line.database.data_directory;
  switch (line.command) {
    case CommandLine::Command::kHealthcheck:
      return hashrange::RunHealthcheck(line.server.host, line.server.port);
    case CommandLine::Command::kCheck:
      return hashrange::RunCheck(directory);
    case CommandLine::Command::kCompact:
      return hashrange::RunCompact(directory);
    case CommandLine::Command::kRepair:
      return hashrange::RunRepair(directory);
    case CommandLine::Command::kCompletion:
      return hashrange::RunCompletion(line.shell);
    case CommandLine::Command::kMan:
      return hashrange::RunMan();
    case CommandLine::Command::kNothing:
      return line.exit_code;
    case CommandLine::Command::kServe:
      break;
  }
  StartLog(line.log_level);
  hashrange::Serve(line);
}
