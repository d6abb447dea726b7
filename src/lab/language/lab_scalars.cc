#include "lab/language/lab_scalars.h"

#include <charconv>
#include <cmath>

#include "base/duration.h"

namespace hashrange {
namespace {

bool IsScalar(const LabNode& node, std::string_view what, LabReading& reading) {
  if (node.kind == LabNode::Kind::kScalar) return true;
  const bool is_list = node.kind == LabNode::Kind::kList;
  reading.Fail(node.place, std::string(what) + " has to be a single value, and this is " +
                               (is_list ? "a list" : "a map"));
  return false;
}

std::string Quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

// Returns "a number of more than 0", "a number from 0 to 1", …
std::string BoundsText(const LabBounds& bounds) {
  const auto text = [](double number) {
    std::string digits = std::to_string(number);
    return PlainNumberText(digits).value_or(digits);
  };
  if (bounds.excludes_least) return "a number that is more than " + text(bounds.least);
  if (std::isfinite(bounds.greatest)) {
    return "a number from " + text(bounds.least) + " to " + text(bounds.greatest);
  }
  if (std::isfinite(bounds.least)) return "a number of " + text(bounds.least) + " or more";
  return "a number";
}

struct RateUnit {
  std::string_view name;
  double seconds;
};
constexpr RateUnit kRateUnits[] = {{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}};

std::optional<double> ParseRate(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::optional<double> number = ParseLabNumber(text.substr(0, slash));
  if (!number) return std::nullopt;
  for (const RateUnit& unit : kRateUnits) {
    if (unit.name == text.substr(slash + 1)) return *number / unit.seconds;
  }
  return std::nullopt;
}

// Reads "1.5h", too.
std::optional<std::int64_t> ParseLabDuration(std::string_view text) {
  if (const auto whole_ms = ParseDuration(text)) return whole_ms;
  const std::size_t digits = text.find_first_not_of("0123456789.");
  if (digits == std::string_view::npos) return std::nullopt;
  const std::optional<double> number = ParseLabNumber(text.substr(0, digits));
  const auto unit_ms = ParseDuration("1" + std::string(text.substr(digits)));
  if (!number || !unit_ms) return std::nullopt;
  const double duration_ms = *number * static_cast<double>(*unit_ms);
  if (duration_ms > static_cast<double>(kLongestDurationMs)) return std::nullopt;
  return std::llround(duration_ms);
}

}  // namespace

std::optional<double> ParseLabNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

std::optional<std::string> PlainNumberText(std::string_view text) {
  constexpr std::size_t kMostDigits = 38;  // of a number in DynamoDB
  std::string_view digits = text;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  const std::size_t point = digits.find('.');
  const std::string_view whole = digits.substr(0, point);
  std::string_view fraction = point == std::string_view::npos ? "" : digits.substr(point + 1);
  const auto has_other = [](std::string_view part) {
    return part.find_first_not_of("0123456789") != std::string_view::npos;
  };
  if (whole.empty() || has_other(whole) || has_other(fraction)) return std::nullopt;
  if (point != std::string_view::npos && fraction.empty()) return std::nullopt;
  if (whole.size() > 1 && whole.front() == '0') return std::nullopt;
  while (fraction.ends_with('0')) fraction.remove_suffix(1);
  if (whole.size() + fraction.size() > kMostDigits) return std::nullopt;
  if (whole == "0" && fraction.empty()) return "0";
  std::string plain = text.starts_with('-') ? "-" : "";
  plain += whole;
  if (!fraction.empty()) plain.append(".").append(fraction);
  return plain;
}

double ReadLabNumber(const LabNode& node, std::string_view what, const LabBounds& bounds,
                     LabReading& reading) {
  if (!IsScalar(node, what, reading)) return 1;
  const std::optional<double> number = ParseLabNumber(node.text);
  const bool is_inside = number && *number >= bounds.least && *number <= bounds.greatest &&
                         !(bounds.excludes_least && *number == bounds.least);
  if (is_inside) return *number;
  reading.Fail(node.place, std::string(what) + " has to be " + BoundsText(bounds) +
                               ", and this is " + Quoted(node.text));
  return 1;
}

std::int64_t ReadLabWhole(const LabNode& node, std::string_view what, std::int64_t least,
                          std::int64_t greatest, LabReading& reading) {
  if (!IsScalar(node, what, reading)) return least;
  std::int64_t number = 0;
  const char* const last = node.text.data() + node.text.size();
  const auto [end, error] = std::from_chars(node.text.data(), last, number);
  if (error == std::errc() && end == last && number >= least && number <= greatest) return number;
  reading.Fail(node.place, std::string(what) + " has to be a whole number from " +
                               std::to_string(least) + " to " + std::to_string(greatest) +
                               ", and this is " + Quoted(node.text));
  return least;
}

bool ReadLabFlag(const LabNode& node, std::string_view what, LabReading& reading) {
  if (!IsScalar(node, what, reading)) return false;
  if (node.text == "true" || node.text == "false") return node.text == "true";
  reading.Fail(node.place,
               std::string(what) + " has to be true or false, and this is " + Quoted(node.text));
  return false;
}

std::string ReadLabText(const LabNode& node, std::string_view what, LabReading& reading) {
  if (!IsScalar(node, what, reading)) return {};
  if (node.IsNull()) reading.Fail(node.place, std::string(what) + " is empty");
  return node.text;
}

std::int64_t ReadLabDuration(const LabNode& node, std::string_view what, LabReading& reading) {
  if (!IsScalar(node, what, reading)) return 0;
  if (const auto duration_ms = ParseLabDuration(node.text)) return *duration_ms;
  reading.Fail(node.place, std::string(what) + " has to be " + std::string(kDurationForms) +
                               ", and this is " + Quoted(node.text));
  return 0;
}

double ReadLabRate(const LabNode& node, std::string_view what, LabReading& reading) {
  constexpr double kGreatestRate = 10'000'000;
  if (!IsScalar(node, what, reading)) return 1;
  const std::optional<double> rate = ParseRate(node.text);
  if (rate && *rate > kGreatestRate) {
    reading.Fail(node.place, std::string(what) + " may be 10000000/s at most, and this is " +
                                 Quoted(node.text));
    return 1;
  }
  if (rate && *rate > 0) return *rate;
  reading.Fail(node.place,
               std::string(what) +
                   " has to be a number of calls that is more than 0, and its unit, such as " +
                   R"("400/s", "30/min", "20/h" or "5/d", and this is )" + Quoted(node.text));
  return 1;
}

}  // namespace hashrange
