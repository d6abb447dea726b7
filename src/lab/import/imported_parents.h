// Which entity is the parent of which, as the keys of a model say it. Pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "lab/import/imported_model.h"

namespace hashrange {

// A parent, and the attributes of the child's keys that are attributes of the parent.
struct ImportedParent {
  std::string name = {};
  std::map<std::string, std::string> same = {};  // of the child → of the parent
};

// Returns whether several entities usually have an attribute of this name that means something else
// in each: "id".
bool IsGenericName(std::string_view name);

// Returns the entity in whose item collection the child's items lie, or whose whole key is a part
// of the child's key; of several, the one with the longest key. Only entities whose identity is
// known count.
std::optional<ImportedParent> ParentByKey(const ImportedModel& model, const ImportedEntity& child);

// Returns the entity whose children an index lists: the partition key of the index is made of the
// identity of that entity alone.
std::optional<ImportedParent> ParentByIndex(const ImportedModel& model,
                                            const ImportedEntity& child);

// Returns whether `entity` is `ancestor` or has it above.
bool IsBelow(const ImportedModel& model, std::string_view entity, std::string_view ancestor);

}  // namespace hashrange
