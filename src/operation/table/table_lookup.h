// Table look-up: the name or ARN of a request → the table's published version.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "operation/context.h"

namespace hashrange {

// The name in "arn:aws:dynamodb:<region>:<account>:table/<name>", or the text itself.
std::string_view TableNameOf(std::string_view name_or_arn);

// An ARN must name the region of the request; a name is never refused.
// Errors: ValidationException "Invalid AWS region in '<arn>'", enveloped
Status CheckArn(const Context& context, std::string_view name_or_arn);

// For the data plane.
// Errors: ResourceNotFoundException "Requested resource not found"  no such table, or one
//         that is being created or deleted
//         ValidationException  an ARN of another region
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

// For DescribeTable and its like, in any state.
// Errors: ResourceNotFoundException "Requested resource not found: Table: <T> not found"
Result<TableRef> FindTableToManage(const Context& context, std::string_view name_or_arn);

}  // namespace hashrange
