// Table look-up: the name or ARN of a request → the table's published version. Any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "operation/call/context.h"

namespace hashrange {

// Returns the name in "arn:aws:dynamodb:<region>:<account>:table/<name>". Any other text is
// returned unchanged.
std::string_view TableNameOf(std::string_view name_or_arn);

// Checks that an ARN names the Region of the request. A name passes.
// Errors: ValidationException "1 validation error detected: Invalid AWS region in '<arn>'"
Status CheckArn(const Context& context, std::string_view name_or_arn);

// Returns the table for an operation on items.
// Errors: ResourceNotFoundException "Requested resource not found"  the table does not exist, or is
//         being created or deleted
//         ValidationException  an ARN of another Region
Result<TableRef> FindTable(const Context& context, std::string_view name_or_arn);

// The tables that one call has found. A table that the call names several times is not looked up
// again once it was found, so that all parts of the call see one version of the table. Each call
// has its own object; not thread-safe.
class TablesOfCall {
 public:
  explicit TablesOfCall(const Context& context) : context_(context) {}

  // Returns the version that this call found before, if any; otherwise what FindTable returns.
  // Errors: as FindTable.
  Result<TableRef> Find(std::string_view name_or_arn);

 private:
  const Context& context_;
  std::vector<TableRef> found_;
};

// Calls `find(TablesOfCall&)`, a function that looks up several tables, and returns its result. All
// the tables existed together at one instant: if tables were exchanged for others meanwhile
// (Catalog::Exchange), `find` is called again with an empty TablesOfCall.
template <typename Find>
auto FindTogether(const Context& context, Find&& find) {
  const Catalog& catalog = context.engine.catalog();
  for (;;) {
    const std::uint64_t before = catalog.exchanges();
    TablesOfCall tables(context);
    auto found = find(tables);
    if (catalog.exchanges() == before) return found;
  }
}

// Returns the table for an operation on tables, such as DescribeTable; it may have any status.
// Errors: ResourceNotFoundException "Requested resource not found: Table: <T> not found"
//         ValidationException  an ARN of another Region
Result<TableRef> FindTableToManage(const Context& context, std::string_view name_or_arn);

}  // namespace hashrange
