#include "operation/table/table_lookup.h"

#include <chrono>
#include <functional>
#include <string>

#include "base/log.h"
#include "operation/call/error_texts.h"
#include "operation/table/table_transitions.h"

namespace hashrange {
namespace {

constexpr std::string_view kArnPrefix = "arn:aws:dynamodb:";

// Logs which other accounts and Regions have a table of this name. Usually a table that was just
// created is not found because the call has other credentials; the log shows this to whoever runs
// the server.
void LogAccountsWithTable(const Context& context, std::string_view table) {
  std::string line;
  for (const std::string& account : context.engine.catalog().AccountsWith(table, 3)) {
    line.append(line.empty() ? "" : ", ").append(account);
  }
  if (line.empty()) return;
  line = Concatenated({"table ", table, " not found for ", context.account.account_id, "/",
                       context.account.region, "; a table of that name exists under ", line});
  static RepeatLimit limit;  // one for the process, like the log
  const auto now = std::chrono::steady_clock::now();
  if (limit.Admits(std::hash<std::string>()(line), now)) Log(LogLevel::kWarning, line);
}

}  // namespace

std::string_view TableNameOf(std::string_view name_or_arn) {
  if (!name_or_arn.starts_with(kArnPrefix)) return name_or_arn;
  constexpr std::string_view kTable = ":table/";
  const std::size_t at = name_or_arn.find(kTable);
  return at == std::string_view::npos ? name_or_arn : name_or_arn.substr(at + kTable.size());
}

Status CheckArn(const Context& context, std::string_view name_or_arn) {
  if (!name_or_arn.starts_with(kArnPrefix)) return {};
  const std::string_view rest = name_or_arn.substr(kArnPrefix.size());
  if (rest.substr(0, rest.find(':')) == context.region) return {};
  return ValidationError(
      Concatenated({"1 validation error detected: Invalid AWS region in '", name_or_arn, "'"}));
}

Result<TableRef> FindTable(const Context& context, std::string_view name_or_arn) {
  HR_RETURN_IF_ERROR(CheckArn(context, name_or_arn));
  const std::string_view name = TableNameOf(name_or_arn);
  TableRef table = FindSettled(context, name);
  const bool usable = table && table->status() != ResourceStatus::kCreating &&
                      table->status() != ResourceStatus::kDeleting;
  if (usable) return table;
  if (!table) LogAccountsWithTable(context, name);
  return ResourceNotFound();
}

Result<TableRef> TablesOfCall::Find(std::string_view name_or_arn) {
  HR_RETURN_IF_ERROR(CheckArn(context_, name_or_arn));
  const std::string_view name = TableNameOf(name_or_arn);
  for (const TableRef& table : found_) {
    if (table->name == name) return table;
  }
  HR_ASSIGN(TableRef table, FindTable(context_, name_or_arn));
  found_.push_back(table);
  return table;
}

Result<TableRef> FindTableToManage(const Context& context, std::string_view name_or_arn) {
  HR_RETURN_IF_ERROR(CheckArn(context, name_or_arn));
  const std::string_view name = TableNameOf(name_or_arn);
  if (TableRef table = FindSettled(context, name)) return table;
  LogAccountsWithTable(context, name);
  return ResourceNotFound(Concatenated({"Table: ", name, " not found"}));
}

}  // namespace hashrange
