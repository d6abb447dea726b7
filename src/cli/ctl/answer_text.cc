#include "cli/ctl/answer_text.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/measurement.h"
#include "measure/measurement_json.h"
#include "measure/report/partition_section.h"
#include "measure/report/readable_text.h"
#include "measure/report/terminal_text.h"
#include "platform/streams.h"
#include "wire/owned_json.h"

namespace hashrange {
namespace {

constexpr std::size_t kUsualColumns = 80;

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

void AppendTrimmedLine(std::string line, std::string* text) {
  line.erase(line.find_last_not_of(' ') + 1);
  text->append(line).append("\n");
}

// Writes a line for each name and value; the values are aligned.
void AppendPairs(const std::vector<std::pair<std::string, std::string>>& pairs,
                 std::string_view indent, std::string* text) {
  std::size_t width = 0;
  for (const auto& [name, value] : pairs) width = std::max(width, TerminalColumns(name));
  for (const auto& [name, value] : pairs) {
    AppendTrimmedLine(std::string(indent) + Padded(name, width, false).append(kGap).append(value),
                      text);
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
    AppendTrimmedLine(line, text);
    for (const JsonValue& object : list_.elements()) {
      line.clear();
      for (const Column& column : columns_) {
        AddCell(CellText(object.Find(column.name)), column, &line);
      }
      AppendTrimmedLine(line, text);
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
  if (!is_table || !is_only_one) AppendTrimmedLine(ReadableText(member.name) + ":", text);
  if (is_table) {
    Table(member.value).AppendTo(text, columns);
  } else {
    AppendObject(member.value, kGap, text);
  }
}

// The tables of partitions have columns that do not fit into less.
constexpr std::size_t kLeastPartitionColumns = 80;

// Returns an object with only this member.
JsonValue ObjectOf(const JsonMember& member) {
  JsonValue object;
  object.type = JsonValue::Type::kObject;
  object.size = 1;
  object.first_member = &member;
  return object;
}

// Returns "app, account 000000000000, us-east-1: watch, seed 7".
std::string TitleOf(const JsonValue& table) {
  std::string title =
      CellText(table.Find("table")) + ", account " + CellText(table.Find("account"));
  const JsonValue* const region = table.Find("region");
  if (region && region->size > 0) title += ", " + CellText(region);
  return title + ": " + CellText(table.Find("mode")) + ", seed " + CellText(table.Find("seed"));
}

Status AppendPartitions(const JsonValue& table, std::size_t columns, std::string* text) {
  text->append("\n");
  for (const std::string& line : WrapText(TitleOf(table), columns)) text->append(line).append("\n");
  const JsonValue* const resources = table.Find("resources");
  if (!resources || resources->type != JsonValue::Type::kArray) {
    return ValidationError("A table has no list \"resources\".");
  }
  for (const JsonValue& resource : resources->elements()) {
    Measurement of_resource;
    HR_ASSIGN(of_resource.partitions.emplace_back(), ReadPartitionMap(resource));
    const ReportSection section{.parts = TerminalPartitions(of_resource)};
    text->append("\n").append(TerminalText({&section, 1}, {.columns = columns}));
  }
  return {};
}

std::string TableText(const std::string& body) {
  const auto json = OwnedJson::Parse(body, JsonDialect::kDocument);
  return json.ok() ? AnswerTable(json->value(), StdoutColumns().value_or(kUsualColumns))
                   : ReadableText(body);
}

// Returns the lines of a text that is not one JSON document, so that they control no terminal.
std::string TerminalLines(std::string_view text, bool has_json_lines) {
  std::string lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    lines += has_json_lines ? ReadableJson(line) : ReadableText(line);
    text.remove_prefix(line.size());
    if (text.empty()) break;
    lines += '\n';
    text.remove_prefix(1);
  }
  return lines;
}

}  // namespace

std::string AnswerText(const HttpReply& reply, OutputForm form, AnswerWriter writer) {
  if (form == OutputForm::kAsItCame) return reply.body;
  if (reply.content_type != "application/json") {
    return TerminalLines(reply.body, reply.content_type == "application/x-ndjson");
  }
  if (form == OutputForm::kJson) return IndentJson(ReadableJson(reply.body));
  if (writer) {
    const auto text = writer(reply.body, StdoutColumns().value_or(kUsualColumns));
    if (text) return *text;
  }
  return TableText(reply.body);
}

std::string CellText(const JsonValue* json) {
  if (!json || json->is_null()) return "-";
  if (json->type == JsonValue::Type::kString) return ReadableText(json->string());
  return ReadableJson(JsonText(*json));
}

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

std::optional<std::string> PartitionAnswerText(std::string body, std::size_t columns) {
  columns = std::max(columns, kLeastPartitionColumns);
  const auto json = OwnedJson::Parse(std::move(body), JsonDialect::kStrict);
  if (!json.ok()) return std::nullopt;
  const JsonValue& answer = json->value();
  const JsonValue* const tables = answer.Find("tables");
  if (!tables || tables->type != JsonValue::Type::kArray) return std::nullopt;
  std::string text;
  for (const JsonMember& member : answer.members()) {
    if (member.name == "rules") text += AnswerTable(ObjectOf(member), columns);
  }
  for (const JsonValue& table : tables->elements()) {
    if (!AppendPartitions(table, columns, &text).ok()) return std::nullopt;
  }
  return text;
}

}  // namespace hashrange
