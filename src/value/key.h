// Keys as bytes whose order is DynamoDB's order.
//
// A part is encoded self-delimiting:
//   S B  the bytes, 00 written as 00 FF, then 00 01
//   N    the stored form, then 00; negative ones end in their 66 already
//
// A position in an ordered map is {hash, bytes}:
//   table  hash of its HASH part ·  HASH part · RANGE part
//   index  hash of its HASH parts · HASH parts · RANGE parts · the item's own table hash
//          (8 bytes, big-endian) and table key, so that equal index keys stay distinct
//          and ordered
//
// The hash is the first 8 bytes, big-endian, of MD5("Outliers" + key bytes), key bytes
// being S as UTF-8, B as is, N in its stored form (docs/service/06-query-and-scan.md, section 7);
// of several HASH parts, their encodings one after the other.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "value/attribute_value.h"
#include "value/item.h"
#include "value/schema.h"

namespace hashrange {

// A place in an ordered map. The bytes belong to an Arena or an Item.
struct Position {
  std::uint64_t hash = 0;
  std::string_view bytes;

  friend bool operator==(const Position&, const Position&) = default;
  friend auto operator<=>(const Position& a, const Position& b) {
    if (auto order = a.hash <=> b.hash; order != 0) return order;
    return a.bytes <=> b.bytes;
  }
};

// A half-open interval of positions. No `end`: to the end of the map.
struct Interval {
  Position begin;
  std::optional<Position> end;
};

inline constexpr std::size_t kMaxHashKeyBytes = 2048;
inline constexpr std::size_t kMaxRangeKeyBytes = 1024;

std::uint64_t HashOfParts(std::span<const ValueView> hash_parts);

// The encodings of `parts`, one after the other.
std::string_view EncodeParts(std::span<const ValueView> parts, Arena& arena);
// `base`, then the beginning of a part that starts with `prefix` (S or B; no terminator).
std::string_view EncodePrefix(std::string_view base, std::string_view prefix, Arena& arena);
// The least byte string above all that start with `bytes`, which holds a byte other
// than FF, as every whole part's encoding does.
std::string_view PrefixEnd(std::string_view bytes, Arena& arena);
// The least byte string above `bytes` itself.
std::string_view Successor(std::string_view bytes, Arena& arena);

// The value of the encoded part at `*at`, which moves behind it. A part that was escaped
// is unescaped into the arena; any other value is a view of `encoded`.
ValueView DecodePart(std::string_view encoded, std::size_t* at, AttributeType type, Arena& arena);

// The pieces EncodeParts and DecodePart are made of.
// Whether the encoding differs from the bytes: an S or B that holds a zero byte.
bool NeedsEscape(ValueView part);
std::size_t EncodedPartBytes(ValueView part);
// Returns the end of what it wrote.
char* WriteEncodedPart(ValueView part, char* out);
// Where the part that begins at `at` ends, its terminator included.
std::size_t EncodedPartEnd(std::string_view encoded, std::size_t at, AttributeType type);
// The same of the part that `encoded` begins with, which may be cut off: then its size.
std::size_t EncodedPrefixEnd(std::string_view encoded, AttributeType type);
// The value of one part's encoding that needed no escape: a view of it.
ValueView EncodedPartValue(std::string_view encoded_part, AttributeType type);

// The position of the item of that key in its table. `key` holds the values of the
// schema's parts in order.
Position TablePosition(const KeySchema& schema, std::span<const ValueView> key, Arena& arena);

// The place in an index of the entry with these key values (in the order of the schema's
// parts), whose item stands at `table_position` in its table.
Position IndexEntryPosition(const KeySchema& index, std::span<const ValueView> key,
                            const Position& table_position, Arena& arena);

// The item's place in an index; none when it does not belong to it: a part is
// missing, of another type, empty or too long. Total: never fails otherwise.
std::optional<Position> IndexPosition(const KeySchema& index, ItemView item, Arena& arena);
// Whether IndexPosition gives a place, without working it out.
bool BelongsTo(const KeySchema& index, ItemView item);

// Whether two items of one primary key have the same values for all parts of the index's
// key: then their entries have one place.
bool SameIndexKey(const KeySchema& index, ItemView a, ItemView b);

// Compares the index position of a member of the index with `bytes`: −1, 0, 1.
// Cost: no allocation; reads only as many parts as it needs.
int CompareIndexBytes(const KeySchema& index, ItemView member, std::string_view bytes);

}  // namespace hashrange
