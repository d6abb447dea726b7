#include "engine/table_version.h"

#include <utility>

namespace hashrange {

ResourcePolicy::ResourcePolicy(std::string text, std::string revision_id)
    : text_(std::move(text)),
      revision_id_(std::move(revision_id)),
      counted_bytes_(static_cast<std::int64_t>(sizeof(*this) + text_.capacity())) {
  CountMemory(MemoryPart::kTables, counted_bytes_);
}

ResourcePolicy::~ResourcePolicy() { CountMemory(MemoryPart::kTables, -counted_bytes_); }

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

IndexVersion* TableVersion::FindIndex(std::string_view index_name) {
  return const_cast<IndexVersion*>(std::as_const(*this).FindIndex(index_name));
}

}  // namespace hashrange
