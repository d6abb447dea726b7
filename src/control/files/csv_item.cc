#include <algorithm>
#include <array>
#include <optional>

#include "base/utf8.h"
#include "control/files/csv.h"
#include "control/files/json_tree.h"
#include "control/files/plain_json.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

using Cell = std::span<char>;

std::string_view CellText(Cell cell) { return {cell.data(), cell.size()}; }

std::string Quoted(std::string_view text) { return std::string("\"").append(text).append("\""); }

AttributeType DeclaredType(const TableVersion& table, std::string_view name) {
  for (const KeyPart& attribute : table.settings.attribute_definitions) {
    if (attribute.name == name) return attribute.type;
  }
  return AttributeType::kS;
}

Result<CsvColumn> ReadColumn(std::string_view text, const TableVersion& table) {
  if (!IsValidUtf8(text)) return ValidationError("the header is not valid UTF-8");
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    if (text.empty()) return ValidationError("the header has a column without a name");
    return CsvColumn{std::string(text), DeclaredType(table, text)};
  }
  const auto type = TypeOfTag(text.substr(colon + 1));
  if (!type) {
    return ValidationError(Quoted(text.substr(colon + 1)) + " is no type in the column " +
                           Quoted(text) + ": S, N, B, BOOL, NULL, SS, NS, BS, L or M");
  }
  if (colon == 0) return ValidationError("the header has a column without a name");
  return CsvColumn{std::string(text.substr(0, colon)), *type};
}

Status CheckColumns(const CsvHeader& header, const TableVersion& table) {
  std::vector<std::string_view> names;
  for (const CsvColumn& column : header) names.push_back(column.name);
  std::ranges::sort(names);
  const auto repeat = std::ranges::adjacent_find(names);
  if (repeat != names.end()) {
    return ValidationError("the header has the column " + Quoted(*repeat) + " twice");
  }
  for (std::size_t i = 0; i < table.key.parts(); ++i) {
    const std::string& key = table.key.part(i).name;
    if (std::ranges::binary_search(names, std::string_view(key))) continue;
    return ValidationError("the header has no column " + Quoted(key) + ", a key of the table");
  }
  return {};
}

std::optional<bool> ParseBool(std::string_view text) {
  constexpr std::array<std::string_view, 3> kTrue = {"true", "TRUE", "True"};
  constexpr std::array<std::string_view, 3> kFalse = {"false", "FALSE", "False"};
  if (std::ranges::find(kTrue, text) != kTrue.end()) return true;
  if (std::ranges::find(kFalse, text) != kFalse.end()) return false;
  return std::nullopt;
}

// Returns the members of a set, all as strings. In the cell, the numbers of a set may be written
// with or without quotes.
Result<JsonValue> ToStringSet(const JsonValue& array, Arena& arena) {
  const std::span<JsonValue> members = arena.NewArray<JsonValue>(array.size);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const JsonValue& member = array.elements()[i];
    const bool is_text = member.type == JsonValue::Type::kString;
    if (!is_text && member.type != JsonValue::Type::kNumberText) {
      return ValidationError("a set holds texts or numbers");
    }
    members[i] = is_text ? member : JsonValue::String(member.string());
  }
  return MakeJsonArray(members);
}

Result<JsonValue> ReadCollection(AttributeType type, Cell cell, Arena& arena) {
  auto json = ParseJsonData(cell, JsonDialect::kDocument, arena);
  if (!json.ok()) return ValidationError("it is no JSON: " + json.error().message);
  const bool is_map = type == AttributeType::kM;
  if ((*json)->type != (is_map ? JsonValue::Type::kObject : JsonValue::Type::kArray)) {
    return ValidationError(is_map ? "it is no JSON object" : "it is no JSON array");
  }
  if (is_map || type == AttributeType::kL) return ToAttributeValue(**json, arena);
  HR_ASSIGN(const JsonValue members, ToStringSet(**json, arena));
  return MakeJsonObject({{TypeTag(type), members}}, arena);
}

// Returns the cell as an attribute value, such as {"N":"7"}.
Result<JsonValue> ReadCell(AttributeType type, Cell cell, Arena& arena) {
  const std::string_view text = CellText(cell);
  switch (type) {
    case AttributeType::kS:
    case AttributeType::kN:
    case AttributeType::kB:
      if (!IsValidUtf8(text)) return ValidationError("it is not valid UTF-8");
      return MakeJsonObject({{TypeTag(type), JsonValue::String(text)}}, arena);
    case AttributeType::kBool:
    case AttributeType::kNull: {
      const std::optional<bool> value = ParseBool(text);
      if (!value) return ValidationError(Quoted(text) + " is neither true nor false");
      return MakeJsonObject({{TypeTag(type), MakeJsonBool(*value)}}, arena);
    }
    default:
      return ReadCollection(type, cell, arena);
  }
}

}  // namespace

Result<CsvHeader> ReadCsvHeader(std::span<const Cell> cells, const TableVersion& table) {
  CsvHeader header;
  for (Cell cell : cells) {
    HR_ASSIGN(CsvColumn column, ReadColumn(CellText(cell), table));
    header.push_back(std::move(column));
  }
  HR_RETURN_IF_ERROR(CheckColumns(header, table));
  return header;
}

Result<JsonValue> ReadCsvItem(const CsvHeader& header, std::span<const Cell> cells, Arena& arena) {
  if (cells.size() != header.size()) {
    return ValidationError("it has " + std::to_string(cells.size()) +
                           (cells.size() == 1 ? " cell, the header " : " cells, the header ") +
                           std::to_string(header.size()));
  }
  const std::span<JsonMember> members = arena.NewArray<JsonMember>(cells.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    auto value = ReadCell(header[i].type, cells[i], arena);
    if (!value.ok()) {
      return ValidationError("column " + header[i].name + ": " + value.error().message);
    }
    members[count++] = {header[i].name, *value};
  }
  return MakeJsonObject(members.first(count));
}

}  // namespace hashrange
