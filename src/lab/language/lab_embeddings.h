// Where a layout stores an entity: in items of its own, or inside of the items of its parent. Pure
// functions; any thread.
//
//   Line: {embed: Order.lines}   host of Line: Order; host of what is embedded in Line: Order
#pragma once

#include "lab/language/lab_file.h"

namespace hashrange {

// Returns the embedding of an entity in its parent; null when there is none.
const LabEmbedding* EmbeddingOf(const LabLayout& layout, int entity);

// Returns the entity whose items the entity is inside of, by as many embeddings as there are; the
// entity itself where it is not embedded.
int HostOf(const LabLayout& layout, int entity);

// Returns whether the layout stores the entity: its host has items.
bool IsStored(const LabLayout& layout, int entity);

}  // namespace hashrange
