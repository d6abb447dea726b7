// The ten types of an attribute value, in the order of the service's own list.
#pragma once

#include <cstdint>
#include <string_view>

namespace hashrange {

enum class AttributeType : std::uint8_t { kS, kN, kB, kBool, kNull, kSS, kNS, kBS, kL, kM };
inline constexpr int kAttributeTypes = 10;

inline constexpr std::string_view kTypeTags[kAttributeTypes] = {"S",  "N",  "B",  "BOOL", "NULL",
                                                                "SS", "NS", "BS", "L",    "M"};

// Returns the type's tag in JSON and in messages: "S", "BOOL", …
constexpr std::string_view TypeTag(AttributeType type) { return kTypeTags[static_cast<int>(type)]; }

constexpr bool IsSet(AttributeType type) {
  return type >= AttributeType::kSS && type <= AttributeType::kBS;
}
// Whether values of the type may be a key and have an order: S, N and B.
constexpr bool IsScalarKey(AttributeType type) { return type <= AttributeType::kB; }

// Returns the type of a set's members: SS → S, NS → N, BS → B.
constexpr AttributeType MemberTypeOf(AttributeType set) {
  return static_cast<AttributeType>(static_cast<int>(set) - static_cast<int>(AttributeType::kSS));
}

}  // namespace hashrange
