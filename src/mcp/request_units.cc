#include "mcp/request_units.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "base/output_buffer.h"
#include "measure/number_text.h"
#include "wire/json_writer.h"
#include "wire/owned_json.h"
#include "wire/shape.h"

namespace hashrange {
namespace {

constexpr std::string_view kAsked = "ReturnConsumedCapacity";

// Returns "read unit", "write unit", or "unit" of an operation that may be of either kind.
std::string_view NounOf(std::string_view operation) {
  constexpr std::string_view kReads[] = {"GetItem", "BatchGetItem", "Query", "Scan",
                                         "TransactGetItems"};
  if (std::ranges::find(kReads, operation) != std::end(kReads)) return "read unit";
  return operation.find("Statement") == operation.npos && operation != "ExecuteTransaction"
             ? "write unit"
             : "unit";
}

// Returns the noun of what was consumed. A transaction's answer says itself which units they are: a
// TransactWriteItems with a client request token that was used before takes read units.
std::string_view NounOf(std::string_view operation, const JsonValue& capacity) {
  if (capacity.Find("ReadCapacityUnits")) return "read unit";
  return capacity.Find("WriteCapacityUnits") ? "write unit" : NounOf(operation);
}

double NumberIn(const JsonValue* json) {
  double number = 0;
  if (!json || json->type != JsonValue::Type::kNumberText) return number;
  const std::string_view text = json->string();
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

double UnitsOf(const JsonValue* capacity) {
  return capacity ? NumberIn(capacity->Find("CapacityUnits")) : 0;
}

// Appends ", GSI1 2" for each index that took units.
void AppendIndexes(const JsonValue* indexes, std::string* text) {
  if (!indexes || indexes->type != JsonValue::Type::kObject) return;
  for (const JsonMember& index : indexes->members()) {
    const double units = UnitsOf(&index.value);
    if (units > 0) text->append(", ").append(index.name).append(" " + NumberText(units));
  }
}

// Returns "shop: table 1, GSI1 1" of what one table took.
std::string TableText(const JsonValue& capacity) {
  std::string parts;
  const double table = UnitsOf(capacity.Find("Table"));
  if (table > 0) parts = ", table " + NumberText(table);
  AppendIndexes(capacity.Find("LocalSecondaryIndexes"), &parts);
  AppendIndexes(capacity.Find("GlobalSecondaryIndexes"), &parts);
  std::string text(TextMember(capacity, "TableName"));
  return parts.empty() ? text : text + ": " + parts.substr(2);
}

}  // namespace

bool ReportsUnits(std::string_view operation) {
  const OperationShape* const shape = FindOperationShape(operation);
  return shape && std::ranges::find(shape->input->members, kAsked, &ShapeMember::name) !=
                      shape->input->members.end();
}

std::string InputWithUnits(std::string_view operation, const JsonValue& input) {
  OutputBuffer out;
  JsonWriter writer(out);
  writer.BeginObject();
  const JsonValue* const asked = input.Find(kAsked);
  const bool is_asked = asked && !asked->is_null();
  for (const JsonMember& member : input.members()) {
    if (member.name == kAsked && !is_asked) continue;
    writer.Name(member.name);
    WriteJson(member.value, writer);
  }
  if (!is_asked && ReportsUnits(operation)) writer.StringMember(kAsked, "INDEXES");
  writer.EndObject();
  return std::string(out.view());
}

std::string UnitsSentence(std::string_view operation, const JsonValue& answer) {
  const JsonValue* const consumed = answer.Find("ConsumedCapacity");
  if (!consumed) return {};
  double units = 0;
  std::string tables;
  std::string_view noun = NounOf(operation);
  const auto add = [&](const JsonValue& capacity) {
    noun = NounOf(operation, capacity);
    units += UnitsOf(&capacity);
    tables += (tables.empty() ? "" : "; ") + TableText(capacity);
  };
  if (consumed->type == JsonValue::Type::kObject) {
    add(*consumed);
  } else if (consumed->type == JsonValue::Type::kArray) {
    for (const JsonValue& each : consumed->elements()) add(each);
  }
  return CountedText(units, noun) + " (" + tables + ")";
}

std::string ErrorBodyText(const JsonValue& body) {
  const std::string_view type = TextMember(body, "__type");
  std::string text(type.substr(type.rfind('#') + 1));
  const std::string_view message = TextMember(body, "message");
  text.append(": ").append(message.empty() ? TextMember(body, "Message") : message);
  for (const std::string_view more : {"CancellationReasons", "Item"}) {
    if (const JsonValue* const json = body.Find(more)) {
      text.append("\n").append(more).append(": ").append(JsonText(*json));
    }
  }
  return text;
}

}  // namespace hashrange
