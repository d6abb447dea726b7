#include "engine/catalog.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <functional>
#include <set>
#include <utility>

#include "base/memory/memory_reserve.h"
#include "base/stable_sort.h"
#include "base/threads.h"
#include "engine/catalog_observer.h"
#include "engine/change_log.h"
#include "engine/published_tables.h"
#include "engine/table.h"
#include "engine/table_life_cycle.h"

namespace hashrange {
namespace {

// Locks every partition of several tables, in lock order, as long as it lives.
class ExclusiveTables {
 public:
  explicit ExclusiveTables(std::span<const TableRef> tables) {
    std::vector<Table*> ordered;
    for (const TableRef& table : tables) ordered.push_back(table->table.get());
    StableSort(ordered, {}, &Table::id);
    for (Table* table : ordered) locked_.push_back(std::make_unique<Table::Exclusive>(*table));
  }
  ~ExclusiveTables() {
    while (!locked_.empty()) locked_.pop_back();
  }
  ExclusiveTables(const ExclusiveTables&) = delete;
  ExclusiveTables& operator=(const ExclusiveTables&) = delete;

  void MarkRemoved() {
    for (const auto& table : locked_) table->SetPublished(0);
  }

 private:
  std::vector<std::unique_ptr<Table::Exclusive>> locked_;
};

// Returns whether the version holds, beside its maps, other data that may be large: changes that
// lagging reads see later, or the set of items by the time they expire.
bool HasOtherLargeData(const TableVersion& table) {
  return table.settings.lag || table.settings.expiries ||
         (table.phase.next && HasOtherLargeData(*table.phase.next));
}

// Returns about how much work it is to free the table when nobody else holds it, counted in items
// (CountToFree in ordered_map_node.h). Stops counting at about `limit`.
int CountToFree(const TableVersion& table, int limit) {
  constexpr int kPartitionsAlone = 50;  // counted for 16 partitions without their items and nodes
  if (HasOtherLargeData(table)) return limit;
  int count = kPartitionsAlone + CountToFree(table.table->partitions(), limit);
  for (const IndexVersion& index : table.indexes) {
    if (index.storage->is_local()) continue;
    count += kPartitionsAlone + CountToFree(index.storage->partitions(), limit);
  }
  return count;
}

// Clears the storage of a version that was copied from another table's version.
void ClearStorage(TableVersion* version) {
  EditWithNextPhase(version, [](TableVersion* each) {
    each->table = nullptr;
    for (IndexVersion& index : each->indexes) index.storage = nullptr;
  });
}

}  // namespace

struct Catalog::Impl {
  explicit Impl(const Clock& clock) : published(clock) {}

  // Returns whether a new table of the account is durable.
  bool IsDurable(std::string_view account_id, Keeping keeping) {
    if (!observer || keeping == Keeping::kInMemory) return false;
    if (keeping == Keeping::kDurable) return true;
    MutexLock lock(stripes.OfThisThread().mutex);
    return !only_in_memory.contains(account_id);
  }
  // Returns the accounts that are in memory once `in` is published.
  std::set<std::string, std::less<>> AccountsInMemory(std::span<const TableRef> in,
                                                      const Scope* forget, Keeping keeping) const {
    std::set<std::string, std::less<>> accounts;
    if (!observer) return accounts;
    if (keeping == Keeping::kInMemory) accounts.emplace(*forget->account_id);
    for (const TableRef& table : in) {
      if (!table->is_durable) accounts.insert(table->account_id);
    }
    return accounts;
  }
  // Makes the accounts of the scope durable that have no other tables than `in`. Called
  // with the stripes locked, when `in` is published.
  void MakeDurable(const Scope& scope, std::span<const TableRef> in) noexcept {
    std::erase_if(only_in_memory, [&](const std::string& account) {
      if (scope.account_id && account != *scope.account_id) return false;
      std::size_t tables = 0;
      published.accounts().ForEach({.account_id = account},
                                   [&](AccountName, const AccountSet::Account& found) {
                                     tables += found.table_names.size();
                                   });
      const auto is_new = [&](const TableRef& table) {
        return table->account_id == account && table->is_durable;
      };
      return tables == static_cast<std::size_t>(std::ranges::count_if(in, is_new));
    });
  }
  // From now on, the observer is told of the tags of a durable table.
  void ListenToTags(const TableVersion& table) {
    table.tags->SetListener([told = observer, id = table.table->id()](std::span<const Tag> tags) {
      told->OnTags(id, tags);
    });
  }
  void TellOfExchange(std::span<const TableRef> out, std::span<const TableRef> in,
                      std::span<const PendingSeed> seeds) {
    const auto is_durable = [](const TableRef& table) { return table->is_durable; };
    for (const TableRef& table : in) {
      if (table->is_durable) ListenToTags(*table);
    }
    if (std::ranges::any_of(out, is_durable) || std::ranges::any_of(in, is_durable) ||
        !seeds.empty()) {
      observer->OnExchange(out, in, seeds);
    }
  }

  // Gives storage of its own to `version`, and the content of `from` if it is not null.
  TableRef Prepare(std::unique_ptr<TableVersion> version, std::uint64_t id, const TablePin* from);

  CatalogObserver* observer = nullptr;  // set before other threads use the catalog
  Reclaimer reclaimer;                  // outlives the tables
  CatalogStripes stripes;               // guard what follows: lock one to read, all to write
  PublishedTables published;
  std::set<std::string, std::less<>> only_in_memory;  // ids of accounts

  std::atomic<std::uint64_t> next_table_id{1};
  std::atomic<std::uint64_t> next_version_number{1};
  std::atomic<std::uint64_t> exchanges{0};  // changed with all stripes locked
};

Catalog::Catalog(const Clock& clock) : impl_(std::make_unique<Impl>(clock)) {}
Catalog::~Catalog() = default;

TableRef Catalog::Find(AccountName account, std::string_view table) const {
  const FullNameView name{account.account_id, account.region, table};
  const std::size_t hash = FullNameHash()(name);
  CatalogStripe& stripe = impl_->stripes.OfThisThread();
  MutexLock lock(stripe.mutex);
  if (const auto copy = stripe.copies.find(name, hash); copy != stripe.copies.end()) {
    return copy->second;
  }
  const Tables& tables = impl_->published.tables();
  const auto found = tables.find(name, hash);
  if (found == tables.end()) return nullptr;
  TableRef copy = TableRef::Adopt(new TableVersion(*found->second));
  MakeRoom(stripe.copies);
  OwnedFullName owned = found->first;  // the map is broken when the making of a key throws
  stripe.copies.emplace(std::move(owned), copy);
  return copy;
}

TableRef Catalog::Create(std::unique_ptr<TableVersion> version) {
  TableRef table = Prepare(std::move(version));
  return Exchange({}, {&table, 1}) ? table : nullptr;
}

TableRef Catalog::Impl::Prepare(std::unique_ptr<TableVersion> version, std::uint64_t id,
                                const TablePin* from) {
  ClearStorage(version.get());
  version->table = std::allocate_shared<Table>(ReservedAllocator<Table, MemoryPart::kTables>(),
                                               reclaimer, id, version->key);
  version->table->MakeIndexes(*version, nullptr);
  version->number = next_version_number.fetch_add(1);
  if (!version->tags) version->tags = std::make_shared<TagSet>();
  if (from) StartFrom(*from, *version);
  TableRef prepared = TableRef::Adopt(version.release());
  Table::Exclusive(*prepared->table).SetPublished(prepared->number);
  return prepared;
}

TableRef Catalog::Prepare(std::unique_ptr<TableVersion> version, const TablePin* from,
                          Keeping keeping) {
  version->is_durable = impl_->IsDurable(version->account_id, keeping);
  TableRef prepared = impl_->Prepare(std::move(version), impl_->next_table_id.fetch_add(1), from);
  if (!from || !prepared->is_durable) return prepared;
  try {
    impl_->observer->OnPrepare(*prepared, *from);
  } catch (...) {
    impl_->observer->OnAbandon(*prepared);
    throw;
  }
  return prepared;
}

TableRef Catalog::PreparePrivate(std::unique_ptr<TableVersion> version, const TablePin* from) {
  version->is_durable = false;
  return impl_->Prepare(std::move(version), impl_->next_table_id.fetch_add(1), from);
}

TableRef Catalog::PrepareStored(std::unique_ptr<TableVersion> version, std::uint64_t table_id) {
  if (IsHeld(*version)) version = VersionAfter(*version, StatusHold{});
  version->is_durable = true;
  ReserveTableIds(table_id + 1);
  return impl_->Prepare(std::move(version), table_id, nullptr);
}

void Catalog::Abandon(std::span<const TableRef> prepared) {
  if (!impl_->observer) return;
  for (const TableRef& table : prepared) {
    if (table->is_durable) impl_->observer->OnAbandon(*table);
  }
}

PendingSeed Catalog::KeepSeed(const TableVersion& table, absl::FunctionRef<const ItemRef*()> next) {
  if (!table.is_durable || !impl_->observer) return {};
  const PendingSeed seed{impl_->next_table_id.fetch_add(1), table.table->id()};
  try {
    impl_->observer->OnSeedItems(seed, next);
  } catch (...) {
    EndSeed(seed);
    throw;
  }
  return seed;
}

// Without memory, the seed is left as it is: a restart puts the rest of its items, or removes it.
void Catalog::EndSeed(const PendingSeed& seed) noexcept {
  if (seed.id == 0) return;
  try {
    DrawReserve(2 * kMostBytesOfObserver);
  } catch (const std::bad_alloc&) {
    return;
  }
  impl_->observer->OnSeedEnd(seed);
}

void Catalog::ReserveTableIds(std::uint64_t next) {
  std::uint64_t now = impl_->next_table_id.load();
  while (now < next && !impl_->next_table_id.compare_exchange_weak(now, next)) {
  }
}

void Catalog::RestoreTokens(std::vector<TokenRecord> records) {
  StableSort(records, {}, &TokenRecord::expiry_epoch_ms);
  LockOf<CatalogStripes> lock(impl_->stripes);
  for (const TokenRecord& record : records) impl_->published.accounts().RestoreToken(record);
}

void Catalog::SetObserver(CatalogObserver& observer) {
  LockOf<CatalogStripes> lock(impl_->stripes);
  impl_->observer = &observer;
  for (const auto& [name, table] : impl_->published.tables()) {
    if (table->is_durable) impl_->ListenToTags(*table);
  }
}

bool Catalog::IsDurable(std::string_view account_id, Keeping keeping) const {
  return impl_->IsDurable(account_id, keeping);
}

std::vector<AccountSummary> Catalog::Accounts() const {
  std::vector<AccountSummary> all;
  MutexLock lock(impl_->stripes.OfThisThread().mutex);
  const auto& in_memory = impl_->only_in_memory;
  impl_->published.accounts().ForEach({}, [&](AccountName name, const AccountSet::Account& found) {
    if (found.table_names.empty()) return;
    if (all.empty() || all.back().account_id != name.account_id) {
      all.push_back({std::string(name.account_id), 0, false});
    }
    all.back().tables += found.table_names.size();
  });
  for (AccountSummary& each : all) {
    each.is_durable = impl_->observer && !in_memory.contains(each.account_id);
  }
  for (const std::string& account : in_memory) {
    const auto at = std::ranges::lower_bound(all, account, {}, &AccountSummary::account_id);
    if (at == all.end() || at->account_id != account) all.insert(at, {account, 0, false});
  }
  return all;
}

TableRef Catalog::Publish(const TableRef& current, std::unique_ptr<TableVersion> next) {
  assert(FullNameOf(*current) == FullNameOf(*next));
  next->table = current->table;
  next->table->MakeIndexes(*next, current.get());
  next->number = impl_->next_version_number.fetch_add(1);
  next->is_durable = current->is_durable;
  const TableRef published = TableRef::Adopt(next.release());
  TableRef replaced;  // released when nothing is locked, as are its copies
  std::vector<TableRef> copies;
  copies.reserve(CatalogStripes::kStripes);
  if (impl_->observer) DrawReserve(2 * kMostBytesOfObserver);
  Table::Exclusive table(*current->table);
  LockOf<CatalogStripes> lock(impl_->stripes);
  TableRef* const place = impl_->published.PlaceOf(*current);
  if (!place) return nullptr;
  impl_->stripes.TakeCopies(FullNameOf(*current), &copies);
  replaced = std::exchange(*place, published);
  table.SetPublished(published->number);
  if (published->is_durable && impl_->observer) impl_->observer->OnPublish(*published);
  return published;
}

bool Catalog::Remove(const TableRef& current) { return Exchange({&current, 1}, {}); }

bool Catalog::Exchange(std::span<const TableRef> out, std::span<const TableRef> in,
                       const Scope* forget, Keeping keeping, std::span<const PendingSeed> seeds) {
  auto in_memory = impl_->AccountsInMemory(in, forget, keeping);
  std::vector<TableRef> removed;  // released when nothing is locked, as are the accounts
  AccountSet::Dropped dropped;
  dropped.reserve(AccountSet::kMostDropped);
  removed.reserve(out.size() * (CatalogStripes::kStripes + 1));
  const std::size_t observer_bytes =
      impl_->observer ? (out.size() + in.size() + seeds.size() + 1) * kMostBytesOfObserver : 0;
  if (impl_->observer) DrawReserve(observer_bytes);
  std::vector<std::uint64_t> removed_numbers;
  for (const TableRef& table : out) removed_numbers.push_back(table->number);
  StableSort(removed_numbers);
  ExclusiveTables locked(out);
  LockOf<CatalogStripes> lock(impl_->stripes);
  for (const TableRef& table : out) {
    if (!impl_->published.PlaceOf(*table)) return false;
  }
  if (!impl_->published.AreNamesFree(in, removed_numbers)) return false;
  try {
    impl_->published.AddNewNames(in);
    if (impl_->observer) DrawReserve(observer_bytes);  // the map of tables may have used it
    if (forget) impl_->published.accounts().ForgetTokens(*forget, out);
  } catch (...) {
    impl_->published.RemovePublished(in);
    throw;
  }
  for (const TableRef& table : out) impl_->stripes.TakeCopies(FullNameOf(*table), &removed);
  impl_->published.ReplaceAndRemove(out, in, &removed);
  if (keeping == Keeping::kDurable) impl_->MakeDurable(*forget, in);
  impl_->only_in_memory.merge(in_memory);  // needs no memory
  impl_->published.accounts().DropIdle(&dropped);
  impl_->exchanges.fetch_add(1, std::memory_order_release);
  if (impl_->observer) impl_->TellOfExchange(out, in, seeds);
  locked.MarkRemoved();
  return true;
}

std::vector<TableRef> Catalog::TablesOf(const Scope& scope) const {
  MutexLock lock(impl_->stripes.OfThisThread().mutex);
  return impl_->published.TablesOf(scope);
}

// The tables are found, then locked, then found again: the pins are used when the tables are still
// the same.
std::vector<TablePin> Catalog::Pin(const Scope& scope) const {
  for (;;) {
    std::vector<TablePin> pins;
    const std::vector<TableRef> tables = TablesOf(scope);
    const ExclusiveTables locked(tables);
    if (TablesOf(scope) != tables) continue;
    pins.reserve(tables.size());
    for (const TableRef& table : tables) pins.push_back(PinTable(table));
    return pins;
  }
}

TablePin Catalog::Pin(const TableRef& table) const {
  const Table::Exclusive locked(*table->table);
  return PinTable(table);
}

void Catalog::ReleaseTables(std::vector<TableRef> tables) {
  constexpr int kMost = 1000;
  int count = 0;
  for (std::size_t i = 0; i < tables.size() && count <= kMost; ++i) {
    count += CountToFree(*tables[i], kMost + 1);
  }
  if (count > kMost) Discard(std::make_shared<std::vector<TableRef>>(std::move(tables)));
}

void Catalog::Discard(std::shared_ptr<const void> garbage) {
  impl_->reclaimer.Discard(std::move(garbage));
}

std::uint64_t Catalog::exchanges() const {
  return impl_->exchanges.load(std::memory_order_acquire);
}

std::vector<std::string> Catalog::List(AccountName account, std::optional<std::string_view> after,
                                       std::size_t limit, bool* more) const {
  MutexLock lock(impl_->stripes.OfThisThread().mutex);
  std::vector<std::string> names;
  *more = false;
  const AccountSet::Account* found = impl_->published.accounts().Find(account);
  if (!found) return names;
  auto next = after ? found->table_names.upper_bound(*after) : found->table_names.begin();
  for (; next != found->table_names.end() && names.size() < limit; ++next) names.push_back(*next);
  *more = next != found->table_names.end();
  return names;
}

std::vector<std::string> Catalog::AccountsWith(std::string_view table, std::size_t limit) const {
  MutexLock lock(impl_->stripes.OfThisThread().mutex);
  std::vector<std::string> names;
  impl_->published.accounts().ForEach(
      {}, [&](AccountName name, const AccountSet::Account& account) {
        if (names.size() == limit || !account.table_names.contains(table)) return;
        names.push_back(std::string(name.account_id).append("/").append(name.region));
      });
  return names;
}

std::shared_ptr<IdempotencyTokens> Catalog::TokensOf(AccountName account) const {
  MutexLock lock(impl_->stripes.OfThisThread().mutex);
  const AccountSet::Account* found = impl_->published.accounts().Find(account);
  return found ? found->tokens : nullptr;
}

}  // namespace hashrange
