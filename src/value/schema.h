// KeySchema and IndexSchema: which attributes are the key of a table or an index.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/short_text.h"
#include "value/attribute_value.h"

namespace hashrange {

// One key attribute and its declared type (S, N or B).
struct KeyPart {
  std::string name;
  AttributeType type = AttributeType::kS;
};

inline constexpr std::size_t kMaxTableKeyParts = 2;
// A global index has up to 4 HASH parts and 4 RANGE parts
// (docs/service/14-multi-attribute-keys.md, section 1).
inline constexpr std::size_t kMaxKeyParts = 8;

// The HASH parts, then the RANGE parts. A table and a local index have one HASH part and at most
// one RANGE part.
struct KeySchema {
  std::vector<KeyPart> hash;
  std::vector<KeyPart> range;

  // Returns the part of that name, or null.
  const KeyPart* Find(std::string_view name) const {
    for (const KeyPart& part : hash) {
      if (SameText(part.name, name)) return &part;
    }
    for (const KeyPart& part : range) {
      if (SameText(part.name, name)) return &part;
    }
    return nullptr;
  }
  std::size_t parts() const { return hash.size() + range.size(); }
  const KeyPart& part(std::size_t i) const {
    return i < hash.size() ? hash[i] : range[i - hash.size()];
  }
};

enum class ProjectionType { kAll, kKeysOnly, kInclude };

// How a search compares the vectors of an index with its own
// (docs/service/15-vector-search.md, section 7).
enum class DistanceFunction : std::uint8_t { kCosine, kEuclidean, kDotProduct };

struct IndexSchema {
  std::string name;
  bool is_local = false;
  KeySchema key;
  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> non_key_attributes;  // with kInclude: ascending, without repeats

  // Returns whether the entries of the index contain the attribute: a key attribute of the index
  // or of `table`, an included attribute, or any attribute with ALL.
  bool Projects(const KeySchema& table, std::string_view attribute) const {
    if (projection == ProjectionType::kAll) return true;
    if (key.Find(attribute) || table.Find(attribute)) return true;
    return projection == ProjectionType::kInclude &&
           std::find(non_key_attributes.begin(), non_key_attributes.end(), attribute) !=
               non_key_attributes.end();
  }
};

}  // namespace hashrange
