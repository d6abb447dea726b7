#include "lab/language/lab_reading.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/text/parse_whole.h"
#include "base/text/time_text.h"
#include "lab/language/joined_names.h"

namespace hashrange {

void LabReading::Fail(LabPlace place, std::string_view sentence) {
  if (error_.ok()) error_ = LabErrorAt(name_, place, sentence);
}

void LabReading::Warn(LabPlace place, std::string_view sentence) {
  // What a layout takes from another one by `like:` is read for each of them.
  std::string warning = LabErrorAt(name_, place, sentence).message;
  if (std::ranges::find(file.warnings, warning) != file.warnings.end()) return;
  file.warnings.push_back(std::move(warning));
}

void LabReading::EndPart() {
  if (error_.ok()) return;
  faults_.push_back(std::move(error_).error());
  error_ = {};
}

void LabReading::EndParts() {
  EndPart();
  if (!faults_.empty()) error_ = faults_.front();
}

std::vector<std::string> LabReading::Faults() const {
  std::vector<std::string> sentences;
  for (const Error& fault : faults_) sentences.push_back(fault.message);
  if (sentences.empty() && !error_.ok()) sentences.push_back(error_.error().message);
  return sentences;
}

Result<LabFile> LabReading::TakeFile() {
  if (!error_.ok()) return std::move(error_).error();
  return std::move(file);
}

// Names.

namespace {

LabAttributeRef FindInReach(int entity, LabName name, LabReach reach, LabReading& reading) {
  const LabFile& file = reading.file;
  const LabAttributeRef found = AttributeInReach(file, entity, name.text, reach);
  if (found.entity == kLabNone) {
    reading.Fail(name.place, EntityAt(file, entity).name + " has no attribute \"" +
                                 std::string(name.text) + "\"" +
                                 KnownNames(name.text, NamesInReach(file, entity, reach)));
  }
  return found;
}

}  // namespace

std::vector<LabName> NamesInNode(const LabNode& node) {
  if (node.kind == LabNode::Kind::kScalar) return {NameIn(node)};
  std::vector<LabName> names;
  for (const LabNode& element : node.elements) names.push_back(NameIn(element));
  return names;
}

int FindName(LabName name, std::span<const std::string> names, const std::string& sentence,
             LabReading& reading) {
  const auto found = std::ranges::find(names, name.text);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  reading.Fail(name.place, sentence + KnownNames(name.text, names));
  return kLabNone;
}

int FindEntity(LabName name, LabReading& reading) {
  return FindName(name, NamesIn(reading.file.entities),
                  "there is no entity \"" + std::string(name.text) + "\"", reading);
}

int FindPattern(LabName name, LabReading& reading) {
  return FindName(name, NamesIn(reading.file.patterns),
                  "there is no pattern \"" + std::string(name.text) + "\"", reading);
}

int FindOwnAttribute(int entity, LabName name, LabReading& reading) {
  return FindInReach(entity, name, LabReach::kOwn, reading).attribute;
}

LabAttributeRef FindStoredAttribute(int entity, LabName name, LabReading& reading) {
  return FindInReach(entity, name, LabReach::kStored, reading);
}

LabAttributeRef FindKnownAttribute(int entity, LabName name, LabReading& reading) {
  return FindInReach(entity, name, LabReach::kKnown, reading);
}

LabAttributeRef FindDottedAttribute(LabName name, LabReading& reading) {
  const std::size_t point = name.text.find('.');
  const int entity = FindEntity({name.text.substr(0, point), name.place}, reading);
  if (entity == kLabNone) return {};
  const int attribute =
      FindOwnAttribute(entity, {name.text.substr(point + 1), name.place}, reading);
  return attribute == kLabNone ? LabAttributeRef{} : LabAttributeRef{entity, attribute};
}

// Scalars.

std::optional<double> ParseLabNumber(std::string_view text) {
  const auto number = ParseWhole<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
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

double LabNumberIn(const LabNode& node) { return ParseLabNumber(node.text).value_or(1); }

std::int64_t LabWholeIn(const LabNode& node) {
  std::int64_t number = 0;
  std::from_chars(node.text.data(), node.text.data() + node.text.size(), number);
  return number;
}

void TakeLabNumber(const LabNode& map, std::string_view name, double& target) {
  if (const LabNode* const node = map.Given(name)) target = LabNumberIn(*node);
}

void TakeLabNumber(const LabNode& map, std::string_view name, std::optional<double>& target) {
  if (const LabNode* const node = map.Given(name)) target = LabNumberIn(*node);
}

void TakeLabFlag(const LabNode& map, std::string_view name, bool& target) {
  if (const LabNode* const node = map.Given(name)) target = node->text == "true";
}

std::int64_t ReadLabDuration(const LabNode& node, std::string_view what, LabReading& reading) {
  const std::string_view text = node.text;
  if (const auto whole_ms = ParseDuration(text)) return *whole_ms;
  const std::size_t digits = text.find_first_not_of("0123456789.");
  if (digits != text.npos) {  // such as "1.5h"
    const std::optional<double> number = ParseLabNumber(text.substr(0, digits));
    const auto unit_ms = ParseDuration("1" + std::string(text.substr(digits)));
    if (number && unit_ms) {
      const double duration_ms = *number * static_cast<double>(*unit_ms);
      if (duration_ms <= static_cast<double>(kLongestDurationMs)) return std::llround(duration_ms);
    }
  }
  reading.Fail(node.place, std::string(what) + " has to be " + std::string(kDurationForms) +
                               ", and this is \"" + node.text + "\"");
  return 0;
}

void TakeLabDuration(const LabNode& map, std::string_view name, std::int64_t& target,
                     LabReading& reading) {
  const LabNode* const node = map.Given(name);
  if (node) target = ReadLabDuration(*node, "`" + std::string(name) + "`", reading);
}

}  // namespace hashrange
