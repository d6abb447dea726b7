// Indexes that UpdateTable creates or deletes: the changes to the table's version while this takes
// place, and to the version that follows (docs/service/13-update-table-and-gsi-lifecycle.md,
// sections 5 and 6). Pure functions; any thread.
#pragma once

#include "engine/table_version.h"
#include "operation/table/table_definition.h"

namespace hashrange {

// Returns the index that a request defines, with the types from its `attributes`. `on_demand`: the
// table's billing mode.
IndexVersion MakeIndexVersion(const IndexDefinition& definition,
                              const std::vector<KeyPart>& attributes, bool on_demand);

// Adds the index, defined by the request's `attributes`, to the table, and to its
// AttributeDefinitions those of its key that are new. `phase`: of the index.
void AddIndex(const IndexDefinition& definition, const std::vector<KeyPart>& attributes,
              IndexPhase phase, TableVersion* table);

// Removes the index, and the AttributeDefinitions that no other key uses.
void RemoveIndex(std::string_view name, TableVersion* table);

// Returns the index that is being created or deleted, or null. A table has at most one.
const IndexVersion* FindOnlineIndex(const TableVersion& table);

}  // namespace hashrange
