// Indexes that come to a table or go from it: what creating or deleting one means for the
// version the table is meanwhile and the one it becomes
// (docs/service/13-update-table-and-gsi-lifecycle.md, sections 5 and 6). Pure functions; any
// thread.
#pragma once

#include "engine/table_version.h"
#include "operation/table/table_definition.h"

namespace hashrange {

// An index as it is defined in a request; its table is on demand or not.
IndexVersion MakeIndexVersion(const IndexDefinition& definition,
                              const std::vector<KeyPart>& attributes, bool on_demand);

// Adds the index, defined by the request's `attributes`, to the table, and to its
// AttributeDefinitions those of its key that are new. `phase`: of the index.
void AddIndex(const IndexDefinition& definition, const std::vector<KeyPart>& attributes,
              IndexPhase phase, TableVersion* table);

// Takes the index away, and the AttributeDefinitions that no other key uses.
void RemoveIndex(std::string_view name, TableVersion* table);

// The index that is being created or deleted, of which there is one at most; or null.
const IndexVersion* FindOnlineIndex(const TableVersion& table);

}  // namespace hashrange
