#include "engine/table_version.h"

namespace hashrange {

ResourceStatus IndexVersion::status() const {
  switch (phase) {
    case IndexPhase::kAllocating:
    case IndexPhase::kAllocatingFilled:
    case IndexPhase::kBackfilling:
    case IndexPhase::kBackfilled:
      return ResourceStatus::kCreating;
    case IndexPhase::kUpdating:
      return ResourceStatus::kUpdating;
    case IndexPhase::kDeleting:
    case IndexPhase::kDeletingUnfilled:
      return ResourceStatus::kDeleting;
    case IndexPhase::kActive:
      break;
  }
  return ResourceStatus::kActive;
}

const IndexVersion* TableVersion::FindIndex(std::string_view index_name) const {
  for (const IndexVersion& index : indexes) {
    if (index.schema.name == index_name) return &index;
  }
  return nullptr;
}

}  // namespace hashrange
