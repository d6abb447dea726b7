#include "lab/import/item_values.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <span>

#include "base/arena.h"
#include "base/output_buffer.h"
#include "lab/import/imported_template.h"
#include "lab/import/yaml_text.h"
#include "wire/json_writer.h"

namespace hashrange {
namespace {

constexpr std::uint64_t kMostItems = 10'000;
constexpr std::size_t kMostChoices = 12;
constexpr std::size_t kMostChoiceBytes = 40;
constexpr std::uint64_t kLeastItems = 10;
constexpr std::uint64_t kLeastItemsOfChoice = 3;  // on average
constexpr int kMostDecimals = 10;

const JsonValue* FirstMember(const JsonValue& json, std::string_view& name) {
  if (json.type != JsonValue::Type::kObject || json.size != 1) return nullptr;
  name = json.members().front().name;
  return &json.members().front().value;
}

std::string ScanJson(const std::string& table, const std::string& start) {
  OutputBuffer out;
  JsonWriter writer(out);
  writer.BeginObject();
  writer.StringMember("TableName", table);
  std::string json(out.view());
  if (!start.empty()) json += ",\"ExclusiveStartKey\":" + start;
  return json + "}";
}

}  // namespace

Status ItemValues::Read(const ImportedModel& model, TableData& data) {
  for (const ImportedTable& table : model.tables) HR_RETURN_IF_ERROR(ReadTable(table, data));
  return {};
}

Status ItemValues::ReadTable(const ImportedTable& table, TableData& data) {
  std::string start;
  for (std::uint64_t read = 0; read < kMostItems;) {
    HR_ASSIGN(std::string body, data.Ask("Scan", ScanJson(table.name, start)));
    const std::size_t size = body.size();
    body.push_back('\0');
    Arena arena;
    HR_ASSIGN(const JsonValue* page,
              ParseJsonData(std::span<char>(body.data(), size), JsonDialect::kRequest, arena));
    const JsonValue* const items = page->Find("Items");
    if (items == nullptr) return {};
    for (const JsonValue& item : items->elements()) AddItem(table, item);
    read += items->size;
    const JsonValue* const last = page->Find("LastEvaluatedKey");
    if (last == nullptr) return {};
    OutputBuffer key;
    JsonWriter writer(key);
    WriteJson(*last, writer);
    start = key.view();
  }
  return {};
}

void ItemValues::AddItem(const ImportedTable& table, const JsonValue& item) {
  std::string type;
  std::string_view tag;
  if (const JsonValue* const value = item.Find(table.type_attribute)) {
    const JsonValue* const text = FirstMember(*value, tag);
    if (text != nullptr && tag == "S") type = text->string();
  }
  for (const JsonMember& attribute : item.members()) {
    AddValue(attribute.value, seen_[{table.name, type, PlainName(attribute.name)}]);
  }
}

void ItemValues::AddValue(const JsonValue& value, Seen& seen) {
  ++seen.count;
  std::string_view tag;
  const JsonValue* const content = FirstMember(value, tag);
  if (content == nullptr) return;
  if (tag == "BOOL") {
    ++seen.flags;
    seen.trues += content->type == JsonValue::Type::kTrue ? 1 : 0;
  }
  if (content->type != JsonValue::Type::kString) return;
  const std::string_view text = content->string();
  if (tag == "S") {
    const bool is_kept = seen.texts.size() <= kMostChoices || seen.texts.contains(text);
    if (is_kept) ++seen.texts[std::string(text.substr(0, kMostChoiceBytes + 1))];
  }
  if (tag != "N") return;
  double number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc()) return;
  seen.least = seen.numbers == 0 ? number : std::min(seen.least, number);
  seen.greatest = seen.numbers == 0 ? number : std::max(seen.greatest, number);
  ++seen.numbers;
  const std::size_t point = text.find('.');
  if (point != text.npos) {
    seen.decimals = std::max(seen.decimals, static_cast<int>(text.size() - point - 1));
  }
}

std::string ItemValues::GeneratorFor(const ImportedAttribute& attribute, const Seen& seen) {
  if (seen.count < kLeastItems) return "";
  if (attribute.type == ImportedType::kFlag && seen.flags == seen.count) {
    const double share = static_cast<double>(seen.trues) / static_cast<double>(seen.count);
    return "{flag: " + YamlNumber(share) + "}";
  }
  if (attribute.type == ImportedType::kNumber && seen.numbers == seen.count) {
    constexpr double kExact = 1e12;  // greater numbers would lose digits
    if (std::max(-seen.least, seen.greatest) > kExact || seen.decimals > kMostDecimals) return "";
    const auto text = [&](double number) {
      char digits[64];
      std::snprintf(digits, sizeof(digits), "%.*f", seen.decimals, number);
      return std::string(digits);
    };
    return "{number: [" + text(seen.least) + ", " + text(seen.greatest) + "]" +
           (seen.decimals > 0 ? ", decimals: " + std::to_string(seen.decimals) : "") + "}";
  }
  const bool has_few = !seen.texts.empty() && seen.texts.size() <= kMostChoices &&
                       seen.texts.size() * kLeastItemsOfChoice <= seen.count;
  if (attribute.type != ImportedType::kText || !has_few) return "";
  std::string yaml;
  for (const auto& [value, count] : seen.texts) {
    if (value.empty() || value.size() > kMostChoiceBytes) return "";
    yaml += (yaml.empty() ? "{choice: {" : ", ") + YamlPlain(value) + ": " + std::to_string(count);
  }
  return yaml + "}}";
}

void ItemValues::Describe(ImportedModel& model) const {
  for (ImportedEntity& entity : model.entities) {
    for (ImportedAttribute& attribute : entity.attributes) {
      const auto found = seen_.find({entity.table, entity.type, attribute.name});
      const bool is_open =
          attribute.generator.empty() && attribute.time_form.empty() && attribute.id_form.empty();
      if (found == seen_.end() || !is_open) continue;
      attribute.generator = GeneratorFor(attribute, found->second);
    }
  }
}

}  // namespace hashrange
