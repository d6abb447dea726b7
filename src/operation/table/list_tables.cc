// ListTables (docs/service/03-tables-and-indexes.md, section 6).
#include <string>
#include <vector>

#include "operation/call/operations.h"
#include "operation/table/table_transitions.h"

namespace hashrange {
namespace {

constexpr std::int64_t kDefaultTables = 100;

struct ListTablesRequest {
  std::optional<std::string_view> after;
  std::int64_t limit;
};

struct ListTablesOutcome {
  std::vector<std::string> names;
  bool has_more = false;
};

ListTablesRequest ReadListTablesRequest(const RequestObject& request) {
  return {request.String("ExclusiveStartTableName"),
          request.Integer("Limit").value_or(kDefaultTables)};
}

ListTablesOutcome RunListTables(Context& context, const ListTablesRequest& request) {
  const auto limit = static_cast<std::size_t>(request.limit);
  ListTablesOutcome outcome;
  do {
    // The list has one table more than asked for: LastEvaluatedTableName promises that this table
    // exists, so it is checked, too.
    outcome.names =
        context.engine.catalog().List(context.account, request.after, limit + 1, &outcome.has_more);
  } while (AnyIsDropped(context, outcome.names));
  outcome.has_more = outcome.names.size() > limit;
  if (outcome.has_more) outcome.names.pop_back();
  return outcome;
}

void WriteListTablesAnswer(const ListTablesOutcome& outcome, JsonWriter& answer) {
  answer.BeginObject();
  answer.BeginArray("TableNames");
  for (const std::string& name : outcome.names) answer.String(name);
  answer.EndArray();
  if (outcome.has_more) answer.StringMember("LastEvaluatedTableName", outcome.names.back());
  answer.EndObject();
}

}  // namespace

Status ListTables(Context& context, const RequestObject& json, JsonWriter& answer) {
  WriteListTablesAnswer(RunListTables(context, ReadListTablesRequest(json)), answer);
  return {};
}

}  // namespace hashrange
