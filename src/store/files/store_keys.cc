#include "store/files/store_keys.h"

#include <algorithm>

namespace hashrange {
namespace {

constexpr std::size_t kIdBytes = 8;
constexpr std::size_t kShardBytes = 2;
constexpr std::size_t kMaxShownBytes = 24;

// Reads the number of that many bytes at the start of `*rest`, and removes it.
std::uint64_t TakeBig(std::string_view* rest, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    value = value << 8 | static_cast<unsigned char>((*rest)[i]);
  }
  rest->remove_prefix(bytes);
  return value;
}

// What stands behind the kind, and how long it is.
struct Form {
  RecordKind kind;
  bool has_id;
  std::size_t bytes;  // behind the kind
  bool is_exact;      // false: more bytes follow
};
constexpr Form kForms[] = {
    {RecordKind::kTable, true, kIdBytes, true},
    {RecordKind::kTableTags, true, kIdBytes, true},
    {RecordKind::kItem, true, 2 * kIdBytes, false},
    {RecordKind::kSeed, true, 2 * kIdBytes, true},
    {RecordKind::kStream, true, kIdBytes, true},
    {RecordKind::kStreamTags, true, kIdBytes, true},
    {RecordKind::kStreamRecord, true, 2 * kIdBytes + kShardBytes, true},
    {RecordKind::kToken, true, 2 * kIdBytes, true},
    {RecordKind::kCounter, false, 1, true},
    {RecordKind::kLogPosition, false, 0, true},
};

const Form* FindForm(std::string_view bytes) {
  if (bytes.empty()) return nullptr;
  for (const Form& form : kForms) {
    if (static_cast<char>(form.kind) != bytes.front()) continue;
    const std::size_t size = bytes.size() - 1;
    return (form.is_exact ? size == form.bytes : size > form.bytes) ? &form : nullptr;
  }
  return nullptr;
}

std::string Hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes.substr(0, kMaxShownBytes)) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  if (bytes.size() > kMaxShownBytes) text += "…";
  return text;
}

}  // namespace

void StoreKey::Append(std::uint64_t number, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    bytes_[size_++] = static_cast<char>(number >> shift);
  }
}

StoreKey StoreKey::OfTable(std::uint64_t table_id) { return {RecordKind::kTable, table_id}; }

StoreKey StoreKey::OfTableTags(std::uint64_t table_id) {
  return {RecordKind::kTableTags, table_id};
}

StoreKey StoreKey::OfSeed(std::uint64_t id, std::uint64_t table_id) {
  StoreKey key(RecordKind::kSeed, id);
  key.Append(table_id, kIdBytes);
  return key;
}

StoreKey StoreKey::OfStream(std::uint64_t stream_id) { return {RecordKind::kStream, stream_id}; }

StoreKey StoreKey::OfStreamTags(std::uint64_t stream_id) {
  return {RecordKind::kStreamTags, stream_id};
}

StoreKey StoreKey::OfStreamRecord(std::uint64_t stream_id, std::uint16_t shard,
                                  std::uint64_t number) {
  StoreKey key(RecordKind::kStreamRecord, stream_id);
  key.Append(shard, kShardBytes);
  key.Append(number, kIdBytes);
  return key;
}

StoreKey StoreKey::OfToken(std::int64_t expiry_epoch_ms, std::uint64_t number) {
  StoreKey key(RecordKind::kToken, static_cast<std::uint64_t>(expiry_epoch_ms));
  key.Append(number, kIdBytes);
  return key;
}

StoreKey StoreKey::OfCounter(std::uint8_t number) {
  StoreKey key(RecordKind::kCounter);
  key.Append(number, 1);
  return key;
}

StoreKey StoreKey::OfLogPosition() { return StoreKey(RecordKind::kLogPosition); }

StoreKeyRange StoreKeyRange::OfItems(std::uint64_t table_id) {
  return {StoreKey(RecordKind::kItem, table_id), StoreKey(RecordKind::kItem, table_id + 1)};
}

StoreKeyRange StoreKeyRange::OfStreamRecords(std::uint64_t stream_id) {
  return {StoreKey(RecordKind::kStreamRecord, stream_id),
          StoreKey(RecordKind::kStreamRecord, stream_id + 1)};
}

StoreKeyRange StoreKeyRange::OfStreamRecords(std::uint64_t stream_id, std::uint16_t shard,
                                             std::uint64_t first, std::uint64_t end) {
  return {StoreKey::OfStreamRecord(stream_id, shard, first),
          StoreKey::OfStreamRecord(stream_id, shard, end)};
}

StoreKeyRange StoreKeyRange::OfExpiredTokens(std::int64_t now_ms) {
  return {StoreKey::OfToken(0, 0), StoreKey::OfToken(now_ms + 1, 0)};
}

void AppendItemKey(std::uint64_t table_id, std::uint64_t hash, std::string_view key,
                   std::string* out) {
  out->push_back(static_cast<char>(RecordKind::kItem));
  for (const std::uint64_t number : {table_id, hash}) {
    for (int shift = 56; shift >= 0; shift -= 8) {
      out->push_back(static_cast<char>(number >> shift));
    }
  }
  out->append(key);
}

std::optional<StoreKeyParts> ParseStoreKey(std::string_view bytes) {
  const Form* const form = FindForm(bytes);
  if (!form) return std::nullopt;
  StoreKeyParts parts;
  parts.kind = form->kind;
  parts.rest = bytes.substr(1);
  if (form->has_id) parts.id = TakeBig(&parts.rest, kIdBytes);
  switch (form->kind) {
    case RecordKind::kStreamRecord:
      parts.shard = static_cast<std::uint16_t>(TakeBig(&parts.rest, kShardBytes));
      parts.number = TakeBig(&parts.rest, kIdBytes);
      break;
    case RecordKind::kItem:
    case RecordKind::kSeed:
    case RecordKind::kToken:
      parts.number = TakeBig(&parts.rest, kIdBytes);
      break;
    case RecordKind::kCounter:
      parts.number = TakeBig(&parts.rest, 1);
      break;
    default:
      break;
  }
  return parts;
}

std::string StoreKeyText(std::string_view bytes) {
  const std::optional<StoreKeyParts> parts = ParseStoreKey(bytes);
  if (!parts) return "unknown data (key " + Hex(bytes) + ")";
  const std::string id = std::to_string(parts->id);
  switch (parts->kind) {
    case RecordKind::kTable:
      return "the table with id " + id;
    case RecordKind::kTableTags:
      return "the tags of the table with id " + id;
    case RecordKind::kItem:
      return "an item of the table with id " + id + " (key " + Hex(bytes.substr(1 + kIdBytes)) +
             ")";
    case RecordKind::kSeed:
      return "the seed with id " + id + " of the table with id " + std::to_string(parts->number);
    case RecordKind::kStream:
      return "the stream with id " + id;
    case RecordKind::kStreamTags:
      return "the tags of the stream with id " + id;
    case RecordKind::kStreamRecord:
      return "record " + std::to_string(parts->number) + " of shard " +
             std::to_string(parts->shard) + " of the stream with id " + id;
    case RecordKind::kToken:
      return "client request token " + std::to_string(parts->number) + " that expires at " + id;
    case RecordKind::kCounter:
      return "counter " + std::to_string(parts->number);
    case RecordKind::kLogPosition:
      return "the record of what was flushed";
  }
  return {};
}

}  // namespace hashrange
