#include "engine/table_version.h"

namespace hashrange {

const IndexVersion* TableVersion::FindIndex(std::string_view index_name) const {
  for (const IndexVersion& index : indexes) {
    if (index.schema.name == index_name) return &index;
  }
  return nullptr;
}

}  // namespace hashrange
