// The keys under which data is stored. The first byte is the kind; numbers are big-endian, so that
// the order of the bytes is the order of the numbers.
//
//   T  table id (8)                                  a table
//   G  table id (8)                                  the tags of a table
//   I  table id (8) · hash (8) · key bytes           an item; hash and key bytes are its position
//                                                    in the table (value/key.h)
//   P  id (8) · table id (8)                         a seed that is being put into a table: its
//                                                    items wait, stored as items of table `id`
//   S  stream id (8)                                 a stream
//   g  stream id (8)                                 the tags of a stream
//   R  stream id (8) · shard (2) · number (8)        a record of a stream
//   K  expiry (8) · number (8)                       a completed client request token; the expiry
//                                                    is in milliseconds since 1970, and the number
//                                                    tells tokens of one expiry apart
//   C  number (1)                                    a counter: the clock, the highest ids
//   L                                                how far a log was flushed
//   (store/files/log_ends.h)
//
// This folder knows the content of items, of counters and of L only; the content of the other kinds
// is bytes.
// Pure functions; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hashrange {

enum class RecordKind : char {
  kTable = 'T',
  kTableTags = 'G',
  kItem = 'I',
  kSeed = 'P',
  kStream = 'S',
  kStreamTags = 'g',
  kStreamRecord = 'R',
  kToken = 'K',
  kCounter = 'C',
  kLogPosition = 'L',
};
// All kinds but kItem.
inline constexpr std::array kPlainRecordKinds = {
    RecordKind::kTable,  RecordKind::kTableTags,  RecordKind::kSeed,
    RecordKind::kStream, RecordKind::kStreamTags, RecordKind::kStreamRecord,
    RecordKind::kToken,  RecordKind::kCounter,    RecordKind::kLogPosition};

// The key of anything but an item. A value type that takes no memory of its own.
class StoreKey {
 public:
  static StoreKey OfTable(std::uint64_t table_id) { return {RecordKind::kTable, table_id}; }
  static StoreKey OfTableTags(std::uint64_t table_id) { return {RecordKind::kTableTags, table_id}; }
  static StoreKey OfSeed(std::uint64_t id, std::uint64_t table_id);
  static StoreKey OfStream(std::uint64_t stream_id) { return {RecordKind::kStream, stream_id}; }
  static StoreKey OfStreamTags(std::uint64_t stream_id) {
    return {RecordKind::kStreamTags, stream_id};
  }
  static StoreKey OfStreamRecord(std::uint64_t stream_id, std::uint16_t shard,
                                 std::uint64_t number);
  static StoreKey OfToken(std::int64_t expiry_epoch_ms, std::uint64_t number);
  static StoreKey OfCounter(std::uint8_t number);
  static StoreKey OfLogPosition() { return StoreKey(RecordKind::kLogPosition); }

  RecordKind kind() const { return static_cast<RecordKind>(bytes_[0]); }
  std::string_view bytes() const { return {bytes_.data(), size_}; }

  friend bool operator==(const StoreKey& a, const StoreKey& b) { return a.bytes() == b.bytes(); }

 private:
  friend struct StoreKeyRange;

  explicit StoreKey(RecordKind kind) { Append(static_cast<std::uint64_t>(kind), 1); }
  StoreKey(RecordKind kind, std::uint64_t id) : StoreKey(kind) { Append(id, 8); }
  // Appends the lowest `bytes` bytes of the number.
  void Append(std::uint64_t number, int bytes);

  std::array<char, 23> bytes_ = {};
  std::uint8_t size_ = 0;
};

// The keys from `begin` to before `end`.
struct StoreKeyRange {
  StoreKey begin;
  StoreKey end;

  static StoreKeyRange OfItems(std::uint64_t table_id);
  static StoreKeyRange OfStreamRecords(std::uint64_t stream_id);
  // The records of a shard from number `first` to before `end`.
  static StoreKeyRange OfStreamRecords(std::uint64_t stream_id, std::uint16_t shard,
                                       std::uint64_t first, std::uint64_t end);
  // The tokens that have expired at `now_ms`.
  static StoreKeyRange OfExpiredTokens(std::int64_t now_ms);
};

// Appends the lowest `bytes` bytes of a number, and reads such bytes.
void AppendBigEndian(std::uint64_t number, std::size_t bytes, std::string* out);
std::uint64_t ReadBigEndian(std::string_view bytes);

// The counters (StoreKey::OfCounter), and their values as they are stored.
inline constexpr std::uint8_t kClockCounter = 0;     // the latest time, in ms since 1970
inline constexpr std::uint8_t kTableIdCounter = 1;   // the greatest id that a table has had
inline constexpr std::uint8_t kStreamIdCounter = 2;  // the greatest id that a stream has had
std::string EncodeCounter(std::uint64_t value);
// Errors: InternalServerError  the bytes are no counter
Result<std::uint64_t> DecodeCounter(std::string_view bytes);

// Appends the key of an item. `key` is the item's encoded key.
void AppendItemKey(std::uint64_t table_id, std::uint64_t hash, std::string_view key,
                   std::string* out);

// The parts of a key. The meaning of `id`, `shard`, `number` and `rest` depends on the kind:
//
//   kind           id         shard   number   rest
//   kItem          table id   –       hash     key bytes
//   kSeed          id         –       table id –
//   kStreamRecord  stream id  shard   number   –
//   kToken         expiry     –       number   –
//   kCounter       –          –       number   –
//   kLogPosition   –          –       –        –
//   the others     table id or stream id
struct StoreKeyParts {
  RecordKind kind = RecordKind::kTable;
  std::uint64_t id = 0;
  std::uint16_t shard = 0;
  std::uint64_t number = 0;
  std::string_view rest;  // a view of the key

  friend bool operator==(const StoreKeyParts&, const StoreKeyParts&) = default;
};

// Returns the parts, or none if the bytes are not a key.
std::optional<StoreKeyParts> ParseStoreKey(std::string_view bytes);

// Returns what the key is the key of, for a sentence: "the table with id 7", "an item of the table
// with id 7 (key 00000000000000ff61…)", "unknown data (key 5a01)".
std::string StoreKeyText(std::string_view bytes);

}  // namespace hashrange
