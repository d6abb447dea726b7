// Select: which attributes a Query or Scan answers with (docs/service/06-query-and-scan.md,
// section 4).
#pragma once

#include "base/result.h"
#include "engine/table_version.h"
#include "expression/expression.h"
#include "operation/context.h"
#include "operation/parameter/expression_parameters.h"

namespace hashrange {

enum class Select { kAllAttributes, kAllProjectedAttributes, kCount, kSpecificAttributes };

// What the request asks for, or its default.
// Errors: ValidationException  Select and a projection that contradict each other, bare as a
//         Scan's are; a Query's have the envelope
Result<Select> ReadSelect(const RequestObject& request);

// ALL_ATTRIBUTES of a global index needs the projection ALL.
// Errors: ValidationException, bare as well
Status CheckSelectOfIndex(Select select, const IndexVersion* index);

// The projection names attributes that a global index does not have.
// Errors: ValidationException "… Global secondary index <idx> does not project [<a>]"
Status CheckProjectionOfIndex(const TableVersion& table, const IndexVersion* index,
                              const Projection& projection);
// A Query's filter names attributes that the index, global or local, does not have; a
// Scan's is evaluated on what the index has.
// Errors: ValidationException "… Secondary index <idx> does not project one or more filter
//         attributes: [<a>]"
Status CheckFilterOfIndex(const TableVersion& table, const IndexVersion* index,
                          const Condition& filter);

}  // namespace hashrange
