// Copies the definition of a table for a table that replaces it, or for the same table in another
// account: everything that CreateTable could set, and the version that the table is about to
// become. Pure functions, apart from random table ids; any thread.
#pragma once

#include <memory>
#include <string_view>

#include "engine/table_version.h"

namespace hashrange {

// Returns a copy of `version` for the account: with the same keys, indexes, settings and creation
// date, and with ARNs of that account. The copy, and the version it becomes, have a table id, tags,
// a set of expiring items and a lag of reads of their own. If it has a stream, the stream is not
// created yet. The content is not copied: an index that was being filled has to be filled from the
// beginning.
std::unique_ptr<TableVersion> CopyDefinition(const TableVersion& version,
                                             std::string_view account_id);

// Returns the Region in a table's ARN, which is the Region of the request that created the table.
std::string_view RegionInArn(std::string_view arn);

}  // namespace hashrange
