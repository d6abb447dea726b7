#include "cli/serve.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "platform/memory.h"
#include "cli/open_at_start.h"
#include "cli/parent_watch.h"
#include "cli/ready_line.h"
#include "cli/seed_at_start.h"
#include "hashrange/database.h"
#include "hashrange/server.h"

namespace hashrange {
namespace {

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

// No object is destroyed: a seed may be under way on its threads, and the system frees the memory
// of millions of items faster than destructors do. All output has been flushed.
[[noreturn]] void End(int exit_code) { std::_Exit(exit_code); }

[[noreturn]] void Fail(const std::string& why) {
  std::fprintf(stderr, "hashrange: %s\n", why.c_str());
  End(1);
}

// Prints where the server listens, for people, and writes the ready line, for a program. If both
// would go to stdout, only the ready line does. Returns false when the ready line cannot be
// written.
bool Announce(const CommandLine& line, const Server& server,
              const std::vector<std::string>& sentences) {
  const bool is_read_by_program = line.ready_fd == STDOUT_FILENO;
  if (!is_read_by_program) {
    std::string endpoints;
    for (const std::string& each : server.endpoints()) {
      endpoints.append(endpoints.empty() ? "" : ", ").append(each);
    }
    std::printf("Hashrange %s listens on %s\n", ProgramVersion().data(), endpoints.c_str());
  }
  for (const std::string& sentence : sentences) {
    if (sentence.empty()) continue;
    std::fprintf(is_read_by_program ? stderr : stdout, "%s\n", sentence.c_str());
  }
  std::fflush(stdout);
  return line.ready_fd < 0 || WriteReadyLine(line.ready_fd, server.endpoint(), server.port());
}

// What the first thread stops after a signal.
struct RunningServer {
  std::mutex mutex;
  std::unique_ptr<Database> database;  // null until it is loaded
  std::unique_ptr<Server> server;      // null until it listens
};

std::string ControlTokenOrFail(const CommandLine& line) {
  std::string error;
  std::string token = ReadControlToken(line, &error);
  if (!error.empty()) Fail(error);
  return token;
}

// Each connection needs a descriptor, and on many systems a process gets few unless it asks.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// The data of a directory are loaded first. The port is bound before the seed is loaded, so that a
// taken port is noticed at once. Connections are refused until the seed is loaded.
void Start(const CommandLine& line, RunningServer& running) {
  std::string error;
  OpenedDatabase opened = OpenAtStart(line, &error);
  if (!opened.database) Fail(error);
  Database& database = *opened.database;
  {
    std::lock_guard lock(running.mutex);
    running.database = std::move(opened.database);
  }
  auto server =
      Server::Bind(database,
                   {.host = line.host,
                    .port = line.port,
                    .threads = line.threads,
                    .control_token = ControlTokenOrFail(line),
                    .files = line.files,
                    .cors = line.cors,
                    .allowed_hosts = line.allowed_hosts,
                    .request_memory_bytes = static_cast<std::int64_t>(line.request_memory_bytes),
                    .max_connections = line.max_connections},
                   &error);
  if (!server) Fail(error);
  std::string seeded;
  if (!line.seed.empty() && opened.tables > 0) {
    seeded = line.data + " has tables already, so " + line.seed + " is not loaded";
  } else if (!line.seed.empty() && !SeedAtStart(line, database, &seeded, &error)) {
    Fail("--seed: " + error);
  }
  const Server& listening = *server;
  {
    std::lock_guard lock(running.mutex);
    if (!server->Listen(&error)) Fail(error);
    running.server = std::move(server);
  }
  if (!Announce(line, listening, {opened.sentence, seeded}))
    Fail("nobody reads what --ready-fd says");
}

void StartOrFail(const CommandLine& line, RunningServer& running) {
  try {
    Start(line, running);
  } catch (const std::bad_alloc&) {
    Fail("there is not enough memory to start");
  } catch (const std::exception& failure) {
    Fail(failure.what());
  }
}

}  // namespace

void BlockStopSignals() {
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void Serve(const CommandLine& line) {
  std::optional<ParentWatch> parent;
  if (line.exits_with_parent) parent.emplace(line.parent);
  signal(SIGPIPE, SIG_IGN);
  RaiseDescriptorLimit();
  LimitUnusedHeap();
  if (parent) parent->Start();
  RunningServer running;
  std::thread([&] { StartOrFail(line, running); }).detach();
  int received = 0;
  const sigset_t stop_signals = StopSignals();
  sigwait(&stop_signals, &received);
  std::lock_guard lock(running.mutex);
  if (running.server) running.server->Stop();
  std::string error;
  if (running.database && !running.database->Close(&error)) Fail(error);
  End(0);
}

}  // namespace hashrange
