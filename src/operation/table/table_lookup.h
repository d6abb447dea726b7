// Table look-up: the name or ARN of a request → the table's published version. Any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

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

// The tables that one call names several times. Each is looked up once, so that all parts of the
// call see one version of it. One call, one thread.
class TablesOfCall {
 public:
  explicit TablesOfCall(const Context& context) : context_(context) {}

  // Returns what FindTable returned when the table was first asked for. Errors: as FindTable.
  Result<TableRef> Find(std::string_view name_or_arn);

 private:
  const Context& context_;
  std::vector<TableRef> found_;
};

// Returns what `find(TablesOfCall&)` returns, which looks up several tables. All of these exist
// together at one instant: if tables were exchanged for others meanwhile (Catalog::Exchange),
// `find` is called again with nothing found yet.
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
