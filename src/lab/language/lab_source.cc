#include "lab/language/lab_source.h"

#include <algorithm>

#include "base/utf8.h"

namespace hashrange {
namespace {

// Returns whether the byte is a control character that YAML does not allow.
bool IsForbidden(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

}  // namespace

LabSource::LabSource(std::string_view text) : text_(text), lines_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') lines_.push_back(i + 1);
  }
}

std::optional<LabFault> LabSource::FirstFault(std::size_t max_bytes) const {
  if (text_.size() > max_bytes) {
    return LabFault{{1, 1}, "a lab file may have " + std::to_string(max_bytes) + " bytes"};
  }
  for (std::size_t line = 0; line < lines_.size(); ++line) {
    const int mark_line = static_cast<int>(line);
    std::string_view rest = Line(mark_line);
    LabPlace place{mark_line + 1, 1};
    for (; !rest.empty(); ++place.column) {
      const std::size_t bytes = FirstCharacterBytes(rest);
      if (bytes == 0) return LabFault{place, "a lab file is UTF-8; this byte is not"};
      if (IsForbidden(rest[0])) return LabFault{place, "a control character"};
      rest.remove_prefix(bytes);
    }
  }
  return {};
}

std::string_view LabSource::Line(int mark_line) const {
  const std::size_t begin = lines_[mark_line];
  const bool is_last = mark_line + 1 == static_cast<int>(lines_.size());
  return text_.substr(begin, (is_last ? text_.size() : lines_[mark_line + 1] - 1) - begin);
}

std::size_t LabSource::OffsetOf(int mark_line, int mark_column) const {
  if (mark_line < 0) return 0;
  if (mark_line >= static_cast<int>(lines_.size())) return text_.size();
  const std::size_t offset = lines_[mark_line] + std::max(mark_column, 0);
  return std::min(offset, text_.size());
}

LabPlace LabSource::PlaceOf(int mark_line, int mark_column) const {
  if (mark_line < 0) return {1, 1};
  if (mark_line >= static_cast<int>(lines_.size())) return {static_cast<int>(lines_.size()), 1};
  const std::size_t bytes = std::max(mark_column, 0);
  const std::string_view before = Line(mark_line).substr(0, bytes);
  const auto starts_character = [](char c) { return (c & 0xC0) != 0x80; };
  const auto characters = std::count_if(before.begin(), before.end(), starts_character);
  return {mark_line + 1, static_cast<int>(characters) + 1};
}

std::pair<int, int> LabSource::MarkOf(std::size_t offset) const {
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), offset);
  const auto line = next - lines_.begin() - 1;
  return {static_cast<int>(line), static_cast<int>(offset - lines_[line])};
}

bool LabSource::ClosesQuote(std::size_t offset) const {
  const char quote = offset < text_.size() ? text_[offset] : '\0';
  if (quote != '"' && quote != '\'') return true;
  for (std::size_t i = offset + 1; i < text_.size(); ++i) {
    if (text_[i] == '\\' && quote == '"') {
      ++i;
    } else if (text_[i] == quote) {
      if (quote == '"' || i + 1 == text_.size() || text_[i + 1] != '\'') return true;
      ++i;  // two single quotes are one
    }
  }
  return false;
}

bool LabSource::IsCutAt(std::size_t offset, std::string_view value) const {
  if (value.empty() || !StartsWith(offset, value)) return false;
  std::string_view rest = text_.substr(offset + value.size());
  rest = rest.substr(0, rest.find('\n'));
  const std::size_t blanks = std::min(rest.find_first_not_of(" \t"), rest.size());
  rest.remove_prefix(blanks);
  if (blanks == 0 || !rest.starts_with('#')) return false;
  rest.remove_prefix(1);
  if (rest.empty()) return false;
  const std::size_t brace = rest.find('{');
  const bool has_placeholder = brace != rest.npos && rest.find('}', brace) != rest.npos;
  return has_placeholder || (rest[0] != ' ' && rest[0] != '\t' && rest[0] != '#');
}

}  // namespace hashrange
