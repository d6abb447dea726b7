#include "remote/copy/item_digest.h"

#include <array>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <system_error>

#include "base/checksums.h"

namespace hashrange {
namespace {

constexpr std::size_t kHalfDigits = 16;

void AppendSized(std::string_view bytes, std::string& to) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  for (int shift = 0; shift < 32; shift += 8) to += static_cast<char>(size >> shift & 0xff);
  to += bytes;
}

std::uint64_t BigEndian64(const std::uint8_t* bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | bytes[i];
  return value;
}

std::optional<std::uint64_t> ParseHalf(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

void ItemDigest::AddItem(std::span<const Attribute> attributes) {
  thread_local std::string bytes;
  bytes.clear();
  for (const Attribute& attribute : attributes) {
    AppendSized(attribute.name, bytes);
    bytes += static_cast<char>(attribute.value.type);
    AppendSized(attribute.value.bytes(), bytes);
  }
  const std::array<std::uint8_t, 16> hash = Md5(bytes);
  AddSum(BigEndian64(hash.data()), BigEndian64(hash.data() + 8));
  ++items_;
}

void ItemDigest::Add(const ItemDigest& other) {
  AddSum(other.high_, other.low_);
  items_ += other.items_;
}

void ItemDigest::AddSum(std::uint64_t high, std::uint64_t low) {
  low_ += low;
  high_ += high + (low_ < low ? 1 : 0);
}

std::string ItemDigest::Text() const {
  char text[2 * kHalfDigits + 1];
  std::snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64, high_, low_);
  return text;
}

std::optional<ItemDigest> ParseItemDigest(std::int64_t items, std::string_view text) {
  if (items < 0 || text.size() != 2 * kHalfDigits) return std::nullopt;
  const auto high = ParseHalf(text.substr(0, kHalfDigits));
  const auto low = ParseHalf(text.substr(kHalfDigits));
  if (!high || !low) return std::nullopt;
  return ItemDigest(items, *high, *low);
}

}  // namespace hashrange
