#include "value/value_writer.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>

#include "base/text/short_text.h"

namespace hashrange {
namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kFirstCapacity = 256;
// Up to this size, sorting by insertion is faster than a merge sort, and it needs no memory.
constexpr std::size_t kInsertionSortAtMost = 32;

char* WriteLittle32(std::uint32_t value, char* out) {
  for (int i = 0; i < 4; ++i) *out++ = static_cast<char>(value >> (8 * i));
  return out;
}

char* CopyBytes(std::string_view bytes, char* out) {
  if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
  return out + bytes.size();
}

bool NameLess(const Attribute& a, const Attribute& b) { return TextLess(a.name, b.name); }

void StableSortByName(std::span<Attribute> attributes) {
  if (attributes.size() > kInsertionSortAtMost) {
    if (!std::is_sorted(attributes.begin(), attributes.end(), NameLess)) {
      std::stable_sort(attributes.begin(), attributes.end(), NameLess);
    }
    return;
  }
  for (std::size_t i = 1; i < attributes.size(); ++i) {
    const Attribute moved = attributes[i];
    std::size_t to = i;
    for (; to > 0 && NameLess(moved, attributes[to - 1]); --to) attributes[to] = attributes[to - 1];
    attributes[to] = moved;
  }
}

}  // namespace

std::size_t PackedBytes(ValueView value) {
  switch (value.type) {
    case AttributeType::kN:
      return 2 + value.size;
    case AttributeType::kBool:
    case AttributeType::kNull:
      return 1 + value.size;
    case AttributeType::kS:
    case AttributeType::kB:
      return 1 + VarintBytes(value.size) + value.size;
    default:
      return 1 + kLengthBytes + value.size;
  }
}

char* WritePacked(ValueView value, char* out) {
  *out++ = static_cast<char>(value.type);
  switch (value.type) {
    case AttributeType::kN:
      *out++ = static_cast<char>(value.size);
      break;
    case AttributeType::kBool:
    case AttributeType::kNull:
      break;
    case AttributeType::kS:
    case AttributeType::kB:
      out = WriteVarint(value.size, out);
      break;
    default:
      out = WriteLittle32(value.size, out);
      break;
  }
  return CopyBytes(value.bytes(), out);
}

char* ValueWriter::Reserve(std::size_t bytes) {
  if (size_ + bytes > capacity_) {
    const std::size_t grown = std::max({size_ + bytes, 2 * capacity_, kFirstCapacity});
    char* const moved = arena_.AllocateBytes(grown);
    CopyBytes({buffer_, size_}, moved);
    buffer_ = moved;
    capacity_ = grown;
  }
  char* const out = buffer_ + size_;
  size_ += bytes;
  return out;
}

void ValueWriter::Begin(AttributeType type, std::uint32_t count) {
  // Callers refuse deeper nesting with the service's message. A caller that forgets the check
  // must not write beyond the array of open containers.
  assert(depth_ < kMaxOpen);
  if (depth_ >= kMaxOpen) std::abort();
  char* out = Reserve(1 + kLengthBytes + VarintBytes(count));
  *out++ = static_cast<char>(type);
  out += kLengthBytes;
  open_[depth_++] = static_cast<std::size_t>(out - buffer_);
  WriteVarint(count, out);
}

void ValueWriter::Name(std::string_view name) {
  const auto size = static_cast<std::uint32_t>(name.size());
  char* const out = Reserve(VarintBytes(size) + name.size());
  CopyBytes(name, WriteVarint(size, out));
}

void ValueWriter::Value(ValueView value) { WritePacked(value, Reserve(PackedBytes(value))); }

void ValueWriter::End() {
  assert(depth_ > 0);
  const std::size_t begin = open_[--depth_];
  WriteLittle32(static_cast<std::uint32_t>(size_ - begin), buffer_ + begin - kLengthBytes);
}

ValueView ValueWriter::Finish() {
  assert(depth_ == 0 && size_ > 0);
  const char* at = buffer_;
  const ValueView value = ReadPacked(at);
  assert(at == buffer_ + size_);
  buffer_ = nullptr;
  size_ = capacity_ = 0;
  return value;
}

bool SortAndFindDuplicate(std::span<std::string_view> members) {
  std::sort(members.begin(), members.end());
  return std::adjacent_find(members.begin(), members.end()) != members.end();
}

ValueView MakeSet(AttributeType type, std::span<std::string_view> members, Arena& arena) {
  assert(IsSet(type));
  if (SortAndFindDuplicate(members)) {
    const auto end = std::unique(members.begin(), members.end());
    members = members.first(static_cast<std::size_t>(end - members.begin()));
  }
  return MakeSortedSet(type, members, arena);
}

ValueView MakeSortedSet(AttributeType type, std::span<const std::string_view> members,
                        Arena& arena) {
  const auto count = static_cast<std::uint32_t>(members.size());
  std::size_t bytes = VarintBytes(count);
  for (const std::string_view member : members) {
    bytes += VarintBytes(static_cast<std::uint32_t>(member.size())) + member.size();
  }
  char* const begin = arena.AllocateBytes(bytes);
  char* out = WriteVarint(count, begin);
  for (const std::string_view member : members) {
    out = CopyBytes(member, WriteVarint(static_cast<std::uint32_t>(member.size()), out));
  }
  return {type, {begin, bytes}};
}

ValueView MakeNumber(const Number& number, Arena& arena) {
  return {AttributeType::kN, arena.Copy(number.stored())};
}

ValueView MakeBool(bool value) {
  static constexpr char kBytes[2] = {0, 1};
  return {AttributeType::kBool, {kBytes + (value ? 1 : 0), 1}};
}

ValueView MakeNull() { return {AttributeType::kNull, {}}; }

std::span<Attribute> SortAttributes(std::span<Attribute> attributes) {
  StableSortByName(attributes);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (i + 1 < attributes.size() && attributes[i].name == attributes[i + 1].name) continue;
    if (kept != i) attributes[kept] = attributes[i];
    ++kept;
  }
  return attributes.first(kept);
}

}  // namespace hashrange
