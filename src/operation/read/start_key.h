// Start keys: ExclusiveStartKey → the position after which a read goes on, and the last
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

// The values of an ExclusiveStartKey, before the table is known; none when it is absent.
// Errors: ValidationException  docs/service/02-types-and-sizes.md, section 2
Result<std::optional<std::span<const Attribute>>> ReadStartKey(const RequestObject& request,
                                                               const Context& context);

// The number of members.
// Errors: ValidationException "The provided starting key is invalid…"
Status CheckStartKeyCount(const TableVersion& table, const IndexVersion* index,
                          std::span<const Attribute> start, bool is_scan);
// One key element of what is read: of the index, or of the table where there is no index.
Status CheckStartKeyElement(const IndexVersion* index, const KeyPart& part,
                            std::span<const Attribute> start);
// The table's key elements.
Status CheckStartKeyOfTable(const TableVersion& table, const IndexVersion* index,
                            std::span<const Attribute> start, bool is_scan);

// The position of a (checked) start key.
Position StartPosition(const TableVersion& table, const IndexVersion* index,
                       std::span<const Attribute> start, Arena& arena);

// A Query's start key lies within what its conditions on `key` select.
Status CheckStartBoundaries(const KeySchema& key, const KeyInterval& query, const Position& start,
                            Arena& arena);

// What is left of the interval behind the start, in the direction of the read.
Interval IntervalAfterStart(const Interval& interval, const Position& start, bool forward,
                            Arena& arena);

// The member LastEvaluatedKey: the table's keys and the index's.
void WriteLastEvaluatedKey(ItemView last, const IndexVersion* index, JsonWriter& writer);

}  // namespace hashrange
