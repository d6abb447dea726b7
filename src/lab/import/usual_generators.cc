#include "lab/import/usual_generators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/text/short_text.h"
#include "lab/yaml/yaml_text.h"

namespace hashrange {
namespace {

constexpr double kMostTextBytes = 300'000;
constexpr double kMostChoices = 10;
constexpr int kUsualDigits = 8;
constexpr int kMostDigits = 18;

template <std::size_t kSize>
bool EndsWithAny(std::string_view text, const std::array<std::string_view, kSize>& ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return text.ends_with(end); });
}

bool IsNameOfExpiry(std::string_view name) {
  const std::string lower = LowerCase(name);
  return lower == "ttl" || lower.starts_with("expire") || lower.starts_with("expiry") ||
         lower.ends_with("_ttl");
}

std::string TimeYaml(std::string_view name, std::string_view form) {
  const std::string span = IsNameOfExpiry(name) ? "ahead: 30d" : "past: 365d";
  return "{time: {" + span + "}" + (form == "iso" ? "" : ", form: " + std::string(form)) + "}";
}

// Returns the form of a time's attribute; empty: it is no time.
std::string TimeFormOf(const ImportedAttribute& attribute) {
  if (!attribute.time_form.empty()) return attribute.time_form;
  if (IsNameOfExpiry(attribute.name) && attribute.type == ImportedType::kNumber) return "seconds";
  if (!IsNameOfTime(attribute.name)) return "";
  // An attribute of a known size has the time's size.
  const bool is_text = attribute.type == ImportedType::kText;
  if (is_text && attribute.mean_bytes > 0) return "";
  if (is_text) return "iso";
  return attribute.type == ImportedType::kNumber ? "seconds" : "";
}

std::string TextYaml(double mean_bytes) {
  const double bytes = std::clamp(std::round(mean_bytes), 1.0, kMostTextBytes);
  return "{text: " + YamlNumber(bytes) + "}";
}

std::string NumberYaml(double mean_bytes) {
  // A number takes a byte for two digits, and one more.
  const int digits = static_cast<int>(std::clamp(std::round((mean_bytes - 1) * 2), 1.0, 9.0));
  const int least = digits == 1 ? 1 : static_cast<int>(std::pow(10, digits - 1));
  return "{number: [" + std::to_string(least) + ", " +
         std::to_string(static_cast<int>(std::pow(10, digits)) - 1) + "]}";
}

std::string ChoiceYaml(double values) {
  std::vector<std::string> names;
  for (int number = 1; number <= static_cast<int>(values); ++number) {
    names.push_back("VALUE_" + std::to_string(number));
  }
  return "{choice: " + YamlList(names) + "}";
}

UsualGenerator GeneratorByType(const ImportedAttribute& attribute) {
  const bool has_size = attribute.mean_bytes > 0;
  switch (attribute.type) {
    case ImportedType::kText:
      if (has_size) return {TextYaml(attribute.mean_bytes), ""};
      return {"{text: [8, 24]}", ""};
    case ImportedType::kNumber:
      return {has_size ? NumberYaml(attribute.mean_bytes) : "{number: [1, 1000]}", ""};
    case ImportedType::kFlag:
      return {"{flag: 0.5}", ""};
    case ImportedType::kOther:
      return {TextYaml(has_size ? attribute.mean_bytes : 100),
              "no text, number or flag: a text of its size stands for it"};
  }
  return {"{text: [8, 24]}", ""};
}

}  // namespace

bool IsNameOfTime(std::string_view name) {
  constexpr std::array<std::string_view, 8> kEnds = {"_at", "date",    "time",    "timestamp",
                                                     "_on", "created", "updated", "modified"};
  if (name.ends_with("At") || name.ends_with("On")) return true;
  const std::string lower = LowerCase(name);
  return EndsWithAny(lower, kEnds) || lower == "ts" || lower.ends_with("_ts");
}

bool IsNameOfChoice(std::string_view name) {
  constexpr std::array<std::string_view, 10> kEnds = {
      "status", "state", "type", "kind", "role", "level", "tier", "priority", "stage", "phase"};
  return EndsWithAny(LowerCase(name), kEnds);
}

UsualGenerator GeneratorOf(const ImportedAttribute& attribute) {
  UsualGenerator made;
  const std::string form = TimeFormOf(attribute);
  if (!attribute.generator.empty()) {
    made.yaml = attribute.generator;
  } else if (!form.empty()) {
    made.yaml = TimeYaml(attribute.name, form);
  } else if (attribute.id_form == "uuid") {
    made.yaml = "{uuid: true}";
  } else if (attribute.type == ImportedType::kText && IsNameOfChoice(attribute.name)) {
    made = {"{choice: {VALUE_A: 70, VALUE_B: 20, VALUE_C: 10}}", "fill in its values and weights"};
  } else if (attribute.type == ImportedType::kText && attribute.distinct > 0 &&
             attribute.distinct <= kMostChoices) {
    made = {ChoiceYaml(attribute.distinct), "fill in its values and weights"};
  } else {
    made = GeneratorByType(attribute);
  }
  if (!attribute.note.empty()) made.note = attribute.note;
  if (attribute.present < 1 && made.yaml.ends_with('}')) {
    made.yaml.insert(made.yaml.size() - 1, ", present: " + YamlNumber(attribute.present));
  }
  return made;
}

UsualGenerator IdentityGeneratorOf(const ImportedAttribute& identity, std::string_view time) {
  if (!identity.generator.empty()) return {identity.generator, identity.note};
  if (!TimeFormOf(identity).empty()) return GeneratorOf(identity);
  if (identity.type == ImportedType::kNumber) return {"{number: [1, 999999]}", identity.note};
  if (identity.id_form == "ulid" && !time.empty()) {
    return {"{ulid: " + YamlPlain(time) + "}", identity.note};
  }
  if (identity.id_form == "ulid" || identity.id_form == "uuid") {
    return {"{uuid: true}", identity.note};
  }
  const int digits =
      identity.mean_bytes > 0
          ? static_cast<int>(std::clamp(std::round(identity.mean_bytes), 4.0, 1.0 * kMostDigits))
          : kUsualDigits;
  return {"{sequence: " + std::to_string(digits) + "}", identity.note};
}

}  // namespace hashrange
