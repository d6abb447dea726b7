// The tool that describes tables: their definitions, and what is stored in them.

#include <algorithm>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/report_folder.h"
#include "mcp/request_tools.h"
#include "mcp/tool.h"
#include "mcp/tool_requests.h"
#include "measure/measurement.h"
#include "measure/number_text.h"
#include "measure/report/readable_text.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostTables = 50;
constexpr std::size_t kMostEntities = 40;
constexpr std::size_t kMostKeys = 5;

constexpr ToolArgument kDescribeArguments[] = {
    {.name = "table",
     .description = "The table that is described in full: its entities, the templates of their "
                    "keys and its item collections. Without it, all tables are listed"}};

std::string MemberText(const JsonValue& json, std::string_view name) {
  return std::string(TextMember(json, name));
}

// Returns the type of an attribute: "S", "N" or "B".
std::string TypeIn(const JsonValue& table, const std::string& attribute) {
  for (const JsonValue& definition : ListMember(table, "AttributeDefinitions")) {
    if (MemberText(definition, "AttributeName") != attribute) continue;
    return MemberText(definition, "AttributeType");
  }
  return {};
}

// Returns "PK (S), SK (S)".
std::string KeyOf(const JsonValue& table, const JsonValue& resource) {
  std::string text;
  for (const JsonValue& part : ListMember(resource, "KeySchema")) {
    const std::string name = MemberText(part, "AttributeName");
    text += (text.empty() ? "" : ", ") + name;
    if (MemberText(part, "KeyType") == "RANGE") text += " range";
    text += " (" + TypeIn(table, name) + ")";
  }
  return text;
}

std::string ProvisionedText(const JsonValue& resource) {
  const JsonValue* const throughput = resource.Find("ProvisionedThroughput");
  const double read = throughput ? NumberMember(*throughput, "ReadCapacityUnits") : 0;
  const double write = throughput ? NumberMember(*throughput, "WriteCapacityUnits") : 0;
  if (read == 0 && write == 0) return "on demand";
  return "provisioned: read " + NumberText(read) + ", write " + NumberText(write);
}

std::string ProjectionText(const JsonValue& index) {
  const JsonValue* const projection = index.Find("Projection");
  if (!projection) return {};
  std::string text = MemberText(*projection, "ProjectionType");
  for (const JsonValue& name : ListMember(*projection, "NonKeyAttributes")) {
    if (name.type == JsonValue::Type::kString) text.append(" ").append(name.string());
  }
  return text;
}

std::string StoredCounts(const JsonValue& resource, std::string_view bytes) {
  return CountedText(NumberMember(resource, "ItemCount"), "item") + ", " +
         BytesText(NumberMember(resource, bytes));
}

std::string IndexLines(const JsonValue& table, std::string_view list, std::string_view kind) {
  std::string text;
  for (const JsonValue& index : ListMember(table, list)) {
    text += "  " + std::string(kind) + " " + MemberText(index, "IndexName") + ": key " +
            KeyOf(table, index) + "; projection " + ProjectionText(index) + "; " +
            StoredCounts(index, "IndexSizeBytes");
    if (kind == "global index") text += "; " + ProvisionedText(index);
    const std::string status = MemberText(index, "IndexStatus");
    if (!status.empty() && status != "ACTIVE") text += "; " + status;
    text += "\n";
  }
  return text;
}

std::string VectorIndexLines(const JsonValue& table) {
  std::string text;
  for (const JsonValue& index : ListMember(table, "VectorIndexes")) {
    const JsonValue* const vector = index.Find("VectorAttribute");
    text += "  vector index " + MemberText(index, "IndexName") + ": vector " +
            (vector ? MemberText(*vector, "AttributeName") : std::string()) + ", " +
            CountedText(NumberMember(index, "Dimensions"), "dimension") + ", " +
            MemberText(index, "DistanceFunction");
    for (const JsonValue& element : ListMember(index, "SearchSchema")) {
      text += "; " + MemberText(element, "SearchSchemaElementType") + " " +
              MemberText(element, "AttributeName");
    }
    text += "; projection " + ProjectionText(index) + "; " + StoredCounts(index, "IndexSizeBytes");
    const std::string status = MemberText(index, "IndexStatus");
    if (!status.empty() && status != "ACTIVE") text += "; " + status;
    text += "\n";
  }
  return text;
}

// Returns the definition and the counts of a table, with a line for each index. `answer` is the
// answer of DescribeTable and may be any JSON.
std::string TableDefinitionText(const JsonValue& answer) {
  const JsonValue* const table = answer.Find("Table");
  if (!table) return {};
  std::string text = MemberText(*table, "TableName") + ": key " + KeyOf(*table, *table) + "; " +
                     ProvisionedText(*table) + "; " + StoredCounts(*table, "TableSizeBytes");
  const std::string status = MemberText(*table, "TableStatus");
  if (status != "ACTIVE") text += "; " + status;
  if (table->Find("LatestStreamArn")) text += "; has a stream";
  text += "\n" + IndexLines(*table, "GlobalSecondaryIndexes", "global index");
  text += IndexLines(*table, "LocalSecondaryIndexes", "local index");
  return text + VectorIndexLines(*table);
}

std::string Shown(const std::string& text) {
  constexpr std::size_t kMostCharacters = 120;
  return ClippedText(text, kMostCharacters);
}

// Returns "CUST#{customer_id} / METADATA".
std::string KeyTemplateText(const std::string& partition_key, const std::string& sort_key) {
  return sort_key.empty() ? Shown(partition_key) : Shown(partition_key) + " / " + Shown(sort_key);
}

std::string EntityLine(const EntityMeasure& entity) {
  std::string line = "- " + (entity.type.empty() ? "(no type)" : Shown(entity.type)) + ": " +
                     KeyTemplateText(entity.partition_key, entity.sort_key) + "; " +
                     CountedText(static_cast<double>(entity.items), "item") + ", mean " +
                     BytesText(entity.size_bytes.mean()) + "\n";
  for (const EntityIndex& index : entity.indexes) {
    line += "    " + index.index + ": " + KeyTemplateText(index.partition_key, index.sort_key) +
            "; " + CountedText(static_cast<double>(index.items), "entry", "entries") + ", " +
            BytesText(index.size_bytes) + "\n";
  }
  return line;
}

// Says how many collections a table or an index has, and which are the largest.
std::string CollectionLine(const ResourceMeasure& resource) {
  const CollectionMeasure& collections = resource.collections;
  if (collections.count == 0) return {};
  std::string line = "- " + (resource.index.empty() ? "table" : resource.index) + ": " +
                     CountText(collections.count) + "; items of one: mean " +
                     NumberText(collections.items.mean()) + "; largest: ";
  const std::size_t shown = std::min(collections.largest.size(), kMostKeys);
  for (std::size_t at = 0; at < shown; ++at) {
    const KeyCount& key = collections.largest[at];
    line += (at > 0 ? ", " : "") + Shown(key.key) + " " + BytesText(key.units);
  }
  return line + "\n";
}

// Returns the entities of a table, the templates of their keys, and its largest item collections.
std::string StoredText(const Measurement& measurement) {
  std::string text = "entities (type: partition key / sort key, as templates):\n";
  std::size_t shown = 0;
  for (const EntityMeasure& entity : measurement.entities) {
    if (++shown <= kMostEntities) text += EntityLine(entity);
  }
  if (shown > kMostEntities) text += "- and " + std::to_string(shown - kMostEntities) + " more\n";
  if (shown == 0) text += "- none: nothing is stored\n";
  std::string collections;
  for (const ResourceMeasure& resource : measurement.resources) {
    collections += CollectionLine(resource);
  }
  if (!collections.empty()) text += "item collections:\n" + collections;
  for (const TableMeasure& table : measurement.tables) {
    if (table.walked_share < 1 && table.items > 0) {
      text += "counted in " + ShareText(table.walked_share) +
              " of the hash ranges, and multiplied up\n";
    }
  }
  return text;
}

Result<std::string> DefinitionOf(AgentTarget& target, std::string_view table) {
  HR_ASSIGN(const OwnedJson answer,
            CallTarget(target, "DescribeTable", "{\"TableName\":" + JsonText(table) + "}"));
  return TableDefinitionText(answer.value());
}

// Returns the names of the tables, at most kMostTables + 1.
Result<std::vector<std::string>> TableNames(AgentTarget& target) {
  HR_ASSIGN(const OwnedJson answer, CallTarget(target, "ListTables", "{}"));
  std::vector<std::string> names;
  for (const JsonValue& name : ListMember(answer.value(), "TableNames")) {
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
  const std::string table = call.arguments.Text("table");
  if (table.empty()) {
    HR_ASSIGN(ToolResult all, ListAllTables(target));
    all.text = BoundedText(std::move(all.text), call.place.reports, "tables.txt");
    return all;
  }
  HR_ASSIGN(std::string text, DefinitionOf(target, table));
  const auto stored = MeasureStored(target, table);
  text += stored.ok() ? StoredText(*stored)
                      : "its entities are not known: " + stored.error().message + "\n";
  return ToolResult{.text = BoundedText(std::move(text), call.place.reports, "table.txt")};
}

constexpr Tool kTableTools[] = {
    {.name = "describe_tables",
     .title = "Describe tables",
     .description =
         "Lists the tables with their keys, indexes, billing and sizes. With `table`, describes "
         "one of "
         "them in full: the entities that its items belong to, as templates of their keys "
         "(CUST#{customer_id} / ORDER#{date}) for the table and each index, with counts and sizes, "
         "and its item collections with the largest. The items are looked at, not returned.",
     .arguments = kDescribeArguments,
     .effect = ToolEffect::kReads,
     .function = DescribeTables}};

}  // namespace

std::span<const Tool> TableTools() { return kTableTools; }

}  // namespace hashrange
