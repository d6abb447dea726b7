// State changes replace many tables at once. For every request a change happens at one instant. It
// costs O(partitions), whatever the tables contain (table_exchange.h). Any thread, at the same time
// as requests and other changes.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "base/result.h"
#include "control/table_exchange.h"
#include "engine/catalog.h"

namespace hashrange {

// Truncate and Replace return the number of new tables, Reset the number of removed tables. All
// three forget the idempotency tokens of the scope's accounts and Regions; with a scope of one
// table, only the tokens of requests that used the table.
// Errors: ResourceInUseException  other calls changed the tables again and again meanwhile

// Removes the tables of the scope. An account of which no table is left is durable from then on.
Result<std::size_t> Reset(const TableKeepers& keepers, const Scope& scope);

// Replaces the tables of the scope by empty tables with the same definitions, with new streams. A
// table that is being deleted is not replaced.
Result<std::size_t> Truncate(const TableKeepers& keepers, const Scope& scope);

// Replaces all tables of the scope by `tables`, as tables of `account_id` or, if that is empty, of
// the accounts in which they were pinned. A table that was being deleted is left out. `keeping`
// says whether the new tables, and later ones of the scope's account, are durable.
Result<std::size_t> Replace(const TableKeepers& keepers, const Scope& scope,
                            std::span<const TablePin> tables, std::string_view account_id = {},
                            Keeping keeping = Keeping::kAsBefore);

}  // namespace hashrange
