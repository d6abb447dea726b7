// Start keys: ExclusiveStartKey → the position after which a read continues, and the last
// item read → LastEvaluatedKey (docs/service/06-query-and-scan.md, section 5).
#pragma once

#include <optional>
#include <span>

#include "base/result.h"
#include "engine/table_version.h"
#include "operation/context.h"
#include "operation/read/key_interval.h"
#include "value/item.h"
#include "wire/json_writer.h"

namespace hashrange {

// Returns the attributes of an ExclusiveStartKey, not yet checked against a table; nullopt when the
// request has none.
// Errors: ValidationException  docs/service/02-types-and-sizes.md, section 2
Result<std::optional<std::span<const Attribute>>> ReadStartKey(const RequestObject& request,
                                                               const Context& context);

// Checks the number of members of the start key.
// Errors: ValidationException "The provided starting key is invalid…"
Status CheckStartKeyCount(const TableVersion& table, const IndexVersion* index,
                          std::span<const Attribute> start, bool is_scan);
// Checks one key element of the index, or of the table when `index` is null.
// Errors: ValidationException
Status CheckStartKeyElement(const IndexVersion* index, const KeyPart& part,
                            std::span<const Attribute> start);
// Checks the table's key elements.
// Errors: ValidationException
Status CheckStartKeyOfTable(const TableVersion& table, const IndexVersion* index,
                            std::span<const Attribute> start, bool is_scan);

// Returns the position of a (checked) start key.
Position StartPosition(const TableVersion& table, const IndexVersion* index,
                       std::span<const Attribute> start, Arena& arena);

// Checks that a Query's start key is in the interval that the conditions on `key` select.
// Errors: ValidationException
Status CheckStartBoundaries(const KeySchema& key, const KeyInterval& query, const Position& start,
                            Arena& arena);

// Returns the part of the interval behind the start, in the direction of the read.
Interval IntervalAfterStart(const Interval& interval, const Position& start, bool forward,
                            Arena& arena);

// Writes the member LastEvaluatedKey: the key attributes of the table and of the index.
void WriteLastEvaluatedKey(ItemView last, const IndexVersion* index, JsonWriter& writer);

}  // namespace hashrange
