// The reading half of statements: a SELECT as the look-up of one item, a Query or a Scan, and the
// rows it answers with (docs/service/11-partiql.md, section 4).
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "operation/context.h"
#include "operation/parameter/consumed_capacity.h"
#include "operation/statement/prepared_statement.h"
#include "value/item.h"
#include "wire/json_writer.h"

namespace hashrange {

struct SelectRequest {
  std::string_view text;
  std::span<const ValueView> parameters;
  std::int64_t limit = 0;
  bool consistent = false;
  std::optional<std::string_view> next_token;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

// Runs it and writes the whole answer: Items, NextToken, LastEvaluatedKey, ConsumedCapacity.
// Errors: ValidationException  docs/service/11-partiql.md, section 4; what the gate says
Status AnswerSelect(Context& context, const SelectRequest& request, const LocatedStatement& located,
                    JsonWriter& answer);

// The columns of an item: an attribute for each path that has a value, named by its last name.
void WriteRow(ItemView item, const partiql::BoundStatement& bound, JsonWriter& writer);

}  // namespace hashrange
