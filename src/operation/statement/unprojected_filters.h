// Checks that a SELECT of an index does not filter by attributes that the index does not project
// (docs/service/11-partiql.md, section 4). Pure functions; any thread.
#pragma once

#include "base/arena.h"
#include "base/result.h"
#include "expression/partiql/key_plan.h"
#include "operation/statement/prepared_statement.h"

namespace hashrange {

// `located` has an index. Refuses a read that fixes the index's HASH attribute by = or IN when each
// of its branches filters by an attribute that the index does not project. For any other read such
// an attribute is missing in every item.
// Errors: ValidationException "… Secondary index <idx> does not project one or more filter
//         attributes: [<a>]", with the attributes of the branch that has the greatest HASH value
Status CheckFiltersAreProjected(const LocatedStatement& located, const partiql::ReadPlan& plan,
                                Arena& arena);

}  // namespace hashrange
