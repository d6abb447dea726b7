// Table look-up: the name or ARN of a request → the table's published version. Any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "operation/context.h"

namespace hashrange {

// Returns the name in "arn:aws:dynamodb:<region>:<account>:table/<name>", or a text that is not an
// ARN unchanged.
std::string_view TableNameOf(std::string_view name_or_arn);

// Checks that an ARN names the Region of the request. A name passes.
// Errors: ValidationException "Invalid AWS region in '<arn>'", enveloped
Status CheckArn(const Context& context, std::string_view name_or_arn);

// Returns the table for an operation on items.
// Errors: ResourceNotFoundException "Requested resource not found"  the table does not exist, or is
//         being created or deleted
//         ValidationException  an ARN of another Region
Result<TableRef> FindTable(const Context& context, std::string_view name_or_arn);

// What `find` gives, which looks up several tables: all of them were there together at one
// instant, none before it was taken out with others and another after (Catalog::Exchange).
template <typename Find>
auto FindTogether(const Context& context, Find&& find) {
  const Catalog& catalog = context.engine.catalog();
  for (;;) {
    const std::uint64_t before = catalog.exchanges();
    auto found = find();
    if (catalog.exchanges() == before) return found;
  }
}

// Returns the table for an operation on tables, such as DescribeTable; it may have any status.
// Errors: ResourceNotFoundException "Requested resource not found: Table: <T> not found"
//         ValidationException  an ARN of another Region
Result<TableRef> FindTableToManage(const Context& context, std::string_view name_or_arn);

}  // namespace hashrange
