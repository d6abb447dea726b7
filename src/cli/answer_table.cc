#include "cli/answer_table.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/cell_text.h"
#include "measure/report/readable_text.h"

namespace hashrange {
namespace {

using Type = JsonValue::Type;
using Row = std::vector<std::string>;

constexpr std::string_view kGap = "  ";

bool IsNumber(const JsonValue* json) {
  if (!json) return true;  // an absent value does not change the alignment
  return json->type == Type::kNumberText || json->type == Type::kInteger ||
         json->type == Type::kDecimal || json->type == Type::kHugeInteger;
}

bool IsListOfObjects(const JsonValue& json) {
  return json.type == Type::kArray && json.size > 0 &&
         std::ranges::all_of(json.elements(),
                             [](const JsonValue& each) { return each.type == Type::kObject; });
}

std::string Padded(std::string_view text, std::size_t width, bool to_the_right) {
  const std::string blanks(width - std::min(width, TerminalColumns(text)), ' ');
  return to_the_right ? blanks + std::string(text) : std::string(text) + blanks;
}

std::string UpperCase(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

void AppendLine(std::string line, std::string* text) {
  line.erase(line.find_last_not_of(' ') + 1);
  text->append(line).append("\n");
}

// Writes a line for each name and value; the values are aligned.
void AppendPairs(const std::vector<std::pair<std::string, std::string>>& pairs,
                 std::string_view indent, std::string* text) {
  std::size_t width = 0;
  for (const auto& [name, value] : pairs) width = std::max(width, TerminalColumns(name));
  for (const auto& [name, value] : pairs) {
    AppendLine(std::string(indent) + Padded(name, width, false).append(kGap).append(value), text);
  }
}

std::string ListText(const JsonValue& list) {
  std::string text;
  for (const JsonValue& element : list.elements()) {
    text.append(text.empty() ? "" : ", ").append(CellText(&element));
  }
  return text.empty() ? "none" : text;
}

std::string ValueText(const JsonValue& json) {
  if (json.type == Type::kObject && json.size == 0) return "none";
  return json.type == Type::kArray ? ListText(json) : CellText(&json);
}

void AppendObject(const JsonValue& object, std::string_view indent, std::string* text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const JsonMember& member : object.members()) {
    pairs.emplace_back(ReadableText(member.name), CellText(&member.value));
  }
  AppendPairs(pairs, indent, text);
}

// A list of objects as a table. It has a column for each member that any of the objects has.
class Table {
 public:
  explicit Table(const JsonValue& list) : list_(list) {
    for (const JsonValue& object : list.elements()) {
      for (const JsonMember& member : object.members()) AddColumn(member.name);
    }
  }

  void AppendTo(std::string* text, std::size_t columns) const {
    std::size_t width = kGap.size() * (columns_.size() - std::min<std::size_t>(1, columns_.size()));
    for (const Column& column : columns_) width += column.width;
    if (width > columns) return AppendBelowEachOther(text);
    std::string line;
    for (const Column& column : columns_) {
      AddCell(UpperCase(ReadableText(column.name)), column, &line);
    }
    AppendLine(line, text);
    for (const JsonValue& object : list_.elements()) {
      line.clear();
      for (const Column& column : columns_) {
        AddCell(CellText(object.Find(column.name)), column, &line);
      }
      AppendLine(line, text);
    }
  }

 private:
  struct Column {
    std::string_view name;
    std::size_t width = 0;
    bool is_number = true;
  };

  void AddColumn(std::string_view name) {
    if (std::ranges::find(columns_, name, &Column::name) != columns_.end()) return;
    Column column{name, TerminalColumns(ReadableText(name))};
    for (const JsonValue& object : list_.elements()) {
      const JsonValue* const value = object.Find(name);
      column.width = std::max(column.width, TerminalColumns(CellText(value)));
      column.is_number = column.is_number && IsNumber(value);
    }
    columns_.push_back(column);
  }

  static void AddCell(const std::string& cell, const Column& column, std::string* line) {
    if (!line->empty()) line->append(kGap);
    line->append(Padded(cell, column.width, column.is_number));
  }

  void AppendBelowEachOther(std::string* text) const {
    bool is_first = true;
    for (const JsonValue& object : list_.elements()) {
      if (!std::exchange(is_first, false)) text->append("\n");
      AppendObject(object, "", text);
    }
  }

  const JsonValue& list_;
  std::vector<Column> columns_;
};

// Returns whether a value needs several lines. Such values are written after the values of one
// line.
bool NeedsLines(const JsonValue& json) {
  return IsListOfObjects(json) || (json.type == Type::kObject && json.size > 0);
}

void AppendSection(const JsonMember& member, bool is_only_one, std::size_t columns,
                   std::string* text) {
  if (!text->empty()) text->append("\n");
  const bool is_table = member.value.type == Type::kArray;
  if (!is_table || !is_only_one) AppendLine(ReadableText(member.name) + ":", text);
  if (is_table) {
    Table(member.value).AppendTo(text, columns);
  } else {
    AppendObject(member.value, kGap, text);
  }
}

}  // namespace

std::string AnswerTable(const JsonValue& answer, std::size_t columns) {
  std::string text;
  if (IsListOfObjects(answer)) Table(answer).AppendTo(&text, columns);
  if (answer.type != Type::kObject) return text.empty() ? ValueText(answer) + "\n" : text;
  if (answer.size == 0) return "done\n";
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const JsonMember& member : answer.members()) {
    if (NeedsLines(member.value)) continue;
    pairs.emplace_back(ReadableText(member.name), ValueText(member.value));
  }
  AppendPairs(pairs, "", &text);
  for (const JsonMember& member : answer.members()) {
    if (NeedsLines(member.value)) AppendSection(member, answer.size == 1, columns, &text);
  }
  return text;
}

}  // namespace hashrange
