#include "cli/command_line.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "base/duration.h"
#include "cli/empty_option.h"
#include "cli/ready_line.h"
#include "http/browser_access.h"
#include "http/limits.h"

namespace hashrange {
namespace {

constexpr int kUsageError = 2;
constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::uint64_t kMinStreamBufferBytes = 1 << 20;
constexpr std::uint64_t kMaxStreamBufferBytes = 1ULL << 40;
constexpr std::uint64_t kMaxRequestMemoryBytes = 1ULL << 40;

// The text that CLI11 passes to the validator of a flag without a value.
constexpr const char* kWithoutValue = "true";

constexpr const char* kServeExample =
    "Example:\n"
    "  hashrange --port 8000 &\n"
    "  aws dynamodb list-tables --endpoint-url http://localhost:8000 --region us-east-1\n"
    "Any access key and secret will do. An access key of 12 digits is an account with tables of\n"
    "its own, as is each Region, unless --shared is given.";

void AddEndpoint(CLI::App& app, CommandLine& line, const char* host_text, const char* port_text) {
  app.add_option("--host", line.host, host_text)->type_name("ADDRESS");
  app.add_option("--port", line.port, port_text)
      ->type_name("PORT")
      ->check(CLI::Range(0, 65535).description(""))
      ->capture_default_str();
}

// The options for programs that start or watch a server.
void AddStarterOptions(CLI::App& app, CommandLine& line) {
  const auto is_writable = [](const std::string& text) {
    return IsWritable(std::atoi(text.c_str())) ? "" : "not open for writing: " + text;
  };
  app.add_option("--ready-fd", line.ready_fd,
                 "Write a line of JSON with the server's address to this descriptor, and close it")
      ->type_name("N")
      ->check(CLI::Range(0, INT_MAX).description(""))
      ->check(CLI::Validator(is_writable, ""));
  const auto take_parent = [&line](const std::string& text) -> std::string {
    line.exits_with_parent = true;
    if (text == kWithoutValue) return "";
    const char* const end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, line.parent);
    const bool is_process = failure == std::errc() && stop == end && line.parent > 0;
    return is_process ? "" : "not the number of a process: " + text;
  };
  app.add_flag("--exit-with-parent")
      ->description("End when the process that started the server ends; with =PID, when PID ends")
      ->check(CLI::Validator(take_parent, ""));
  app.add_flag("--metrics", line.metrics,
               "Count from the start, not from the first GET of /_hashrange/metrics");
}

// The options that say who may call the server, and how much of the machine callers may use.
void AddAccess(CLI::App& app, CommandLine& line) {
  CLI::Option* const token =
      app.add_option("--control-token", line.control_token,
                     "Answer /_hashrange/ to callers with this token only (default: to callers on "
                     "this machine only)")
          ->type_name("TOKEN");
  app.add_option("--control-token-file", line.control_token_file,
                 "Read the token from this file, so that no list of processes shows it; the "
                 "variable HASHRANGE_TOKEN is another way")
      ->type_name("FILE")
      ->excludes(token);
  app.add_option("--files", line.files,
                 "Let other users of this machine seed and dump files below this folder")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->take_all();
  const auto is_origin = [](const std::string& text) {
    return text == "*" || IsOrigin(text)
               ? ""
               : "not an origin like https://app.example:3000, and not *: " + text;
  };
  app.add_option("--cors", line.cors,
                 "Let web pages of this origin call, too, not only those of this machine; *: all")
      ->type_name("ORIGIN")
      ->check(CLI::Validator(is_origin, ""))
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--allow-host", line.allowed_hosts,
                 "Answer requests with this Host, too, when listening on loopback addresses only")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--request-memory", line.request_memory_bytes,
                 "Memory for the bodies of all unfinished requests together (default: 256MB)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->check(CLI::Range(std::uint64_t{Limits::kMinRequestBytes}, kMaxRequestMemoryBytes)
                  .description(""));
  app.add_option("--max-connections", line.max_connections,
                 "Connections at a time (default: 10000, or as many as there are descriptors)")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000).description(""));
}

void AddSeed(CLI::App& app, CommandLine& line) {
  const auto is_account = [](const std::string& text) -> std::string {
    const bool has_digits = text.find_first_not_of("0123456789") == std::string::npos;
    return has_digits && text.size() == 12 ? "" : "not an account of 12 digits: " + text;
  };
  CLI::Option* const seed =
      app.add_option("--seed", line.seed, "Load tables and items from this file or folder first");
  seed->type_name("PATH");
  app.add_option("--seed-account", line.seed_account, "into this account (default: 000000000000)")
      ->type_name("ACCOUNT")
      ->check(CLI::Validator(is_account, ""))
      ->needs(seed);
  const auto is_region = [](const std::string& text) -> std::string {
    constexpr const char* kCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const bool is_one =
        text.find_first_not_of(kCharacters) == std::string::npos && text.size() <= 32;
    return is_one ? "" : "not a Region like us-east-1: " + text;
  };
  app.add_option("--seed-region", line.seed_region, "into this Region (default: us-east-1)")
      ->type_name("REGION")
      ->check(CLI::Validator(is_region, ""))
      ->needs(seed);
}

void AddTtlInterval(CLI::App& app, CommandLine& line) {
  const auto take = [&line](const std::string& text) -> std::string {
    const auto ms = ParseDuration(text);
    if (!ms) return text + " is not " + std::string(kDurationForms);
    line.ttl_interval_ms = *ms;
    return *ms <= kDayMs ? "" : text + " is longer than a day";
  };
  app.add_option("--ttl-interval")
      ->description(
          "How often expired items are deleted: every 500ms, 1s, 5m; 0: only when the clock is "
          "advanced (default: 1s)")
      ->type_name("TIME")
      ->check(CLI::Validator(take, ""));
}

void AddServe(CLI::App& app, CommandLine& line) {
  AddEndpoint(app, line, "Listen on this address only (default: 127.0.0.1 and ::1)",
              "Listen on this port; 0 picks a free one");
  app.add_option("--threads", line.threads, "Threads that serve (default: one per core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  app.add_option(
         "--log-level", line.log_level,
         "debug: a line for each request; info: a line for each table that is created, changed or "
         "deleted; warning or error")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}).description(""))
      ->capture_default_str();
  app.add_option("--transition-ms", line.transition_ms,
                 "How many milliseconds a table is CREATING, UPDATING or DELETING")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{0}, kDayMs).description(""))
      ->capture_default_str();
  AddTtlInterval(app, line);
  app.add_option("--stream-shards", line.stream_shards, "Shards of a stream")
      ->type_name("N")
      ->check(CLI::Range(1, 256).description(""))
      ->capture_default_str();
  app.add_option("--stream-buffer", line.stream_buffer_bytes,
                 "How much a stream keeps, for 24 hours at most (default: 256MB)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->check(CLI::Range(kMinStreamBufferBytes, kMaxStreamBufferBytes).description(""));
  AddSeed(app, line);
  app.add_flag("--shared", line.shared_tables,
               "Use one set of tables for all access keys and Regions");
  AddAccess(app, line);
  AddStarterOptions(app, line);
}

void Refuse(const std::string& why, CommandLine& line) {
  line.command = CommandLine::Command::kNothing;
  line.exit_code = kUsageError;
  std::fprintf(stderr, "hashrange: %s (see hashrange --help)\n", why.c_str());
}

}  // namespace

std::string_view ProgramVersion() { return HASHRANGE_VERSION; }

CommandLine ParseCommandLine(int argc, const char* const* argv) {
  CommandLine line;
  CLI::App app("Hashrange: an in-memory, DynamoDB-compatible server.", "hashrange");
  app.set_version_flag("--version", "Hashrange " HASHRANGE_VERSION);
  app.require_subcommand(0, 1);
  app.footer(kServeExample);
  AddServe(app, line);
  AddServe(*app.add_subcommand("serve", "Serve until stopped (also without a command)"), line);
  CLI::App* healthcheck =
      app.add_subcommand("healthcheck", "Exit with 0 if a server answers, otherwise with 1");
  healthcheck->footer("Example:\n  hashrange healthcheck --port 8000 && echo up");
  AddEndpoint(*healthcheck, line, "Ask at this address (default: 127.0.0.1)", "Ask at this port");
  CLI::App* ctl =
      app.add_subcommand("ctl", "Call a server's control API: reset, fork, faults, clock and more");
  ctl->allow_extras();
  CLI::App* lab = app.add_subcommand("lab", "Compare layouts of keys before a program is written");
  lab->allow_extras();
  if (const std::string option = EmptyOption(argc, argv); !option.empty()) {
    Refuse(option + " is empty", line);
    return line;
  }
  try {
    app.parse(argc, argv);
    if (ctl->parsed()) Refuse("write the options of ctl after it: hashrange ctl --port …", line);
    if (lab->parsed()) Refuse("write lab first: hashrange lab run …", line);
    if (healthcheck->parsed()) line.command = CommandLine::Command::kHealthcheck;
  } catch (const CLI::Success& asked) {
    line.command = CommandLine::Command::kNothing;
    app.exit(asked);
  } catch (const CLI::ExtrasError&) {
    Refuse("unknown argument: " + app.remaining(true).front(), line);
  } catch (const CLI::ParseError& wrong) {
    Refuse(wrong.what(), line);
  }
  return line;
}

std::string ReadControlToken(const CommandLine& line, std::string* error) {
  if (!line.control_token.empty()) return line.control_token;
  if (line.control_token_file.empty()) {
    const char* const token = std::getenv("HASHRANGE_TOKEN");
    return token ? token : "";
  }
  std::ifstream file(line.control_token_file, std::ios::binary);
  if (!file) {
    *error = "--control-token-file: " + line.control_token_file + ": " +
             std::generic_category().message(errno);
    return {};
  }
  std::string token{std::istreambuf_iterator<char>(file), {}};
  const std::size_t end = token.find_last_not_of(" \t\r\n");
  token.resize(end == token.npos ? 0 : end + 1);
  if (token.empty())
    *error = "--control-token-file: " + line.control_token_file + " holds no token";
  return token;
}

}  // namespace hashrange
