// The fields of key schemas and indexes in stored records (base/record_fields.h), and the check of
// those that were read. Pure functions; any thread.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/record_fields.h"
#include "value/schema.h"

namespace hashrange {

template <typename Fields>
void VisitFields(Fields& fields, KeyPart& part) {
  fields.Field(1, part.name);
  fields.Enum(2, part.type, AttributeType::kM);
}

template <typename Fields>
void VisitFields(Fields& fields, KeySchema& key) {
  fields.Field(1, key.hash);
  fields.Field(2, key.range);
}

template <typename Fields>
void VisitFields(Fields& fields, VectorSchema& vector) {
  fields.Field(1, vector.attribute);
  fields.Field(2, vector.dimensions);
  fields.Enum(3, vector.function, DistanceFunction::kDotProduct);
  fields.Field(4, vector.filters);
  fields.Field(5, vector.hash_place);
}

template <typename Fields>
void VisitFields(Fields& fields, IndexSchema& index) {
  fields.Field(1, index.name);
  fields.Field(2, index.is_local);
  fields.Field(3, index.key);
  fields.Enum(4, index.projection, ProjectionType::kInclude);
  fields.Field(5, index.non_key_attributes);
  fields.Field(6, index.vector);
}

// Returns whether the key has at least one HASH part, no more than `most_hash` and `most_range`
// parts, and each part has a name and a type that a key may have.
inline bool IsUsableKey(const KeySchema& key, std::size_t most_hash, std::size_t most_range) {
  const auto is_usable = [](const KeyPart& part) {
    return !part.name.empty() && IsScalarKey(part.type);
  };
  return !key.hash.empty() && key.hash.size() <= most_hash && key.range.size() <= most_range &&
         std::ranges::all_of(key.hash, is_usable) && std::ranges::all_of(key.range, is_usable);
}
inline bool IsUsableTableKey(const KeySchema& key) { return IsUsableKey(key, 1, 1); }

}  // namespace hashrange
