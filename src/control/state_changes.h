// State changes: what becomes of many tables at once. Each is of one instant for every request
// and costs O(partitions), whatever the tables hold (table_exchange.h). Any thread, also beside
// requests and each other.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/result.h"
#include "control/table_exchange.h"
#include "engine/catalog.h"

namespace hashrange {

// All return how many tables there are afterwards that were not there before, or, with Reset, how
// many are gone. The idempotency tokens of what is replaced are forgotten.
// Errors: ResourceInUseException  the tables were changed by others, over and over

// The tables of the scope are gone.
Result<std::size_t> Reset(const TableKeepers& keepers, const Scope& scope);

// The tables of the scope are empty: defined as they are, with streams of their own. One that
// is being deleted is left alone.
Result<std::size_t> Truncate(const TableKeepers& keepers, const Scope& scope);

// `tables` in the place of all of the scope, as tables of `account_id` or, if that is empty, of
// the accounts they were pinned in. One that was being deleted is left out.
Result<std::size_t> Replace(const TableKeepers& keepers, const Scope& scope,
                            std::span<const TablePin> tables, std::string_view account_id = {});

}  // namespace hashrange
