// Entities that stand for ids which only the keys of others have: no item of theirs is stored. Used
// by one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/import/imported_model.h"

namespace hashrange {

// Returns the one of the attributes that most likely identifies: the last that is no time.
std::string IdentityAmong(const ImportedEntity& entity, const std::vector<std::string>& names);

// Adds an entity of the ids in the partition key of `described`. Returns its name.
std::string AddEntityOfPartitionKey(ImportedModel& model, const ImportedEntity& described);

// Where many items have the same few ids in their keys, adds an entity for those ids.
void AddEntitiesOfSharedIds(ImportedModel& model);

// Returns the entity with that identity, one without a parent first; null when there is none.
const ImportedEntity* EntityIdentifiedBy(const ImportedModel& model, std::string_view name);

}  // namespace hashrange
