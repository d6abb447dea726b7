// RenderedItem: an item's JSON, as templates render it, with DynamoDB's sizes. It knows nothing of
// the engine, so that both can be held against each other. Used by one thread at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "wire/json.h"

namespace hashrange {

class RenderedItem {
 public:
  // An item that is not there.
  RenderedItem() = default;
  // `json`: an object of attributes, which outlives the item.
  explicit RenderedItem(const JsonValue& json) : json_(&json) {}

  bool exists() const { return json_ != nullptr; }
  // Returns the attribute's value, {"S":"…"}; null when the item lacks it.
  const JsonValue* Find(std::string_view attribute) const;
  bool HasAll(const std::vector<std::string>& attributes) const;

  // Returns the item's size in bytes; 0 of one that is not there
  // (docs/service/02-types-and-sizes.md, section 7).
  std::size_t SizeBytes() const;
  // Returns the size of an item with some of the attributes only.
  std::size_t SizeBytesOf(const std::vector<std::string>& attributes) const;
  // Returns whether both have the same values in some attributes, or in all of them.
  bool HasSame(const RenderedItem& other, const std::vector<std::string>& attributes) const;
  bool HasSame(const RenderedItem& other) const;

 private:
  const JsonValue* json_ = nullptr;
};

// Returns the size of an attribute's value. The number's text is canonical: plain decimal, without
// zeros that say nothing.
std::size_t SizeOfAttributeJson(const JsonValue& value);
std::size_t SizeOfNumberText(std::string_view number);

// Returns whether two texts of JSON say the same. The order of an object's members does not matter.
bool IsSameJson(const JsonValue& one, const JsonValue& other);

}  // namespace hashrange
