#include "engine/catalog.h"

#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "engine/account_set.h"
#include "engine/table.h"
#include "engine/table_life_cycle.h"

namespace hashrange {
namespace {

// A table's owner and name. `Text` is a view for a look-up, and a string in the map.
template <typename Text>
struct FullName {
  Text account_id;
  Text region;
  Text table;

  template <typename Other>
  bool operator==(const FullName<Other>& other) const {
    return table == other.table && account_id == other.account_id && region == other.region;
  }
};
using FullNameView = FullName<std::string_view>;
using OwnedFullName = FullName<std::string>;

struct FullNameHash {
  using is_transparent = void;
  template <typename Text>
  std::size_t operator()(const FullName<Text>& name) const {
    constexpr std::size_t kSpread = 0x9e3779b97f4a7c15;
    const std::hash<std::string_view> hash;
    return (hash(name.table) * kSpread ^ hash(name.account_id)) * kSpread ^ hash(name.region);
  }
};

struct FullNameEqual {
  using is_transparent = void;
  template <typename A, typename B>
  bool operator()(const FullName<A>& a, const FullName<B>& b) const {
    return a == b;
  }
};

FullNameView FullNameOf(const TableVersion& version) {
  return {version.account_id, version.region, version.name};
}

using Tables = absl::flat_hash_map<OwnedFullName, TableRef, FullNameHash, FullNameEqual>;

// A part of the catalog's lock. A look-up locks the stripe of its thread, a change locks all
// stripes. A stripe also has copies of the versions that were looked up through it: so two threads
// that use one table share neither the cache line of a lock nor that of a reference count.
struct alignas(64) Stripe {
  std::mutex mutex;
  Tables copies;
};

class Stripes {
 public:
  Stripe& OfThisThread() {
    static std::atomic<std::size_t> threads{0};
    thread_local const std::size_t number = threads.fetch_add(1, std::memory_order_relaxed);
    return stripes_[number % stripes_.size()];
  }
  void lock() {
    for (Stripe& stripe : stripes_) stripe.mutex.lock();
  }
  void unlock() {
    for (Stripe& stripe : stripes_) stripe.mutex.unlock();
  }
  // Removes the copies of the version and returns them; the caller releases them when nothing is
  // locked. Called with all stripes locked.
  std::vector<TableRef> TakeCopies(const FullNameView& name) {
    std::vector<TableRef> copies;
    for (Stripe& stripe : stripes_) {
      const auto found = stripe.copies.find(name);
      if (found == stripe.copies.end()) continue;
      copies.push_back(std::move(found->second));
      stripe.copies.erase(found);
    }
    return copies;
  }

 private:
  std::array<Stripe, 16> stripes_;
};

// Locks every partition of several tables, in lock order, as long as it lives.
class ExclusiveTables {
 public:
  explicit ExclusiveTables(std::span<const TableRef> tables) {
    std::vector<Table*> ordered;
    for (const TableRef& table : tables) ordered.push_back(table->table.get());
    std::ranges::sort(ordered, {}, &Table::id);
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
  explicit Impl(const Clock& clock) : accounts(clock) {}

  // Called with a stripe locked.
  std::vector<TableRef> TablesOf(const Scope& scope) {
    std::vector<TableRef> found;
    accounts.ForEach(scope, [&](AccountName name, const AccountSet::Account& account) {
      const auto add = [&](std::string_view table) {
        found.push_back(tables.find(FullNameView{name.account_id, name.region, table})->second);
      };
      if (!scope.table) {
        for (const std::string& table : account.table_names) add(table);
      } else if (account.table_names.contains(*scope.table)) {
        add(*scope.table);
      }
    });
    return found;
  }

  // Returns whether the names of `in` are free once the versions with `removed_numbers`, which
  // ascend, are removed. Called with all stripes locked.
  bool AreNamesFree(std::span<const TableRef> in,
                    std::span<const std::uint64_t> removed_numbers) const {
    return std::ranges::all_of(in, [&](const TableRef& table) {
      const auto found = tables.find(FullNameOf(*table));
      return found == tables.end() ||
             std::ranges::binary_search(removed_numbers, found->second->number);
    });
  }

  // Returns the place of `version` if it is the published version of its table, else the end.
  Tables::iterator FindPublished(const TableVersion& version) {
    const auto found = tables.find(FullNameOf(version));
    return found != tables.end() && found->second->number == version.number ? found : tables.end();
  }

  // Moves the references to the version and its copies to `removed`. Called with the table's
  // partitions and all stripes locked.
  void Unpublish(const TableVersion& table, std::vector<TableRef>* removed) {
    const auto found = FindPublished(table);
    removed->push_back(std::move(found->second));
    for (TableRef& copy : stripes.TakeCopies(FullNameOf(table))) {
      removed->push_back(std::move(copy));
    }
    tables.erase(found);
    accounts.RemoveTable(table);
  }
  void AddPublished(const TableRef& table) {
    tables.emplace(OwnedFullName{table->account_id, table->region, table->name}, table);
    accounts.AddTable(*table);
  }

  Reclaimer reclaimer;  // outlives the tables
  Stripes stripes;      // guard what follows: lock one to read, all to write
  AccountSet accounts;
  Tables tables;

  std::atomic<std::uint64_t> next_table_id{1};
  std::atomic<std::uint64_t> next_version_number{1};
  std::atomic<std::uint64_t> exchanges{0};  // changed with all stripes locked
};

Catalog::Catalog(const Clock& clock) : impl_(std::make_unique<Impl>(clock)) {}
Catalog::~Catalog() = default;

TableRef Catalog::Find(AccountName account, std::string_view table) const {
  const FullNameView name{account.account_id, account.region, table};
  const std::size_t hash = FullNameHash()(name);
  Stripe& stripe = impl_->stripes.OfThisThread();
  std::lock_guard lock(stripe.mutex);
  if (const auto copy = stripe.copies.find(name, hash); copy != stripe.copies.end()) {
    return copy->second;
  }
  const auto found = impl_->tables.find(name, hash);
  if (found == impl_->tables.end()) return nullptr;
  TableRef copy = TableRef::Adopt(new TableVersion(*found->second));
  stripe.copies.emplace(found->first, copy);
  return copy;
}

TableRef Catalog::Create(std::unique_ptr<TableVersion> version) {
  TableRef table = Prepare(std::move(version));
  return Exchange({}, {&table, 1}) ? table : nullptr;
}

TableRef Catalog::Prepare(std::unique_ptr<TableVersion> version, const TablePin* from) {
  ClearStorage(version.get());
  version->table =
      std::make_shared<Table>(impl_->reclaimer, impl_->next_table_id.fetch_add(1), version->key);
  version->table->MakeIndexes(*version, nullptr);
  version->number = impl_->next_version_number.fetch_add(1);
  if (!version->tags) version->tags = std::make_shared<TagSet>();
  if (from) StartFrom(*from, *version);
  TableRef prepared = TableRef::Adopt(version.release());
  Table::Exclusive(*prepared->table).SetPublished(prepared->number);
  return prepared;
}

TableRef Catalog::Publish(const TableRef& current, std::unique_ptr<TableVersion> next) {
  assert(FullNameOf(*current) == FullNameOf(*next));
  next->table = current->table;
  next->table->MakeIndexes(*next, current.get());
  next->number = impl_->next_version_number.fetch_add(1);
  const TableRef published = TableRef::Adopt(next.release());
  TableRef replaced;  // released when nothing is locked, as are its copies
  std::vector<TableRef> copies;
  Table::Exclusive table(*current->table);
  std::lock_guard lock(impl_->stripes);
  const auto found = impl_->FindPublished(*current);
  if (found == impl_->tables.end()) return nullptr;
  replaced = std::exchange(found->second, published);
  copies = impl_->stripes.TakeCopies(FullNameOf(*current));
  table.SetPublished(published->number);
  return published;
}

bool Catalog::Remove(const TableRef& current) { return Exchange({&current, 1}, {}); }

bool Catalog::Exchange(std::span<const TableRef> out, std::span<const TableRef> in,
                       const Scope* forget) {
  std::vector<TableRef> removed;  // released when nothing is locked, as are the accounts
  AccountSet::Dropped dropped;
  dropped.reserve(AccountSet::kMostDropped);
  std::vector<std::uint64_t> removed_numbers;
  for (const TableRef& table : out) removed_numbers.push_back(table->number);
  std::ranges::sort(removed_numbers);
  ExclusiveTables locked(out);
  std::lock_guard lock(impl_->stripes);
  for (const TableRef& table : out) {
    if (impl_->FindPublished(*table) == impl_->tables.end()) return false;
  }
  if (!impl_->AreNamesFree(in, removed_numbers)) return false;
  for (const TableRef& table : out) impl_->Unpublish(*table, &removed);
  for (const TableRef& table : in) impl_->AddPublished(table);
  if (forget) impl_->accounts.ForgetTokens(*forget, out);
  impl_->accounts.DropIdle(&dropped);
  impl_->exchanges.fetch_add(1, std::memory_order_release);
  locked.MarkRemoved();
  return true;
}

std::vector<TableRef> Catalog::TablesOf(const Scope& scope) const {
  std::lock_guard lock(impl_->stripes.OfThisThread().mutex);
  return impl_->TablesOf(scope);
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
  std::lock_guard lock(impl_->stripes.OfThisThread().mutex);
  std::vector<std::string> names;
  *more = false;
  const AccountSet::Account* found = impl_->accounts.Find(account);
  if (!found) return names;
  auto next = after ? found->table_names.upper_bound(*after) : found->table_names.begin();
  for (; next != found->table_names.end() && names.size() < limit; ++next) names.push_back(*next);
  *more = next != found->table_names.end();
  return names;
}

std::vector<std::string> Catalog::AccountsWith(std::string_view table, std::size_t limit) const {
  std::lock_guard lock(impl_->stripes.OfThisThread().mutex);
  std::vector<std::string> names;
  impl_->accounts.ForEach({}, [&](AccountName name, const AccountSet::Account& account) {
    if (names.size() == limit || !account.table_names.contains(table)) return;
    names.push_back(std::string(name.account_id).append("/").append(name.region));
  });
  return names;
}

std::shared_ptr<IdempotencyTokens> Catalog::TokensOf(AccountName account) const {
  std::lock_guard lock(impl_->stripes.OfThisThread().mutex);
  const AccountSet::Account* found = impl_->accounts.Find(account);
  return found ? found->tokens : nullptr;
}

}  // namespace hashrange
