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

using Tables = absl::flat_hash_map<OwnedFullName, TableRef, FullNameHash, FullNameEqual>;

// A part of the catalog's lock: a look-up takes its thread's own, a change takes them all.
// With a copy of each version that the thread looked up, so that two threads which use one
// table share neither the line of a lock nor that of a count of references.
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
  // All of them are locked. The copies go with what is returned, when nothing is.
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

}  // namespace

struct Catalog::Impl {
  Account* FindAccount(AccountName name) {
    const auto found = accounts.find(name);
    return found == accounts.end() ? nullptr : &found->second;
  }

  // Where `version` stands, if it is the published one, or the end.
  Tables::iterator FindPublished(const TableVersion& version) {
    const auto found = tables.find(NameOf(version));
    return found != tables.end() && found->second->number == version.number ? found : tables.end();
  }

  Reclaimer reclaimer;  // outlives the tables
  Stripes stripes;      // guard what follows: one to read, all to write
  // A map's nodes stay where they are, and so do the accounts.
  std::map<std::pair<std::string, std::string>, Account, AccountOrder> accounts;
  Tables tables;

  std::atomic<std::uint64_t> next_table_id{1};
  std::atomic<std::uint64_t> next_version_number{1};
};

Catalog::Catalog() : impl_(std::make_unique<Impl>()) {}
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
  version->table =
      std::make_shared<Table>(impl_->reclaimer, impl_->next_table_id.fetch_add(1), version->key);
  version->table->MakeIndexes(*version, nullptr);
  version->number = impl_->next_version_number.fetch_add(1);
  if (!version->tags) version->tags = std::make_shared<TagSet>();
  const TableRef published = TableRef::Adopt(version.release());
  Table::Exclusive(*published->table).SetPublished(published->number);
  std::lock_guard lock(impl_->stripes);
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
  next->number = impl_->next_version_number.fetch_add(1);
  const TableRef published = TableRef::Adopt(next.release());
  TableRef replaced;  // let go when nothing is locked, as are its copies
  std::vector<TableRef> copies;
  Table::Exclusive table(*current->table);
  std::lock_guard lock(impl_->stripes);
  const auto found = impl_->FindPublished(*current);
  if (found == impl_->tables.end()) return nullptr;
  replaced = std::exchange(found->second, published);
  copies = impl_->stripes.TakeCopies(NameOf(*current));
  table.SetPublished(published->number);
  return published;
}

bool Catalog::Remove(const TableRef& current) {
  TableRef removed;  // let go when nothing is locked, as are its copies
  std::vector<TableRef> copies;
  Table::Exclusive table(*current->table);
  std::lock_guard lock(impl_->stripes);
  const auto found = impl_->FindPublished(*current);
  if (found == impl_->tables.end()) return false;
  removed = std::move(found->second);
  copies = impl_->stripes.TakeCopies(NameOf(*current));
  impl_->tables.erase(found);
  impl_->FindAccount({current->account_id, current->region})->table_names.erase(current->name);
  table.SetPublished(0);
  return true;
}

std::vector<std::string> Catalog::List(AccountName account, std::optional<std::string_view> after,
                                       std::size_t limit, bool* more) const {
  std::lock_guard lock(impl_->stripes.OfThisThread().mutex);
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
  std::lock_guard lock(impl_->stripes.OfThisThread().mutex);
  std::vector<std::string> names;
  for (const auto& [name, account] : impl_->accounts) {
    if (names.size() == limit) break;
    if (account.table_names.contains(table)) names.push_back(name.first + "/" + name.second);
  }
  return names;
}

IdempotencyTokens* Catalog::TokensOf(AccountName account) const {
  std::lock_guard lock(impl_->stripes.OfThisThread().mutex);
  Account* found = impl_->FindAccount(account);
  return found ? &found->tokens : nullptr;
}

}  // namespace hashrange
