#include "engine/backfill/backfill.h"

#include <utility>

#include "engine/table_life_cycle.h"

namespace hashrange {
namespace {

// Returns the index if it must be filled, else null.
const IndexVersion* FindFillingIndex(const TableVersion& table, const std::string& name) {
  const IndexVersion* index = table.FindIndex(name);
  return index && index->is_filling() ? index : nullptr;
}

}  // namespace

Backfill::Backfill(Engine& engine, IndexAddress address)
    : engine_(engine), address_(std::move(address)) {
  const TableRef table =
      engine_.catalog().Find({address_.account_id, address_.region}, address_.table);
  const IndexVersion* index = table ? FindFillingIndex(*table, address_.index) : nullptr;
  if (!index) return;
  table_id_ = table->table_id;
  index_id_ = index->id;
}

TableRef Backfill::FindFilling() const {
  TableRef table = engine_.catalog().Find({address_.account_id, address_.region}, address_.table);
  if (!table || table->table_id != table_id_) return nullptr;
  const IndexVersion* index = FindFillingIndex(*table, address_.index);
  return index && index->id == index_id_ ? table : nullptr;
}

bool Backfill::Step(std::size_t most) {
  TableRef table = FindFilling();
  if (!table) return true;
  ReadPage(*table, most);
  for (const ItemRef& item : page_) {
    if (!AddEntry(*item, &table)) return true;
  }
  if (page_.size() < most) {
    MarkFilled();
    return true;
  }
  next_hash_ = page_.back()->hash();
  next_key_.assign(page_.back()->key()).push_back('\0');  // the least key above the last item's
  return false;
}

void Backfill::ReadPage(const TableVersion& table, std::size_t most) {
  page_.clear();
  const Interval rest{{next_hash_, next_key_}, std::nullopt};
  RangeReader reader = engine_.Range(table, nullptr, rest, true);
  while (page_.size() < most) {
    const Item* item = reader.Next();
    if (!item) return;
    page_.push_back(ItemRef::Share(item));
  }
}

bool Backfill::AddEntry(const Item& item, TableRef* table) {
  const auto keep = [](ItemView) { return Decision::Keep(); };
  for (; *table; *table = FindFilling()) {
    arena_.Reset();
    WriteOutcome outcome;
    const ItemWrite write{{table->get(), {item.hash(), item.key()}}, keep};
    if (engine_.Commit({&write, 1}, {&outcome, 1}, arena_) == CommitResult::kCommitted) return true;
  }
  return false;
}

void Backfill::MarkFilled() {
  while (const TableRef table = FindFilling()) {
    if (engine_.catalog().Publish(table, VersionAfter(*table, IndexFill{index_id_}))) return;
  }
}

void FillIndex(Engine& engine, IndexAddress address) {
  constexpr std::size_t kBatch = 64;
  Backfill backfill(engine, std::move(address));
  while (!backfill.Step(kBatch)) {
  }
}

}  // namespace hashrange
