#include "mcp/table_text.h"

#include <charconv>
#include <span>
#include <string_view>

#include "measure/number_text.h"

namespace hashrange {
namespace {

std::string MemberText(const JsonValue& json, std::string_view name) {
  const JsonValue* const member = json.Find(name);
  const bool is_text = member && member->type == JsonValue::Type::kString;
  return is_text ? std::string(member->string()) : "";
}

double MemberNumber(const JsonValue& json, std::string_view name) {
  double number = 0;
  const JsonValue* const member = json.Find(name);
  if (!member || member->type != JsonValue::Type::kNumberText) return number;
  const std::string_view text = member->string();
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::span<const JsonValue> ListIn(const JsonValue& json, std::string_view name) {
  const JsonValue* const list = json.Find(name);
  if (!list || list->type != JsonValue::Type::kArray) return {};
  return list->elements();
}

// Returns the type of an attribute: "S", "N" or "B".
std::string TypeIn(const JsonValue& table, const std::string& attribute) {
  for (const JsonValue& definition : ListIn(table, "AttributeDefinitions")) {
    if (MemberText(definition, "AttributeName") != attribute) continue;
    return MemberText(definition, "AttributeType");
  }
  return {};
}

// Returns "PK (S), SK (S)".
std::string KeyOf(const JsonValue& table, const JsonValue& resource) {
  std::string text;
  for (const JsonValue& part : ListIn(resource, "KeySchema")) {
    const std::string name = MemberText(part, "AttributeName");
    text += (text.empty() ? "" : ", ") + name;
    if (MemberText(part, "KeyType") == "RANGE") text += " range";
    text += " (" + TypeIn(table, name) + ")";
  }
  return text;
}

std::string ProvisionedText(const JsonValue& resource) {
  const JsonValue* const throughput = resource.Find("ProvisionedThroughput");
  const double read = throughput ? MemberNumber(*throughput, "ReadCapacityUnits") : 0;
  const double write = throughput ? MemberNumber(*throughput, "WriteCapacityUnits") : 0;
  if (read == 0 && write == 0) return "on demand";
  return "provisioned: read " + NumberText(read) + ", write " + NumberText(write);
}

std::string ProjectionText(const JsonValue& index) {
  const JsonValue* const projection = index.Find("Projection");
  if (!projection) return {};
  std::string text = MemberText(*projection, "ProjectionType");
  for (const JsonValue& name : ListIn(*projection, "NonKeyAttributes")) {
    if (name.type == JsonValue::Type::kString) text.append(" ").append(name.string());
  }
  return text;
}

std::string StoredCounts(const JsonValue& resource, std::string_view bytes) {
  return CountedText(MemberNumber(resource, "ItemCount"), "item") + ", " +
         BytesText(MemberNumber(resource, bytes));
}

std::string IndexLines(const JsonValue& table, std::string_view list, std::string_view kind) {
  std::string text;
  for (const JsonValue& index : ListIn(table, list)) {
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

}  // namespace

std::string TableDefinitionText(const JsonValue& answer) {
  const JsonValue* const table = answer.Find("Table");
  if (!table) return {};
  std::string text = MemberText(*table, "TableName") + ": key " + KeyOf(*table, *table) + "; " +
                     ProvisionedText(*table) + "; " + StoredCounts(*table, "TableSizeBytes");
  const std::string status = MemberText(*table, "TableStatus");
  if (status != "ACTIVE") text += "; " + status;
  if (table->Find("LatestStreamArn")) text += "; has a stream";
  text += "\n" + IndexLines(*table, "GlobalSecondaryIndexes", "global index");
  return text + IndexLines(*table, "LocalSecondaryIndexes", "local index");
}

}  // namespace hashrange
