// Legacy parameters: the members that requests had before there were expressions
// (docs/service/09-legacy-api.md). They are read and checked, then lowered to the forms that bound
// expressions have.
//
//   Expected, ConditionalOperator                  → Condition
//   AttributeUpdates                               → Update
//   QueryFilter, ScanFilter, ConditionalOperator   → Condition
//   KeyConditions                                  → clauses of a key condition
//
// Operators, actions and required members were checked when the request was bound.
// AttributesToGet is in read_projection.h.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "expression/expression.h"
#include "expression/legacy_lowering.h"
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
// Errors: ValidationException  as for a filter's entries; too few or too many conditions
Result<std::span<const KeyClause>> ReadKeyConditions(const RequestObject& request,
                                                     const Context& context);

}  // namespace hashrange
