// The tools that set up tables: seed, snapshot, restore, reset; and the one that says where the
// tools work.
#include <optional>
#include <string>
#include <utility>

#include "base/output_buffer.h"
#include "mcp/tool_requests.h"
#include "mcp/tool_table.h"
#include "mcp/tool_text.h"
#include "wire/json_writer.h"

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

// An object with the owner of the tables, to which members are added.
class OwnerBody {
 public:
  // `has_region`: whether the call takes a Region.
  OwnerBody(const AgentTarget& target, bool has_region) {
    writer_.BeginObject();
    if (has_region) {
      WriteOwner(target, writer_);
    } else if (const std::string account = target.Account(); !account.empty()) {
      writer_.StringMember("account", account);
    }
  }

  void Text(std::string_view name, std::optional<std::string_view> text) {
    if (text) writer_.StringMember(name, *text);
  }
  void Object(std::string_view name, const JsonValue* json) {
    if (!json) return;
    writer_.Name(name);
    WriteJson(*json, writer_);
  }
  std::string End() {
    writer_.EndObject();
    return std::string(out_.view());
  }

 private:
  OutputBuffer out_;
  JsonWriter writer_{out_};
};

Result<ToolResult> BodyAsText(ToolCall& call, std::string_view path, const std::string& body) {
  HR_ASSIGN(std::string answer, call.place.target.Control("POST", path, body));
  return ToolResult{.text =
                        BoundedText(std::move(answer), call.place.reports, "answer.json") + "\n"};
}

Result<ToolResult> SeedItems(ToolCall& call) {
  OwnerBody body(call.place.target, true);
  for (const char* const name : {"path", "data", "table", "format"}) {
    body.Text(name, call.arguments.Text(name));
  }
  body.Object("definition", call.arguments.Object("definition"));
  return BodyAsText(call, "seed", body.End());
}

// Snapshots of all accounts have names, too. A restore of one would replace their tables.
Status CheckSnapshot(ToolCall& call) {
  return CheckOwner(call.place.target, "snapshots", "snapshot", *call.arguments.Text("name"),
                    OfAllAccounts::kRefused);
}

Result<ToolResult> TakeTheSnapshot(ToolCall& call) {
  HR_RETURN_IF_ERROR(CheckSnapshot(call));
  OwnerBody body(call.place.target, false);
  body.Text("name", call.arguments.Text("name"));
  return BodyAsText(call, "snapshots", body.End());
}

Result<ToolResult> RestoreTheSnapshot(ToolCall& call) {
  HR_RETURN_IF_ERROR(CheckSnapshot(call));
  return BodyAsText(call, NamedPath("snapshots", *call.arguments.Text("name")) + "/restore", "");
}

Result<ToolResult> ResetAll(ToolCall& call) {
  OwnerBody body(call.place.target, true);
  body.Text("table", call.arguments.Text("table"));
  return BodyAsText(call, "reset", body.End());
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
