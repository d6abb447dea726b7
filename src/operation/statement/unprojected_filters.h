// What a SELECT of an index may not filter by (docs/service/11-partiql.md, section 4).
#pragma once

#include "base/arena.h"
#include "base/result.h"
#include "operation/statement/prepared_statement.h"
#include "partiql/key_plan.h"

namespace hashrange {

// A read that is keyed on the index's HASH attribute, by = or IN, may not ask for attributes that
// the index does not have in each of its branches; any other finds them missing.
// Errors: ValidationException "… Secondary index <idx> does not project one or more filter
//         attributes: [<a>]", those of the branch of the greatest key
Status CheckFiltersAreProjected(const LocatedStatement& located, const partiql::ReadPlan& plan,
                                Arena& arena);

}  // namespace hashrange
