// Snapshots: states of tables by name, as they were at one instant: pinned roots, not copies
// (engine/table_pin.h). A snapshot holds what its tables held then and nothing that came later,
// and outlives them. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog.h"

namespace hashrange {

struct Snapshot {
  std::string name;
  std::optional<std::string> account_id;  // whose; none: of all accounts
  std::int64_t creation_epoch_ms = 0;
  std::vector<TablePin> tables;  // their versions are of nobody's table

  Scope scope() const { return {.account_id = account_id}; }
  std::int64_t item_count() const;
  std::int64_t size_bytes() const;  // as DynamoDB counts items, without their indexes
};
using SnapshotRef = std::shared_ptr<const Snapshot>;

class Snapshots {
 public:
  // What is replaced or dropped is freed by `catalog`, behind the caller; it outlives this.
  explicit Snapshots(Catalog& catalog) : catalog_(catalog) {}
  Snapshots(const Snapshots&) = delete;
  Snapshots& operator=(const Snapshots&) = delete;

  // Keeps the tables of the scope, but for those that are being deleted, under that name. One of
  // that name is replaced. Cost: O(partitions) of all tables.
  SnapshotRef Take(std::string_view name, std::optional<std::string_view> account_id,
                   std::int64_t now_epoch_ms);
  // Null when there is none.
  SnapshotRef Find(std::string_view name) const;
  // By name.
  std::vector<SnapshotRef> All() const;
  // False when there is none.
  bool Drop(std::string_view name);

 private:
  Catalog& catalog_;
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, SnapshotRef, std::less<>> snapshots_;
};

}  // namespace hashrange
