// Fuzzes the lines that a client of `hashrange mcp` sends. Whatever they are, each message that is
// written is JSON on one line.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/memory/arena.h"
#include "hashrange/database.h"
#include "mcp/agent_target.h"
#include "mcp/mcp_server.h"
#include "wire/json.h"

namespace {

void CheckMessage(std::string_view message) {
  std::string text(message);
  text.push_back('\0');
  hashrange::Arena arena;
  const auto json = hashrange::ParseJsonData({text.data(), message.size()},
                                             hashrange::JsonDialect::kDocument, arena);
  if (!json.ok() || message.find('\n') != message.npos) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static hashrange::Database database;
  static hashrange::DatabaseTarget target(database, "000000000000", "us-east-1", "");
  static hashrange::ReportFolder reports("/dev/null/no-folder");
  static hashrange::ToolPlace place{target, reports};
  static const hashrange::ToolTable tools(true);
  std::string_view text(reinterpret_cast<const char*>(data), size);
  hashrange::McpServer server(place, tools, {.version = "1", .instructions = "none"}, CheckMessage);
  server.StopCalls();  // a run of the lab ends at once
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    server.Receive(std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  server.Finish(std::chrono::minutes(5));
  return 0;
}
