#include "value/schema.h"

#include <algorithm>

#include "base/text/short_text.h"

namespace hashrange {

const KeyPart* KeySchema::Find(std::string_view name) const {
  for (const KeyPart& part : hash) {
    if (SameText(part.name, name)) return &part;
  }
  for (const KeyPart& part : range) {
    if (SameText(part.name, name)) return &part;
  }
  return nullptr;
}

bool IndexSchema::Projects(const KeySchema& table, std::string_view attribute) const {
  if (projection == ProjectionType::kAll) return true;
  if (key.Find(attribute) || table.Find(attribute)) return true;
  return projection == ProjectionType::kInclude &&
         std::find(non_key_attributes.begin(), non_key_attributes.end(), attribute) !=
             non_key_attributes.end();
}

}  // namespace hashrange
