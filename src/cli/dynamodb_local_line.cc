#include "cli/dynamodb_local_line.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "platform/files.h"

namespace hashrange {
namespace {

constexpr std::string_view kJar = "DynamoDBLocal.jar";
// DynamoDB Local writes its files into the folder of -dbPath itself, which may have other files,
// too. A data directory of Hashrange has nothing else.
constexpr std::string_view kDataFolder = "hashrange-data";
// How long DynamoDB Local delays is not known.
constexpr const char* kIndexTransitionMs = "1000";

// What an option of DynamoDB Local becomes.
enum class Option {
  kCors,
  kDbPath,
  kDelay,
  kHelp,
  kInMemory,
  kPort,
  kShared,
  kVersion,
  kNothing,  // has no counterpart here and needs none
};
struct OptionName {
  std::string_view name;
  Option option;
  const char* value;  // the name of its value in the help; null: it has none
  const char* help;
};
constexpr OptionName kOptions[] = {
    {"cors", Option::kCors, "ORIGINS", "--cors for each of the origins, which commas separate"},
    {"dbPath", Option::kDbPath, "DIR", "--data DIR/hashrange-data; DIR has to exist"},
    {"delayTransientStatuses", Option::kDelay, nullptr, "--index-transition-ms 1000"},
    {"disableTelemetry", Option::kNothing, nullptr, "nothing: no telemetry is sent"},
    {"help", Option::kHelp, nullptr, "this text"},
    {"inMemory", Option::kInMemory, nullptr, "no --data; without it, -dbPath is ."},
    {"optimizeDbBeforeStartup", Option::kNothing, nullptr, "nothing"},
    {"port", Option::kPort, "N", "--port N"},
    {"sharedDb", Option::kShared, nullptr, "--shared"},
    {"version", Option::kVersion, nullptr, "the version of Hashrange"},
};

// The options as they were given.
struct GivenOptions {
  std::optional<std::string> cors = {};
  std::optional<std::string> db_path = {};
  std::string port = "8000";
  bool delays = false;
  bool asks_help = false;
  bool in_memory = false;
  bool shared = false;
  bool asks_version = false;
};

std::string_view LastName(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

// Returns how many words there are up to the jar.
std::optional<std::size_t> WordsToJar(std::span<const char* const> words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (std::string_view(words[i]) == "-jar" && LastName(words[i + 1]) == kJar) return i + 2;
  }
  return std::nullopt;
}

void Set(Option option, std::string value, GivenOptions* given) {
  switch (option) {
    case Option::kCors:
      given->cors = std::move(value);
      return;
    case Option::kDbPath:
      given->db_path = std::move(value);
      return;
    case Option::kDelay:
      given->delays = true;
      return;
    case Option::kHelp:
      given->asks_help = true;
      return;
    case Option::kInMemory:
      given->in_memory = true;
      return;
    case Option::kPort:
      given->port = std::move(value);
      return;
    case Option::kShared:
      given->shared = true;
      return;
    case Option::kVersion:
      given->asks_version = true;
      return;
    case Option::kNothing:
      return;
  }
}

// Reads the words behind the jar. Returns why they are refused; empty: they are not. The two
// sentences about single options are those of DynamoDB Local's parser.
std::string ReadOptions(std::span<const char* const> words, GivenOptions* given) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const auto* const found = std::ranges::find_if(
        kOptions, [&](const OptionName& row) { return word == "-" + std::string(row.name); });
    if (found == std::end(kOptions)) return "Unrecognized option: " + std::string(word);
    std::string value;
    if (found->value != nullptr) {
      if (++i == words.size() || *words[i] == '\0') {
        return "Missing argument for option: " + std::string(found->name);
      }
      value = words[i];
    }
    Set(found->option, std::move(value), given);
  }
  if (given->db_path && given->in_memory) {
    return "You can't specify both -dbPath and -inMemory at once";
  }
  return {};
}

// Adds --cors for an origin, and for both schemes of a domain without one.
void AddOrigin(std::string_view origin, std::vector<std::string>* arguments) {
  const auto add = [&](std::string_view scheme) {
    arguments->insert(arguments->end(), {"--cors", std::string(scheme) + std::string(origin)});
  };
  if (origin == "*" || origin.find("://") != origin.npos) return add("");
  add("http://");
  add("https://");
}

void AddOrigins(std::string_view list, std::vector<std::string>* arguments) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::string_view origin = list.substr(0, end);
    while (origin.starts_with(' ')) origin.remove_prefix(1);
    while (origin.ends_with(' ')) origin.remove_suffix(1);
    if (!origin.empty()) AddOrigin(origin, arguments);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

std::string DataFolderIn(const std::string& folder) {
  return folder + (folder.ends_with('/') ? "" : "/") + std::string(kDataFolder);
}

// Returns whether DynamoDB Local gives the name to a database: shared-local-instance.db, or
// accesskey_region.db.
bool IsLocalDatabase(std::string_view name) {
  return name.ends_with(".db") &&
         (name == "shared-local-instance.db" || name.find('_') != name.npos);
}

}  // namespace

bool IsDynamoDbLocalLine(std::span<const char* const> words) {
  if (!words.empty() && LastName(words[0]) == "java") words = words.subspan(1);
  return !words.empty() && *words[0] == '-' && WordsToJar(words);
}

DynamoDbLocalLine RewriteDynamoDbLocalLine(std::span<const char* const> words) {
  DynamoDbLocalLine line;
  GivenOptions given;
  line.wrong = ReadOptions(words.subspan(WordsToJar(words).value_or(words.size())), &given);
  if (!line.wrong.empty()) return line;
  if (given.asks_help || given.asks_version) {
    line.asks_help = given.asks_help;
    if (!given.asks_help) line.arguments = {"--version"};
    return line;
  }
  line.arguments = {"serve", "--like", "dynamodb-local", "--port", given.port};
  if (given.shared) line.arguments.push_back("--shared");
  if (!given.in_memory) {
    line.folder = given.db_path.value_or(".");
    line.arguments.insert(line.arguments.end(), {"--data", DataFolderIn(line.folder)});
  }
  if (given.delays) {
    line.arguments.insert(line.arguments.end(), {"--index-transition-ms", kIndexTransitionMs});
  }
  if (given.cors) AddOrigins(*given.cors, &line.arguments);
  return line;
}

std::string DynamoDbLocalHelp() {
  std::string text =
      "Hashrange, by the command line of DynamoDB Local (docs/moving.md).\n\n"
      "Usage: hashrange [OPTIONS OF JAVA] -jar DynamoDBLocal.jar [OPTIONS]\n\n"
      "Options, and what each becomes (hashrange serve --help):\n";
  for (const OptionName& row : kOptions) {
    std::string option = "  -" + std::string(row.name);
    if (row.value != nullptr) option.append(" ").append(row.value);
    constexpr std::size_t kHelpColumn = 28;
    option.resize(std::max(kHelpColumn, option.size() + 1), ' ');
    text.append(option).append(row.help).append("\n");
  }
  return text;
}

std::string CheckDatabaseFolder(const std::string& folder) {
  const auto names = NamesInFolder(folder);
  if (!names) return "-dbPath: there is no folder " + folder + " that can be read";
  if (std::ranges::count(*names, kDataFolder) > 0) return {};
  const auto found = std::ranges::find_if(*names, IsLocalDatabase);
  if (found == names->end()) return {};
  return folder + (folder.ends_with('/') ? "" : "/") + *found +
         " is a database of DynamoDB Local, which Hashrange cannot read: copy its tables with "
         "`hashrange copy` while DynamoDB Local serves them, or make the folder " +
         DataFolderIn(folder) + " to begin without them (docs/moving.md)";
}

}  // namespace hashrange
