#include "control/state_changes.h"

#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "control/table_copy.h"

namespace hashrange {
namespace {

// An attempt fails when another change happens meanwhile. Only a change of few tables is fast
// enough to do so, and it is unlikely that such changes let many attempts in a row fail.
constexpr int kMaxAttempts = 1000;

bool IsBeingDeleted(const TableVersion& table) {
  return table.status() == ResourceStatus::kDeleting;
}

// Calls `attempt` with the tables of the scope as they are now, until it succeeds. `attempt`
// returns a number of tables, or nullopt when another change was faster.
Result<std::size_t> TryRepeatedly(
    const TableKeepers& keepers, const Scope& scope,
    absl::FunctionRef<std::optional<std::size_t>(std::vector<TableRef>)> attempt) {
  Catalog& catalog = keepers.engine.catalog();
  for (int i = 0; i < kMaxAttempts; ++i) {
    if (const auto count = attempt(catalog.TablesOf(scope))) return *count;
  }
  return Error{ErrorCode::kResourceInUseException,
               "Nothing was changed: other calls kept creating, changing or deleting tables.",
               nullptr};
}

}  // namespace

Result<std::size_t> Reset(const TableKeepers& keepers, const Scope& scope) {
  const auto reset = [&](std::vector<TableRef> tables) -> std::optional<std::size_t> {
    const std::size_t count = tables.size();
    TableExchange exchange(keepers, Keeping::kDurable);
    return exchange.Run(std::move(tables), scope) ? std::optional(count) : std::nullopt;
  };
  return TryRepeatedly(keepers, scope, reset);
}

Result<std::size_t> Truncate(const TableKeepers& keepers, const Scope& scope) {
  const auto truncate = [&](std::vector<TableRef> tables) -> std::optional<std::size_t> {
    std::erase_if(tables, [](const TableRef& table) { return IsBeingDeleted(*table); });
    const std::size_t count = tables.size();
    TableExchange exchange(keepers);
    for (const TableRef& table : tables) {
      exchange.Add(CopyDefinition(*table, table->account_id), nullptr);
    }
    return exchange.Run(std::move(tables), scope) ? std::optional(count) : std::nullopt;
  };
  return TryRepeatedly(keepers, scope, truncate);
}

Result<std::size_t> Replace(const TableKeepers& keepers, const Scope& scope,
                            std::span<const TablePin> tables, std::string_view account_id,
                            Keeping keeping) {
  TableExchange exchange(keepers, keeping);
  std::size_t count = 0;
  for (const TablePin& pin : tables) {
    const TableVersion& version = *pin.version;
    if (IsBeingDeleted(version)) continue;
    exchange.Add(CopyDefinition(version, account_id.empty() ? version.account_id : account_id),
                 &pin);
    ++count;
  }
  const auto replace = [&](std::vector<TableRef> out) -> std::optional<std::size_t> {
    return exchange.Run(std::move(out), scope) ? std::optional(count) : std::nullopt;
  };
  return TryRepeatedly(keepers, scope, replace);
}

}  // namespace hashrange
