#include "lab/plan/rendered_item.h"

#include <algorithm>

namespace hashrange {

const JsonValue* RenderedItem::Find(std::string_view attribute) const {
  return json_ == nullptr ? nullptr : json_->Find(attribute);
}

bool RenderedItem::HasAll(const std::vector<std::string>& attributes) const {
  return std::all_of(attributes.begin(), attributes.end(),
                     [&](const std::string& one) { return Find(one) != nullptr; });
}

std::size_t RenderedItem::SizeBytes() const {
  if (json_ == nullptr) return 0;
  std::size_t bytes = 0;
  for (const JsonMember& member : json_->members()) {
    bytes += member.name.size() + SizeOfAttributeJson(member.value);
  }
  return bytes;
}

std::size_t RenderedItem::SizeBytesOf(const std::vector<std::string>& attributes) const {
  std::size_t bytes = 0;
  for (const std::string& name : attributes) {
    if (const JsonValue* const value = Find(name))
      bytes += name.size() + SizeOfAttributeJson(*value);
  }
  return bytes;
}

bool RenderedItem::HasSame(const RenderedItem& other,
                           const std::vector<std::string>& attributes) const {
  return std::all_of(attributes.begin(), attributes.end(), [&](const std::string& name) {
    const JsonValue* const mine = Find(name);
    const JsonValue* const theirs = other.Find(name);
    if (mine == nullptr || theirs == nullptr) return mine == theirs;
    return IsSameJson(*mine, *theirs);
  });
}

bool RenderedItem::HasSame(const RenderedItem& other) const {
  if (json_ == nullptr || other.json_ == nullptr) return json_ == other.json_;
  return IsSameJson(*json_, *other.json_);
}

std::size_t SizeOfAttributeJson(const JsonValue& value) {
  const JsonMember& tagged = value.members().front();
  if (tagged.name == "S") return tagged.value.string().size();
  if (tagged.name == "N") return SizeOfNumberText(tagged.value.string());
  constexpr std::size_t kContainer = 3;
  std::size_t bytes = kContainer;
  if (tagged.name == "L") {
    for (const JsonValue& element : tagged.value.elements()) {
      bytes += 1 + SizeOfAttributeJson(element);
    }
    return bytes;
  }
  if (tagged.name == "M") {
    for (const JsonMember& member : tagged.value.members()) {
      bytes += 1 + member.name.size() + SizeOfAttributeJson(member.value);
    }
    return bytes;
  }
  return 1;  // BOOL
}

std::size_t SizeOfNumberText(std::string_view number) {
  const bool is_negative = number.starts_with('-');
  if (is_negative) number.remove_prefix(1);
  const std::size_t point = number.find('.');
  std::string_view whole = number.substr(0, point);
  std::string_view fraction =
      point == std::string_view::npos ? std::string_view() : number.substr(point + 1);
  while (whole.starts_with('0')) whole.remove_prefix(1);
  while (fraction.ends_with('0')) fraction.remove_suffix(1);
  if (fraction.empty()) {
    while (whole.ends_with('0')) whole.remove_suffix(1);
  }
  if (whole.empty()) {
    while (fraction.starts_with('0')) fraction.remove_prefix(1);
  }
  if (whole.empty() && fraction.empty()) return 1;
  return 1 + (whole.size() + 1) / 2 + (fraction.size() + 1) / 2 + (is_negative ? 1 : 0);
}

bool IsSameJson(const JsonValue& one, const JsonValue& other) {
  if (one.type != other.type) return false;
  switch (one.type) {
    case JsonValue::Type::kString:
      return one.string() == other.string();
    case JsonValue::Type::kArray:
      return one.size == other.size && std::equal(one.elements().begin(), one.elements().end(),
                                                  other.elements().begin(), IsSameJson);
    case JsonValue::Type::kObject:
      return one.size == other.size &&
             std::all_of(one.members().begin(), one.members().end(), [&](const JsonMember& member) {
               const JsonValue* const same = other.Find(member.name);
               return same != nullptr && IsSameJson(member.value, *same);
             });
    default:
      return true;  // of BOOL, whose type says it; items have no other JSON
  }
}

}  // namespace hashrange
