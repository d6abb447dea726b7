#include "operation/parameter/duplicate_keys.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace hashrange {
namespace {

bool SameKey(std::span<const Attribute> a, std::span<const Attribute> b) {
  return std::ranges::equal(a, b, [](const Attribute& x, const Attribute& y) {
    return x.name == y.name && x.value == y.value;
  });
}

std::uint64_t DigestOfKey(std::span<const Attribute> key) {
  std::uint64_t digest = key.size();
  for (const Attribute& attribute : key) {
    digest = digest * 0x9e3779b97f4a7c15 + std::hash<std::string_view>()(attribute.value.bytes());
  }
  return digest;
}

}  // namespace

bool HasDuplicateKeys(std::span<const std::span<const Attribute>> keys, Arena& arena) {
  struct Entry {
    std::uint64_t digest;
    std::size_t index;
  };
  const auto entries = arena.NewArray<Entry>(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) entries[i] = {DigestOfKey(keys[i]), i};
  std::ranges::sort(entries, {}, &Entry::digest);
  // Equal keys have equal digests, so they are in one run of equal digests.
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t j = i + 1; j < entries.size() && entries[j].digest == entries[i].digest; ++j) {
      if (SameKey(keys[entries[i].index], keys[entries[j].index])) return true;
    }
  }
  return false;
}

bool HasDuplicateAddresses(std::span<const ItemAddress> addresses, Arena& arena) {
  const auto sorted = arena.Copy(addresses);
  const auto less = [](const ItemAddress& a, const ItemAddress& b) {
    const Table* x = a.table->table.get();
    const Table* y = b.table->table.get();
    return x != y ? std::less<>()(x, y) : a.position < b.position;
  };
  std::ranges::sort(sorted, less);
  return std::ranges::adjacent_find(sorted, [](const ItemAddress& a, const ItemAddress& b) {
           return a.table->table == b.table->table && a.position == b.position;
         }) != sorted.end();
}

}  // namespace hashrange
