// The entities of a lab file and their attributes, by their numbers. Pure functions; any thread.
#pragma once

#include <cstddef>

#include "lab/language/lab_file.h"

namespace hashrange {

inline const LabEntity& EntityAt(const LabFile& file, int entity) {
  return file.entities[static_cast<std::size_t>(entity)];
}

inline const LabAttribute& LabAttributeAt(const LabFile& file, LabAttributeRef ref) {
  return EntityAt(file, ref.entity).attributes[static_cast<std::size_t>(ref.attribute)];
}

// Returns whether `ancestor` is the entity itself, its parent, the parent's parent, …
inline bool IsAncestorOrSelf(const LabFile& file, int ancestor, int entity) {
  while (entity != kLabNone && entity != ancestor) entity = EntityAt(file, entity).parent;
  return entity != kLabNone;
}

}  // namespace hashrange
