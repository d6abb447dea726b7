#include "simulation/table_lag.h"

namespace hashrange {

TableLag* TableLag::Of(const TableVersion& version) {
  auto* const lag = static_cast<TableLag*>(version.settings.lag.get());
  if (!lag) return nullptr;
  const bool is_other = lag->table_.owner_before(version.table) || version.table.owner_before(lag->table_);
  return is_other ? nullptr : lag;
}

void TableLag::Set(const LagSettings& settings) {
  if (settings.seed) {
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
  if (Of(table) != this) return nullptr;
  const bool is_global = index && !index->schema.is_local;
  return (is_global ? indexes_ : items_).Advance(table);
}

}  // namespace hashrange
