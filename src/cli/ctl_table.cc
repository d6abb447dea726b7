#include "cli/ctl_table.h"

namespace hashrange {
namespace {

using Kind = CtlOption::Kind;
using Act = CtlCommand::Act;

constexpr CtlOption kAccount{"--account", "account", Kind::kText, "Of this account, 12 digits"};
constexpr CtlOption kRegion{"--region", "region", Kind::kText, "Of this Region"};
constexpr CtlOption kTable{"--table", "table", Kind::kText, "Of this table"};
constexpr CtlOption kTheTable{"--table", "table", Kind::kText, "The table", true};
constexpr CtlOption kIndex{"--index", "index", Kind::kText, "Of this index"};

constexpr CtlOption kReset[] = {
    kAccount,
    kRegion,
    kTable,
    {"--simulation", "simulation", Kind::kTrue, "End all that is simulated as well"}};

constexpr CtlOption kFork[] = {
    {"FROM", "from", Kind::kText, "The account whose tables are taken", true},
    {"TO", "to", Kind::kText, "The account that has them afterwards, and no others", true}};

constexpr CtlOption kSnapshot[] = {{"NAME", "name", Kind::kText, "What it is called", true},
                                   kAccount};

constexpr CtlOption kRestore[] = {{"NAME", "", Kind::kName, "The snapshot", true}};

constexpr CtlOption kClock[] = {
    {"--freeze", "frozen", Kind::kValueOrTrue, "Stand still, at a time or now"},
    {"--advance", "advance", Kind::kValue, "Move on: 90s, 2d"},
    {"--scale", "scale", Kind::kValue, "Run so many times as fast"},
    {"--mode", "mode", Kind::kText, "real: the machine's time again"}};

constexpr CtlOption kFaults[] = {
    {"--file", "", Kind::kFile, "A file of {\"rules\":[…]}"},
    {"--rules", "rules", Kind::kJson, "The rules: [{\"match\":{…},\"do\":{…}}]"},
    {"--seed", "seed", Kind::kValue, "What chance starts with"}};

constexpr CtlOption kHold[] = {
    kTheTable,
    {"--key", "key", Kind::kJson, "The key of the item: {\"PK\":{\"S\":\"a\"}}", true},
    {"--timeout", "timeout", Kind::kValue, "Held no longer than this: 5s"},
    kAccount,
    kRegion};

constexpr CtlOption kStatus[] = {
    kTheTable,
    kIndex,
    {"--status", "status", Kind::kText, "CREATING, UPDATING or ACTIVE", true},
    kAccount,
    kRegion};

constexpr CtlOption kConsistency[] = {
    kTable,
    {"--index-lag", "index_lag", Kind::kValue, "Indexes are late: 200ms, {\"min\":…,\"max\":…}"},
    {"--stale-reads", "stale_reads", Kind::kValue, "So are eventually consistent reads"},
    {"--seed", "seed", Kind::kValue, "What chance starts with"},
    kAccount,
    kRegion};

constexpr CtlOption kThroughput[] = {
    {"--enforce", "enforce", Kind::kValue, "true or false: throttle beyond what is provisioned"},
    kAccount,
    kRegion,
    kTable};

constexpr CtlOption kSeed[] = {
    {"PATH", "path", Kind::kPath, "A file, or a folder of them, on the server's machine", true},
    kTable,
    {"--definition", "definition", Kind::kFile, "A file with the table's CreateTable request"},
    {"--format", "format", Kind::kText, "dynamodb, json or csv"},
    {"--threads", "threads", Kind::kValue, "How many load it (default: one for each core)"},
    kAccount,
    kRegion};

constexpr CtlOption kDump[] = {
    {"PATH", "path", Kind::kPath, "A folder on the server's machine (default: print the items)"},
    kTable,
    {"--format", "format", Kind::kText, "dynamodb or json"},
    {"--gzip", "gzip", Kind::kTrue, "Compress the files"},
    {"--overwrite", "overwrite", Kind::kTrue, "Even into a folder with other files"},
    kAccount,
    kRegion};

constexpr CtlOption kRequests[] = {
    {"--enable", "enabled", Kind::kTrue, "Begin to list calls"},
    {"--disable", "enabled", Kind::kFalse, "End it"},
    {"--limit", "limit", Kind::kValue, "How many are kept"},
    {"--account", "account", Kind::kFilter, "Those of this account"},
    {"--region", "region", Kind::kFilter, "Those of this Region"},
    {"--table", "table", Kind::kFilter, "Those that came to this table"},
    {"--operation", "operation", Kind::kFilter, "Those of this operation"},
    {"--since", "since", Kind::kFilter, "Those behind the call of this id"},
    {"--follow", "", Kind::kFollow, "Print calls as they come, until interrupted"}};

constexpr CtlOption kGet[] = {{"PATH", "", Kind::kTarget, "Behind /_hashrange/", true}};
constexpr CtlOption kPost[] = {{"PATH", "", Kind::kTarget, "Behind /_hashrange/", true},
                               {"JSON", "", Kind::kJson, "The body"}};

constexpr CtlCommand kCommands[] = {
    {"info", "", Act::kGet, false, {}, "Which version runs there, and how long"},
    {"reset", "reset", Act::kPost, false, kReset, "Drop tables; with --table only its items"},
    {"fork", "fork", Act::kPost, false, kFork, "Give an account the tables of another"},
    {"snapshot", "snapshots", Act::kPost, false, kSnapshot, "Keep all tables as they are"},
    {"snapshots", "snapshots", Act::kGet, true, {}, "List them"},
    {"restore", "snapshots/*/restore", Act::kPost, false, kRestore, "Go back to a snapshot"},
    {"clock", "clock", Act::kGetOrPost, false, kClock, "Tell, stop or move the server's time"},
    {"faults", "faults", Act::kGetOrPost, true, kFaults, "List or add rules of what fails"},
    {"hold", "holds", Act::kPost, false, kHold, "Keep an item as a transaction would"},
    {"holds", "holds", Act::kGet, true, {}, "List what is held"},
    {"status", "status", Act::kPost, false, kStatus, "Keep a table or an index in a state"},
    {"consistency", "consistency", Act::kGetOrPost, true, kConsistency, "Late indexes and reads"},
    {"throughput", "throughput", Act::kGetOrPost, true, kThroughput, "Provisioned limits"},
    {"seed", "seed", Act::kPost, false, kSeed, "Fill tables from files"},
    {"dump", "dump", Act::kPost, false, kDump, "Write tables to files"},
    {"requests", "requests", Act::kGetOrPost, true, kRequests, "What was called, at which cost"},
    {"metrics", "metrics", Act::kGet, false, {}, "The counters, as Prometheus reads them"},
    {"get", "", Act::kGet, false, kGet, "GET any path"},
    {"post", "", Act::kPost, false, kPost, "POST to any path"},
    {"delete", "", Act::kDelete, false, kGet, "DELETE any path"},
};

}  // namespace

std::span<const CtlCommand> CtlCommands() { return kCommands; }

}  // namespace hashrange
