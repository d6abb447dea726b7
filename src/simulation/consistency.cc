#include "simulation/consistency.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "base/stable_sort.h"
#include "base/threads.h"
#include "engine/engine.h"
#include "engine/table_life_cycle.h"
#include "operation/read/read_lag.h"
#include "simulation/delayed_copy.h"

namespace hashrange {
namespace {

// Says how far behind the eventually consistent reads of one table are. The versions of the table
// own it (TableSettings::lag).
//
//   reads of a global index                see the table's past of `index_lag` ago
//   other reads, if eventually consistent  see the table's past of `stale_reads` ago
//
// The other reads are reads of the table itself and of its local indexes. A read of these that asks
// for consistency does not lag.
// Each of the two has a past of its own (delayed_copy.h), with delays of its own.
// Thread-safe, but the caller makes one call of Set at a time.
class TableLag : public ReadLag {
 public:
  // A new lag belongs to no table. The first function that is called with a version of a table (Of,
  // PastOf) makes the lag belong to that table. The engine outlives the lag.
  explicit TableLag(Engine& engine) : engine_(engine), indexes_(engine), items_(engine) {}

  // Returns the lag of the version's table; null where the table has no lag, or where the version
  // is a copy and its lag belongs to the table that it was copied from.
  static TableLag* Of(const TableVersion& version);

  void Set(const LagSettings& settings);
  bool is_on() const { return index_lag().is_on() || stale_reads().is_on(); }
  DelayRange index_lag() const { return indexes_.delays(); }
  DelayRange stale_reads() const { return items_.delays(); }
  std::uint64_t seed() const;
  // The number of changes that reads do not see yet.
  std::size_t waiting_for_indexes() const { return indexes_.waiting(); }
  std::size_t waiting_for_items() const { return items_.waiting(); }

  // Queues a change of the table. It is called from inside the commit that makes the change.
  void Append(const Change& change);

  TableRef PastOf(const TableVersion& table, const IndexVersion* index) override;
  std::shared_ptr<ReadLag> CopyWithoutPast() const override;

 private:
  bool BelongsTo(const TableVersion& version);

  Engine& engine_;
  mutable Mutex mutex_;  // guards what follows, up to the empty line
  std::weak_ptr<Table> table_;
  bool has_table_ = false;
  std::uint64_t seed_ = 0;

  DelayedCopy indexes_;  // what reads of global indexes see
  DelayedCopy items_;    // what the other lagging reads see
};

TableLag* TableLag::Of(const TableVersion& version) {
  auto* const lag = static_cast<TableLag*>(version.settings.lag.get());
  return lag && lag->BelongsTo(version) ? lag : nullptr;
}

bool TableLag::BelongsTo(const TableVersion& version) {
  MutexLock lock(mutex_);
  if (!has_table_) table_ = version.table;
  has_table_ = true;
  return !table_.owner_before(version.table) && !version.table.owner_before(table_);
}

std::uint64_t TableLag::seed() const {
  MutexLock lock(mutex_);
  return seed_;
}

void TableLag::Set(const LagSettings& settings) {
  if (settings.seed) {
    {
      MutexLock lock(mutex_);
      seed_ = *settings.seed;
    }
    indexes_.Seed(*settings.seed);
    items_.Seed(*settings.seed);
  }
  if (settings.index_lag) indexes_.SetDelays(*settings.index_lag);
  if (settings.stale_reads) items_.SetDelays(*settings.stale_reads);
}

void TableLag::Append(const Change& change) {
  indexes_.Append(change);
  items_.Append(change);
}

TableRef TableLag::PastOf(const TableVersion& table, const IndexVersion* index) {
  if (!BelongsTo(table)) return nullptr;
  // A local index is as old as its table's items; the entries of other indexes come later.
  const bool lags_alone = index && !index->schema.is_local;
  return (lags_alone ? indexes_ : items_).Advance(table);
}

std::shared_ptr<ReadLag> TableLag::CopyWithoutPast() const {
  auto lag = std::make_shared<TableLag>(engine_);
  lag->Set({index_lag(), stale_reads(), seed()});
  return lag;
}

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
  StableSort(tables, {}, [](const LaggingTable& lagging) {
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
