#include "cli/mcp_command.h"

#include <cerrno>
#include <chrono>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "cli/options/command_parser.h"
#include "cli/serving_process.h"
#include "cli/terminal/message_lines.h"
#include "hashrange/database.h"
#include "hashrange/server.h"
#include "mcp/agent_target.h"
#include "mcp/mcp_server.h"
#include "platform/files.h"
#include "platform/memory.h"
#include "platform/streams.h"
#include "remote/client/environment.h"

namespace hashrange {
namespace {

constexpr const char* kMcpPath = "hashrange mcp";

constexpr const char* kMcpFooter =
    "A client starts the server and speaks the Model Context Protocol with it on stdin and stdout; "
    "log\n"
    "lines go to stderr. The server ends with its input. docs/agents.md shows how to register it.\n"
    "Examples:\n"
    "  claude mcp add hashrange -- hashrange mcp --port 8000\n"
    "  hashrange mcp --endpoint http://localhost:8000 --read-only";

CommandRow McpRow(McpLine& line) {
  const auto note_port = [&line](const std::string&) {
    line.serves = true;
    return std::string();
  };
  return {
      .path = kMcpPath,
      .help = "Offer tools to agents, by the Model Context Protocol.",
      .footer = kMcpFooter,
      .options = {
          {"--seed", "PATH",
           "Load tables and items first, from a file or folder (docs/seed-and-dump.md)",
           &line.place.seed},
          {"--data", "DIR", "Keep tables in this directory (default: in memory only)",
           &line.place.database.data_directory},
          {"--port", "PORT",
           "Also serve the tables to other programs at this port; 0 picks a free one (default: "
           "only the tools reach them)",
           &line.place.server.port,
           OptionRules{.range = NumberRange{0, 65535}, .check = note_port}},
          {"--endpoint", "URL",
           "Use the tables of this server: a running Hashrange, or DynamoDB or what is compatible "
           "with it",
           &line.endpoint, OptionRules{.excludes = {"--data", "--port", "--seed"}}},
          {"--profile", "NAME", "Sign the endpoint's requests with the keys of this AWS profile",
           &line.profile, OptionRules{.needs = {"--endpoint"}}},
          {"--token", "TOKEN",
           "The token of the endpoint's control API; also the variable HASHRANGE_TOKEN",
           &line.token, OptionRules{.needs = {"--endpoint"}}},
          {"--account", "ACCOUNT", "The account whose tables the tools see (default: 000000000000)",
           &line.account, OptionRules{.check = Account()}},
          {"--region", "REGION", "Their Region (default: us-east-1)", &line.region},
          {"--read-only", "", "Offer only tools that change nothing", &line.is_read_only},
          {"--reports", "DIR",
           "Write whole reports and long answers into this directory (default: a temporary one)",
           &line.reports},
          {"--log-level", "LEVEL", "Log messages from this level on: debug, info, warning, error",
           &line.place.log_level,
           OptionRules{.default_value = line.place.log_level,
                       .words = {"debug", "info", "warning", "error"},
                       .takes_only_words = true}}}};
}

// How long calls may go on when the input has ended.
constexpr std::chrono::seconds kFinishWait{15};

// Returns where programs reach the tables; empty: nowhere.
std::string ServePrograms(const McpLine& line, ServedParts& parts) {
  if (!line.serves) return {};
  std::string error;
  Server::Options options{.port = line.place.server.port};
  options.control_token = ReadControlToken(line.place, &error);
  if (!error.empty()) FailToServe(error);
  auto server = Server::Start(*parts.database, options, &error);
  if (!server) FailToServe(error);
  std::string endpoint = server->endpoint();
  Log(LogLevel::kInfo, "serves the tables at " + endpoint);
  std::lock_guard lock(parts.mutex);
  parts.server = std::move(server);
  return endpoint;
}

std::unique_ptr<AgentTarget> OpenAgentEndpoint(const McpLine& line) {
  auto target = OpenEndpointTarget({.url = line.endpoint,
                                    .profile = line.profile,
                                    .account = line.account,
                                    .region = line.region,
                                    .token = line.token,
                                    .usual_token = EnvironmentVariable("HASHRANGE_TOKEN")});
  if (!target.ok()) FailToServe(target.error().message);
  return std::move(*target);
}

std::unique_ptr<AgentTarget> OpenAgentTarget(const McpLine& line, ServedParts& parts) {
  if (!line.endpoint.empty()) return OpenAgentEndpoint(line);
  const OpenedDatabase opened = OpenAtStart(line.place, parts);
  const std::string seeded = SeedAtStart(line.place, opened);
  if (!seeded.empty()) Log(LogLevel::kInfo, seeded);
  std::string served_at = ServePrograms(line, parts);
  return std::make_unique<DatabaseTarget>(
      opened.database, line.account.empty() ? "000000000000" : line.account,
      line.region.empty() ? "us-east-1" : line.region, std::move(served_at));
}

// What a client tells its model of the tools.
std::string InstructionsFor(const AgentTarget& target, bool is_read_only) {
  std::string text =
      "Hashrange is a DynamoDB for modelling of keys. Before there is an application, compare "
      "layouts of keys in the lab: lab_start, lab_propose, lab_explain, lab_run. On tables: "
      "describe_tables, explain_request (units and index of a request, without making it), "
      "dynamodb_read";
  text += is_read_only ? ", measurement_read.\n"
                       : ", dynamodb_call; measurement_start, then calls, then measurement_read "
                         "for costs and findings; snapshot_take before experiments.\n";
  text += "The tables are those of " + target.Description() + ".";
  return text;
}

void ServeLines(const McpLine& line, ServedParts& parts, int output) {
  ReportFolder reports(line.reports);
  if (const Status prepared = reports.Prepare(); !prepared.ok()) {
    FailToServe("--reports: " + prepared.error().message);
  }
  const std::unique_ptr<AgentTarget> target = OpenAgentTarget(line, parts);
  ToolPlace place{*target, reports};
  const ToolTable tools(line.is_read_only);
  McpServer server(place, tools,
                   {.version = std::string(ProgramVersion()),
                    .instructions = InstructionsFor(*target, line.is_read_only)},
                   [&parts, output](std::string_view message) {
                     // Nobody reads the output any more.
                     if (!WriteToStream(output, std::string(message) + "\n")) EndServing(parts);
                   });
  MessageLines lines(kStdin, McpServer::kMostLineBytes);
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
  EndServing(parts);
}

}  // namespace

CommandRow DescribeMcp() {
  McpLine line;
  return McpRow(line);
}

McpLine ParseMcpLine(int argc, const char* const* argv) {
  McpLine line;
  const ParsedLine parsed = ParseRows(McpRow(line), argc, argv);
  if (!parsed.wrong.empty()) {
    return {.is_over = true, .exit_code = RefuseUsage(kMcpPath, parsed.wrong)};
  }
  line.is_over = parsed.is_printed;
  // The tools see what is loaded.
  line.place.seed_account = line.account;
  line.place.seed_region = line.region;
  return line;
}

void ServeAgents(const McpLine& line) {
  const int output = TakeStdout();  // for the protocol
  if (output < 0) FailToServe("stdout is closed");
  ServeUntilSignal([&](ServedParts& parts) { ServeLines(line, parts, output); },
                   "there is not enough memory");
}

}  // namespace hashrange
