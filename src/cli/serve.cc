#include "cli/serve.h"

#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/serving_process.h"
#include "hashrange/database.h"
#include "hashrange/server.h"
#include "platform/files.h"
#include "platform/memory.h"
#include "platform/parent_watch.h"
#include "platform/process.h"
#include "platform/streams.h"
#include "server/exchange/console_page.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

// Prints the lines with which DynamoDB Local begins, but for its version: scripts and classes of
// Testcontainers wait for one of them.
void PrintLikeDynamoDbLocal(const CommandLine& line, int port) {
  const auto word = [](bool is_true) { return is_true ? "true" : "false"; };
  const std::string& path = line.database.data_directory;
  std::string origins;
  for (const std::string& origin : line.server.cors) {
    origins.append(origins.empty() ? "" : ",").append(origin);
  }
  std::printf(
      "Initializing DynamoDB Local with the following configuration:\n"
      "Port:\t%d\nInMemory:\t%s\nDbPath:\t%s\nSharedDb:\t%s\n"
      "shouldDelayTransientStatuses:\t%s\nCorsParams:\t%s\n\n",
      port, word(path.empty()), path.empty() ? "null" : path.c_str(),
      word(line.database.shared_tables), word(line.database.index_transition_ms > 0),
      origins.empty() ? "null" : origins.c_str());
}

// Prints where the server listens, for people, and writes the ready line, for a program. If both
// would go to stdout, only the ready line does. Returns false when the ready line cannot be
// written.
bool Announce(const CommandLine& line, const Server& server,
              const std::vector<std::string>& sentences) {
  const bool is_read_by_program = line.ready_fd == kStdout;
  if (!is_read_by_program) {
    std::string endpoints;
    for (const std::string& each : server.endpoints()) {
      endpoints.append(endpoints.empty() ? "" : ", ").append(each);
    }
    std::printf("Hashrange %s listens on %s\n", ProgramVersion().data(), endpoints.c_str());
    if (line.server.answers_root_with_400) PrintLikeDynamoDbLocal(line, server.port());
    if (line.server.console != "off") {
      std::printf("Console: %s%s\n", server.endpoint().c_str(), kConsolePath.data());
    }
  }
  for (const std::string& sentence : sentences) {
    if (sentence.empty()) continue;
    std::fprintf(is_read_by_program ? stderr : stdout, "%s\n", sentence.c_str());
  }
  std::fflush(stdout);
  return line.ready_fd < 0 || WriteReadyLine(line.ready_fd, server.endpoint(), server.port());
}

// The data of a directory are loaded first. The port is bound before the seed is loaded, so that a
// taken port is noticed at once. Connections are refused until the seed is loaded.
void StartServer(const CommandLine& line, ServedParts& parts) {
  const OpenedDatabase opened = OpenAtStart(line, parts);
  std::string error;
  Server::Options options = line.server;
  options.control_token = ReadControlToken(line, &error);
  if (!error.empty()) FailToServe(error);
  auto server = Server::Bind(opened.database, options, &error);
  if (!server) FailToServe(error);
  const std::string seeded = SeedAtStart(line, opened);
  const Server& listening = *server;
  {
    std::lock_guard lock(parts.mutex);
    if (!server->Listen(&error)) FailToServe(error);
    parts.server = std::move(server);
  }
  if (!Announce(line, listening, {opened.sentence, seeded})) {
    FailToServe("nobody reads what --ready-fd says");
  }
}

}  // namespace

void Serve(const CommandLine& line) {
  std::optional<ParentWatch> parent;
  if (line.exits_with_parent) parent.emplace(line.parent);
  RaiseMaxOpenFiles();  // each connection needs a file
  const auto start = [&](ServedParts& parts) {
    if (parent) parent->Start();
    StartServer(line, parts);
  };
  ServeUntilSignal(start, "there is not enough memory to start");
}

bool WriteReadyLine(int descriptor, const std::string& endpoint, std::uint16_t port) {
  const std::string line = JsonObjectText([&](JsonWriter& writer) {
    writer.StringMember("endpoint", endpoint);
    writer.IntegerMember("port", port);
    writer.IntegerMember("pid", ProcessId());
  });
  const bool is_written = WriteAll(descriptor, line + "\n");
  CloseStream(descriptor);
  return is_written;
}

}  // namespace hashrange
