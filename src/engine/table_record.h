// Table records: a version of a table as bytes, for a server that keeps its data. The record has
// everything of the version that a request can see, with what the table becomes when its phase
// ends. It has neither what is only in memory (the number, the items, ids of indexes, lagging
// reads) nor the tags, which change without a new version and have a record of their own.
// Pure functions; any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/table_version.h"

namespace hashrange {

std::string EncodeTable(const TableVersion& table);

// Returns a version without storage, stream storage and expiries. Its stream, and the stream of
// each following version, is named by StreamSpecification::id. All versions share one empty set of
// tags. Errors: InternalServerError  the bytes are no record of a table, or of a table that cannot
// be,
//         such as one with a key without attributes
Result<std::unique_ptr<TableVersion>> DecodeTable(std::string_view bytes);

std::string EncodeTags(std::span<const Tag> tags);
// Errors: InternalServerError  the bytes are no record of tags, or of too many
Result<std::vector<Tag>> DecodeTags(std::string_view bytes);

}  // namespace hashrange
