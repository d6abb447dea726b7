// What a data directory holds, for the tests of this folder: the keys with their values, read from
// the directory or computed by a model.
#pragma once

#include <leveldb/db.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/data_directory.h"
#include "store/files/level_db.h"
#include "store/journal_queue.h"
#include "store/stored_item.h"
#include "support/items.h"

namespace hashrange::test {

using StoredContent = std::map<std::string, std::string>;

inline StoredContent ContentOf(const DataDirectory& directory) {
  StoredContent content;
  leveldb::ReadOptions options;
  options.verify_checksums = true;
  const std::unique_ptr<leveldb::Iterator> at(directory.db()->NewIterator(options));
  for (at->SeekToFirst(); at->Valid(); at->Next()) {
    // What a log states of itself is no data.
    if (at->key() == ToSlice(StoreKey::OfLogPosition().bytes())) continue;
    content.emplace(at->key().ToString(), at->value().ToString());
  }
  if (!at->status().ok()) content["error"] = at->status().ToString();
  return content;
}

// The changes of one Append, which are kept so that they can also be applied to a model.
struct Changes {
  std::vector<JournalItem> items;
  std::vector<std::pair<StoreKey, std::string>> records;  // "": removed

  std::vector<JournalRecord> MakeRecords() const {
    std::vector<JournalRecord> made;
    for (const auto& [key, value] : records) {
      made.push_back({key, value.empty() ? RecordValue() : RecordValue::Of(value)});
    }
    return made;
  }
  template <typename Log>
  auto AppendTo(Log& log) const {
    std::vector<JournalItem> item_changes = items;
    std::vector<JournalRecord> record_changes = MakeRecords();
    return log.Append(item_changes, record_changes);
  }
  void ApplyTo(StoredContent* content) const {
    for (const JournalItem& change : items) {
      std::string key;
      AppendItemKey(change.table_id, change.item->hash(), change.item->key(), &key);
      if (change.is_removed) {
        content->erase(key);
      } else {
        std::string value;
        AppendStoredItem(*change.item, &value);
        (*content)[key] = value;
      }
    }
    for (const auto& [key, value] : records) {
      if (value.empty()) {
        content->erase(std::string(key.bytes()));
      } else {
        (*content)[std::string(key.bytes())] = value;
      }
    }
  }
};

// Opens a directory with small logs, so that LevelDB makes tables and begins logs often.
inline Result<std::unique_ptr<DataDirectory>> OpenSmall(Disk& disk, const std::string& path,
                                                        bool flushes_logs = true) {
  DataDirectory::Options options;
  options.disk = &disk;
  options.flushes_logs = flushes_logs;
  options.log_bytes = 64 << 10;
  return DataDirectory::Open(path, options);
}

}  // namespace hashrange::test
