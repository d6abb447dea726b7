#include "engine/catalog.h"

#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "engine/string_hash.h"
#include "engine/table.h"

namespace hashrange {
namespace {

// Whose table, and its name; of views for a look-up, of strings in the map.
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
    const StringHash hash;
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

struct Account {
  std::set<std::string, std::less<>> table_names;
  IdempotencyTokens tokens;
};

// (account id, region), compared without making strings.
struct AccountOrder {
  using is_transparent = void;
  static std::pair<std::string_view, std::string_view> View(const AccountName& name) {
    return {name.account_id, name.region};
  }
  static std::pair<std::string_view, std::string_view> View(
      const std::pair<std::string, std::string>& name) {
    return {name.first, name.second};
  }
  template <typename A, typename B>
  bool operator()(const A& a, const B& b) const {
    return View(a) < View(b);
  }
};

FullNameView NameOf(const TableVersion& version) {
  return {version.account_id, version.region, version.name};
}

// One lock in stripes: a look-up takes its thread's own, so that threads do not wait for
// each other's, nor for the line it is in; a change takes them all.
class StripedMutex {
 public:
  std::mutex& OfThisThread() {
    static std::atomic<std::size_t> threads{0};
    thread_local const std::size_t number = threads.fetch_add(1, std::memory_order_relaxed);
    return stripes_[number % stripes_.size()].mutex;
  }
  void lock() {
    for (Stripe& stripe : stripes_) stripe.mutex.lock();
  }
  void unlock() {
    for (Stripe& stripe : stripes_) stripe.mutex.unlock();
  }

 private:
  struct alignas(64) Stripe {
    std::mutex mutex;
  };
  std::array<Stripe, 16> stripes_;
};

}  // namespace

struct Catalog::Impl {
  Account* FindAccount(AccountName name) {
    const auto found = accounts.find(name);
    return found == accounts.end() ? nullptr : &found->second;
  }

  Reclaimer reclaimer;  // outlives the tables
  StripedMutex mutex;   // guards what follows: one stripe to read, all to write
  // A map's nodes stay where they are, and so do the accounts.
  std::map<std::pair<std::string, std::string>, Account, AccountOrder> accounts;
  absl::flat_hash_map<OwnedFullName, TableRef, FullNameHash, FullNameEqual> tables;

  std::atomic<std::uint64_t> next_table_id{1};
};

Catalog::Catalog() : impl_(std::make_unique<Impl>()) {}
Catalog::~Catalog() = default;

TableRef Catalog::Find(AccountName account, std::string_view table) const {
  const FullNameView name{account.account_id, account.region, table};
  const std::size_t hash = FullNameHash()(name);
  std::lock_guard lock(impl_->mutex.OfThisThread());
  const auto found = impl_->tables.find(name, hash);
  return found == impl_->tables.end() ? TableRef() : found->second;
}

TableRef Catalog::Create(std::unique_ptr<TableVersion> version) {
  version->table =
      std::make_shared<Table>(impl_->reclaimer, impl_->next_table_id.fetch_add(1), version->key);
  version->table->MakeIndexes(*version, nullptr);
  if (!version->tags) version->tags = std::make_shared<TagSet>();
  const TableRef published = TableRef::Adopt(version.release());
  Table::Exclusive(*published->table).SetPublished(published.get());
  std::lock_guard lock(impl_->mutex);
  OwnedFullName name{published->account_id, published->region, published->name};
  if (!impl_->tables.emplace(std::move(name), published).second) return nullptr;
  Account& account = impl_->accounts[{published->account_id, published->region}];
  account.table_names.insert(published->name);
  return published;
}

TableRef Catalog::Publish(const TableRef& current, std::unique_ptr<TableVersion> next) {
  assert(NameOf(*current) == NameOf(*next));
  next->table = current->table;
  next->table->MakeIndexes(*next, current.get());
  const TableRef published = TableRef::Adopt(next.release());
  TableRef replaced;  // let go when nothing is locked
  Table::Exclusive table(*current->table);
  std::lock_guard lock(impl_->mutex);
  const auto found = impl_->tables.find(NameOf(*current));
  if (found == impl_->tables.end() || found->second != current) return nullptr;
  replaced = std::exchange(found->second, published);
  table.SetPublished(published.get());
  return published;
}

bool Catalog::Remove(const TableRef& current) {
  TableRef removed;  // let go when nothing is locked
  Table::Exclusive table(*current->table);
  std::lock_guard lock(impl_->mutex);
  const auto found = impl_->tables.find(NameOf(*current));
  if (found == impl_->tables.end() || found->second != current) return false;
  removed = std::move(found->second);
  impl_->tables.erase(found);
  impl_->FindAccount({current->account_id, current->region})->table_names.erase(current->name);
  table.SetPublished(nullptr);
  return true;
}

std::vector<std::string> Catalog::List(AccountName account, std::optional<std::string_view> after,
                                       std::size_t limit, bool* more) const {
  std::lock_guard lock(impl_->mutex.OfThisThread());
  std::vector<std::string> names;
  *more = false;
  const Account* found = impl_->FindAccount(account);
  if (!found) return names;
  auto next = after ? found->table_names.upper_bound(*after) : found->table_names.begin();
  for (; next != found->table_names.end() && names.size() < limit; ++next) names.push_back(*next);
  *more = next != found->table_names.end();
  return names;
}

std::vector<std::string> Catalog::AccountsWith(std::string_view table, std::size_t limit) const {
  std::lock_guard lock(impl_->mutex.OfThisThread());
  std::vector<std::string> names;
  for (const auto& [name, account] : impl_->accounts) {
    if (names.size() == limit) break;
    if (account.table_names.contains(table)) names.push_back(name.first + "/" + name.second);
  }
  return names;
}

IdempotencyTokens* Catalog::TokensOf(AccountName account) const {
  std::lock_guard lock(impl_->mutex.OfThisThread());
  Account* found = impl_->FindAccount(account);
  return found ? &found->tokens : nullptr;
}

}  // namespace hashrange
