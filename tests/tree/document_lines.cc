#include "tree/document_lines.h"

#include <sstream>

namespace hashrange {

std::vector<std::string> SplitLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

bool IsCode(std::string_view line) { return line.starts_with("    "); }

std::vector<std::string> SplitAt(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, separator);) {
    if (!Trimmed(part).empty()) parts.emplace_back(Trimmed(part));
  }
  return parts;
}

std::vector<CodeSpan> CodeSpans(std::string_view line) {
  std::vector<CodeSpan> spans;
  for (std::size_t at = line.find('`'); at != std::string_view::npos;) {
    const std::size_t end = line.find('`', at + 1);
    if (end == std::string_view::npos) break;
    spans.push_back({line.substr(0, at), std::string(line.substr(at + 1, end - at - 1))});
    at = line.find('`', end + 1);
  }
  return spans;
}

std::set<std::string> SpanTexts(std::string_view line) {
  std::set<std::string> texts;
  for (const CodeSpan& span : CodeSpans(line)) texts.insert(span.text);
  return texts;
}

}  // namespace hashrange
