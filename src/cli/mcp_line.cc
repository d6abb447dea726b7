#include "cli/mcp_line.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/empty_option.h"
#include "cli/exit_codes.h"
#include "cli/help_text.h"

namespace hashrange {
namespace {

constexpr const char* kExample =
    "A client starts the server and speaks the Model Context Protocol with it on stdin and stdout; "
    "log\n"
    "lines go to stderr. The server ends with its input. docs/agents.md shows how to register it.\n"
    "Examples:\n"
    "  claude mcp add hashrange -- hashrange mcp --port 8000\n"
    "  hashrange mcp --endpoint http://localhost:8000 --read-only";

// Adds the options of a database in the process.
std::vector<CLI::Option*> AddDatabase(CLI::App& app, McpLine& line) {
  CLI::Option* const seed =
      app.add_option("--seed", line.place.seed,
                     "Load tables and items first, from a file or folder (docs/seed-and-dump.md)")
          ->type_name("PATH");
  CLI::Option* const data =
      app.add_option("--data", line.place.data,
                     "Keep tables in this directory (default: in memory only)")
          ->type_name("DIR");
  const auto set_port = [&line](const std::uint16_t& port) {
    line.place.port = port;
    line.serves = true;
  };
  CLI::Option* const port =
      app.add_option_function<std::uint16_t>(
             "--port", set_port,
             "Also serve the tables to other programs at this port; 0 picks a free one (default: "
             "only the tools reach them)")
          ->type_name("PORT")
          ->check(CLI::Range(0, 65535).description(""));
  return {seed, data, port};
}

void AddEndpointOptions(CLI::App& app, McpLine& line, const std::vector<CLI::Option*>& database) {
  CLI::Option* const endpoint =
      app.add_option("--endpoint", line.endpoint,
                     "Use the tables of this server: a running Hashrange, or DynamoDB or what is "
                     "compatible with it")
          ->type_name("URL");
  for (CLI::Option* const option : database) endpoint->excludes(option);
  app.add_option("--profile", line.profile,
                 "Sign the endpoint's requests with the keys of this AWS profile")
      ->type_name("NAME")
      ->needs(endpoint);
  app.add_option("--token", line.token,
                 "The token of the endpoint's control API; also the variable HASHRANGE_TOKEN")
      ->type_name("TOKEN")
      ->needs(endpoint);
}

void AddMcpOptions(CLI::App& app, McpLine& line) {
  AddEndpointOptions(app, line, AddDatabase(app, line));
  const auto is_account = [](const std::string& text) -> std::string {
    const bool has_digits = text.find_first_not_of("0123456789") == std::string::npos;
    return has_digits && text.size() == 12 ? "" : "not an account of 12 digits: " + text;
  };
  app.add_option("--account", line.account,
                 "The account whose tables the tools see (default: 000000000000)")
      ->type_name("ACCOUNT")
      ->check(CLI::Validator(is_account, ""));
  app.add_option("--region", line.region, "Their Region (default: us-east-1)")->type_name("REGION");
  app.add_flag("--read-only", line.is_read_only, "Offer only tools that change nothing");
  app.add_option("--reports", line.reports,
                 "Write whole reports and long answers into this directory (default: a temporary "
                 "one)")
      ->type_name("DIR");
  app.add_option("--log-level", line.place.log_level,
                 "Log messages from this level on: debug, info, warning, error")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}))
      ->capture_default_str();
}

McpLine RefusedMcpLine(const std::string& why) {
  std::fprintf(stderr, "hashrange: %s (see hashrange mcp --help)\n", why.c_str());
  McpLine line;
  line.is_done = true;
  line.exit_code = kUsageError;
  return line;
}

class McpParser {
 public:
  McpParser() {
    UseHelpText(app_);
    app_.footer(kExample);
    AddMcpOptions(app_, line_);
  }

  const CLI::App& app() const { return app_; }

  McpLine Parse(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::Success& asked) {
      line_.is_done = true;
      app_.exit(asked);
    } catch (const CLI::ExtrasError&) {
      return RefusedMcpLine("unknown argument: " + app_.remaining(true).front());
    } catch (const CLI::ParseError& wrong) {
      return RefusedMcpLine(wrong.what());
    }
    // The tools see what is loaded.
    line_.place.seed_account = line_.account;
    line_.place.seed_region = line_.region;
    return line_;
  }

 private:
  McpLine line_;
  CLI::App app_{"Offer tools to agents, by the Model Context Protocol.", "hashrange mcp"};
};

}  // namespace

McpLine ParseMcpLine(int argc, const char* const* argv) {
  if (const std::string option = EmptyOption(argc, argv); !option.empty()) {
    return RefusedMcpLine(option + " is empty");
  }
  return McpParser().Parse(argc, argv);
}

CommandDescription DescribeMcp() { return DescribeCommand(McpParser().app(), "hashrange mcp"); }

}  // namespace hashrange
