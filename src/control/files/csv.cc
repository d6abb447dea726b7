#include "control/files/csv.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/stable_sort.h"
#include "base/text/text_encodings.h"
#include "control/files/data_format.h"
#include "control/files/json_tree.h"
#include "wire/attribute_json.h"

namespace hashrange {

bool CsvReader::IsAtLineEnd() const {
  return at_ == end_ || *at_ == '\n' || (*at_ == '\r' && (at_ + 1 == end_ || at_[1] == '\n'));
}

void CsvReader::SkipEmptyLines() {
  while (at_ != end_ && IsAtLineEnd()) {
    if (*at_ == '\n') ++line_;
    ++at_;
  }
}

Result<bool> CsvReader::Next(std::vector<std::span<char>>* cells) {
  cells->clear();
  SkipEmptyLines();
  record_line_ = line_;
  if (at_ == end_) return false;
  for (bool has_more = true; has_more;) {
    auto cell = at_ != end_ && *at_ == '"' ? ReadQuoted() : ReadBare();
    if (!cell.ok()) return std::move(cell).error();
    cells->push_back(*cell);
    HR_ASSIGN(has_more, EndCell());
  }
  return true;
}

Result<std::span<char>> CsvReader::ReadQuoted() {
  char* const begin = ++at_;
  char* out = begin;
  for (;;) {
    if (at_ == end_) return ValidationError("a quote is not closed");
    const char c = *at_++;
    if (c == '\n') ++line_;
    if (c != '"') {
      *out++ = c;
    } else if (at_ != end_ && *at_ == '"') {
      *out++ = *at_++;
    } else {
      return std::span<char>(begin, out);
    }
  }
}

Result<std::span<char>> CsvReader::ReadBare() {
  char* const begin = at_;
  for (; !IsAtLineEnd() && *at_ != ','; ++at_) {
    if (*at_ == '"') {
      return ValidationError("a quote stands in a cell that does not begin with one");
    }
  }
  return std::span<char>(begin, at_);
}

Result<bool> CsvReader::EndCell() {
  if (at_ != end_ && *at_ == ',') {
    ++at_;
    return true;
  }
  if (!IsAtLineEnd()) return ValidationError("something stands behind a closing quote");
  if (at_ != end_ && *at_ == '\r') ++at_;
  if (at_ != end_) {
    ++at_;
    ++line_;
  }
  return false;
}

namespace {

using Cell = std::span<char>;

std::string_view CellText(Cell cell) { return {cell.data(), cell.size()}; }

std::string InQuotes(std::string_view text) { return std::string("\"").append(text).append("\""); }

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
    return ValidationError(InQuotes(text.substr(colon + 1)) + " is no type in the column " +
                           InQuotes(text) + ": S, N, B, BOOL, NULL, SS, NS, BS, L or M");
  }
  if (colon == 0) return ValidationError("the header has a column without a name");
  return CsvColumn{std::string(text.substr(0, colon)), *type};
}

Status CheckColumns(const CsvHeader& header, const TableVersion& table) {
  std::vector<std::string_view> names;
  for (const CsvColumn& column : header) names.push_back(column.name);
  StableSort(names);
  const auto repeat = std::ranges::adjacent_find(names);
  if (repeat != names.end()) {
    return ValidationError("the header has the column " + InQuotes(*repeat) + " twice");
  }
  for (std::size_t i = 0; i < table.key.parts(); ++i) {
    const std::string& key = table.key.part(i).name;
    if (std::ranges::binary_search(names, std::string_view(key))) continue;
    return ValidationError("the header has no column " + InQuotes(key) + ", a key of the table");
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
      if (!value) return ValidationError(InQuotes(text) + " is neither true nor false");
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
