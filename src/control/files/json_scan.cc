#include "control/files/json_scan.h"

#include <algorithm>

namespace hashrange {
namespace {

using Outcome = ScannedValue::Outcome;

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::size_t kNotFound = std::string_view::npos;

// Scans the text in quotes that begins at `begin`.
ScannedValue ScanText(std::string_view text, std::size_t begin) {
  for (std::size_t at = begin + 1; at < text.size(); ++at) {
    if (text[at] == '"') return {Outcome::kWhole, at + 1};
    if (text[at] == '\n') return {Outcome::kOpenText, at};
    if (text[at] == '\\') ++at;
  }
  return {Outcome::kCut, text.size()};
}

// Scans an object or array, from its opening bracket on or from behind the value of a member.
class NestedScan {
 public:
  NestedScan(std::string_view text, OnMember member) : text_(text), member_(member) {}

  // `is_in_object`: the scan begins inside of an object, behind a member.
  ScannedValue Run(std::size_t begin, bool is_in_object) {
    int depth = is_in_object ? 1 : 0;
    bool is_object = is_in_object || text_[begin] == '{';
    for (std::size_t at = begin; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '"') {
        const ScannedValue text = ScanText(text_, at);
        if (text.outcome != Outcome::kWhole) return text;
        if (depth == 1 && is_object) ReportMember(at, text.end);
        at = text.end - 1;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        if (--depth == 0) return {Outcome::kWhole, at + 1};
      }
    }
    return {Outcome::kCut, text_.size()};
  }

 private:
  // Calls `member_` if the text in quotes is a name: a colon follows it.
  void ReportMember(std::size_t begin, std::size_t end) {
    const std::size_t colon = SkipJsonSpace(text_, end);
    if (colon == text_.size() || text_[colon] != ':') return;
    const std::size_t value = SkipJsonSpace(text_, colon + 1);
    if (value < text_.size()) member_(text_.substr(begin + 1, end - begin - 2), value);
  }

  const std::string_view text_;
  const OnMember member_;
};

void Ignore(std::string_view, std::size_t) {}

}  // namespace

bool IsJsonSpace(char c) { return kSpace.find(c) != kNotFound; }

std::size_t SkipJsonSpace(std::string_view text, std::size_t begin) {
  return std::min(text.find_first_not_of(kSpace, begin), text.size());
}

ScannedValue ScanValue(std::string_view text, std::size_t begin, OnMember member) {
  const char first = text[begin];
  if (first == '"') return ScanText(text, begin);
  if (first == '{' || first == '[') return NestedScan(text, member).Run(begin, false);
  const std::size_t end = text.find_first_of(" \t\r\n,]}{[\"", begin + 1);
  if (end == kNotFound) return {Outcome::kCut, text.size()};
  return {Outcome::kWhole, end};
}

ScannedValue ScanValue(std::string_view text, std::size_t begin) {
  return ScanValue(text, begin, Ignore);
}

ScannedValue ScanRestOfObject(std::string_view text, std::size_t begin, OnMember member) {
  return NestedScan(text, member).Run(begin, true);
}

void ScanAnswer::AddMember(std::string_view name, std::size_t value_begin) {
  const char first = text_[value_begin];
  if (name == key_name_) has_key_ = true;
  if (name == "Items" && first == '[') items_begin_ = value_begin;
  const bool goes_on = name == "LastEvaluatedKey" || name == "NextToken";
  if (goes_on && first != 'n') is_partial_ = true;
}

}  // namespace hashrange
