#include "measure/meter/attribute_watch.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/lower_case.h"
#include "measure/key_token.h"
#include "value/number.h"
#include "wire/attribute_json.h"

namespace hashrange {
namespace {

bool HasAny(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return name.find(word) != name.npos; });
}

// A number alone does not say that it is a time; its attribute's name does.
bool SoundsLikeTime(std::string_view name) {
  const std::string lowered = LowerCase(name);
  return SoundsLikeExpiry(name) || lowered.ends_with("at") || lowered.ends_with("_ts") ||
         HasAny(lowered, {"time", "date", "created", "updated", "modified"});
}

std::string_view TimeFormOf(const Attribute& attribute) {
  if (attribute.value.type == AttributeType::kS) {
    constexpr std::size_t kShortestDate = 10;
    const std::string_view text = attribute.value.bytes();
    if (text.size() < kShortestDate) return {};
    const KeyToken token = FirstToken(text, KeySeparators({}));
    return token.kind == KeyTokenKind::kDate && token.text.size() == text.size() ? "ISO" : "";
  }
  if (attribute.value.type != AttributeType::kN || !SoundsLikeTime(attribute.name)) return {};
  const std::string text = Number::FromStored(attribute.value.bytes()).ToText();
  const double number = std::strtod(text.c_str(), nullptr);
  if (number >= 1e9 && number < 1e10) return "seconds";
  if (number >= 1e12 && number < 1e13) return "milliseconds";
  return {};
}

constexpr std::string_view kBetweenWords = ", ";

// Adds a word to a list of words that is text: "N, S".
void AddWord(std::string_view word, std::string* list) {
  if (word.empty()) return;
  std::size_t at = 0;
  while (at < list->size()) {
    const std::size_t end = std::min(list->find(kBetweenWords, at), list->size());
    if (std::string_view(*list).substr(at, end - at) == word) return;
    at = end + kBetweenWords.size();
  }
  if (!list->empty()) list->append(kBetweenWords);
  list->append(word);
}

}  // namespace

bool SoundsLikeExpiry(std::string_view name) {
  const std::string lowered = LowerCase(name);
  return lowered == "ttl" || HasAny(lowered, {"expires", "expire_at", "expireat", "expiry",
                                              "expiration", "timetolive", "time_to_live"});
}

void AddAttribute(const AttributeMeasure& other, AttributeMeasure* attribute) {
  const auto add_words = [](std::string_view words, std::string* list) {
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(kBetweenWords), words.size());
      AddWord(words.substr(0, end), list);
      words.remove_prefix(std::min(end + kBetweenWords.size(), words.size()));
    }
  };
  attribute->count += other.count;
  attribute->size_bytes += other.size_bytes;
  attribute->name_bytes += other.name_bytes;
  attribute->largest_list = std::max(attribute->largest_list, other.largest_list);
  add_words(other.types, &attribute->types);
  add_words(other.time_forms, &attribute->time_forms);
}

void WatchAttributes(ItemView item, std::size_t most, AttributesByName* attributes) {
  item.ForEach([&](const Attribute& attribute) {
    auto found = attributes->find(attribute.name);
    if (found == attributes->end()) {
      if (attributes->size() >= most) return;
      found = attributes->emplace(std::string(attribute.name), AttributeMeasure{}).first;
      found->second.name = attribute.name;
    }
    AttributeMeasure& measure = found->second;
    ++measure.count;
    const auto name_bytes = static_cast<double>(attribute.name.size());
    measure.name_bytes += name_bytes;
    measure.size_bytes += name_bytes + static_cast<double>(SizeBytes(attribute.value));
    AddWord(TypeTag(attribute.value.type), &measure.types);
    AddWord(TimeFormOf(attribute), &measure.time_forms);
    if (attribute.value.type == AttributeType::kL) {
      measure.largest_list =
          std::max<std::uint64_t>(measure.largest_list, MemberCount(attribute.value));
    }
  });
}

}  // namespace hashrange
