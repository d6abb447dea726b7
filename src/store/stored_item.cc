#include "store/stored_item.h"

#include <algorithm>

#include "base/text/text_encodings.h"
#include "store/files/store_keys.h"
#include "value/key.h"
#include "value/value_writer.h"

namespace hashrange {
namespace {

bool IsMember(AttributeType type, std::string_view bytes) {
  if (type == AttributeType::kN) return IsStoredNumber(bytes);
  return type == AttributeType::kB || IsValidUtf8(bytes);
}

// CheckedReader reads packed names and values (value/attribute_value.h) of which nothing is known:
// the bytes come from a disk. It accepts exactly the canonical forms that this program packs, so
// that a value that was read is as safe as a value that was made. It never reads behind the bytes.
class CheckedReader {
 public:
  explicit CheckedReader(std::string_view bytes) : rest_(bytes) {}

  bool done() const { return rest_.empty(); }

  // These return false if the bytes at the start of the rest are not such a thing; the reader must
  // not be used after that.
  bool ReadVarint(std::uint32_t* value) {
    *value = 0;
    for (int shift = 0; shift < 35 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<std::uint32_t>(static_cast<unsigned char>(rest_.front()));
      rest_.remove_prefix(1);
      if (shift == 28 && byte > 15) return false;
      *value |= (byte & 0x7f) << shift;
      // A longer form than needed ends with a byte 0.
      if (byte < 0x80) return byte != 0 || shift == 0;
    }
    return false;
  }

  // Reads a length, and valid UTF-8.
  bool ReadName(std::string_view* name) { return ReadSizedBytes(name) && IsValidUtf8(*name); }

  bool ReadValue(ValueView* value) { return ReadValueAt(value, 1); }

 private:
  bool ReadBytes(std::size_t size, std::string_view* bytes) {
    if (size > rest_.size()) return false;
    *bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }

  bool ReadSizedBytes(std::string_view* bytes) {
    std::uint32_t size = 0;
    return ReadVarint(&size) && ReadBytes(size, bytes);
  }

  bool ReadLongValue(std::string_view* bytes) {
    std::string_view length;
    if (!ReadBytes(4, &length)) return false;
    const char* at = length.data();
    return ReadBytes(ReadLittle32(at), bytes);
  }

  bool ReadValueAt(ValueView* value, int depth) {
    std::string_view type_byte;
    if (depth > kMaxValueDepth || !ReadBytes(1, &type_byte)) return false;
    const auto tag = static_cast<unsigned char>(type_byte.front());
    if (tag >= kAttributeTypes) return false;
    const auto type = static_cast<AttributeType>(tag);
    std::string_view bytes;
    switch (type) {
      case AttributeType::kS:
        if (!ReadSizedBytes(&bytes) || !IsValidUtf8(bytes)) return false;
        break;
      case AttributeType::kB:
        if (!ReadSizedBytes(&bytes)) return false;
        break;
      case AttributeType::kN: {
        std::string_view size;
        if (!ReadBytes(1, &size)) return false;
        if (!ReadBytes(static_cast<unsigned char>(size.front()), &bytes)) return false;
        if (!IsStoredNumber(bytes)) return false;
        break;
      }
      case AttributeType::kBool:
        if (!ReadBytes(1, &bytes) || static_cast<unsigned char>(bytes.front()) > 1) return false;
        break;
      case AttributeType::kNull:
        break;
      case AttributeType::kSS:
      case AttributeType::kNS:
      case AttributeType::kBS:
        if (!ReadLongValue(&bytes) || !CheckedReader(bytes).ReadMembers(MemberTypeOf(type))) {
          return false;
        }
        break;
      case AttributeType::kL:
        if (!ReadLongValue(&bytes) || !CheckedReader(bytes).ReadElements(depth)) return false;
        break;
      case AttributeType::kM:
        if (!ReadLongValue(&bytes) || !CheckedReader(bytes).ReadEntries(depth)) return false;
        break;
    }
    *value = ValueView(type, bytes);
    return true;
  }

  // The three functions below read all that is left, as the content of a set, a list or a map.
  bool ReadMembers(AttributeType member) {
    std::uint32_t left = 0;
    if (!ReadVarint(&left) || left == 0) return false;
    std::string_view before;
    for (bool is_first = true; left > 0; --left, is_first = false) {
      std::string_view bytes;
      if (!ReadSizedBytes(&bytes) || !IsMember(member, bytes)) return false;
      if (!is_first && bytes <= before) return false;
      before = bytes;
    }
    return done();
  }

  bool ReadElements(int depth) {
    std::uint32_t left = 0;
    if (!ReadVarint(&left)) return false;
    for (ValueView element; left > 0; --left) {
      if (!ReadValueAt(&element, depth + 1)) return false;
    }
    return done();
  }

  bool ReadEntries(int depth) {
    std::uint32_t left = 0;
    if (!ReadVarint(&left)) return false;
    std::string_view before;
    for (bool is_first = true; left > 0; --left, is_first = false) {
      std::string_view name;
      ValueView value;
      if (!ReadName(&name) || !ReadValueAt(&value, depth + 1)) return false;
      if (!is_first && name <= before) return false;
      before = name;
    }
    return done();
  }

  std::string_view rest_;
};

// Reads the encoded part at the start of `*rest`, and removes it. Returns false if it is none.
bool TakeNumberPart(std::string_view* rest, ValueView* value) {
  const bool is_negative = !rest->empty() && static_cast<unsigned char>(rest->front()) < 0x80;
  const std::size_t end = rest->find(is_negative ? '\x66' : '\0', 1);
  if (end == std::string_view::npos) return false;
  *value = {AttributeType::kN, rest->substr(0, is_negative ? end + 1 : end)};
  rest->remove_prefix(end + 1);
  return IsStoredNumber(value->bytes());
}

bool TakeTextPart(AttributeType type, std::string_view* rest, Arena& arena, ValueView* value,
                  bool* is_escaped) {
  std::size_t at = 0;
  *is_escaped = false;
  while (true) {
    at = rest->find('\0', at);
    if (at == std::string_view::npos || at + 1 == rest->size()) return false;
    const char next = (*rest)[at + 1];
    if (next == '\x01') break;
    if (next != '\xff') return false;
    *is_escaped = true;
    at += 2;
  }
  std::size_t begin = 0;
  *value =
      *is_escaped ? DecodePart(*rest, &begin, type, arena) : ValueView(type, rest->substr(0, at));
  rest->remove_prefix(at + 2);
  return type == AttributeType::kB || IsValidUtf8(value->bytes());
}

}  // namespace

void AppendStoredItem(const Item& item, std::string* out) {
  char count[5];
  out->append(count, WriteVarint(item.packed_attribute_count(), count));
  out->append(item.packed_attributes());
}

Result<ItemRef> StoredItemReader::Read(std::uint64_t hash, std::string_view key,
                                       std::string_view value) {
  arena_.Reset();
  HR_RETURN_IF_ERROR(ReadKey(hash, key));
  HR_RETURN_IF_ERROR(ReadAttributes(value));
  for (std::size_t i = 0; i < key_values_.size(); ++i) HR_RETURN_IF_ERROR(PlaceKeyAttribute(i));
  ItemRef item = Item::Make(schema_, attributes_, hash);
  if (item->size_bytes() > kMaxItemSizeBytes) return InternalError("it is too large");
  return item;
}

Status StoredItemReader::ReadKey(std::uint64_t hash, std::string_view key) {
  key_values_.clear();
  is_escaped_.clear();
  for (std::size_t i = 0; i < schema_.parts(); ++i) {
    const AttributeType type = schema_.part(i).type;
    ValueView value;
    bool is_escaped = false;
    const bool is_part = type == AttributeType::kN
                             ? TakeNumberPart(&key, &value)
                             : TakeTextPart(type, &key, arena_, &value, &is_escaped);
    if (!is_part) return InternalError("its key is damaged");
    const std::size_t most = i < schema_.hash.size() ? kMaxHashKeyBytes : kMaxRangeKeyBytes;
    if (value.size == 0 || value.size > most) return InternalError("its key is empty or too long");
    key_values_.push_back(value);
    is_escaped_.push_back(is_escaped);
  }
  if (!key.empty()) return InternalError("its key is longer than its parts");
  if (HashOfParts({key_values_.data(), 1}) != hash)
    return InternalError("its hash is not that of its key");
  return {};
}

Status StoredItemReader::ReadAttributes(std::string_view value) {
  CheckedReader reader(value);
  std::uint32_t count = 0;
  // Each attribute takes at least two bytes.
  if (!reader.ReadVarint(&count) || count > value.size() / 2) {
    return InternalError("its number of attributes is damaged");
  }
  attributes_.clear();
  for (; count > 0; --count) {
    Attribute attribute;
    if (!reader.ReadName(&attribute.name))
      return InternalError("the name of an attribute is damaged");
    if (!reader.ReadValue(&attribute.value))
      return InternalError("the value of an attribute is damaged");
    if (!attributes_.empty() && attribute.name <= attributes_.back().name) {
      return InternalError("its names do not ascend");
    }
    attributes_.push_back(attribute);
  }
  return reader.done() ? Status() : InternalError("it is longer than its attributes");
}

Status StoredItemReader::PlaceKeyAttribute(std::size_t part) {
  const std::string_view name = schema_.part(part).name;
  const auto place =
      std::lower_bound(attributes_.begin(), attributes_.end(), name,
                       [](const Attribute& a, std::string_view n) { return a.name < n; });
  const bool is_there = place != attributes_.end() && place->name == name;
  if (is_there != is_escaped_[part]) return InternalError("its key attributes are damaged");
  if (is_there) {
    return place->value == key_values_[part] ? Status()
                                             : InternalError("its key attributes are damaged");
  }
  attributes_.insert(place, {name, key_values_[part]});
  return {};
}

namespace {

constexpr std::size_t kHashBytes = 8;
constexpr std::size_t kLengthBytes = 2;

Error NotAnImage() { return InternalError("an image of a stream record is damaged"); }

}  // namespace

std::string EncodeImage(const Item* item) {
  std::string bytes;
  if (!item) return bytes;
  AppendBigEndian(item->hash(), kHashBytes, &bytes);
  AppendBigEndian(item->key().size(), kLengthBytes, &bytes);
  bytes.append(item->key());
  AppendStoredItem(*item, &bytes);
  return bytes;
}

Result<ItemRef> DecodeImage(std::string_view bytes, StoredItemReader& reader) {
  if (bytes.empty()) return ItemRef();
  if (bytes.size() < kHashBytes + kLengthBytes) return NotAnImage();
  const std::uint64_t hash = ReadBigEndian(bytes.substr(0, kHashBytes));
  const auto length =
      static_cast<std::size_t>(ReadBigEndian(bytes.substr(kHashBytes, kLengthBytes)));
  bytes.remove_prefix(kHashBytes + kLengthBytes);
  if (bytes.size() < length) return NotAnImage();
  return reader.Read(hash, bytes.substr(0, length), bytes.substr(length));
}

}  // namespace hashrange
