#include "lab/language/plain_text.h"

#include <algorithm>

namespace hashrange {
namespace {

constexpr std::string_view kOddNumber = "a number of another form";
constexpr std::string_view kSexagesimal = "a number of minutes and seconds";

struct Word {
  std::string_view text;
  std::string_view meaning;
};
constexpr Word kWords[] = {
    {"yes", "true"},  {"on", "true"},     {"true", "true"},     {"no", "false"},
    {"off", "false"}, {"false", "false"}, {".inf", kOddNumber}, {".nan", kOddNumber},
};

bool IsAllOf(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kDigitsAndUnderscore = "0123456789_";

// Returns whether the text is as YAML writes words: word, Word or WORD.
bool IsWord(std::string_view text, std::string_view word) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  if (!std::equal(text.begin(), text.end(), word.begin(), word.end(),
                  [&](char a, char b) { return lower(a) == b; })) {
    return false;
  }
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto uppers = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_upper));
  const auto letters = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return c != '.'; }));
  return uppers == 0 || uppers == letters || (uppers == 1 && is_upper(text[0]));
}

// Returns what a text of digits with a point or an exponent is taken for.
std::string_view MeaningOfNumber(std::string_view text) {
  const bool has_plus = text.starts_with('+');
  if (has_plus || text.starts_with('-')) text.remove_prefix(1);
  if (text.empty()) return "";
  if (text.starts_with("0x")) {
    return IsAllOf(text.substr(2), "0123456789abcdefABCDEF_") ? kOddNumber : "";
  }
  if (text.starts_with("0o")) return IsAllOf(text.substr(2), "01234567") ? kOddNumber : "";
  if (text.starts_with("0b")) return IsAllOf(text.substr(2), "01_") ? kOddNumber : "";
  if (const std::size_t colon = text.find(':'); colon != text.npos) {
    const bool is_time = kDigits.find(text[0]) != kDigits.npos && text.back() != ':' &&
                         text.find("::") == text.npos && IsAllOf(text, "0123456789:");
    return is_time ? kSexagesimal : "";
  }
  const std::size_t exponent = text.find_first_of("eE");
  std::string_view power = exponent == text.npos ? "" : text.substr(exponent + 1);
  if (power.starts_with('+') || power.starts_with('-')) power.remove_prefix(1);
  if (exponent != text.npos && !IsAllOf(power, kDigits)) return "";
  const std::string_view mantissa = text.substr(0, exponent);
  const std::size_t point = mantissa.find('.');
  const std::string_view whole = mantissa.substr(0, point);
  const std::string_view fraction = point == mantissa.npos ? "0" : mantissa.substr(point + 1);
  if (whole.empty() && fraction.empty()) return "";
  if (!whole.empty() && (!IsAllOf(whole, kDigitsAndUnderscore) || whole[0] == '_')) return "";
  if (!fraction.empty() && !IsAllOf(fraction, kDigits)) return "";
  const bool is_plain = !has_plus && exponent == text.npos && IsAllOf(whole, kDigits) &&
                        !fraction.empty() && (whole.size() == 1 || whole[0] != '0');
  return is_plain ? kPlainNumber : kOddNumber;
}

}  // namespace

std::string_view OtherMeaningOf(std::string_view text) {
  for (const Word& word : kWords) {
    if (IsWord(text, word.text)) return word.meaning;
  }
  return MeaningOfNumber(text);
}

std::string OtherMeaningSentence(std::string_view text, std::string_view meaning) {
  std::string sentence = "other readers of YAML take " + std::string(text) + " for ";
  sentence.append(meaning);
  return sentence + "; put it into quotes: \"" + std::string(text) + "\"";
}

}  // namespace hashrange
