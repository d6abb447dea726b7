#include "cli/serve.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "cli/parent_watch.h"
#include "cli/ready_line.h"
#include "hashrange/database.h"
#include "hashrange/server.h"

namespace hashrange {
namespace {

// Blocked before any thread starts, so that only the wait for them sees them.
sigset_t BlockStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signals;
}

int Fail(const std::string& why) {
  std::fprintf(stderr, "hashrange: %s\n", why.c_str());
  return 1;
}

// To people, and to whoever started it. On one descriptor a program reads its line alone.
bool Announce(const CommandLine& line, const Server& server) {
  if (line.ready_fd != STDOUT_FILENO) {
    std::printf("Hashrange %s listens on %s\n", ProgramVersion().data(), server.endpoint().c_str());
    std::fflush(stdout);
  }
  return line.ready_fd < 0 || WriteReadyLine(line.ready_fd, server.endpoint(), server.port());
}

}  // namespace

int Serve(const CommandLine& line) {
  std::optional<ParentWatch> parent;
  if (line.exits_with_parent) parent.emplace();
  const sigset_t stop_signals = BlockStopSignals();
  Database database({.shared_tables = line.shared_tables,
                     .transition_ms = line.transition_ms,
                     .stream_shards = line.stream_shards,
                     .stream_buffer_bytes = static_cast<std::int64_t>(line.stream_buffer_bytes),
                     .ttl_interval_ms = std::llround(1000 * line.ttl_interval_s),
                     .metrics = line.metrics});
  std::string error;
  if (!line.seed.empty() && !database.Seed(line.seed, &error)) return Fail("--seed: " + error);
  const auto server = Server::Start(database,
                                    {.host = line.host,
                                     .port = line.port,
                                     .threads = line.threads,
                                     .control_token = line.control_token},
                                    &error);
  if (!server) return Fail(error);
  if (parent) parent->Start();
  if (!Announce(line, *server)) std::_Exit(Fail("nobody reads what --ready-fd says"));
  int received = 0;
  sigwait(&stop_signals, &received);
  server->Stop();
  // Nothing is destroyed: the system takes back millions of items faster than we could.
  std::_Exit(0);
}

}  // namespace hashrange
