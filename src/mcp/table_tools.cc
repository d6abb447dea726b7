// The tool that describes tables: their definitions, and what is stored in them.
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "mcp/measured_text.h"
#include "mcp/request_units.h"
#include "mcp/table_text.h"
#include "mcp/tool_requests.h"
#include "mcp/tool_table.h"
#include "mcp/tool_text.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr int kOk = 200;
constexpr std::size_t kMostTables = 50;

constexpr ToolArgument kDescribeArguments[] = {
    {.name = "table",
     .description = "The table that is described in full: its entities, the templates of their "
                    "keys and its item collections. Without it, all tables are listed"}};

// Returns the answer, an object.
// Errors: ValidationException  the call failed; with its type and its message
Result<OwnedJson> CallTarget(AgentTarget& target, std::string_view operation,
                             const std::string& input) {
  Answer answer = target.Call(operation, input);
  auto json = OwnedJson::Parse(answer.body, JsonDialect::kDocument);
  const bool is_object = json.ok() && json->is_object();
  if (answer.status == kOk && is_object) return json;
  return ValidationError(is_object ? ErrorBodyText(json->value()) : std::move(answer.body));
}

Result<std::string> DefinitionOf(AgentTarget& target, std::string_view table) {
  HR_ASSIGN(const OwnedJson answer,
            CallTarget(target, "DescribeTable", "{\"TableName\":" + JsonString(table) + "}"));
  return TableDefinitionText(answer.value());
}

// Returns the names of the tables, at most kMostTables + 1.
Result<std::vector<std::string>> TableNames(AgentTarget& target) {
  HR_ASSIGN(const OwnedJson answer, CallTarget(target, "ListTables", "{}"));
  std::vector<std::string> names;
  const JsonValue* const list = answer.value().Find("TableNames");
  if (!list || list->type != JsonValue::Type::kArray) return names;
  for (const JsonValue& name : list->elements()) {
    if (name.type != JsonValue::Type::kString || names.size() > kMostTables) continue;
    names.emplace_back(name.string());
  }
  return names;
}

Result<ToolResult> ListAllTables(AgentTarget& target) {
  HR_ASSIGN(const std::vector<std::string> names, TableNames(target));
  ToolResult result;
  if (names.empty()) result.text = "there are no tables\n";
  for (std::size_t at = 0; at < names.size() && at < kMostTables; ++at) {
    // A table may be deleted meanwhile.
    const auto definition = DefinitionOf(target, names[at]);
    result.text +=
        definition.ok() ? *definition : names[at] + ": " + definition.error().message + "\n";
  }
  if (names.size() > kMostTables) result.text += "and more tables: ListTables names them\n";
  return result;
}

// Returns a name that nobody else uses.
std::string UnusedName() {
  std::random_device random;
  char digits[24];
  std::snprintf(digits, sizeof digits, "%08x%08x", random(), random());
  return std::string("describe-tables-") + digits;
}

// Returns what is stored in the table. A measurement looks at its items, and is ended at once: it
// is all that this tool, which reads, changes at the server, and nobody else notices it. It is
// ended also when a call for it has failed, as the server may have begun it.
Result<Measurement> MeasureStored(AgentTarget& target, std::string_view table) {
  const std::string name = UnusedName();
  Result<std::string> json = std::string();
  if (const Status begun = BeginMeasurement(target, name, {std::string(table)}); begun.ok()) {
    json = FetchMeasurement(target, name, true);
  } else {
    json = begun.error();
  }
  if (!json.ok()) {
    static_cast<void>(FetchMeasurement(target, name, true));
    return json.error();
  }
  return ParseMeasurement(std::move(json).value());
}

Result<ToolResult> DescribeTables(ToolCall& call) {
  AgentTarget& target = call.place.target;
  const auto table = call.arguments.Text("table");
  if (!table) {
    HR_ASSIGN(ToolResult all, ListAllTables(target));
    all.text = BoundedText(std::move(all.text), call.place.reports, "tables.txt");
    return all;
  }
  HR_ASSIGN(std::string text, DefinitionOf(target, *table));
  const auto stored = MeasureStored(target, *table);
  text += stored.ok() ? StoredText(*stored)
                      : "its entities are not known: " + stored.error().message + "\n";
  return ToolResult{.text = BoundedText(std::move(text), call.place.reports, "table.txt")};
}

constexpr Tool kTableTools[] = {
    {.name = "describe_tables",
     .title = "Describe tables",
     .description =
         "Lists the tables with their keys, indexes, billing and sizes. With `table`, describes "
         "one "
         "of them in full: the entities that its items belong to, as templates of their keys "
         "(CUST#{customer_id} / ORDER#{date}) for the table and each index, with counts and sizes, "
         "and its item collections with the largest. The items are looked at, not returned.",
     .arguments = kDescribeArguments,
     .effect = ToolEffect::kReads,
     .function = DescribeTables}};

}  // namespace

std::span<const Tool> TableTools() { return kTableTools; }

}  // namespace hashrange
