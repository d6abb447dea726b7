// The indexes in a version of a table. CreateTable makes them, and UpdateTable adds a global index
// to an existing table or removes one: an "online" index, in the service's words
// (docs/service/13-update-table-and-gsi-lifecycle.md, sections 5 and 6). A version that is changed
// here is not published yet. Pure functions; any thread.
#pragma once

#include "engine/table_version.h"
#include "operation/table/table_definition.h"

namespace hashrange {

// Returns the index that a request defines, with the types from its `attributes`. `on_demand`: the
// table's billing mode.
IndexVersion MakeIndexVersion(const IndexDefinition& definition,
                              const std::vector<KeyPart>& attributes, bool on_demand);

// Adds the index to the version, in the phase `phase`. The request's `attributes` define the types
// of the index key. Key attributes that the table's AttributeDefinitions lack are added to them.
void AddIndex(const IndexDefinition& definition, const std::vector<KeyPart>& attributes,
              IndexPhase phase, TableVersion* table);

// Removes the index from the version, and the AttributeDefinitions that no other key uses.
void RemoveIndex(std::string_view name, TableVersion* table);

// Returns the index that is being created or deleted, or null. A table has at most one.
const IndexVersion* FindOnlineIndex(const TableVersion& table);

}  // namespace hashrange
