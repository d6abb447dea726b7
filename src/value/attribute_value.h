// ValueView: one attribute value, as a view of bytes that somebody else owns. Immutable; any
// thread.
//
// A value is canonical: numbers are in their stored form, sets are sorted and without
// repeats, maps are sorted by name and without repeats. So two values are equal exactly
// when their types and bytes are equal.
//
//   type   bytes of the view
//   S B    the text, the data
//   N      Number's stored form
//   BOOL   one byte, 0 or 1
//   NULL   none
//   sets   count, then for each member, ascending: its length and bytes
//   L      count, then packed values
//   M      count, then for each entry, ascending: the name's length, the name, a packed value
//
// Inside a list, a map or an item, a value is packed: its type (1 byte), and then
//
//   S B       length (varint), bytes
//   N         length (1 byte), bytes
//   BOOL      1 byte
//   NULL      nothing
//   sets L M  length (4 bytes, little-endian), bytes
//
// A varint has 7 bits in each byte, the low bits first. Counts, and the lengths of set members and
// names, are varints too. A view is valid as long as the bytes it points to, which are in an Arena,
// a request body or an Item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hashrange {

// The ten types of an attribute value, in the order of the service's own list.

enum class AttributeType : std::uint8_t { kS, kN, kB, kBool, kNull, kSS, kNS, kBS, kL, kM };
inline constexpr int kAttributeTypes = 10;

inline constexpr std::string_view kTypeTags[kAttributeTypes] = {"S",  "N",  "B",  "BOOL", "NULL",
                                                                "SS", "NS", "BS", "L",    "M"};

// Returns the type's tag in JSON and in messages: "S", "BOOL", …
constexpr std::string_view TypeTag(AttributeType type) { return kTypeTags[static_cast<int>(type)]; }

constexpr bool IsSet(AttributeType type) {
  return type >= AttributeType::kSS && type <= AttributeType::kBS;
}
// Whether values of the type may be a key and have an order: S, N and B.
constexpr bool IsScalarKey(AttributeType type) { return type <= AttributeType::kB; }

// Returns the type of a set's members: SS → S, NS → N, BS → B.
constexpr AttributeType MemberTypeOf(AttributeType set) {
  return static_cast<AttributeType>(static_cast<int>(set) - static_cast<int>(AttributeType::kSS));
}

struct ValueView {
  AttributeType type = AttributeType::kNull;
  std::uint32_t size = 0;
  const char* data = nullptr;

  ValueView() = default;
  ValueView(AttributeType t, std::string_view b)
      : type(t), size(static_cast<std::uint32_t>(b.size())), data(b.data()) {}

  std::string_view bytes() const { return {data, size}; }
  bool boolean() const { return *data != 0; }

  friend bool operator==(const ValueView& a, const ValueView& b) {
    return a.type == b.type && a.bytes() == b.bytes();
  }
};

// One attribute of an item or one entry of a map.
struct Attribute {
  std::string_view name;
  ValueView value;
};

// The levels of the deepest value in memory: a scalar in 64 open containers (ValueWriter::kMaxOpen)
// that was put below a path of 64 containers. A deeper value is an error of this program, not of a
// client.
inline constexpr int kMaxValueDepth = 2 * 64 + 1;

// Returns the number of members, elements or entries of a set, list or map.
std::uint32_t MemberCount(ValueView collection);

// The readers of sets, lists and maps read the members, the elements or the entries in order:
//   for (SetReader r(value); !r.done();) { std::string_view member = r.Next(); }
class CollectionReader {
 public:
  explicit CollectionReader(ValueView collection);
  bool done() const { return left_ == 0; }

 protected:
  const char* at_;
  std::uint32_t left_;
};

class SetReader : public CollectionReader {
 public:
  using CollectionReader::CollectionReader;
  std::string_view Next();
};

class ListReader : public CollectionReader {
 public:
  using CollectionReader::CollectionReader;
  ValueView Next();
};

class MapReader : public CollectionReader {
 public:
  using CollectionReader::CollectionReader;
  Attribute Next();
};

// Return the entry of a map by its name, or the element of a list by its position; none when
// there is no such entry or element. Cost: linear.
std::optional<ValueView> FindEntry(ValueView map, std::string_view name);
std::optional<ValueView> FindElement(ValueView list, std::uint64_t index);
bool SetContains(ValueView set, std::string_view member);

// Returns −1, 0 or 1 for a < b, a = b or a > b; both are of the same ordered type (S, N or B).
int Compare(ValueView a, ValueView b);

// Returns how many bytes the value adds to an item's size (docs/service/02-types-and-sizes.md,
// section 7).
std::size_t SizeBytes(ValueView value);
// Returns the levels of nesting: 1 for a scalar or a set, 1 + the deepest member for a list or map.
int NestingDepth(ValueView value);
// The most levels that the service accepts (docs/service/02-types-and-sizes.md, section 5).
inline constexpr int kMaxDepth = 32;

// These functions read the varint, 4-byte length or packed value at `at` and move `at` behind it.
// The bytes are trusted, as this process packed them. The functions are in the header because
// every look-up of an attribute calls them.
inline std::uint32_t ReadVarint(const char*& at) {
  std::uint32_t value = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = static_cast<std::uint32_t>(static_cast<unsigned char>(*at++));
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

inline std::uint32_t ReadLittle32(const char*& at) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(*at++)) << (8 * i);
  }
  return value;
}

inline ValueView ReadPacked(const char*& at) {
  const auto type = static_cast<AttributeType>(*at++);
  std::uint32_t size = 0;
  switch (type) {
    case AttributeType::kN:
      size = static_cast<unsigned char>(*at++);
      break;
    case AttributeType::kBool:
      size = 1;
      break;
    case AttributeType::kNull:
      break;
    case AttributeType::kS:
    case AttributeType::kB:
      size = ReadVarint(at);
      break;
    default:
      size = ReadLittle32(at);
      break;
  }
  const ValueView value(type, {at, size});
  at += size;
  return value;
}

}  // namespace hashrange
