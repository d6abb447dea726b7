#include "cli/command_line.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/parse_whole.h"
#include "base/text/time_text.h"
#include "cli/console_command.h"
#include "cli/copy_command.h"
#include "cli/ctl/ctl.h"
#include "cli/dynamodb_local_line.h"
#include "cli/lab_line.h"
#include "cli/mcp_command.h"
#include "cli/options/command_parser.h"
#include "cli/options/completion.h"
#include "cli/options/man_page.h"
#include "cli/terminal/program_output.h"
#include "hashrange/database.h"
#include "platform/streams.h"
#include "remote/client/environment.h"
#include "server/exchange/http_access.h"
#include "server/exchange/limits.h"

namespace hashrange {
namespace {

using ProgramCommand = CommandLine::Command;

constexpr const char* kProgram = "hashrange";

constexpr const char* kServeFooter =
    "The server listens only after the data and the seed are loaded. SIGINT and SIGTERM end it "
    "with\n"
    "exit code 0, also while it loads. Any access key and secret will do. An access key of 12 "
    "digits\n"
    "is an account with tables of its own, as is each Region, unless --shared is given.\n"
    "Example:\n"
    "  hashrange --port 8000 &\n"
    "  aws dynamodb list-tables --endpoint-url http://localhost:8000 --region us-east-1";

constexpr const char* kCheckFooter =
    "The program exits with 0 if nothing is damaged; with 1 if something is; with 2 if the "
    "directory\n"
    "cannot be opened, as when a server uses it. It writes nothing.";

constexpr const char* kRepairFooter =
    "A server does not start with a log that is damaged or shorter than it was. This command cuts\n"
    "the log where the damage begins, and cuts off all later changes, too. What it cuts off, it "
    "keeps\n"
    "in a file beside the log.\n"
    "The program exits with 0 if the directory can be used then; with 1 if something is damaged "
    "that it\n"
    "does not repair; with 2 if the directory cannot be opened, as when a server uses it.";

constexpr const char* kCompletionFooter =
    "Examples:\n"
    "  source <(hashrange completion bash)\n"
    "  source <(hashrange completion zsh)\n"
    "  hashrange completion fish | source";

constexpr const char* kManFooter =
    "Example:\n"
    "  hashrange man >hashrange.1 && man -l hashrange.1";

constexpr std::uint64_t kMinStreamBufferBytes = 1 << 20;
constexpr std::uint64_t kMaxStreamBufferBytes = 1ULL << 40;
constexpr std::uint64_t kMaxRequestMemoryBytes = 1ULL << 40;
constexpr std::uint64_t kMinMaxMemoryBytes = 16 << 20;
constexpr std::uint64_t kMaxMaxMemoryBytes = 1ULL << 50;

// The text that CLI11 passes to the validator of a flag without a value.
constexpr const char* kWithoutValue = "true";

// Checks of values. Those that take `line` also store the value there.

std::string CheckOrigin(const std::string& text) {
  if (text == "*" || IsOrigin(text)) return "";
  return "not an origin like https://app.example:3000, and not * alone: " + text;
}

std::string CheckHostName(const std::string& text) {
  if (text.find_first_of("*/ @?") == text.npos) return "";
  return "not a name like db.example, and no pattern stands for several: " + text;
}

std::string CheckRegion(const std::string& text) {
  constexpr const char* kCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-";
  const bool is_one = text.find_first_not_of(kCharacters) == std::string::npos && text.size() <= 32;
  return is_one ? "" : "not a Region like us-east-1: " + text;
}

std::string CheckWritable(const std::string& text) {
  return IsWritable(std::atoi(text.c_str())) ? "" : "not open for writing: " + text;
}

std::string TakeSync(const std::string& text, CommandLine& line) {
  if (text == "always" || text == "never") {
    line.database.sync_interval_ms = text == "always" ? 0 : Database::kNeverFlushed;
    return "";
  }
  const auto ms = ParseDuration(text);
  if (!ms || *ms == 0) return text + " is not always, never or " + std::string(kDurationForms);
  line.database.sync_interval_ms = *ms;
  return *ms <= kDayMs ? "" : text + " is longer than a day";
}

std::string TakeTtlInterval(const std::string& text, CommandLine& line) {
  const auto ms = ParseDuration(text);
  if (!ms) return text + " is not " + std::string(kDurationForms);
  line.database.ttl_interval_ms = *ms;
  return *ms <= kDayMs ? "" : text + " is longer than a day";
}

std::string TakeMaxMemory(const std::string& text, CommandLine& line) {
  const auto bytes = std::strtoull(text.c_str(), nullptr, 10);
  if (bytes != 0 && bytes < kMinMaxMemoryBytes) return "less than 16MB: " + text;
  if (bytes > kMaxMaxMemoryBytes) return "more than 1PB: " + text;
  line.database.max_memory_bytes = static_cast<std::int64_t>(bytes);
  return "";
}

// The only word is "dynamodb-local".
std::string TakeLike(const std::string&, CommandLine& line) {
  line.database.tables_of_each_key = true;
  line.server.answers_root_with_400 = true;
  return "";
}

std::string TakeParent(const std::string& text, CommandLine& line) {
  line.exits_with_parent = true;
  if (text == kWithoutValue) return "";
  line.parent = ParseWhole<int>(text).value_or(0);
  return line.parent > 0 ? "" : "not the number of a process: " + text;
}

// Returns a check that passes the text and the line on.
ValueCheck Take(std::string (*take)(const std::string& text, CommandLine& line),
                CommandLine& line) {
  return [take, &line](const std::string& text) { return take(text, line); };
}

std::vector<OptionRow> AddressRows(CommandLine& line, const char* host_help,
                                   const char* port_help) {
  return {{"--host", "ADDRESS", host_help, &line.server.host},
          {"--port", "PORT", port_help, &line.server.port,
           OptionRules{.default_value = std::to_string(line.server.port),
                       .range = NumberRange{0, 65535}}}};
}

// The options about tables, streams and their data.
std::vector<OptionRow> DataRows(CommandLine& line) {
  return {
      {"--threads", "N", "How many threads serve requests (default: one per core)",
       &line.server.threads, OptionRules{.range = NumberRange{1, 1024}}},
      {"--log-level", "LEVEL",
       "What is logged to stderr. debug: each request; info: each table that is created, changed "
       "or deleted; warning: calls that are not implemented, tables that only other accounts have; "
       "error",
       &line.log_level,
       OptionRules{.default_value = line.log_level,
                   .words = {"debug", "info", "warning", "error"},
                   .takes_only_words = true}},
      {"--transition-ms", "MS",
       "How many milliseconds a table is CREATING, UPDATING or DELETING; for a new index, the "
       "allocation and then the backfilling each last this long",
       &line.database.transition_ms,
       OptionRules{.default_value = std::to_string(line.database.transition_ms),
                   .range = NumberRange{0, kDayMs}}},
      {"--index-transition-ms", "MS",
       "How many milliseconds each phase of an index lasts that is added to a table or deleted "
       "from "
       "it (default: as --transition-ms)",
       &line.database.index_transition_ms, OptionRules{.range = NumberRange{0, kDayMs}}},
      {"--ttl-interval", "TIME",
       "How often expired items are deleted: 500ms, 1s, 5m; 0: only when the clock is advanced "
       "(default: 1s)",
       kNoTarget,
       OptionRules{.words = {"500ms", "1s", "5m", "0"}, .check = Take(TakeTtlInterval, line)}},
      {"--stream-shards", "N",
       "How many shards a stream has; each has a range of the partition keys' hashes",
       &line.database.stream_shards,
       OptionRules{.default_value = std::to_string(line.database.stream_shards),
                   .range = NumberRange{1, Database::kMaxStreamShards}}},
      {"--stream-buffer", "SIZE", "How much a stream keeps, for 24 hours at most (default: 256MB)",
       &line.database.stream_buffer_bytes,
       OptionRules{.form = OptionRules::Form::kSize,
                   .range = NumberRange{kMinStreamBufferBytes, kMaxStreamBufferBytes}}},
      {"--data", "DIR",
       "Keep tables in this directory, which is made if it is not there (docs/data-directory.md)",
       &line.database.data_directory},
      {"--sync", "WHEN",
       "When changes are flushed to the disk: always, which is before their answers; every 100ms, "
       "1s or another time; never, which leaves it to the system (default: always)",
       kNoTarget,
       OptionRules{.words = {"always", "never", "100ms", "1s"},
                   .check = Take(TakeSync, line),
                   .needs = {"--data"}}},
      {"--kinesis-dir", "DIR",
       "Write the changes of tables that have a Kinesis destination to this directory, one file of "
       "JSON lines for each stream (default: destinations are ENABLE_FAILED)",
       &line.database.kinesis_directory},
      {"--seed", "PATH",
       "Load tables and items first, from a file or folder of JSON, CSV or what `aws dynamodb "
       "scan` prints (docs/seed-and-dump.md)",
       &line.seed},
      {"--seed-account", "ACCOUNT",
       "The account that gets the seed's tables (default: 000000000000)", &line.seed_account,
       OptionRules{.check = Account(), .needs = {"--seed"}}},
      {"--seed-region", "REGION", "The Region that gets the seed's tables (default: us-east-1)",
       &line.seed_region, OptionRules{.check = CheckRegion, .needs = {"--seed"}}},
      {"--shared", "", "Use one set of tables for all access keys and Regions",
       &line.database.shared_tables},
      {"--like", "SERVER",
       "Take the place of another server. dynamodb-local: each access key has tables of its own, "
       "and GET / answers 400 (docs/moving.md)",
       kNoTarget,
       OptionRules{
           .words = {"dynamodb-local"}, .takes_only_words = true, .check = Take(TakeLike, line)}}};
}

// The options that say who may call the server, and how much of the machine callers may use.
std::vector<OptionRow> AccessRows(CommandLine& line) {
  return {
      {"--control-token", "TOKEN",
       "Answer the control API to callers with this token, from any machine, and to no others; a "
       "list of processes shows the token to all users (default: answer callers on this machine, "
       "and let only the server's user and root change something)",
       &line.server.control_token},
      {"--control-token-file", "FILE",
       "Read the token from this file, so that no list of processes shows it; the variable "
       "HASHRANGE_TOKEN also sets the token",
       &line.control_token_file, OptionRules{.excludes = {"--control-token"}}},
      {"--files", "DIR",
       "Let other users' programs name paths below this folder in seeds and dumps (default: only "
       "the server's user may)",
       &line.server.files},
      {"--cors", "ORIGIN",
       "Let web pages of an origin like https://app.example:3000 call, too, not only those of this "
       "machine; *: of all origins",
       &line.server.cors, OptionRules{.check = CheckOrigin}},
      {"--allow-host", "NAME",
       "Accept this name as Host, too, when the server listens on loopback addresses only; the "
       "console may be opened by it in any case",
       &line.server.allowed_hosts, OptionRules{.check = CheckHostName}},
      {"--console", "MODE",
       "Whether the server has the page /_hashrange/console for browsers: on; read-only, in which "
       "the page shows nothing that writes; off (docs/console.md)",
       &line.server.console,
       OptionRules{.default_value = line.server.console,
                   .words = {"on", "read-only", "off"},
                   .takes_only_words = true}},
      {"--request-memory", "SIZE",
       "Memory for all unfinished requests and all answers that are not sent yet; above that, the "
       "answer is 503 (default: 256MB)",
       &line.server.request_memory_bytes,
       OptionRules{.form = OptionRules::Form::kSize,
                   .range = NumberRange{Limits::kMinRequestBytes, kMaxRequestMemoryBytes}}},
      {"--max-memory", "SIZE",
       "Refuse writes that need memory when the data takes more; reads and deletes go on; none: no "
       "bound (default: 80% of the memory of the container or, where that is less, the machine)",
       kNoTarget,
       OptionRules{.form = OptionRules::Form::kSizeOrNone, .check = Take(TakeMaxMemory, line)}},
      {"--max-connections", "N",
       "Connections at a time; a new one above that takes the place of the one that is idle "
       "longest (default: 10000, or as many as there are descriptors for)",
       &line.server.max_connections, OptionRules{.range = NumberRange{1, 1'000'000}}}};
}

// The options for programs that start or watch a server.
std::vector<OptionRow> StarterRows(CommandLine& line) {
  return {
      {"--ready-fd", "N",
       "Once the server listens, write its address in a line of JSON to this descriptor, and close "
       "it",
       &line.ready_fd, OptionRules{.range = NumberRange{0, INT_MAX}, .check = CheckWritable}},
      {"--exit-with-parent", "PID",
       "End when the process that started the server ends, or when the process PID ends; give the "
       "starter's PID if the starter may be killed before the server is up",
       kNoTarget,
       OptionRules{
           .check = Take(TakeParent, line), .value_is_optional = true, .value_is_joined = true}},
      {"--metrics", "", "Count calls for /_hashrange/metrics from the start",
       &line.database.metrics}};
}

std::vector<OptionRow> ServeRows(CommandLine& line) {
  std::vector<OptionRow> rows = AddressRows(
      line,
      "Listen on this address only (default: what HASHRANGE_HOST says, or else 127.0.0.1 "
      "and ::1)",
      "Listen on this port; 0 picks a free one");
  for (auto* const part : {DataRows, AccessRows, StarterRows}) {
    for (OptionRow& row : part(line)) rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<OptionRow> DirectoryRows(CommandLine& line) {
  return {{"DIR", "", "The directory, which no server uses", &line.database.data_directory,
           OptionRules{.is_required = true}}};
}

// A command whose own parser reads what follows it.
CommandRow RowOfOwnParser(const char* name, const char* help) {
  return {.path = name, .help = help, .takes_any_arguments = true};
}

// The whole command line but for the options of `console`, `copy`, `ctl`, `lab` and `mcp`.
CommandRow ProgramRow(CommandLine& line) {
  return {
      .path = kProgram,
      .help = "Hashrange: an in-memory, DynamoDB-compatible server.",
      .footer = kServeFooter,
      .options = ServeRows(line),
      .commands = {{.path = "serve",
                    .help = "Serve until stopped (also without a command)",
                    .footer = kServeFooter,
                    .options = ServeRows(line)},
                   {.path = "healthcheck",
                    .help = "Exit with 0 if a server answers, otherwise with 1",
                    .footer = "Example:\n  hashrange healthcheck --port 8000 && echo up",
                    .options = AddressRows(line, "Ask at this address (default: 127.0.0.1)",
                                           "Ask at this port")},
                   {.path = "check",
                    .help = "Read all data in a directory, and exit with 1 if it is damaged",
                    .footer = kCheckFooter,
                    .arguments = DirectoryRows(line)},
                   {.path = "compact",
                    .help = "Make a directory as small as its data",
                    .arguments = DirectoryRows(line)},
                   {.path = "repair",
                    .help = "Cut damaged ends off the logs of a directory, and keep what is cut",
                    .footer = kRepairFooter,
                    .arguments = DirectoryRows(line)},
                   RowOfOwnParser("console", "Open a server's console, its page in the browser"),
                   RowOfOwnParser("copy",
                                  "Copy tables between endpoints, or from and into folders"),
                   RowOfOwnParser(
                       "ctl", "Call a server's control API: reset, fork, faults, clock and more"),
                   RowOfOwnParser("lab", "Compare layouts of keys before a program is written"),
                   RowOfOwnParser("mcp", "Offer tools to agents by the Model Context Protocol"),
                   {.path = "completion",
                    .help = "Print the script that completes commands and options in a shell",
                    .footer = kCompletionFooter,
                    .arguments = {{"SHELL", "", "bash, zsh or fish", &line.shell,
                                   OptionRules{.words = {"bash", "zsh", "fish"},
                                               .takes_only_words = true,
                                               .is_required = true}}}},
                   {.path = "man",
                    .help = "Print the man page hashrange(1), in roff",
                    .footer = kManFooter}},
      .version = "Hashrange " HASHRANGE_VERSION};
}

// Which command a name is, or why it cannot stand behind options.
struct CommandName {
  std::string_view name;
  ProgramCommand command;
  const char* refusal = "";
};
constexpr CommandName kCommands[] = {
    {"serve", ProgramCommand::kServe},
    {"healthcheck", ProgramCommand::kHealthcheck},
    {"check", ProgramCommand::kCheck},
    {"compact", ProgramCommand::kCompact},
    {"repair", ProgramCommand::kRepair},
    {"console", ProgramCommand::kNothing, "write console first: hashrange console --port …"},
    {"copy", ProgramCommand::kNothing, "write copy first: hashrange copy --from …"},
    {"ctl", ProgramCommand::kNothing, "write the options of ctl after it: hashrange ctl --port …"},
    {"lab", ProgramCommand::kNothing, "write lab first: hashrange lab run …"},
    {"mcp", ProgramCommand::kNothing, "write mcp first: hashrange mcp …"},
    {"completion", ProgramCommand::kCompletion},
    {"man", ProgramCommand::kMan},
};

CommandLine RefusedLine(const std::string& why) {
  CommandLine line;
  line.command = ProgramCommand::kNothing;
  line.exit_code = RefuseUsage(kProgram, why);
  return line;
}

// Prints a script or page to stdout. Returns the exit code.
int Print(const std::string& text) {
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (is_written && std::fflush(stdout) == 0) return 0;
  std::fprintf(stderr, "hashrange: cannot write to stdout\n");
  return kFailure;
}

// Parses a command line of Hashrange itself.
CommandLine ParseOwnLine(int argc, const char* const* argv) {
  CommandLine line;
  const ParsedLine parsed = ParseRows(ProgramRow(line), argc, argv);
  if (!parsed.wrong.empty()) return RefusedLine(parsed.wrong);
  if (parsed.is_printed) line.command = ProgramCommand::kNothing;
  if (parsed.is_printed || parsed.commands.empty()) return line;
  const CommandName& given =
      *std::ranges::find(kCommands, parsed.commands.front(), &CommandName::name);
  if (*given.refusal != '\0') return RefusedLine(given.refusal);
  line.command = given.command;
  return line;
}

// Parses a command line of DynamoDB Local, which begins with the program.
CommandLine ParseDynamoDbLocalLine(std::span<const char* const> words) {
  const DynamoDbLocalLine rewritten = RewriteDynamoDbLocalLine(words.subspan(1));
  if (!rewritten.wrong.empty()) return RefusedLine(rewritten.wrong);
  if (rewritten.asks_help) {
    CommandLine printed;
    printed.command = ProgramCommand::kNothing;
    printed.exit_code = Print(DynamoDbLocalHelp());
    return printed;
  }
  if (!rewritten.folder.empty()) {
    if (const std::string why = CheckDatabaseFolder(rewritten.folder); !why.empty()) {
      return RefusedLine(why);
    }
  }
  std::vector<const char*> arguments = {words[0]};
  for (const std::string& argument : rewritten.arguments) arguments.push_back(argument.c_str());
  return ParseOwnLine(static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace

std::string_view ProgramVersion() { return HASHRANGE_VERSION; }

CommandLine ParseCommandLine(int argc, const char* const* argv) {
  const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
  CommandLine line = words.size() > 1 && IsDynamoDbLocalLine(words.subspan(1))
                         ? ParseDynamoDbLocalLine(words)
                         : ParseOwnLine(argc, argv);
  if (line.command == ProgramCommand::kServe && line.server.host.empty()) {
    line.server.host = EnvironmentVariable("HASHRANGE_HOST");
  }
  return line;
}

CommandRow DescribeProgram() {
  CommandLine line;
  CommandRow program = ProgramRow(line);
  program.footer.clear();  // without a command the program serves, so `serve` has the same one
  for (CommandRow (*const describe)() :
       {DescribeConsole, DescribeCopy, DescribeCtl, DescribeLab, DescribeMcp}) {
    CommandRow row = describe();
    CommandRow& listed = *std::ranges::find(program.commands, row.Name(), &CommandRow::path);
    row.path = listed.path;
    row.help = listed.help;
    for (CommandRow& below : row.commands) {
      if (below.footer == row.footer) below.footer.clear();
    }
    listed = std::move(row);
  }
  return CompleteRow(std::move(program));
}

int RunCompletion(const std::string& shell) {
  const CommandRow program = DescribeProgram();
  if (shell == "zsh") return Print(ZshCompletion(program));
  if (shell == "fish") return Print(FishCompletion(program));
  return Print(BashCompletion(program));
}

int RunMan() { return Print(ManPage(DescribeProgram(), ProgramVersion())); }

}  // namespace hashrange
