// The tags of an attribute value in JSON, S in {"S": …}. A pure function.
#pragma once

#include <optional>
#include <string_view>

#include "value/attribute_value.h"

namespace hashrange {

// Returns the type of a tag. None for any other name: the service ignores such a member.
inline std::optional<AttributeType> TypeOfTag(std::string_view tag) {
  const char first = tag.empty() ? '\0' : tag[0];
  if (tag.size() == 1) {
    switch (first) {
      case 'S':
        return AttributeType::kS;
      case 'N':
        return AttributeType::kN;
      case 'B':
        return AttributeType::kB;
      case 'L':
        return AttributeType::kL;
      case 'M':
        return AttributeType::kM;
      default:
        return std::nullopt;
    }
  }
  if (tag.size() == 2 && tag[1] == 'S') {
    switch (first) {
      case 'S':
        return AttributeType::kSS;
      case 'N':
        return AttributeType::kNS;
      case 'B':
        return AttributeType::kBS;
      default:
        return std::nullopt;
    }
  }
  if (tag == "BOOL") return AttributeType::kBool;
  if (tag == "NULL") return AttributeType::kNull;
  return std::nullopt;
}

}  // namespace hashrange
