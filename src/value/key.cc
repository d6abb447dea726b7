#include "value/key.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <string>

#include "base/checksums.h"
#include "base/memory/arena.h"
#include "base/text/text_encodings.h"
#include "value/number.h"

namespace hashrange {
namespace {

constexpr char kEscape = '\0';
constexpr char kEscapedZero = '\xff';
constexpr std::string_view kPartEnd("\0\x01", 2);
constexpr std::string_view kZeroInPart("\0\xff", 2);
constexpr std::string_view kNumberEnd("\0", 1);
constexpr char kNegativeNumberEnd = '\x66';
constexpr std::string_view kHashPrefix = "Outliers";
constexpr std::size_t kHashBytes = 8;

bool IsNegative(ValueView number) { return static_cast<unsigned char>(*number.data) < 0x80; }

char* WriteBytes(std::string_view bytes, char* out) {
  if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
  return out + bytes.size();
}

// Passes the pieces of a part's escaped bytes, without its terminator, to `feed`.
template <typename Feed>
void ForEachEscaped(std::string_view bytes, Feed&& feed) {
  while (true) {
    const std::size_t zero = bytes.find(kEscape);
    feed(bytes.substr(0, zero));
    if (zero == std::string_view::npos) return;
    feed(kZeroInPart);
    bytes.remove_prefix(zero + 1);
  }
}

// Passes the pieces of a part's encoding to `feed`.
template <typename Feed>
void ForEachPiece(ValueView part, Feed&& feed) {
  if (part.type == AttributeType::kN) {
    feed(part.bytes());
    if (!IsNegative(part)) feed(kNumberEnd);
    return;
  }
  ForEachEscaped(part.bytes(), feed);
  feed(kPartEnd);
}

void StoreBig64(std::uint64_t value, char* out) {
  for (int i = 0; i < 8; ++i) out[i] = static_cast<char>(value >> (56 - 8 * i));
}

// Compares bytes that are given piece after piece with other bytes.
class PieceComparer {
 public:
  explicit PieceComparer(std::string_view bytes) : left_(bytes) {}

  // 0 until the first difference; the pieces after that do not matter.
  int order() const { return order_; }
  void operator()(std::string_view piece) {
    if (order_ != 0) return;
    const std::size_t n = std::min(piece.size(), left_.size());
    if (n != 0) order_ = std::memcmp(piece.data(), left_.data(), n);
    if (order_ == 0 && piece.size() > n) order_ = 1;
    left_.remove_prefix(n);
  }
  int Finish() const {
    if (order_ != 0) return order_ < 0 ? -1 : 1;
    return left_.empty() ? 0 : -1;
  }

 private:
  std::string_view left_;
  int order_ = 0;
};

struct PartValues {
  std::array<ValueView, kMaxKeyParts> values;
  std::size_t count = 0;
  std::span<const ValueView> first(std::size_t n) const { return {values.data(), n}; }
};

// Returns the item's value for one key part of an index, or none when it cannot be a key.
std::optional<ValueView> MemberValue(const KeyPart& part, std::size_t max_bytes, ItemView item) {
  std::optional<ValueView> value = item.Find(part.name);
  if (!value || value->type != part.type) return std::nullopt;
  if (value->type == AttributeType::kN) return value;
  if (value->size == 0 || value->size > max_bytes) return std::nullopt;
  return value;
}

// Reads the values of all parts; returns false when the item does not belong to the index.
bool ReadParts(const KeySchema& index, ItemView item, PartValues* parts) {
  assert(index.parts() <= kMaxKeyParts);
  for (const KeyPart& part : index.hash) {
    const auto value = MemberValue(part, kMaxHashKeyBytes, item);
    if (!value) return false;
    parts->values[parts->count++] = *value;
  }
  for (const KeyPart& part : index.range) {
    const auto value = MemberValue(part, kMaxRangeKeyBytes, item);
    if (!value) return false;
    parts->values[parts->count++] = *value;
  }
  return true;
}

std::string_view Unescape(std::string_view escaped, Arena& arena) {
  char* const begin = arena.AllocateBytes(escaped.size());
  char* out = begin;
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    *out++ = escaped[i];
    if (escaped[i] == kEscape) ++i;
  }
  return {begin, static_cast<std::size_t>(out - begin)};
}

}  // namespace

bool NeedsEscape(ValueView part) {
  return part.type != AttributeType::kN && part.bytes().find(kEscape) != std::string_view::npos;
}

std::size_t EncodedPartBytes(ValueView part) {
  if (part.type == AttributeType::kN) return part.size + (IsNegative(part) ? 0 : kNumberEnd.size());
  std::size_t bytes = part.size + kPartEnd.size();
  if (NeedsEscape(part)) {
    bytes += static_cast<std::size_t>(std::count(part.data, part.data + part.size, kEscape));
  }
  return bytes;
}

char* WriteEncodedPart(ValueView part, char* out) {
  ForEachPiece(part, [&](std::string_view piece) { out = WriteBytes(piece, out); });
  return out;
}

std::size_t EncodedPartEnd(std::string_view encoded, std::size_t at, AttributeType type) {
  if (type == AttributeType::kN) {
    const bool negative = static_cast<unsigned char>(encoded[at]) < 0x80;
    // The first byte is the exponent, which may equal the terminator.
    return encoded.find(negative ? kNegativeNumberEnd : kNumberEnd[0], at + 1) + 1;
  }
  while (true) {
    at = encoded.find(kEscape, at);
    assert(at != std::string_view::npos && at + 1 < encoded.size());
    at += 2;
    if (encoded[at - 1] != kEscapedZero) return at;
  }
}

std::size_t EncodedPrefixEnd(std::string_view encoded, AttributeType type) {
  if (encoded.empty()) return 0;
  if (type == AttributeType::kN) {
    const bool negative = static_cast<unsigned char>(encoded.front()) < 0x80;
    const std::size_t end = encoded.find(negative ? kNegativeNumberEnd : kNumberEnd[0], 1);
    return end == std::string_view::npos ? encoded.size() : end + 1;
  }
  for (std::size_t at = 0;;) {
    at = encoded.find(kEscape, at);
    if (at == std::string_view::npos || at + 1 >= encoded.size()) return encoded.size();
    at += 2;
    if (encoded[at - 1] != kEscapedZero) return at;
  }
}

ValueView EncodedPartValue(std::string_view encoded_part, AttributeType type) {
  std::size_t end_bytes = kPartEnd.size();
  if (type == AttributeType::kN) end_bytes = encoded_part.back() == kNegativeNumberEnd ? 0 : 1;
  return {type, encoded_part.substr(0, encoded_part.size() - end_bytes)};
}

std::uint64_t HashOfParts(std::span<const ValueView> hash_parts) {
  if (hash_parts.size() == 1) return Md5High64(kHashPrefix, hash_parts[0].bytes());
  std::size_t size = 0;
  for (const ValueView part : hash_parts) size += EncodedPartBytes(part);
  // A key is encoded on the stack, unless it is longer than this array, which is rare.
  std::array<char, 1024> on_stack;
  std::string on_heap;
  char* bytes = on_stack.data();
  if (size > on_stack.size()) {
    on_heap.resize(size);
    bytes = on_heap.data();
  }
  char* out = bytes;
  for (const ValueView part : hash_parts) out = WriteEncodedPart(part, out);
  return Md5High64(kHashPrefix, {bytes, size});
}

std::string_view EncodeParts(std::span<const ValueView> parts, Arena& arena) {
  std::size_t size = 0;
  for (const ValueView part : parts) size += EncodedPartBytes(part);
  char* const begin = arena.AllocateBytes(size);
  char* out = begin;
  for (const ValueView part : parts) out = WriteEncodedPart(part, out);
  return {begin, size};
}

std::string_view EncodePrefix(std::string_view base, std::string_view prefix, Arena& arena) {
  const auto zeros = static_cast<std::size_t>(std::count(prefix.begin(), prefix.end(), kEscape));
  const std::size_t size = base.size() + prefix.size() + zeros;
  char* const begin = arena.AllocateBytes(size);
  char* out = WriteBytes(base, begin);
  ForEachEscaped(prefix, [&](std::string_view piece) { out = WriteBytes(piece, out); });
  return {begin, size};
}

std::string_view PrefixEnd(std::string_view bytes, Arena& arena) {
  std::size_t size = bytes.size();
  while (size > 0 && bytes[size - 1] == '\xff') --size;
  assert(size > 0);
  if (size == 0) return arena.Copy(bytes);
  char* const end = arena.AllocateBytes(size);
  std::memcpy(end, bytes.data(), size);
  ++end[size - 1];
  return {end, size};
}

std::string_view Successor(std::string_view bytes, Arena& arena) {
  char* const begin = arena.AllocateBytes(bytes.size() + 1);
  *WriteBytes(bytes, begin) = '\0';
  return {begin, bytes.size() + 1};
}

ValueView DecodePart(std::string_view encoded, std::size_t* at, AttributeType type, Arena& arena) {
  const std::size_t begin = *at;
  *at = EncodedPartEnd(encoded, begin, type);
  const ValueView raw = EncodedPartValue(encoded.substr(begin, *at - begin), type);
  if (!NeedsEscape(raw)) return raw;
  return {type, Unescape(raw.bytes(), arena)};
}

Position TablePosition(const KeySchema& schema, std::span<const ValueView> key, Arena& arena) {
  return {HashOfParts(key.first(schema.hash.size())), EncodeParts(key, arena)};
}

Position IndexEntryPosition(const KeySchema& index, std::span<const ValueView> key,
                            const Position& table_position, Arena& arena) {
  std::size_t size = kHashBytes + table_position.bytes.size();
  for (const ValueView part : key) size += EncodedPartBytes(part);
  char* const begin = arena.AllocateBytes(size);
  char* out = begin;
  for (const ValueView part : key) out = WriteEncodedPart(part, out);
  StoreBig64(table_position.hash, out);
  WriteBytes(table_position.bytes, out + kHashBytes);
  return {HashOfParts(key.first(index.hash.size())), {begin, size}};
}

std::optional<Position> IndexPosition(const KeySchema& index, ItemView item, Arena& arena) {
  PartValues parts;
  if (!item.exists() || !ReadParts(index, item, &parts)) return std::nullopt;
  return IndexEntryPosition(index, parts.first(parts.count),
                            {item.item()->hash(), item.item()->key()}, arena);
}

bool BelongsTo(const KeySchema& index, ItemView item) {
  PartValues parts;
  return item.exists() && ReadParts(index, item, &parts);
}

std::uint64_t IndexHash(const KeySchema& index, ItemView item) {
  PartValues parts;
  ReadParts(index, item, &parts);
  return HashOfParts(parts.first(index.hash.size()));
}

bool SameIndexKey(const KeySchema& index, ItemView a, ItemView b) {
  for (std::size_t i = 0; i < index.parts(); ++i) {
    if (a.Find(index.part(i).name) != b.Find(index.part(i).name)) return false;
  }
  return true;
}

int CompareIndexBytes(const KeySchema& index, ItemView member, std::string_view bytes) {
  PieceComparer comparer(bytes);
  for (std::size_t i = 0; i < index.parts() && comparer.order() == 0; ++i) {
    const std::optional<ValueView> value = member.Find(index.part(i).name);
    assert(value);
    ForEachPiece(*value, comparer);
  }
  char hash[kHashBytes];
  StoreBig64(member.item()->hash(), hash);
  comparer({hash, kHashBytes});
  comparer(member.item()->key());
  return comparer.Finish();
}

namespace {

constexpr std::string_view kCutOff = "…";

// Returns UTF-8 without a last character that is not whole.
std::string_view WholeCharacters(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && (static_cast<unsigned char>(text[begin - 1]) & 0xc0) == 0x80) --begin;
  if (begin == 0) return {};
  const auto first = static_cast<unsigned char>(text[begin - 1]);
  const std::size_t size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return text.size() - (begin - 1) == size ? text : text.substr(0, begin - 1);
}

// `part` is the encoding of one part, without its end if `is_cut`.
std::string PartText(std::string_view part, AttributeType type, bool is_cut) {
  if (type == AttributeType::kN) {
    if (is_cut) return std::string(kCutOff);
    return Number::FromStored(EncodedPartValue(part, type).bytes()).ToText();
  }
  Arena arena;
  std::string ended(part);
  if (is_cut) ended += kPartEnd;
  std::size_t at = 0;
  const std::string_view bytes = DecodePart(ended, &at, type, arena).bytes();
  std::string text = type == AttributeType::kB ? HexText(bytes)
                     : is_cut                  ? std::string(WholeCharacters(bytes))
                                               : std::string(bytes);
  return is_cut ? text.append(kCutOff) : text;
}

}  // namespace

std::vector<std::string> KeyPartTexts(const KeySchema& key, std::string_view encoded,
                                      std::size_t kept_bytes) {
  std::vector<std::string> texts;
  std::size_t at = 0;
  for (std::size_t i = 0; i < key.parts() && at < encoded.size(); ++i) {
    const AttributeType type = key.part(i).type;
    const std::string_view part = encoded.substr(at, EncodedPrefixEnd(encoded.substr(at), type));
    at += part.size();
    texts.push_back(PartText(part, type, at == kept_bytes && !part.ends_with(kPartEnd)));
  }
  return texts;
}

std::string KeyText(const KeySchema& key, std::string_view encoded, std::size_t kept_bytes) {
  const std::vector<std::string> texts = KeyPartTexts(key, encoded, kept_bytes);
  std::string text;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    text.append(text.empty() ? "" : ", ").append(key.part(i).name).append("=").append(texts[i]);
  }
  return text;
}

}  // namespace hashrange
