// Select: which attributes a Query or Scan answers with (docs/service/06-query-and-scan.md,
// section 4).
#pragma once

#include "base/result.h"
#include "engine/table_version.h"
#include "expression/expression.h"
#include "operation/call/context.h"
#include "operation/parameter/expression_parameters.h"

namespace hashrange {

enum class Select { kAllAttributes, kAllProjectedAttributes, kCount, kSpecificAttributes };

// Returns the Select of the request, or its default.
// Errors: ValidationException  Select and a projection contradict each other. The error is bare, as
//         a Scan's is; a Query adds the envelope
Result<Select> ReadSelect(const RequestObject& request);

// The checks below pass when `index` is null: the request then reads the table itself.
//
// Checks that a global index which is asked for ALL_ATTRIBUTES has the projection ALL.
// Errors: ValidationException, without the envelope, also for a Query
Status CheckSelectOfIndex(Select select, const IndexVersion* index);

// Checks that the projection names no attribute that a global index does not have.
// Errors: ValidationException "… Global secondary index <idx> does not project [<a>]"
Status CheckProjectionOfIndex(const TableVersion& table, const IndexVersion* index,
                              const Projection& projection);
// Checks that a Query's filter names no attribute that the index, global or local, does not have.
// A Scan's filter is not checked: it is evaluated on the attributes that the index has.
// Errors: ValidationException "… Secondary index <idx> does not project one or more filter
//         attributes: [<a>]"
Status CheckFilterOfIndex(const TableVersion& table, const IndexVersion* index,
                          const Condition& filter);

}  // namespace hashrange
