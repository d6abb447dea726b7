#include "cli/partition_answer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "cli/answer_table.h"
#include "cli/cell_text.h"
#include "measure/measurement.h"
#include "measure/measurement_json.h"
#include "measure/report/partition_section.h"
#include "measure/report/terminal_text.h"
#include "wire/json.h"

namespace hashrange {
namespace {

// The tables of partitions have columns that do not fit into less.
constexpr std::size_t kLeastColumns = 80;

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

Status AppendTable(const JsonValue& table, std::size_t columns, std::string* text) {
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

}  // namespace

std::optional<std::string> PartitionAnswerText(std::string body, std::size_t columns) {
  columns = std::max(columns, kLeastColumns);
  Arena arena;
  const std::size_t size = body.size();
  body.push_back('\0');  // the parser needs a terminator
  const auto json = ParseJsonData({body.data(), size}, JsonDialect::kStrict, arena);
  if (!json.ok()) return std::nullopt;
  const JsonValue* const tables = (*json)->Find("tables");
  if (!tables || tables->type != JsonValue::Type::kArray) return std::nullopt;
  std::string text;
  for (const JsonMember& member : (*json)->members()) {
    if (member.name == "rules") text += AnswerTable(ObjectOf(member), columns);
  }
  for (const JsonValue& table : tables->elements()) {
    if (!AppendTable(table, columns, &text).ok()) return std::nullopt;
  }
  return text;
}

}  // namespace hashrange
