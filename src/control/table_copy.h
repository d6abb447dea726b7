// Functions that copy the definition of a table: its keys, indexes, settings and tags, without its
// content. A snapshot keeps the copy, or the copy becomes a table: one that replaces the original,
// or the same table in another account. While a table is in a transition, its definition includes
// the versions that follow (TablePhase::next). Pure, apart from random table ids; any thread.
#pragma once

#include <memory>
#include <string_view>

#include "engine/table_version.h"

namespace hashrange {

// Returns a copy of `version` for the account: with the same keys, indexes, settings and creation
// date, and with ARNs of that account. The copy and the versions that follow it share a table
// id, tags, a set of expiring items and a ReadLag, which are new. If the copy has a stream, the
// stream is not created yet. The copy has no tail of changes. The copy for another account has no
// active destination. The content is not copied: an index that was being filled has to be filled
// from the beginning.
std::unique_ptr<TableVersion> CopyDefinition(const TableVersion& version,
                                             std::string_view account_id);

// Returns the Region in a table's ARN, which is the Region of the request that created the table.
std::string_view RegionInArn(std::string_view arn);

}  // namespace hashrange
