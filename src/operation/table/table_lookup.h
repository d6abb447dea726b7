// Table look-up: the name or ARN of a request → the table's published version.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

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

// For DescribeTable and its like, in any state.
// Errors: ResourceNotFoundException "Requested resource not found: Table: <T> not found"
Result<TableRef> FindTableToManage(const Context& context, std::string_view name_or_arn);

}  // namespace hashrange
