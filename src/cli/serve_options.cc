#include "cli/serve_options.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <string>
#include <system_error>

#include "base/duration.h"
#include "cli/ready_line.h"
#include "hashrange/database.h"
#include "server/http/http_access.h"
#include "server/http/limits.h"

namespace hashrange {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::uint64_t kMinStreamBufferBytes = 1 << 20;
constexpr std::uint64_t kMaxStreamBufferBytes = 1ULL << 40;
constexpr std::uint64_t kMaxRequestMemoryBytes = 1ULL << 40;
constexpr std::uint64_t kMinMaxMemoryBytes = 16 << 20;
constexpr std::uint64_t kMaxMaxMemoryBytes = 1ULL << 50;

// The text that CLI11 passes to the validator of a flag without a value.
constexpr const char* kWithoutValue = "true";

// The options for programs that start or watch a server.
void AddStarterOptions(CLI::App& app, CommandLine& line) {
  const auto is_writable = [](const std::string& text) {
    return IsWritable(std::atoi(text.c_str())) ? "" : "not open for writing: " + text;
  };
  app.add_option(
         "--ready-fd", line.ready_fd,
         "Once the server listens, write its address in a line of JSON to this descriptor, and "
         "close it")
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
      ->type_name("[=PID]")
      ->description(
          "End when the process that started the server ends, or when the process PID ends; give "
          "the starter's PID if the starter may be killed before the server is up")
      ->check(CLI::Validator(take_parent, ""));
  app.add_flag("--metrics", line.metrics, "Count calls for /_hashrange/metrics from the start");
}

void AddMaxMemory(CLI::App& app, CommandLine& line) {
  const auto take = [&line](std::string& text) -> std::string {
    if (text == "none") text = "0";
    if (std::string wrong = CLI::AsSizeValue(false)(text); !wrong.empty()) return wrong;
    const auto bytes = std::strtoull(text.c_str(), nullptr, 10);
    if (bytes != 0 && bytes < kMinMaxMemoryBytes) return "less than 16MB: " + text;
    if (bytes > kMaxMaxMemoryBytes) return "more than 1PB: " + text;
    line.max_memory_bytes = static_cast<std::int64_t>(bytes);
    return "";
  };
  app.add_option("--max-memory")
      ->description(
          "Refuse writes that need memory when the data takes more; reads and deletes go on; none: "
          "no bound (default: 80% of the memory of the container or, where that is less, the "
          "machine)")
      ->type_name("SIZE")
      ->transform(CLI::Validator(take, ""));
}

// The options that say who may call the server, and how much of the machine callers may use.
void AddAccess(CLI::App& app, CommandLine& line) {
  CLI::Option* const token =
      app.add_option(
             "--control-token", line.control_token,
             "Answer the control API to callers with this token, from any machine, and to no "
             "others; a list of processes shows the token to all users (default: answer callers "
             "on this machine, and let only the server's user and root change something)")
          ->type_name("TOKEN");
  app.add_option("--control-token-file", line.control_token_file,
                 "Read the token from this file, so that no list of processes shows it; the "
                 "variable HASHRANGE_TOKEN also sets the token")
      ->type_name("FILE")
      ->excludes(token);
  app.add_option(
         "--files", line.files,
         "Let other users' programs name paths below this folder in seeds and dumps (default: "
         "only the server's user may)")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->take_all();
  const auto is_origin = [](const std::string& text) {
    return text == "*" || IsOrigin(text)
               ? ""
               : "not an origin like https://app.example:3000, and not * alone: " + text;
  };
  const auto is_name = [](const std::string& text) {
    return text.find_first_of("*/ @?") == text.npos
               ? ""
               : "not a name like db.example, and no pattern stands for several: " + text;
  };
  app.add_option(
         "--cors", line.cors,
         "Let web pages of an origin like https://app.example:3000 call, too, not only those of "
         "this machine; *: of all origins")
      ->type_name("ORIGIN")
      ->check(CLI::Validator(is_origin, ""))
      ->allow_extra_args(false)
      ->take_all();
  app.add_option(
         "--allow-host", line.allowed_hosts,
         "Accept this name as Host, too, when the server listens on loopback addresses only")
      ->type_name("NAME")
      ->check(CLI::Validator(is_name, ""))
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--request-memory", line.request_memory_bytes,
                 "Memory for all unfinished requests and all answers that are not sent yet; above "
                 "that, the answer is 503 (default: 256MB)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->check(CLI::Range(std::uint64_t{Limits::kMinRequestBytes}, kMaxRequestMemoryBytes)
                  .description(""));
  AddMaxMemory(app, line);
  app.add_option(
         "--max-connections", line.max_connections,
         "Connections at a time; a new one above that takes the place of the one that is idle "
         "longest (default: 10000, or as many as there are descriptors for)")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000).description(""));
}

void AddSeed(CLI::App& app, CommandLine& line) {
  const auto is_account = [](const std::string& text) -> std::string {
    const bool has_digits = text.find_first_not_of("0123456789") == std::string::npos;
    return has_digits && text.size() == 12 ? "" : "not an account of 12 digits: " + text;
  };
  CLI::Option* const seed =
      app.add_option("--seed", line.seed,
                     "Load tables and items first, from a file or folder of JSON, CSV or what `aws "
                     "dynamodb scan` prints (docs/seed-and-dump.md)");
  seed->type_name("PATH");
  app.add_option("--seed-account", line.seed_account,
                 "The account that gets the seed's tables (default: 000000000000)")
      ->type_name("ACCOUNT")
      ->check(CLI::Validator(is_account, ""))
      ->needs(seed);
  const auto is_region = [](const std::string& text) -> std::string {
    constexpr const char* kCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const bool is_one =
        text.find_first_not_of(kCharacters) == std::string::npos && text.size() <= 32;
    return is_one ? "" : "not a Region like us-east-1: " + text;
  };
  app.add_option("--seed-region", line.seed_region,
                 "The Region that gets the seed's tables (default: us-east-1)")
      ->type_name("REGION")
      ->check(CLI::Validator(is_region, ""))
      ->needs(seed);
}

void AddData(CLI::App& app, CommandLine& line) {
  CLI::Option* const data =
      app.add_option("--data", line.data,
                     "Keep tables in this directory, which is made if it is not there "
                     "(docs/data-directory.md)");
  data->type_name("DIR");
  const auto take = [&line](const std::string& text) -> std::string {
    if (text == "always" || text == "never") {
      line.sync_interval_ms = text == "always" ? 0 : Database::kNeverFlushed;
      return "";
    }
    const auto ms = ParseDuration(text);
    if (!ms || *ms == 0) {
      return text + " is not always, never or " + std::string(kDurationForms);
    }
    line.sync_interval_ms = *ms;
    return *ms <= kDayMs ? "" : text + " is longer than a day";
  };
  app.add_option("--sync")
      ->description(
          "When changes are flushed to the disk: always, which is before their answers; every "
          "100ms, "
          "1s or another time; never, which leaves it to the system (default: always)")
      ->type_name("WHEN")
      ->check(CLI::Validator(take, "{always,never,100ms,1s}"))
      ->needs(data);
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
          "How often expired items are deleted: 500ms, 1s, 5m; 0: only when the clock is advanced "
          "(default: 1s)")
      ->type_name("TIME")
      ->check(CLI::Validator(take, "{500ms,1s,5m,0}"));
}

}  // namespace

void AddEndpoint(CLI::App& app, CommandLine& line, const char* host_text, const char* port_text) {
  app.add_option("--host", line.host, host_text)->type_name("ADDRESS");
  app.add_option("--port", line.port, port_text)
      ->type_name("PORT")
      ->check(CLI::Range(0, 65535).description(""))
      ->capture_default_str();
}

void AddServeOptions(CLI::App& app, CommandLine& line) {
  AddEndpoint(app, line, "Listen on this address only (default: 127.0.0.1 and ::1)",
              "Listen on this port; 0 picks a free one");
  app.add_option("--threads", line.threads,
                 "How many threads serve requests (default: one per core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  app.add_option(
         "--log-level", line.log_level,
         "What is logged to stderr. debug: each request; info: each table that is created, changed "
         "or "
         "deleted; warning: calls that are not implemented, tables that only other accounts have; "
         "error")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}))
      ->capture_default_str();
  app.add_option(
         "--transition-ms", line.transition_ms,
         "How many milliseconds a table is CREATING, UPDATING or DELETING; for a new index, the "
         "allocation and then the backfilling each last this long")
      ->type_name("MS")
      ->check(CLI::Range(std::int64_t{0}, kDayMs).description(""))
      ->capture_default_str();
  AddTtlInterval(app, line);
  app.add_option("--stream-shards", line.stream_shards,
                 "How many shards a stream has; each has a range of the partition keys' hashes")
      ->type_name("N")
      ->check(CLI::Range(1, Database::kMaxStreamShards).description(""))
      ->capture_default_str();
  app.add_option("--stream-buffer", line.stream_buffer_bytes,
                 "How much a stream keeps, for 24 hours at most (default: 256MB)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->check(CLI::Range(kMinStreamBufferBytes, kMaxStreamBufferBytes).description(""));
  AddData(app, line);
  AddSeed(app, line);
  app.add_flag("--shared", line.shared_tables,
               "Use one set of tables for all access keys and Regions");
  AddAccess(app, line);
  AddStarterOptions(app, line);
}

}  // namespace hashrange
