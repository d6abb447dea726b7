#include "cli/ctl/ctl_table.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/file_text.h"
#include "base/memory/arena.h"
#include "base/text/text_encodings.h"
#include "wire/json.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

using Kind = CtlOption::Kind;
using Act = CtlCommand::Act;
using Deletion = CtlCommand::Deletion;

constexpr CtlOption kAccount{"--account", "account", Kind::kText, "Of this account, 12 digits"};
constexpr CtlOption kRegion{"--region", "region", Kind::kText, "Of this Region"};
constexpr CtlOption kTable{"--table", "table", Kind::kText, "Of this table"};
constexpr CtlOption kTheTable{"--table", "table", Kind::kText, "The table", true};
constexpr CtlOption kScopeAccount{"--account", "account", Kind::kScope,
                                  "Of this account, 12 digits"};
constexpr CtlOption kScopeRegion{"--region", "region", Kind::kScope, "Of this Region"};
constexpr CtlOption kScopeTable{"--table", "table", Kind::kScope, "Of this table"};
constexpr CtlOption kIndex{"--index", "index", Kind::kText, "Of this index"};

constexpr CtlOption kReset[] = {
    kAccount,
    kRegion,
    kTable,
    {"--simulation", "simulation", Kind::kTrue, "End all simulations as well"}};

constexpr CtlOption kFork[] = {
    {"FROM", "from", Kind::kText, "The account whose tables are copied", true},
    {"TO", "to", Kind::kText, "The account that gets them in place of its own", true},
    {"--durable", "durable", Kind::kTrue, "Keep them in the data directory, too (serve --data)"}};

constexpr CtlOption kSnapshot[] = {{"NAME", "name", Kind::kText, "The name of the snapshot", true},
                                   kAccount};

constexpr CtlOption kRestore[] = {{"NAME", "", Kind::kName, "The snapshot", true}};

constexpr CtlOption kClock[] = {
    {"--freeze", "frozen", Kind::kValueOrTrue, "Stop the clock, at this time or now"},
    {"--advance", "advance", Kind::kValue, "Move the clock forward: 90s, 2d"},
    {"--scale", "scale", Kind::kValue, "Run this many times as fast"},
    {"--mode", "mode", Kind::kText, "Go back to the machine's time: real", false, "real"}};

constexpr CtlOption kFaults[] = {
    {"--file", "", Kind::kFile, "A file of {\"rules\":[…]}"},
    {"--rules", "rules", Kind::kJson, "The rules: [{\"match\":{…},\"do\":{…}}]"},
    {"--seed", "seed", Kind::kValue, "The seed of the random numbers"}};

constexpr CtlOption kHold[] = {
    kTheTable,
    {"--key", "key", Kind::kJson, "The key of the item: {\"PK\":{\"S\":\"a\"}}", true},
    {"--timeout", "timeout", Kind::kValue, "Release the item after this time: 5s"},
    kAccount,
    kRegion};

constexpr CtlOption kStatus[] = {
    kTheTable,
    kIndex,
    {"--status", "status", Kind::kText, "The state: CREATING, UPDATING or ACTIVE", true,
     "CREATING,UPDATING,ACTIVE"},
    kAccount,
    kRegion};

constexpr CtlOption kConsistency[] = {
    kScopeTable,
    {"--index-lag", "index_lag", Kind::kValue,
     "How late indexes get changes: 200ms, {\"min\":…,\"max\":…}"},
    {"--stale-reads", "stale_reads", Kind::kValue,
     "How late eventually consistent reads see changes"},
    {"--seed", "seed", Kind::kValue, "The seed of the random numbers"},
    kScopeAccount,
    kScopeRegion};

constexpr CtlOption kThroughput[] = {
    {"--enforce", "enforce", Kind::kValue, "Throttle beyond what is provisioned: true or false",
     false, "true,false"},
    kScopeAccount,
    kScopeRegion,
    kScopeTable};

constexpr CtlOption kPartitions[] = {
    {"--mode", "mode", Kind::kText, "watch: count what would be throttled; enforce: throttle it",
     false, "watch,enforce"},
    {"--parameters", "parameters", Kind::kJson, "What the model assumes: {\"write_units\":10}"},
    {"--seed", "seed", Kind::kValue, "The seed of the random numbers"},
    kScopeAccount,
    kScopeRegion,
    kScopeTable};

constexpr CtlOption kSeed[] = {
    {"PATH", "path", Kind::kPath, "A file, or a folder of them, on the server's machine", true},
    kTable,
    {"--definition", "definition", Kind::kFile, "A file with the table's CreateTable request"},
    {"--format", "format", Kind::kText, "The format of the items: dynamodb, json or csv", false,
     "dynamodb,json,csv"},
    {"--threads", "threads", Kind::kValue, "How many threads load (default: one per core)"},
    kAccount,
    kRegion};

constexpr CtlOption kBackup[] = {
    {"DIR", "path", Kind::kPath, "A directory on the server's machine, absent or empty", true}};

constexpr CtlOption kDump[] = {
    {"PATH", "path", Kind::kPath, "A folder on the server's machine (default: print the items)"},
    kTable,
    {"--format", "format", Kind::kText, "The format of the items: dynamodb or json", false,
     "dynamodb,json"},
    {"--gzip", "gzip", Kind::kTrue, "Compress the files"},
    {"--overwrite", "overwrite", Kind::kTrue, "Write even into a folder with other files"},
    kAccount,
    kRegion};

constexpr CtlOption kRequests[] = {
    {"--enable", "enabled", Kind::kTrue, "Begin to list calls"},
    {"--disable", "enabled", Kind::kFalse, "Stop listing calls"},
    {"--limit", "limit", Kind::kValue, "How many calls are kept"},
    {"--account", "account", Kind::kFilter, "Only calls of this account"},
    {"--region", "region", Kind::kFilter, "Only calls of this Region"},
    {"--table", "table", Kind::kFilter, "Only calls that accessed this table"},
    {"--operation", "operation", Kind::kFilter, "Only calls of this operation"},
    {"--since", "since", Kind::kFilter, "Only calls after the one with this id"},
    {"--follow", "", Kind::kFollow, "Print new calls until interrupted"}};

constexpr CtlOption kCollections[] = {
    kTheTable,
    kIndex,
    {"--order", "order", Kind::kText, "hash, or key: by their HASH values, with entities", false,
     "hash,key"},
    {"--limit", "limit", Kind::kValue, "How many collections are listed, at most 200"},
    {"--items", "items", Kind::kValue, "How many first items of each are listed, at most 100"},
    {"--after", "after", Kind::kValue, "Go on behind the \"after\" of an answer"},
    {"--at", "at", Kind::kValue, "Begin at this fraction of the hashes: 0.5"},
    {"--directory", "directory", Kind::kText, "The id of a directory that an answer named"},
    {"--entity", "entity", Kind::kValue, "Only collections that have items of this entity"},
    {"--prefix", "prefix", Kind::kText, "Only collections whose HASH value begins with this"},
    kAccount,
    kRegion};

constexpr CtlOption kPlaces[] = {
    kTheTable,
    {"--key", "key", Kind::kJson, "The key of the item: {\"PK\":{\"S\":\"a\"}}", true},
    kAccount,
    kRegion};

constexpr CtlOption kChanges[] = {
    {"--table", "table", Kind::kScope, "The table", true},
    {"--enable", "enabled", Kind::kTrue, "Begin to keep changes"},
    {"--disable", "enabled", Kind::kFalse, "Stop keeping changes, and forget them"},
    {"--limit", "limit", Kind::kValue, "How many changes are kept"},
    {"--since", "since", Kind::kFilter, "Only changes after the one with this id"},
    kScopeAccount,
    kScopeRegion};

constexpr CtlOption kMetrics[] = {{"--enable", "enabled", Kind::kTrue, "Begin to count calls"}};

constexpr CtlOption kGet[] = {{"PATH", "", Kind::kTarget, "The path after /_hashrange/", true}};
constexpr CtlOption kPost[] = {{"PATH", "", Kind::kTarget, "The path after /_hashrange/", true},
                               {"JSON", "", Kind::kJson, "The body"}};

constexpr CtlCommand kCommands[] = {
    {"info",
     "",
     Act::kGet,
     Deletion::kNone,
     {},
     "Show the server's version and how long it has been running"},
    {"reset", "reset", Act::kPost, Deletion::kNone, kReset,
     "Drop tables, or with --table the items of one"},
    {"fork", "fork", Act::kPost, Deletion::kNone, kFork, "Give an account the tables of another"},
    {"accounts", "accounts", Act::kGet, Deletion::kNone, {}, "List the accounts that have tables"},
    {"snapshot", "snapshots", Act::kPost, Deletion::kNone, kSnapshot,
     "Save all tables under a name"},
    {"snapshots", "snapshots", Act::kGet, Deletion::kOfId, {}, "List the snapshots"},
    {"restore", "snapshots/*/restore", Act::kPost, Deletion::kNone, kRestore,
     "Go back to a snapshot"},
    {"clock", "clock", Act::kGetOrPost, Deletion::kNone, kClock,
     "Show, stop or move the server's time"},
    {"faults", "faults", Act::kGetOrPost, Deletion::kOfId, kFaults, "List or add rules for faults"},
    {"hold", "holds", Act::kPost, Deletion::kNone, kHold, "Hold an item as a transaction would"},
    {"holds", "holds", Act::kGet, Deletion::kOfId, {}, "List the held items"},
    {"status", "status", Act::kPost, Deletion::kNone, kStatus,
     "Keep a table or an index in a state"},
    {"consistency", "consistency", Act::kGetOrPost, Deletion::kOfOptions, kConsistency,
     "Show or set late indexes and reads"},
    {"throughput", "throughput", Act::kGetOrPost, Deletion::kOfOptions, kThroughput,
     "Show or set throttling"},
    {"partitions", "partitions", Act::kGetOfScopeOrPost, Deletion::kOfOptions, kPartitions,
     "Show or model physical partitions", PartitionAnswerText},
    {"seed", "seed", Act::kPost, Deletion::kNone, kSeed, "Fill tables from files"},
    {"dump", "dump", Act::kPost, Deletion::kNone, kDump, "Write tables to files"},
    {"backup", "backup", Act::kPost, Deletion::kNone, kBackup,
     "Copy what a server with --data keeps, while it serves"},
    {"requests", "requests", Act::kGetOrPost, Deletion::kOfOptions, kRequests,
     "List calls and their cost"},
    {"collections", "collections", Act::kPost, Deletion::kNone, kCollections,
     "List the item collections of a table or an index"},
    {"places", "places", Act::kPost, Deletion::kNone, kPlaces,
     "Show an item and its place in each index"},
    {"changes", "changes", Act::kGetOfScopeOrPost, Deletion::kNone, kChanges,
     "List the latest changes of a table"},
    {"metrics", "metrics", Act::kGetOrPost, Deletion::kNone, kMetrics,
     "Show the counters, for Prometheus"},
    {"get", "", Act::kGet, Deletion::kNone, kGet, "GET any path"},
    {"post", "", Act::kPost, Deletion::kNone, kPost, "POST to any path"},
    {"delete", "", Act::kDelete, Deletion::kNone, kGet, "DELETE any path"},
};

constexpr std::string_view kRoot = "/_hashrange/";

bool IsInBody(const GivenOption& given) {
  switch (given.option->kind) {
    case Kind::kName:
    case Kind::kTarget:
    case Kind::kFilter:
    case Kind::kFollow:
      return false;
    default:
      return true;
  }
}

bool IsScope(const GivenOption& given) { return given.option->kind == Kind::kScope; }

// Returns whether the option says what a call is to do, not only which tables it is about.
bool IsSetting(const GivenOption& given) { return IsInBody(given) && !IsScope(given); }

bool IsJson(std::string text) {
  Arena arena(4 << 10);
  const std::size_t size = text.size();
  text.push_back('\0');  // the parser needs a terminator
  return ParseJson({text.data(), size}, arena).ok();
}

// Returns the option's value as JSON for the body.
Result<std::string> OptionAsJson(const GivenOption& given) {
  const std::string& value = given.value;
  switch (given.option->kind) {
    case Kind::kTrue:
      return std::string("true");
    case Kind::kFalse:
      return std::string("false");
    case Kind::kValueOrTrue:
      if (value.empty()) return std::string("true");
      [[fallthrough]];
    case Kind::kValue:
      return IsJson(value) ? value : JsonText(value);
    case Kind::kJson:
      if (!IsJson(value)) return ValidationError(std::string(given.option->name) + " is not JSON");
      return value;
    case Kind::kFile: {
      HR_ASSIGN(std::string text, ReadFileText(value));
      if (!IsJson(text)) return ValidationError(value + " is not JSON");
      return text;
    }
    case Kind::kPath: {
      std::error_code unknown;  // if it is set, the path is sent as it was given
      const auto path = std::filesystem::absolute(value, unknown);
      return JsonText(unknown ? value : path.lexically_normal().string());
    }
    default:
      return JsonText(value);
  }
}

// Returns the object of all members, or the one value that is the whole body.
Result<std::string> RequestBody(const GivenCommand& given) {
  std::string members;
  std::optional<std::string> whole;
  for (const GivenOption& option : given.options) {
    if (!IsInBody(option)) continue;
    HR_ASSIGN(std::string json, OptionAsJson(option));
    const std::string_view member = option.option->member;
    if (member.empty()) {
      whole = std::move(json);
      continue;
    }
    members.append(members.empty() ? "" : ",").append(JsonText(member)).append(":").append(json);
  }
  if (whole && !members.empty()) {
    return ValidationError("a file or text that is the whole body goes with no other option");
  }
  return whole ? *std::move(whole) : "{" + members + "}";
}

std::string RequestMethod(const GivenCommand& given) {
  if (given.deletes) return "DELETE";
  switch (given.command->act) {
    case Act::kGet:
      return "GET";
    case Act::kPost:
      return "POST";
    case Act::kDelete:
      return "DELETE";
    case Act::kGetOfScopeOrPost:
      return std::ranges::any_of(given.options, IsSetting) ? "POST" : "GET";
    case Act::kGetOrPost:
      break;
  }
  return std::ranges::any_of(given.options, IsInBody) ? "POST" : "GET";
}

std::string RequestTarget(const GivenCommand& given, bool is_get) {
  std::string path = std::string(kRoot) + given.command->path;
  std::string query;
  for (const auto& each : given.options) {
    const auto& [option, value] = each;
    if (option->kind == Kind::kTarget) {
      path = value.starts_with('/') ? value : std::string(kRoot) + value;
    } else if (option->kind == Kind::kName) {
      path.replace(path.find('*'), 1, PercentEncoded(value));
    } else if (option->kind == Kind::kFilter || (is_get && IsScope(each))) {
      query.append(query.empty() ? "?" : "&").append(option->member).append("=");
      query += PercentEncoded(value);
    }
  }
  if (!given.deleted.empty()) path += "/" + PercentEncoded(given.deleted);
  return path + query;
}

}  // namespace

std::span<const CtlCommand> CtlCommands() { return kCommands; }

std::optional<std::string> TakeFollowStart(GivenCommand* given) {
  const auto follows = [](const GivenOption& each) { return each.option->kind == Kind::kFollow; };
  if (std::erase_if(given->options, follows) == 0) return std::nullopt;
  std::string since;
  std::erase_if(given->options, [&](const GivenOption& each) {
    const bool is_since = std::string_view(each.option->member) == "since";
    if (is_since) since = each.value;
    return is_since;
  });
  return since;
}

Result<CtlRequest> MakeCtlRequest(const GivenCommand& given) {
  CtlRequest request{RequestMethod(given), {}, {}};
  request.target = RequestTarget(given, request.method == "GET");
  if (given.deletes && std::ranges::any_of(given.options, IsSetting)) {
    return ValidationError("--delete changes nothing else");
  }
  const bool deletes_of_scope = given.deletes && std::ranges::any_of(given.options, IsScope);
  if (request.method == "POST" || deletes_of_scope) {
    HR_ASSIGN(request.body, RequestBody(given));
  }
  return request;
}

}  // namespace hashrange
