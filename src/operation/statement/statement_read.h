// The reading half of statements: a SELECT runs as the look-up of one item, as a Query or as a
// Scan, and answers with rows (docs/service/11-partiql.md, section 4). Any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "expression/partiql/bound_statement.h"
#include "operation/call/context.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/statement/prepared_statement.h"
#include "value/item.h"
#include "wire/json_writer.h"

namespace hashrange {

struct SelectRequest {
  std::string_view text;
  std::span<const ValueView> parameters;
  std::int64_t limit = 0;  // of the items read, before the filter; 0: no limit
  bool consistent = false;
  std::optional<std::string_view> next_token;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

// Runs the SELECT and writes the whole answer: Items, NextToken, LastEvaluatedKey,
// ConsumedCapacity.
// Errors: ValidationException  docs/service/11-partiql.md, section 4
//         any error of the gate
Status AnswerSelect(Context& context, const SelectRequest& request, const LocatedStatement& located,
                    JsonWriter& answer);

// Writes a row of a SELECT, the columns of an item: the whole item for SELECT *, otherwise an
// attribute for each path that has a value. The attribute gets the last name of the path with the
// indices behind that name (a.b[1]: "b[1]"); of several paths that give the same name, only the
// last is written.
void WriteRow(ItemView item, const partiql::BoundStatement& bound, JsonWriter& writer);
// Returns the size of the attributes that WriteRow writes.
std::size_t RowSizeBytes(ItemView item, const partiql::BoundStatement& bound);

// Returns the columns of a SELECT as a projection that has only its paths.
Projection ColumnsOf(const partiql::BoundStatement& bound);

}  // namespace hashrange
