#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace hashrange {
namespace {

bool IsContinuation(unsigned char c) { return (c & 0xC0) == 0x80; }

// Returns the number of bytes of the character that begins at `at`; 0: the bytes are not valid
// UTF-8.
std::size_t SequenceBytes(const unsigned char* at, std::size_t left) {
  const unsigned char first = at[0];
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return left >= 2 && IsContinuation(at[1]) ? 2 : 0;
  if (first < 0xF0) {
    if (left < 3 || !IsContinuation(at[1]) || !IsContinuation(at[2])) return 0;
    const bool is_overlong = first == 0xE0 && at[1] < 0xA0;
    const bool is_surrogate = first == 0xED && at[1] >= 0xA0;
    return is_overlong || is_surrogate ? 0 : 3;
  }
  if (first > 0xF4 || left < 4) return 0;
  if (!IsContinuation(at[1]) || !IsContinuation(at[2]) || !IsContinuation(at[3])) return 0;
  const bool is_overlong = first == 0xF0 && at[1] < 0x90;
  const bool is_too_high = first == 0xF4 && at[1] >= 0x90;
  return is_overlong || is_too_high ? 0 : 4;
}

}  // namespace

bool IsValidUtf8(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t left = text.size();
  while (left > 0) {
    std::uint64_t word;
    while (left >= sizeof(word)) {
      std::memcpy(&word, at, sizeof(word));
      if (word & kHighBits) break;
      at += sizeof(word);
      left -= sizeof(word);
    }
    if (left == 0) break;
    const std::size_t bytes = SequenceBytes(at, left);
    if (bytes == 0) return false;
    at += bytes;
    left -= bytes;
  }
  return true;
}

std::size_t FirstCharacterBytes(std::string_view text) {
  if (text.empty()) return 0;
  return SequenceBytes(reinterpret_cast<const unsigned char*>(text.data()), text.size());
}

std::size_t Utf16Length(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += !IsContinuation(byte);
    units += byte >= 0xF0;
  }
  return units;
}

}  // namespace hashrange
