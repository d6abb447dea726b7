// ArrangeEntities completes the entities of a model: which attribute identifies an entity, and
// which entity is the parent of which. Both follow from the templates of keys:
//
//   User   PK "USER#{user_id}"   SK "PROFILE"              identified by user_id
//   Order  PK "USER#{user_id}"   SK "ORDER#{order_id}"     of User, identified by order_id
//   Item   PK "ORDER#{order_id}" SK "ITEM#{sku}"           of Order, identified by sku
//
// Used by one thread.
#pragma once

#include <string_view>

#include "lab/import/imported_model.h"

namespace hashrange {

// Gives all entities and attributes names that lab files allow, each once, and adds the attributes
// that only keys have. Entities without a key are left out. Then finds identities and parents;
// where a partition key has an identity that no entity has, an entity is made that has no item.
// What is changed or left out is remarked.
void ArrangeEntities(ImportedModel& model);

// Returns the entity of that name; null when there is none.
ImportedEntity* FindImportedEntity(ImportedModel& model, std::string_view name);
const ImportedEntity* FindImportedEntity(const ImportedModel& model, std::string_view name);
const ImportedTable* FindImportedTable(const ImportedModel& model, std::string_view name);
const ImportedAttribute* FindImportedAttribute(const ImportedEntity& entity, std::string_view name);

// Returns whether a caller may name the attribute of the entity: it is its own, or the identity of
// an ancestor.
bool IsKnownOf(const ImportedModel& model, const ImportedEntity& entity, std::string_view name);

// Returns the templates of the partition key and of the sort key of the table, or of the index;
// empty where the entity has none.
struct ImportedKeyPair {
  ImportedTemplate partition = {};
  ImportedTemplate sort = {};
};
ImportedKeyPair KeyPairOf(const ImportedModel& model, const ImportedEntity& entity,
                          std::string_view index);

// Returns the placeholders of both templates, each once.
std::vector<std::string> PlaceholdersOf(const ImportedKeyPair& keys);

}  // namespace hashrange
