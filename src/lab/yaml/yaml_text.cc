#include "lab/yaml/yaml_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/text/short_text.h"
#include "base/text/text_encodings.h"
#include "lab/language/lab_form_check.h"

namespace hashrange {
namespace {

constexpr std::size_t kMostCommentBytes = 400;
bool IsPlainStart(char c) { return IsLetter(c) || c == '_'; }
bool IsPlainByte(char c) { return IsPlainStart(c) || IsDigit(c) || c == '-' || c == ' '; }
bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

std::string YamlQuoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (IsControl(c)) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\x%02X", static_cast<unsigned>(c) & 0xFF);
      quoted += code;
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string YamlPlain(std::string_view text) {
  const bool is_plain = !text.empty() && IsPlainStart(text.front()) && text.back() != ' ' &&
                        std::ranges::all_of(text, IsPlainByte) && OtherMeaningOf(text).empty() &&
                        LowerCase(text) != "null";
  return is_plain ? std::string(text) : YamlQuoted(text);
}

std::string YamlList(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) list += (list.size() > 1 ? ", " : "") + YamlPlain(text);
  return list + "]";
}

std::string YamlKey(const std::vector<std::string>& hash, const std::vector<std::string>& range) {
  if (hash.size() > 1 || range.size() > 1) {
    return "{hash: " + YamlList(hash) + (range.empty() ? "" : ", range: " + YamlList(range)) + "}";
  }
  std::vector<std::string> both = hash;
  both.insert(both.end(), range.begin(), range.end());
  return YamlList(both);
}

std::string YamlComment(std::string_view sentence) {
  std::string line;
  while (!sentence.empty() && line.size() < kMostCommentBytes) {
    const std::size_t bytes = std::max<std::size_t>(FirstCharacterBytes(sentence), 1);
    const bool is_kept = bytes > 1 || (!IsControl(sentence.front()) &&
                                       static_cast<unsigned char>(sentence.front()) < 0x80);
    // U+0085, U+2028 and U+2029 end a line, and U+0080 to U+009F are control characters.
    const std::string_view character = sentence.substr(0, bytes);
    const bool breaks = character.starts_with("\xC2") && character < "\xC2\xA0";
    const bool separates = character == "\xE2\x80\xA8" || character == "\xE2\x80\xA9";
    const bool is_mark = character == "\xEF\xBB\xBF";
    if (is_kept && !breaks && !separates && !is_mark) {
      line += character;
    } else if (!line.ends_with(' ')) {
      line += ' ';
    }
    sentence.remove_prefix(bytes);
  }
  if (!sentence.empty()) line += "…";
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

std::string YamlNumber(double number) {
  if (!std::isfinite(number)) return "0";
  // The place of the first digit: 0 of 1 to 9, 1 of 10 to 99, -1 of 0.1.
  int place = 0;
  double size = std::max(std::abs(number), 1e-9);
  for (; size >= 10; size /= 10) ++place;
  for (; size < 1; size *= 10) --place;
  const int decimals = std::clamp(3 - place, 0, 9);
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", decimals, number);
  std::string result(text);
  if (result.find('.') != result.npos) {
    while (result.ends_with('0')) result.pop_back();
    if (result.ends_with('.')) result.pop_back();
  }
  return result;
}

}  // namespace hashrange
