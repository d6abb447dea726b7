#include "simulation/consistency.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "engine/table_life_cycle.h"

namespace hashrange {
namespace {

// Returns the table with that lag, both as it is and as it becomes when its transition is over.
std::unique_ptr<TableVersion> WithLag(const TableVersion& table,
                                      const std::shared_ptr<ReadLag>& lag) {
  auto next = std::make_unique<TableVersion>(table);
  EditWithNextPhase(next.get(), [&lag](TableVersion* each) { each->settings.lag = lag; });
  return next;
}

// Turns every lag off.
constexpr LagSettings kNoLag{DelayRange{}, DelayRange{}, std::nullopt};

}  // namespace

bool Consistency::Set(AccountName account, std::string_view table, const LagSettings& settings) {
  Catalog& catalog = engine_.catalog();
  for (;;) {
    const TableRef current = catalog.Find(account, table);
    if (!current) return false;
    TableLag* const existing = TableLag::Of(*current);
    std::shared_ptr<TableLag> lag;
    if (existing) {
      existing->Set(settings);
      if (existing->is_on()) return true;
    } else {
      lag = std::make_shared<TableLag>(engine_);
      lag->Set(settings);
      if (!lag->is_on()) lag = nullptr;
      if (!lag && !current->settings.lag) return true;
    }
    if (catalog.Publish(current, WithLag(*current, lag))) return true;
  }
}

std::size_t Consistency::Clear(const Scope& scope) {
  std::size_t count = 0;
  for (const LaggingTable& lagging : Tables(scope)) {
    const TableVersion& table = *lagging.table;
    count += Set({table.account_id, table.region}, table.name, kNoLag);
  }
  return count;
}

std::vector<LaggingTable> Consistency::Tables(const Scope& scope) const {
  std::vector<LaggingTable> tables;
  for (TableRef& table : engine_.catalog().TablesOf(scope)) {
    const TableLag* const lag = TableLag::Of(*table);
    if (!lag || !lag->is_on()) continue;
    tables.push_back({std::move(table), lag->index_lag(), lag->stale_reads(), lag->seed(),
                      lag->waiting_for_indexes(), lag->waiting_for_items()});
  }
  std::ranges::sort(tables, {}, [](const LaggingTable& lagging) {
    const TableVersion& table = *lagging.table;
    return std::tie(table.account_id, table.region, table.name);
  });
  return tables;
}

void Consistency::OnCommit(std::span<const Change> changes, const TokenRef& /*token*/) noexcept {
  for (const Change& change : changes) {
    if (change.is_none()) continue;
    if (TableLag* const lag = TableLag::Of(*change.table)) lag->Append(change);
  }
}

}  // namespace hashrange
