#include "lab/report/request_text.h"

#include <algorithm>
#include <utility>

#include "measure/number_text.h"
#include "measure/report/readable_text.h"
#include "measure/report/report_figures.h"

namespace hashrange {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kMostLevels = 40;  // deeper JSON stays on its line

// Returns the length of the JSON text that begins here, quotes included.
std::size_t TextLength(std::string_view json) {
  std::size_t at = 1;
  while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return std::min(at + 1, json.size());
}

// Returns the parts of what stands between the brackets, without their commas.
std::vector<std::string_view> PartsOf(std::string_view inner) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  std::size_t depth = 0;
  for (std::size_t at = 0; at < inner.size();) {
    const char c = inner[at];
    if (c == '"') {
      at += TextLength(inner.substr(at));
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && depth > 0) --depth;
    if (c == ',' && depth == 0) {
      parts.push_back(inner.substr(begin, at - begin));
      begin = at + 1;
    }
    ++at;
  }
  if (begin < inner.size()) parts.push_back(inner.substr(begin));
  return parts;
}

// Returns where the object or array of a part begins, which may follow a member's name; npos where
// there is none.
std::size_t BracketOf(std::string_view part) {
  for (std::size_t at = 0; at < part.size();) {
    if (part[at] == '{' || part[at] == '[') return at;
    at += part[at] == '"' ? TextLength(part.substr(at)) : 1;
  }
  return std::string_view::npos;
}

// Whether the object or array that begins here ends with the part, as it does in JSON. Names of
// attributes stand in the text without escapes, so they may divide it in strange ways.
bool EndsWithBracket(std::string_view part) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < part.size();) {
    const char c = part[at];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth == 0) return at + 1 == part.size();
    at += c == '"' ? TextLength(part.substr(at)) : 1;
  }
  return false;
}

// Puts a blank behind each colon and comma that is outside texts.
std::string Spaced(std::string_view json) {
  std::string text;
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      const std::size_t length = TextLength(json.substr(at));
      text.append(json.substr(at, length));
      at += length;
      continue;
    }
    text.push_back(json[at]);
    if (json[at] == ':' || json[at] == ',') text.push_back(' ');
    ++at;
  }
  return ReadableText(text);
}

// `tail` is the comma behind the part, if there is one.
void AddLines(std::string_view part, std::string_view tail, std::size_t level, std::size_t width,
              std::vector<std::string>& lines) {
  const std::string indent(level * kIndent, ' ');
  std::string whole = indent + Spaced(part) + std::string(tail);
  const std::size_t bracket = BracketOf(part);
  const bool is_whole = TerminalColumns(whole) <= width || level >= kMostLevels ||
                        bracket == std::string_view::npos || !EndsWithBracket(part.substr(bracket));
  if (is_whole) {
    lines.push_back(std::move(whole));
    return;
  }
  lines.push_back(indent + Spaced(part.substr(0, bracket + 1)));
  const std::vector<std::string_view> parts =
      PartsOf(part.substr(bracket + 1, part.size() - bracket - 2));
  for (std::size_t at = 0; at < parts.size(); ++at) {
    AddLines(parts[at], at + 1 < parts.size() ? "," : "", level + 1, width, lines);
  }
  lines.push_back(indent + std::string(part.substr(part.size() - 1)) + std::string(tail));
}

}  // namespace

std::vector<std::string> RequestLines(std::string_view json, std::size_t width) {
  std::vector<std::string> lines;
  AddLines(json, "", 0, width, lines);
  return lines;
}

std::string StepTitle(const PlanStep& step) {
  std::string text = step.request.operation;
  if (!step.request.table.empty()) {
    text += " " + ResourceLabel(step.request.table, step.request.index);
  }
  if (step.is_lookup) text += ", which finds a key that the caller does not know";
  if (step.kind == PlanStep::Kind::kFetch) text += ", of the items that were found, by 100";
  if (step.buckets) {
    text += ", once for each " + std::string(BucketName(step.buckets->form)) + " of the range, " +
            CountText(static_cast<std::uint64_t>(step.shards)) + " at most";
  } else if (step.shards > 1) {
    text += ", once for each of " + CountText(static_cast<std::uint64_t>(step.shards)) + " shards";
  }
  if (step.each != kLabNone) {
    text += step.each_count == 1 ? ", once for each item"
                                 : ", for each " + CountText(step.each_count) + " items";
  }
  if (!step.is_paged) return text;
  text += ", page by page";
  if (step.items <= 0) return text + " to the end";
  return text + " until " + CountedText(static_cast<double>(step.items), "item was", "items were") +
         " returned";
}

}  // namespace hashrange
