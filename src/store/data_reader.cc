#include "store/data_reader.h"

#include <leveldb/db.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "store/data_directory.h"
#include "store/files/level_db.h"
#include "store/stored_item.h"

namespace hashrange {
namespace {

std::string KindPrefix(RecordKind kind) { return std::string(1, static_cast<char>(kind)); }

// Returns the least bytes above all that start with `prefix`; "" if there are none.
std::string EndOfPrefix(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xff') prefix.pop_back();
  if (!prefix.empty()) ++prefix.back();
  return prefix;
}

std::string ItemBegin(std::uint64_t table_id, std::uint64_t hash) {
  std::string key;
  AppendItemKey(table_id, hash, {}, &key);
  return key;
}

// Returns where the items of the table end.
std::string ItemEnd(std::uint64_t table_id) {
  if (table_id == std::numeric_limits<std::uint64_t>::max()) {
    return EndOfPrefix(KindPrefix(RecordKind::kItem));
  }
  return ItemBegin(table_id + 1, 0);
}

Error UnknownKey(const DataDirectory& directory, std::string_view key) {
  return InternalError(directory.path() + " holds " + StoreKeyText(key));
}

// Names the damaged file, which LevelDB's status does not.
Error ReadError(const DataDirectory& directory, const leveldb::Status& status) {
  const auto damages = FindDamagedTables(directory.disk(), directory.path());
  return InternalError("cannot read " + directory.path() + ": " +
                       (damages.empty() ? status.ToString() : damages.front()));
}

}  // namespace

std::vector<HashRange> SplitHashes(std::uint64_t parts) {
  std::vector<HashRange> ranges(std::max<std::uint64_t>(parts, 1));
  const std::uint64_t width =
      std::numeric_limits<std::uint64_t>::max() / ranges.size() + (ranges.size() > 1 ? 1 : 0);
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    ranges[i].begin = width * i;
    ranges[i - 1].end = ranges[i].begin;
  }
  return ranges;
}

Status DataReader::ForEachKey(const std::string& begin, const std::string& end,
                              const VisitRecord& visit) const {
  const std::unique_ptr<leveldb::Iterator> at(directory_.db()->NewIterator(CheckedOnce()));
  for (at->Seek(begin); at->Valid(); at->Next()) {
    const std::string_view key = ToView(at->key());
    if (!end.empty() && key >= end) break;
    const std::optional<StoreKeyParts> parts = ParseStoreKey(key);
    if (!parts) return UnknownKey(directory_, key);
    HR_RETURN_IF_ERROR(visit(*parts, ToView(at->value())));
  }
  // LevelDB skips a damaged block and says so at the end.
  return at->status().ok() ? Status() : ReadError(directory_, at->status());
}

Status DataReader::ForEachRecord(RecordKind kind, const VisitRecord& visit) const {
  return ForEachKey(KindPrefix(kind), EndOfPrefix(KindPrefix(kind)), visit);
}

Status DataReader::ForEachItem(std::uint64_t table_id, const KeySchema& schema,
                               const HashRange& range, const VisitItem& visit) const {
  StoredItemReader reader(schema);
  return ForEachKey(
      ItemBegin(table_id, range.begin),
      range.end ? ItemBegin(table_id, *range.end) : ItemEnd(table_id),
      [&](const StoreKeyParts& key, std::string_view value) -> Status {
        Result<ItemRef> item = reader.Read(key.number, key.rest, value);
        if (item.ok()) return visit(std::move(item).value());
        std::string bytes;
        AppendItemKey(key.id, key.number, key.rest, &bytes);
        return InternalError(StoreKeyText(bytes) + " is damaged: " + item.error().message);
      });
}

Result<std::vector<std::uint64_t>> DataReader::TablesWithItems() const {
  std::vector<std::uint64_t> ids;
  const std::string end = EndOfPrefix(KindPrefix(RecordKind::kItem));
  const std::unique_ptr<leveldb::Iterator> at(directory_.db()->NewIterator(CheckedOnce()));
  at->Seek(KindPrefix(RecordKind::kItem));
  while (at->Valid() && ToView(at->key()) < end) {
    const std::optional<StoreKeyParts> parts = ParseStoreKey(ToView(at->key()));
    if (!parts) return UnknownKey(directory_, ToView(at->key()));
    ids.push_back(parts->id);
    at->Seek(ItemEnd(parts->id));
  }
  if (!at->status().ok()) return ReadError(directory_, at->status());
  return ids;
}

Status DataReader::CheckForUnknownKeys() const {
  std::vector<std::string> prefixes = {KindPrefix(RecordKind::kItem)};
  for (const RecordKind kind : kPlainRecordKinds) prefixes.push_back(KindPrefix(kind));
  std::sort(prefixes.begin(), prefixes.end());
  const std::unique_ptr<leveldb::Iterator> at(directory_.db()->NewIterator(CheckedOnce()));
  std::string begin;
  for (const std::string& prefix : prefixes) {
    at->Seek(begin);
    if (at->Valid() && ToView(at->key()) < prefix) break;
    begin = EndOfPrefix(prefix);
    at->Seek(begin);
  }
  if (at->Valid() && !ParseStoreKey(ToView(at->key()))) {
    return UnknownKey(directory_, ToView(at->key()));
  }
  return at->status().ok() ? Status() : ReadError(directory_, at->status());
}

}  // namespace hashrange
