// Legacy parameters: what requests said before there were expressions
// (docs/service/09-legacy-api.md), read and checked, then lowered to the same bound forms.
//
//   expected.cc           Expected, ConditionalOperator     → Condition
//   attribute_updates.cc  AttributeUpdates                  → Update
//   legacy_conditions.cc  QueryFilter, ScanFilter,
//                         ConditionalOperator               → Condition
//                         KeyConditions                     → clauses of a key condition
//
// Operators, actions and required members were checked when the request was bound.
// AttributesToGet is in read_projection.h.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "expression/expression.h"
#include "expression/legacy_condition.h"
#include "operation/context.h"

namespace hashrange {

// What a write expects of the stored item; always true when nothing is expected.
// Errors: ValidationException, enveloped by layer, entry by entry (section 4)
Result<Condition> ReadExpected(const RequestObject& request, const Context& context);

// No actions when the request has none.
// Errors: ValidationException, enveloped by layer, entry by entry: the value, then what
//         the action does not take (section 5)
Result<Update> ReadAttributeUpdates(const RequestObject& request, const Context& context);

// `member`: "QueryFilter" or "ScanFilter". An absent or an empty one is no filter.
// Errors: ValidationException  more than 300 entries; entry by entry the values, then their
//         count and types
Result<Condition> ReadLegacyFilter(const RequestObject& request, std::string_view member,
                                   const Context& context);

// No clauses when the request has no KeyConditions.
// Errors: ValidationException  as of a filter; too few or too many conditions
Result<std::span<const KeyClause>> ReadKeyConditions(const RequestObject& request,
                                                     const Context& context);

// How `conditions` conditions are joined.
// Errors: ValidationException "ConditionalOperator can only be used when …" (bare)
Result<ConditionalOperator> ReadConditionalOperator(const RequestObject& request,
                                                    std::size_t conditions);

// The values of one condition as they stand in the request: how many its operator takes,
// all of one type, and of one that it takes.
// Errors: ValidationException, bare (section 2)
Status CheckArguments(const ComparisonRow& comparison, std::span<const JsonValue> values);
// The bounds of a BETWEEN, once they are read.
// Errors: ValidationException, bare
Status CheckBetweenBounds(const LegacyCondition& condition);

}  // namespace hashrange
