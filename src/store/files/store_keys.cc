#include "store/files/store_keys.h"

#include "base/text/text_encodings.h"

namespace hashrange {
namespace {

constexpr std::size_t kIdBytes = 8;
constexpr std::size_t kCounterBytes = 8;
constexpr std::size_t kShardBytes = 2;
constexpr std::size_t kMaxShownBytes = 24;

// Reads the number of that many bytes at the start of `*rest`, and removes it.
std::uint64_t TakeBigEndian(std::string_view* rest, std::size_t bytes) {
  const std::uint64_t number = ReadBigEndian(rest->substr(0, bytes));
  rest->remove_prefix(bytes);
  return number;
}

// How many bytes each part takes behind the kind.
struct Form {
  RecordKind kind;
  std::size_t id_bytes;
  std::size_t shard_bytes;
  std::size_t number_bytes;
  bool has_rest = false;
};
constexpr Form kForms[] = {
    {RecordKind::kTable, kIdBytes, 0, 0},
    {RecordKind::kTableTags, kIdBytes, 0, 0},
    {RecordKind::kItem, kIdBytes, 0, kIdBytes, true},
    {RecordKind::kSeed, kIdBytes, 0, kIdBytes},
    {RecordKind::kStream, kIdBytes, 0, 0},
    {RecordKind::kStreamTags, kIdBytes, 0, 0},
    {RecordKind::kStreamRecord, kIdBytes, kShardBytes, kIdBytes},
    {RecordKind::kToken, kIdBytes, 0, kIdBytes},
    {RecordKind::kCounter, 0, 0, 1},
    {RecordKind::kLogPosition, 0, 0, 0},
};

const Form* FindForm(std::string_view bytes) {
  if (bytes.empty()) return nullptr;
  for (const Form& form : kForms) {
    if (static_cast<char>(form.kind) != bytes.front()) continue;
    const std::size_t size = 1 + form.id_bytes + form.shard_bytes + form.number_bytes;
    return (form.has_rest ? bytes.size() > size : bytes.size() == size) ? &form : nullptr;
  }
  return nullptr;
}

std::string ShortHexText(std::string_view bytes) {
  return HexText(bytes.substr(0, kMaxShownBytes)) + (bytes.size() > kMaxShownBytes ? "…" : "");
}

}  // namespace

void StoreKey::Append(std::uint64_t number, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    bytes_[size_++] = static_cast<char>(number >> shift);
  }
}

StoreKey StoreKey::OfSeed(std::uint64_t id, std::uint64_t table_id) {
  StoreKey key(RecordKind::kSeed, id);
  key.Append(table_id, kIdBytes);
  return key;
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

void AppendBigEndian(std::uint64_t number, std::size_t bytes, std::string* out) {
  for (; bytes > 0; --bytes) out->push_back(static_cast<char>(number >> (8 * (bytes - 1))));
}

std::uint64_t ReadBigEndian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

std::string EncodeCounter(std::uint64_t value) {
  std::string bytes;
  AppendBigEndian(value, kCounterBytes, &bytes);
  return bytes;
}

Result<std::uint64_t> DecodeCounter(std::string_view bytes) {
  if (bytes.size() == kCounterBytes) return ReadBigEndian(bytes);
  return InternalError("a counter is damaged");
}

void AppendItemKey(std::uint64_t table_id, std::uint64_t hash, std::string_view key,
                   std::string* out) {
  out->push_back(static_cast<char>(RecordKind::kItem));
  AppendBigEndian(table_id, kIdBytes, out);
  AppendBigEndian(hash, kIdBytes, out);
  out->append(key);
}

std::optional<StoreKeyParts> ParseStoreKey(std::string_view bytes) {
  const Form* const form = FindForm(bytes);
  if (!form) return std::nullopt;
  StoreKeyParts parts;
  parts.kind = form->kind;
  parts.rest = bytes.substr(1);
  parts.id = TakeBigEndian(&parts.rest, form->id_bytes);
  parts.shard = static_cast<std::uint16_t>(TakeBigEndian(&parts.rest, form->shard_bytes));
  parts.number = TakeBigEndian(&parts.rest, form->number_bytes);
  return parts;
}

std::string StoreKeyText(std::string_view bytes) {
  const std::optional<StoreKeyParts> parts = ParseStoreKey(bytes);
  if (!parts) return "unknown data (key " + ShortHexText(bytes) + ")";
  const std::string id = std::to_string(parts->id);
  switch (parts->kind) {
    case RecordKind::kTable:
      return "the table with id " + id;
    case RecordKind::kTableTags:
      return "the tags of the table with id " + id;
    case RecordKind::kItem:
      return "an item of the table with id " + id + " (key " +
             ShortHexText(bytes.substr(1 + kIdBytes)) + ")";
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
