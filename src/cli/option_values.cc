#include "cli/option_values.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

#include "base/duration.h"

namespace hashrange {
namespace {

constexpr std::uint64_t kGreatestScale = 1'000'000;
constexpr double kGreatestShare = 100;
constexpr double kGreatestNumber = 1e12;

bool IsWholeNumber(std::string_view text, std::uint64_t greatest) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 1 &&
         number <= greatest;
}

// Returns the number that is the whole text, if it is one.
std::optional<double> ReadNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string Complaint(std::string_view what, const std::string& text) {
  return "has to be " + std::string(what) + ", and this is \"" + text + "\"";
}

}  // namespace

CLI::Validator WholeNumber(std::uint64_t greatest) {
  const auto complaint = [greatest](const std::string& text) {
    if (IsWholeNumber(text, greatest)) return std::string();
    return Complaint("a whole number from 1 to " + std::to_string(greatest), text);
  };
  return {complaint, ""};
}

CLI::Validator NumberFrom(double least, std::string_view what) {
  const auto complaint = [least, what = std::string(what)](const std::string& text) {
    const std::optional<double> number = ReadNumber(text);
    if (number && *number >= least && *number <= kGreatestNumber) return std::string();
    return Complaint(what, text);
  };
  return {complaint, ""};
}

CLI::Validator Share() {
  const auto complaint = [](const std::string& text) {
    const std::optional<double> share = ReadShare(text);
    if (share && *share > 0 && *share <= kGreatestShare) return std::string();
    return Complaint("a share of the declared rates, such as 0.01, 1% or 2, of 100 at most", text);
  };
  return {complaint, ""};
}

std::optional<double> ReadShare(std::string_view text) {
  const bool is_percent = text.ends_with('%');
  if (is_percent) text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const std::optional<double> number = ReadNumber(text);
  return number && is_percent ? *number / 100 : number;
}

CLI::Validator Duration() {
  const auto complaint = [](const std::string& text) {
    if (ParseDuration(text).value_or(0) > 0) return std::string();
    return Complaint(kDurationForms, text);
  };
  return {complaint, ""};
}

CLI::Validator Scales() {
  const auto complaint = [](const std::string& text) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      if (!IsWholeNumber(std::string_view(text).substr(begin, end - begin), kGreatestScale)) {
        return Complaint("whole numbers from 1 to " + std::to_string(kGreatestScale) +
                             " with commas between them, such as 1,10,100",
                         text);
      }
      begin = end + 1;
    }
    return std::string();
  };
  return {complaint, ""};
}

std::vector<std::uint64_t> ReadScales(std::string_view text) {
  std::vector<std::uint64_t> scales;
  while (!text.empty()) {
    std::uint64_t scale = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), scale);
    scales.push_back(scale);
    text.remove_prefix(std::min<std::size_t>(read.ptr - text.data() + 1, text.size()));
  }
  std::ranges::sort(scales);
  scales.erase(std::ranges::unique(scales).begin(), scales.end());
  return scales;
}

}  // namespace hashrange
