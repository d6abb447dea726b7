// The definition of a table for one that takes its place, or stands beside it under another
// account: what CreateTable would have to be asked for, and what the table is on its way to
// become. Pure but for random table ids; any thread.
#pragma once

#include <memory>
#include <string_view>

#include "engine/table_version.h"

namespace hashrange {

// `version` as the account's: the same keys, indexes, settings and creation date, ARNs of that
// account. Its own are the table id, the tags, the set of items that expire and the lag of its
// reads (in what it becomes, too). A stream it has is asked for, and not made yet. The content is
// not copied: an index that was being filled is to be filled from its beginning.
std::unique_ptr<TableVersion> CopyDefinition(const TableVersion& version,
                                             std::string_view account_id);

// The Region in a table's ARN, which is that of the request that made the table.
std::string_view RegionInArn(std::string_view arn);

}  // namespace hashrange
