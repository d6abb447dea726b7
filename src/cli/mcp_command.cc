#include "cli/mcp_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/allocator.h"
#include "base/log.h"
#include "cli/message_lines.h"
#include "cli/open_at_start.h"
#include "cli/seed_at_start.h"
#include "hashrange/database.h"
#include "hashrange/server.h"
#include "mcp/agent_target.h"
#include "mcp/mcp_server.h"

namespace hashrange {
namespace {

// How long calls may go on when the input has ended.
constexpr std::chrono::seconds kFinishWait{15};

// As `serve` does: all that has to be kept is kept, and the system frees memory faster.
[[noreturn]] void EndProcess(int exit_code) { std::_Exit(exit_code); }

[[noreturn]] void FailToStart(const std::string& why) {
  std::fprintf(stderr, "hashrange: %s\n", why.c_str());
  EndProcess(1);
}

// What a stop signal ends.
struct ServedAgents {
  std::mutex mutex;
  std::unique_ptr<Database> database;  // null: an endpoint is used, or nothing is loaded yet
  std::unique_ptr<Server> server;      // null: no other program is served
};

[[noreturn]] void EndServing(ServedAgents& served) {
  // Never released: nothing is served afterwards.
  served.mutex.lock();
  if (served.server) served.server->Stop();
  std::string error;
  if (served.database && !served.database->Close(&error)) FailToStart(error);
  EndProcess(0);
}

// Takes stdout for the protocol. What anything else prints goes to stderr.
int TakeStdout() {
  const int output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (output < 0) FailToStart("stdout is closed");
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return output;
}

// Returns false when nobody reads the output any more.
bool IsLineWritten(int output, std::string_view message) {
  std::string line(message);
  line += '\n';
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t written = ::write(output, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      pollfd writable{.fd = output, .events = POLLOUT, .revents = 0};
      ::poll(&writable, 1, -1);
      continue;
    }
    if (written < 0) return false;
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Returns where programs reach the tables; empty: nowhere.
std::string ServePrograms(const McpLine& line, ServedAgents& served) {
  if (!line.serves) return {};
  std::string error;
  Server::Options options{.port = line.place.port};
  options.control_token = ReadControlToken(line.place, &error);
  if (!error.empty()) FailToStart(error);
  auto server = Server::Start(*served.database, options, &error);
  if (!server) FailToStart(error);
  std::string endpoint = server->endpoint();
  Log(LogLevel::kInfo, "serves the tables at " + endpoint);
  std::lock_guard lock(served.mutex);
  served.server = std::move(server);
  return endpoint;
}

// Opens and seeds the database.
void OpenDatabase(const McpLine& line, ServedAgents& served) {
  std::string error;
  OpenedDatabase opened = OpenAtStart(line.place, &error);
  if (!opened.database) FailToStart(error);
  Database& database = *opened.database;
  {
    std::lock_guard lock(served.mutex);
    served.database = std::move(opened.database);
  }
  if (line.place.seed.empty()) return;
  std::string sentence;
  if (opened.tables > 0) {
    sentence = line.place.data + " has tables already, so " + line.place.seed + " is not loaded";
  } else if (!SeedAtStart(line.place, database, &sentence, &error)) {
    FailToStart("--seed: " + error);
  }
  Log(LogLevel::kInfo, sentence);
}

std::unique_ptr<AgentTarget> OpenEndpoint(const McpLine& line) {
  const char* const token = std::getenv("HASHRANGE_TOKEN");
  auto target = OpenEndpointTarget({.url = line.endpoint,
                                    .profile = line.profile,
                                    .account = line.account,
                                    .region = line.region,
                                    .token = line.token,
                                    .usual_token = token ? token : ""});
  if (!target.ok()) FailToStart(target.error().message);
  return std::move(*target);
}

std::unique_ptr<AgentTarget> OpenTarget(const McpLine& line, ServedAgents& served) {
  if (!line.endpoint.empty()) return OpenEndpoint(line);
  OpenDatabase(line, served);
  std::string served_at = ServePrograms(line, served);
  return std::make_unique<DatabaseTarget>(
      *served.database, line.account.empty() ? "000000000000" : line.account,
      line.region.empty() ? "us-east-1" : line.region, std::move(served_at));
}

// What a client tells its model of the tools.
std::string InstructionsFor(const AgentTarget& target, bool is_read_only) {
  std::string text =
      "Hashrange is a DynamoDB for modelling of keys. Before there is an application, compare "
      "layouts of keys in the lab: lab_start, lab_explain, lab_run. On tables: describe_tables, "
      "explain_request (units and index of a request, without making it), dynamodb_read";
  text += is_read_only ? ", measurement_read.\n"
                       : ", dynamodb_call; measurement_start, then calls, then measurement_read "
                         "for costs and findings; snapshot_take before experiments.\n";
  text += "The tables are those of " + target.Description() + ".";
  return text;
}

void ServeLines(const McpLine& line, ServedAgents& served, int output) {
  ReportFolder reports(line.reports);
  if (const Status prepared = reports.Prepare(); !prepared.ok()) {
    FailToStart("--reports: " + prepared.error().message);
  }
  const std::unique_ptr<AgentTarget> target = OpenTarget(line, served);
  ToolPlace place{*target, reports};
  const ToolTable tools(line.is_read_only);
  McpServer server(place, tools,
                   {.version = std::string(ProgramVersion()),
                    .instructions = InstructionsFor(*target, line.is_read_only)},
                   [&served, output](std::string_view message) {
                     if (!IsLineWritten(output, message)) EndServing(served);
                   });
  MessageLines lines(STDIN_FILENO, McpServer::kMostLineBytes);
  std::string text;
  while (true) {
    const MessageLines::Kind kind = lines.Next(&text);
    if (kind == MessageLines::Kind::kEnd) break;
    if (kind == MessageLines::Kind::kLong) server.ReceiveLong();
    if (kind == MessageLines::Kind::kLine) server.Receive(std::exchange(text, {}));
  }
  if (!server.Finish(kFinishWait)) {
    Log(LogLevel::kWarning, "the input has ended before all calls were answered");
  }
  EndServing(served);
}

void ServeLinesOrFail(const McpLine& line, ServedAgents& served, int output) {
  try {
    ServeLines(line, served, output);
  } catch (const std::bad_alloc&) {
    FailToStart("there is not enough memory");
  } catch (const std::exception& failure) {
    FailToStart(failure.what());
  }
}

}  // namespace

void ServeAgents(const McpLine& line) {
  signal(SIGPIPE, SIG_IGN);
  LimitUnusedHeap();
  const int output = TakeStdout();
  ServedAgents served;
  std::thread([&] { ServeLinesOrFail(line, served, output); }).detach();
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  int received = 0;
  sigwait(&signals, &received);
  EndServing(served);
}

}  // namespace hashrange
