// The tools that set up tables: seed, snapshot, restore, reset; and the one that says where the
// tools work.
#include <string>
#include <utility>

#include "mcp/report_folder.h"
#include "mcp/tool.h"
#include "mcp/tool_requests.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::string_view kFormats[] = {"dynamodb", "json", "csv"};

constexpr ToolArgument kSeedArguments[] = {
    {.name = "path",
     .description = "A file of items, or a folder of tables, on the machine of the tables"},
    {.name = "data",
     .description = "Items as text, in place of `path`: JSON, a line each, or CSV with a header "
                    "(PK,SK,age:N)"},
    {.name = "table", .description = "The table that gets the items"},
    {.name = "format", .description = "The form of the items", .values = kFormats},
    {.name = "definition",
     .type = ArgumentType::kObject,
     .description = "The CreateTable input of a table that does not exist yet"}};

constexpr ToolArgument kSnapshotArguments[] = {
    {.name = "name",
     .is_required = true,
     .description = "Up to 100 letters, digits, '-', '_' and '.'"}};

constexpr ToolArgument kResetArguments[] = {
    {.name = "table",
     .description = "Only this table, which keeps its definition and loses its items; without it: "
                    "all tables of the account are deleted"}};

// Writes the argument as a member, if it was given.
void WriteArgument(ToolCall& call, std::string_view name, JsonWriter& writer) {
  const JsonValue* const given = call.arguments.Member(name);
  if (!given) return;
  writer.Name(name);
  WriteJson(*given, writer);
}

Result<ToolResult> BodyAsText(ToolCall& call, std::string_view path, const std::string& body) {
  HR_ASSIGN(std::string answer, call.place.target.Control("POST", path, body));
  return ToolResult{.text =
                        BoundedText(std::move(answer), call.place.reports, "answer.json") + "\n"};
}

Result<ToolResult> SeedItems(ToolCall& call) {
  return BodyAsText(call, "seed", JsonObjectText([&](JsonWriter& writer) {
                      WriteOwner(call.place.target, writer);
                      for (const char* const name : {"path", "data", "table", "format"}) {
                        WriteArgument(call, name, writer);
                      }
                      WriteArgument(call, "definition", writer);
                    }));
}

// Snapshots of all accounts have names, too. A restore of one would replace their tables.
Status CheckSnapshot(ToolCall& call) {
  return CheckOwner(call.place.target, "snapshots", "snapshot", call.arguments.Text("name"),
                    OfAllAccounts::kRefused);
}

Result<ToolResult> TakeTheSnapshot(ToolCall& call) {
  HR_RETURN_IF_ERROR(CheckSnapshot(call));
  return BodyAsText(call, "snapshots", JsonObjectText([&](JsonWriter& writer) {
                      WriteAccount(call.place.target, writer);
                      WriteArgument(call, "name", writer);
                    }));
}

Result<ToolResult> RestoreTheSnapshot(ToolCall& call) {
  HR_RETURN_IF_ERROR(CheckSnapshot(call));
  return BodyAsText(call, NamedPath("snapshots", call.arguments.Text("name")) + "/restore", "");
}

Result<ToolResult> ResetAll(ToolCall& call) {
  return BodyAsText(call, "reset", JsonObjectText([&](JsonWriter& writer) {
                      WriteOwner(call.place.target, writer);
                      WriteArgument(call, "table", writer);
                    }));
}

Result<ToolResult> TellStatus(ToolCall& call) {
  AgentTarget& target = call.place.target;
  std::string text = "tables of " + target.Description() + ", Region " + target.Region();
  if (const std::string account = target.Account(); !account.empty()) {
    text += ", account " + account;
  }
  text += "\n";
  for (const std::string_view path : {"", "measurements", "snapshots"}) {
    const auto body = target.Control("GET", path, "");
    text += (body.ok() ? *body : body.error().message) + "\n";
    if (!body.ok()) break;
  }
  return ToolResult{.text = BoundedText(std::move(text), call.place.reports, "status.txt")};
}

constexpr Tool kStateTools[] = {
    {.name = "server_status",
     .title = "Status of the server",
     .description = "Says where the tables are and how programs reach them, the account and the "
                    "Region, which measurements run, and which snapshots there are.",
     .effect = ToolEffect::kReads,
     .function = TellStatus},
    {.name = "seed_tables",
     .title = "Seed tables",
     .description =
         "Creates tables and fills them, from files or from the text of items; nothing is loaded "
         "where one of them is wrong. An item that is there already is replaced.",
     .arguments = kSeedArguments,
     .effect = ToolEffect::kDestroys,
     .function = SeedItems},
    {.name = "snapshot_take",
     .title = "Take a snapshot",
     .description = "Saves all tables of the account as they are now, at once, whatever they hold. "
                    "It replaces a snapshot of this name, and is kept until the server ends.",
     .arguments = kSnapshotArguments,
     .effect = ToolEffect::kDestroys,
     .is_idempotent = false,
     .function = TakeTheSnapshot},
    {.name = "snapshot_restore",
     .title = "Restore a snapshot",
     .description = "Replaces all tables of the account by those of a snapshot.",
     .arguments = kSnapshotArguments,
     .effect = ToolEffect::kDestroys,
     .function = RestoreTheSnapshot},
    {.name = "reset_tables",
     .title = "Reset tables",
     .description = "Deletes all tables of the account and Region, or the items of one table. A "
                    "snapshot that was taken before can be restored.",
     .arguments = kResetArguments,
     .effect = ToolEffect::kDestroys,
     .function = ResetAll}};

}  // namespace

std::span<const Tool> StateTools() { return kStateTools; }

}  // namespace hashrange
