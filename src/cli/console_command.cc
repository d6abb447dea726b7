#include "cli/console_command.h"

#include "cli/ctl/server_call.h"
#include "cli/options/command_parser.h"
#include "cli/terminal/program_output.h"
#include "platform/browser.h"
#include "server/exchange/console_page.h"

namespace hashrange {
namespace {

constexpr const char* kCommandPath = "hashrange console";

constexpr const char* kConsoleFooter =
    "Where the server is: --endpoint, or --host and --port, or HASHRANGE_ENDPOINT in the\n"
    "environment, or http://127.0.0.1:8000. The address of the page is also printed.\n"
    "Example:\n"
    "  hashrange console --port 8001";

CommandRow ConsoleRow(ServerOptions& server) {
  const auto names_address = [&server](const std::string&) {
    server.names_address = true;
    return std::string();
  };
  return {.path = kCommandPath,
          .help = "Open the console of a server, its page in the browser.",
          .footer = kConsoleFooter,
          .options = {{"--endpoint", "URL", "The server: http://HOST:PORT", &server.endpoint,
                       OptionRules{.excludes = {"--host", "--port"}}},
                      {"--host", "ADDRESS", "The server's address", &server.address.host,
                       OptionRules{.check = names_address}},
                      {"--port", "PORT", "The server's port", &server.address.port,
                       OptionRules{.check = names_address}}}};
}

}  // namespace

CommandRow DescribeConsole() {
  ServerOptions server;
  return ConsoleRow(server);
}

std::string ConsoleAddress(const HttpCall& call) {
  const bool is_ipv6 = call.host.find(':') != std::string::npos;
  const std::string host = is_ipv6 ? "[" + call.host + "]" : call.host;
  return "http://" + host + ":" + std::to_string(call.port) + std::string(kConsolePath);
}

int RunConsole(int argc, const char* const* argv) {
  ServerOptions server;
  const ParsedLine parsed = ParseRows(ConsoleRow(server), argc, argv);
  if (parsed.is_printed) return 0;
  if (!parsed.wrong.empty()) return RefuseUsage(kCommandPath, parsed.wrong);
  Result<HttpCall> call = CallTo(server);
  if (!call.ok()) return RefuseUsage(kCommandPath, call.error().message);
  call->target = kConsolePath;
  if (const auto page = SendCtlCall(*call); !page.ok()) return FailWith(page.error());
  const std::string address = ConsoleAddress(*call);
  if (const Status printed = PrintText(address); !printed.ok()) return FailWith(printed.error());
  OpenInBrowser(address);
  return 0;
}

}  // namespace hashrange
