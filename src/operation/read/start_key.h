// Start keys: ExclusiveStartKey → the position after which a read continues, and the last
// item read → LastEvaluatedKey (docs/service/06-query-and-scan.md, section 5). A start key is
// checked in several steps because other checks are made between them (section 3 there). The
// messages of a Scan differ from the messages of a Query (`is_scan`). Called by the request's
// thread.
#pragma once

#include <optional>
#include <span>

#include "base/result.h"
#include "engine/table_version.h"
#include "operation/call/context.h"
#include "operation/read/key_interval.h"
#include "value/item.h"
#include "wire/json_writer.h"

namespace hashrange {

// Returns the attributes of an ExclusiveStartKey, not yet checked against a table; nullopt when the
// request has none.
// Errors: ValidationException  docs/service/02-types-and-sizes.md, section 2
Result<std::optional<std::span<const Attribute>>> ReadStartKey(const RequestObject& request,
                                                               const Context& context);

// Checks that the start key has as many members as the table and the index have key attributes.
// Errors: ValidationException "The provided starting key is invalid…"
Status CheckStartKeyCount(const TableVersion& table, const IndexVersion* index,
                          std::span<const Attribute> start, bool is_scan);
// Checks that the start key has the key attribute `part` of the index, or of the table when `index`
// is null, and that its type is right.
// Errors: ValidationException
Status CheckStartKeyElement(const IndexVersion* index, const KeyPart& part,
                            std::span<const Attribute> start);
// Checks that the start key has every key attribute of the table, each with a value of its type
// that is not empty and not too long.
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

// Returns the part of the interval that is still to be read: the positions above the start in a
// forward read, the positions below it in a backward read.
Interval IntervalAfterStart(const Interval& interval, const Position& start, bool forward,
                            Arena& arena);

// Writes the member LastEvaluatedKey: the key attributes of the table and of the index.
void WriteLastEvaluatedKey(ItemView last, const IndexVersion* index, JsonWriter& writer);

}  // namespace hashrange
