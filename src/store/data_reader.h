// DataReader reads what a data directory holds, when a server starts and when a directory is
// checked. Every block that is read is compared with its checksum, every key and every item is
// checked wholly; the content of the other records is left to the caller.
//
// Thread-safe: threads may read different ranges at the same time. No journal writes to the
// directory while a reader exists.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/files/store_keys.h"
#include "value/item.h"
#include "value/schema.h"

namespace hashrange {

class DataDirectory;

// The items whose hash is at least `begin` and below `end`; no end: up to the greatest hash.
struct HashRange {
  std::uint64_t begin = 0;
  std::optional<std::uint64_t> end;

  friend bool operator==(const HashRange&, const HashRange&) = default;
};

// Returns `parts` ranges of the same width, in ascending order, that cover all hashes: work for
// several threads. `parts` is at least 1.
std::vector<HashRange> SplitHashes(std::uint64_t parts);

class DataReader {
 public:
  // The views are valid during the call. An error that is returned ends the reading.
  using VisitRecord = std::function<Status(const StoreKeyParts& key, std::string_view value)>;
  using VisitItem = std::function<Status(ItemRef item)>;

  explicit DataReader(const DataDirectory& directory) : directory_(directory) {}

  // All functions return these errors beside their own: InternalServerError with a sentence that
  // says which data at which place is damaged, or cannot be read.

  // Visits all records of one kind, which is not kItem, in the order of their keys.
  Status ForEachRecord(RecordKind kind, const VisitRecord& visit) const;

  // Visits the items of a table in a range, in the order of their positions (value/key.h).
  Status ForEachItem(std::uint64_t table_id, const KeySchema& schema, const HashRange& range,
                     const VisitItem& visit) const;
  // Returns the ids of the tables that have items, ascending. An id without a table record is that
  // of a deleted table whose items are not all removed yet: see Journal::RemoveRange.
  // Cost: a search for each table.
  Result<std::vector<std::uint64_t>> TablesWithItems() const;

  // Returns an error if there is a key of no known form. Cost: reads as many keys, and no more.
  Status CheckForUnknownKeys() const;

 private:
  // Visits the records with keys from `begin` to before `end` (to the last one if it is empty).
  Status ForEachKey(const std::string& begin, const std::string& end,
                    const VisitRecord& visit) const;

  const DataDirectory& directory_;
};

}  // namespace hashrange
