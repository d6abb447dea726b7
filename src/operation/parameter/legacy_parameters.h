// Legacy parameters: the members that requests had before there were expressions
// (docs/service/09-legacy-api.md). They are read and checked, then lowered to the forms that bound
// expressions have.
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
#include "operation/call/context.h"

namespace hashrange {

// Returns the condition of Expected, which a write tests on the stored item. The condition is
// always true when the request has no Expected.
// Errors: ValidationException, enveloped by layer, entry by entry (section 4)
Result<Condition> ReadExpected(const RequestObject& request, const Context& context);

// Returns the update of AttributeUpdates; it has no actions when the request has no such member.
// Errors: ValidationException, enveloped by layer, entry by entry: the value, then the action with
//         this value (section 5)
Result<Update> ReadAttributeUpdates(const RequestObject& request, const Context& context);

// Returns the filter of `member`, "QueryFilter" or "ScanFilter"; it is always true when the member
// is absent or empty.
// Errors: ValidationException  a ConditionalOperator with fewer than two entries; more than 300
//         entries; entry by entry the values, then their count and types, then BETWEEN's bounds
Result<Condition> ReadLegacyFilter(const RequestObject& request, std::string_view member,
                                   const Context& context);

// Returns the clauses of KeyConditions; there are none when the request has no such member.
// Errors: ValidationException  those of a filter's entries; too few or too many conditions
Result<std::span<const KeyClause>> ReadKeyConditions(const RequestObject& request,
                                                     const Context& context);

// Returns how the conditions of a filter or of Expected are joined; AND when the request has no
// ConditionalOperator.
// Errors: ValidationException "ConditionalOperator can only be used when …" (bare): the request has
//         a ConditionalOperator and fewer than two conditions
Result<ConditionalOperator> ReadConditionalOperator(const RequestObject& request,
                                                    std::size_t condition_count);

// Checks the values of one condition, as sent: their number is one that the operator takes, they
// have one type, and the operator takes this type.
// Errors: ValidationException, bare (section 2)
Status CheckArguments(const ComparisonRow& comparison, std::span<const JsonValue> values);
// Checks that the lower bound of a BETWEEN is not above the upper bound.
// Errors: ValidationException, bare
Status CheckBetweenBounds(const LegacyCondition& condition);

}  // namespace hashrange
