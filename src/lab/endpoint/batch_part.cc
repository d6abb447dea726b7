#include "lab/endpoint/batch_part.h"

#include <algorithm>
#include <vector>

#include "base/arena.h"
#include "base/output_buffer.h"
#include "lab/run/unprocessed_items.h"
#include "wire/json.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;

// Returns the JSON of the primary key in the item.
std::string KeyOf(const JsonValue& item, const LabTable& table) {
  OutputBuffer out;
  JsonWriter writer(out);
  writer.BeginObject();
  for (const auto* names : {&table.hash, &table.range}) {
    for (const std::string& name : *names) {
      const JsonValue* const value = item.Find(name);
      if (value == nullptr) continue;
      writer.Name(name);
      WriteJson(*value, writer);
    }
  }
  writer.EndObject();
  return std::string(out.view());
}

// Returns the members that were processed.
std::vector<const JsonValue*> ProcessedMembers(const JsonMember& requests, const LabLayout& layout,
                                               const UnprocessedItems& left) {
  std::vector<const JsonValue*> processed;
  const auto table = std::ranges::find(layout.tables, requests.name, &LabTable::name);
  if (table == layout.tables.end() || requests.value.type != Type::kArray) return processed;
  for (const JsonValue& member : requests.value.elements()) {
    const JsonValue* const item = AttributesOfMember(member);
    if (item == nullptr || left.Contain(table->name, KeyOf(*item, *table))) continue;
    processed.push_back(&member);
  }
  return processed;
}

}  // namespace

std::string ProcessedPart(std::string_view request, std::string_view unprocessed,
                          const LabLayout& layout) {
  Arena arena;
  std::string text(request);
  const auto json = ParseJsonData(text, JsonDialect::kDocument, arena);
  if (!json.ok()) return {};
  const JsonValue* const tables = (*json)->Find("RequestItems");
  if (tables == nullptr || tables->type != Type::kObject) return {};
  const UnprocessedItems left(unprocessed);
  OutputBuffer out;
  JsonWriter writer(out);
  bool has_any = false;
  writer.BeginObject();
  writer.Name("RequestItems");
  writer.BeginObject();
  for (const JsonMember& requests : tables->members()) {
    const auto processed = ProcessedMembers(requests, layout, left);
    if (processed.empty()) continue;
    has_any = true;
    writer.Name(requests.name);
    writer.BeginArray();
    for (const JsonValue* const member : processed) WriteJson(*member, writer);
    writer.EndArray();
  }
  writer.EndObject();
  writer.StringMember("ReturnConsumedCapacity", "TOTAL");
  writer.EndObject();
  return has_any ? std::string(out.view()) : std::string();
}

}  // namespace hashrange
