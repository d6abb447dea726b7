#include "simulation/table_lag.h"

namespace hashrange {

TableLag* TableLag::Of(const TableVersion& version) {
  auto* const lag = static_cast<TableLag*>(version.settings.lag.get());
  return lag && lag->BelongsTo(version) ? lag : nullptr;
}

bool TableLag::BelongsTo(const TableVersion& version) {
  std::lock_guard lock(mutex_);
  if (!has_table_) table_ = version.table;
  has_table_ = true;
  return !table_.owner_before(version.table) && !version.table.owner_before(table_);
}

std::uint64_t TableLag::seed() const {
  std::lock_guard lock(mutex_);
  return seed_;
}

void TableLag::Set(const LagSettings& settings) {
  if (settings.seed) {
    {
      std::lock_guard lock(mutex_);
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
  const bool is_global = index && !index->schema.is_local;
  return (is_global ? indexes_ : items_).Advance(table);
}

std::shared_ptr<ReadLag> TableLag::CopyWithoutPast() const {
  auto lag = std::make_shared<TableLag>(engine_);
  lag->Set({index_lag(), stale_reads(), seed()});
  return lag;
}

}  // namespace hashrange
