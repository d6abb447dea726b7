// A row of a SELECT: the columns of one item, as an answer has them. Pure functions; any thread.
#pragma once

#include <cstddef>

#include "expression/partiql/bound_statement.h"
#include "value/item.h"
#include "wire/json_writer.h"

namespace hashrange {

// Writes the columns of an item: the whole item for SELECT *, otherwise an attribute for each path
// that has a value. The attribute gets the last name of the path with the indices behind that name
// (a.b[1]: "b[1]"); of several paths that give the same name, only the last is written.
void WriteRow(ItemView item, const partiql::BoundStatement& bound, JsonWriter& writer);
// Returns the size of the attributes that WriteRow writes.
std::size_t RowSizeBytes(ItemView item, const partiql::BoundStatement& bound);

// Returns the columns of a SELECT as a projection that has only its paths.
Projection ColumnsOf(const partiql::BoundStatement& bound);

}  // namespace hashrange
