#include "lab/language/lab_embeddings.h"

#include <algorithm>

namespace hashrange {

const LabEmbedding* EmbeddingOf(const LabLayout& layout, int entity) {
  const auto at = std::ranges::find(layout.embeddings, entity, &LabEmbedding::entity);
  return at == layout.embeddings.end() ? nullptr : &*at;
}

int HostOf(const LabLayout& layout, int entity) {
  while (const LabEmbedding* const embedding = EmbeddingOf(layout, entity)) {
    entity = embedding->parent;
  }
  return entity;
}

bool IsStored(const LabLayout& layout, int entity) {
  return std::ranges::find(layout.items, HostOf(layout, entity), &LabItem::entity) !=
         layout.items.end();
}

}  // namespace hashrange
