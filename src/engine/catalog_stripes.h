// The map of tables and the lock of a catalog. Only the catalog uses them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/memory_reserve.h"
#include "engine/table_version.h"

namespace hashrange {

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

inline FullNameView FullNameOf(const TableVersion& version) {
  return {version.account_id, version.region, version.name};
}

using Tables = absl::flat_hash_map<
    OwnedFullName, TableRef, FullNameHash, FullNameEqual,
    ReservedAllocator<std::pair<const OwnedFullName, TableRef>, MemoryPart::kLookups>>;

// A part of the catalog's lock. A look-up locks the stripe of its thread, a change locks all
// stripes. A stripe also has copies of the versions that were looked up through it: so two threads
// that use one table share neither the cache line of a lock nor that of a reference count.
struct alignas(64) CatalogStripe {
  std::mutex mutex;
  Tables copies;
};

class CatalogStripes {
 public:
  static constexpr std::size_t kStripes = 16;

  CatalogStripe& OfThisThread() {
    static std::atomic<std::size_t> threads{0};
    thread_local const std::size_t number = threads.fetch_add(1, std::memory_order_relaxed);
    return stripes_[number % stripes_.size()];
  }
  void lock() {
    for (CatalogStripe& stripe : stripes_) stripe.mutex.lock();
  }
  void unlock() {
    for (CatalogStripe& stripe : stripes_) stripe.mutex.unlock();
  }
  // Moves the copies of the version to `*copies`, which has room for kStripes more; the caller
  // releases them when nothing is locked. Called with all stripes locked.
  void TakeCopies(const FullNameView& name, std::vector<TableRef>* copies) noexcept {
    for (CatalogStripe& stripe : stripes_) {
      const auto found = stripe.copies.find(name);
      if (found == stripe.copies.end()) continue;
      copies->push_back(std::move(found->second));
      stripe.copies.erase(found);
    }
  }

 private:
  std::array<CatalogStripe, kStripes> stripes_;
};

}  // namespace hashrange
