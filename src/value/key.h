// Keys as bytes whose order is DynamoDB's order. Pure functions; any thread.
//
// The encoding of a key part ends with a terminator:
//   S B  the bytes, 00 written as 00 FF, then 00 01
//   N    the stored form, then 00; no 00 behind a negative number, which ends in 66 already
//
// A position in an ordered map is {hash, bytes}:
//   table  hash of its HASH part ·  HASH part · RANGE part
//   index  hash of its HASH parts · HASH parts · RANGE parts · the item's hash in the table
//          (8 bytes, big-endian) and its key in the table, so that entries with equal index keys
//          have different positions and a fixed order
//
// The hash is the first 8 bytes, big-endian, of MD5("Outliers" + key bytes). The key bytes are
// S as UTF-8, B as it is, N in its stored form (docs/service/06-query-and-scan.md, section 7);
// for several HASH parts they are the encodings of the parts, one after the other.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory/arena.h"
#include "value/attribute_value.h"
#include "value/item.h"
#include "value/schema.h"

namespace hashrange {

// A place in an ordered map. An Arena or an Item owns the bytes.
struct Position {
  std::uint64_t hash = 0;
  std::string_view bytes;

  friend bool operator==(const Position&, const Position&) = default;
  friend auto operator<=>(const Position& a, const Position& b) {
    if (auto order = a.hash <=> b.hash; order != 0) return order;
    return a.bytes <=> b.bytes;
  }
};

// A half-open interval of positions: from `begin` to before `end`, or to the end of the map when
// there is no `end`.
struct Interval {
  Position begin;
  std::optional<Position> end;
};

inline constexpr std::size_t kMaxHashKeyBytes = 2048;
inline constexpr std::size_t kMaxRangeKeyBytes = 1024;

// The most bytes that the position of an item takes in its table, and in an index with a key of
// `parts` parts: escaping doubles zero bytes, a part ends with two bytes, and the position in an
// index ends with the item's hash and its position in the table.
inline constexpr std::size_t kMaxPositionBytes = 2 * (kMaxHashKeyBytes + kMaxRangeKeyBytes) + 4;
constexpr std::size_t MaxIndexPositionBytes(std::size_t parts) {
  return parts * (2 * kMaxHashKeyBytes + 2) + sizeof(std::uint64_t) + kMaxPositionBytes;
}

// Returns the hash of a position, computed from the values of the HASH parts.
std::uint64_t HashOfParts(std::span<const ValueView> hash_parts);

// Returns the encodings of `parts`, one after the other.
std::string_view EncodeParts(std::span<const ValueView> parts, Arena& arena);
// Returns the bytes `base`, followed by the encoding of `prefix`, the beginning of an S or B,
// without a terminator.
std::string_view EncodePrefix(std::string_view base, std::string_view prefix, Arena& arena);
// Returns the least byte string above all byte strings that start with `bytes`. `bytes` contains
// a byte other than FF, as the encoding of every whole part does.
std::string_view PrefixEnd(std::string_view bytes, Arena& arena);
// Returns the least byte string above `bytes`.
std::string_view Successor(std::string_view bytes, Arena& arena);

// Returns the value of the encoded part at `*at`, and moves `*at` behind the part. A part that
// was escaped is unescaped into the arena; any other value is a view of `encoded`.
ValueView DecodePart(std::string_view encoded, std::size_t* at, AttributeType type, Arena& arena);

// The steps of EncodeParts and DecodePart.
//
// Returns whether the encoding escapes a byte: for an S or B that contains a zero byte.
bool NeedsEscape(ValueView part);
std::size_t EncodedPartBytes(ValueView part);
// Writes the encoding to `out` and returns the end of the written bytes.
char* WriteEncodedPart(ValueView part, char* out);
// Returns where the part that begins at `at` ends, its terminator included.
std::size_t EncodedPartEnd(std::string_view encoded, std::size_t at, AttributeType type);
// Returns where the first part of `encoded` ends. The part may be cut off; then it ends where
// `encoded` does.
std::size_t EncodedPrefixEnd(std::string_view encoded, AttributeType type);
// Returns the value of one part's encoding that needed no escape, as a view of the encoding.
ValueView EncodedPartValue(std::string_view encoded_part, AttributeType type);

// Returns the position of the item with that key in its table. `key` contains the values of the
// schema's parts in order.
Position TablePosition(const KeySchema& schema, std::span<const ValueView> key, Arena& arena);

// Returns the position in an index of the entry with these key values (in the order of the
// schema's parts). The position of the entry's item in the table is `table_position`.
Position IndexEntryPosition(const KeySchema& index, std::span<const ValueView> key,
                            const Position& table_position, Arena& arena);

// Returns the item's position in an index, or none when the item does not belong to the index,
// because a key part is missing, of another type, empty or too long.
std::optional<Position> IndexPosition(const KeySchema& index, ItemView item, Arena& arena);
// Returns whether IndexPosition gives a position, without computing the position.
bool BelongsTo(const KeySchema& index, ItemView item);

// Returns the hash of an item's position in an index that the item belongs to.
std::uint64_t IndexHash(const KeySchema& index, ItemView item);

// Returns whether two items with the same primary key have the same values for all parts of the
// index's key. Then their entries have the same position.
bool SameIndexKey(const KeySchema& index, ItemView a, ItemView b);

// Returns −1, 0 or 1: the bytes of the index position of `member`, an item that belongs to the
// index, compared with `bytes`. Cost: no allocation; reads no more key parts than it needs.
int CompareIndexBytes(const KeySchema& index, ItemView member, std::string_view bytes);

// ---- keys as people read them: binary parts are hexadecimal ----

// Returns the text of each part that `encoded` has: of the HASH parts, then of the RANGE parts. The
// caller keeps at most `kept_bytes` of a key; when `encoded` has that many, its last part may have
// been cut off, and then its text ends with "…".
std::vector<std::string> KeyPartTexts(const KeySchema& key, std::string_view encoded,
                                      std::size_t kept_bytes);
// Returns the names and texts of these parts: "PK=ORDERS, SK=ORDER#500".
std::string KeyText(const KeySchema& key, std::string_view encoded, std::size_t kept_bytes);

}  // namespace hashrange
