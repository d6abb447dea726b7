// The program: options → Database → Server, until a signal.
#include <pthread.h>
#include <signal.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "base/log.h"
#include "cli/command_line.h"
#include "cli/healthcheck.h"
#include "hashrange/database.h"
#include "hashrange/server.h"

namespace {

using hashrange::CommandLine;

// In the order of LogLevel.
constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::debug, spdlog::level::info,
                                                 spdlog::level::warn, spdlog::level::err};

void StartLog(const std::string& level) {
  auto logger = std::make_shared<spdlog::logger>("hashrange",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_level(spdlog::level::from_str(level));
  logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %l %v");
  hashrange::SetLogSink([logger](hashrange::LogLevel at, std::string_view message) {
    logger->log(kLevels[static_cast<int>(at)],
                spdlog::string_view_t(message.data(), message.size()));
  });
}

int Serve(const CommandLine& line) {
  // Blocked before any thread starts, so that only the sigwait below sees them.
  sigset_t stop_signals;
  sigemptyset(&stop_signals);
  sigaddset(&stop_signals, SIGINT);
  sigaddset(&stop_signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &stop_signals, nullptr);
  signal(SIGPIPE, SIG_IGN);

  StartLog(line.log_level);
  hashrange::Database database(
      {.shared_tables = line.shared_tables,
       .transition_ms = line.transition_ms,
       .stream_shards = line.stream_shards,
       .stream_buffer_bytes = static_cast<std::int64_t>(line.stream_buffer_bytes),
       .ttl_interval_ms = std::llround(1000 * line.ttl_interval_s)});
  std::string error;
  if (!line.seed.empty() && !database.Seed(line.seed, &error)) {
    std::fprintf(stderr, "hashrange: --seed: %s\n", error.c_str());
    return 1;
  }
  const auto server = hashrange::Server::Start(
      database, {.host = line.host, .port = line.port, .threads = line.threads}, &error);
  if (!server) {
    std::fprintf(stderr, "hashrange: %s\n", error.c_str());
    return 1;
  }
  std::printf("Hashrange %s listens on %s\n", hashrange::ProgramVersion().data(),
              server->endpoint().c_str());
  std::fflush(stdout);
  int received = 0;
  sigwait(&stop_signals, &received);
  server->Stop();
  // Nothing is destroyed: the system takes back millions of items faster than we could.
  std::_Exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  const CommandLine line = hashrange::ParseCommandLine(argc, argv);
  if (line.command == CommandLine::Command::kNothing) return line.exit_code;
  if (line.command == CommandLine::Command::kServe) return Serve(line);
  return hashrange::RunHealthcheck(line.host, line.port);
}
