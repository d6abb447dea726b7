// Snapshots stores states of tables by name, each as of one instant, as pinned roots and not as
// copies (engine/table_pin.h). A snapshot contains the content of its tables at that instant, and
// outlives the tables. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/threads.h"
#include "engine/catalog.h"

namespace hashrange {

struct Snapshot {
  std::string name;
  std::optional<std::string> account_id;  // nullopt: of all accounts
  std::int64_t creation_epoch_ms = 0;
  // Each pin has a copy of the table's version. The copy belongs to no table.
  std::vector<TablePin> tables;

  Scope scope() const { return {.account_id = account_id}; }
  std::int64_t item_count() const;
  std::int64_t size_bytes() const;  // as DynamoDB counts items, without their indexes
};
using SnapshotRef = std::shared_ptr<const Snapshot>;

class Snapshots {
 public:
  static constexpr std::size_t kMaxSnapshots = 1000;

  // `catalog` frees replaced and dropped snapshots in the background. It outlives this object.
  explicit Snapshots(Catalog& catalog) : catalog_(catalog) {}
  Snapshots(const Snapshots&) = delete;
  Snapshots& operator=(const Snapshots&) = delete;

  // Stores the tables of the account (nullopt: of all accounts) under the name `name`, without
  // tables that are being deleted, and returns the snapshot. An earlier snapshot of the same name
  // is replaced.
  // Errors: LimitExceededException  there are kMaxSnapshots of other names
  // Cost: O(partitions) of all tables.
  Result<SnapshotRef> Take(std::string_view name, std::optional<std::string_view> account_id,
                           std::int64_t now_epoch_ms);
  // Returns null when there is no such snapshot.
  SnapshotRef Find(std::string_view name) const;
  // Returns all snapshots, ordered by name.
  std::vector<SnapshotRef> All() const;
  // Returns false when there is no such snapshot.
  bool Drop(std::string_view name);

 private:
  Catalog& catalog_;
  mutable Mutex mutex_;  // guards what follows
  std::map<std::string, SnapshotRef, std::less<>> snapshots_;
};

}  // namespace hashrange
