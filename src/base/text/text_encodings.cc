#include "base/text/text_encodings.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "base/text/short_text.h"

namespace hashrange {
namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 0xff;

constexpr std::array<std::uint8_t, 256> MakeDigits() {
  std::array<std::uint8_t, 256> digits{};
  for (std::uint8_t& digit : digits) digit = kNoDigit;
  for (int i = 0; i < 64; ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}
constexpr std::array<std::uint8_t, 256> kDigits = MakeDigits();

std::uint32_t ByteAt(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}
std::uint32_t DigitAt(std::string_view text, std::size_t i) {
  return kDigits[static_cast<unsigned char>(text[i])];
}

}  // namespace

void EncodeBase64(std::string_view bytes, char* out) {
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    const std::uint32_t group =
        ByteAt(bytes, i) << 16 | ByteAt(bytes, i + 1) << 8 | ByteAt(bytes, i + 2);
    *out++ = kAlphabet[group >> 18];
    *out++ = kAlphabet[(group >> 12) & 63];
    *out++ = kAlphabet[(group >> 6) & 63];
    *out++ = kAlphabet[group & 63];
  }
  const std::size_t rest = bytes.size() - i;
  if (rest == 0) return;
  std::uint32_t group = ByteAt(bytes, i) << 16;
  if (rest == 2) group |= ByteAt(bytes, i + 1) << 8;
  *out++ = kAlphabet[group >> 18];
  *out++ = kAlphabet[(group >> 12) & 63];
  *out++ = rest == 2 ? kAlphabet[(group >> 6) & 63] : '=';
  *out++ = '=';
}

Base64Error DecodeBase64(std::string_view text, char* out, std::size_t* size_bytes) {
  if (text.size() % 4 != 0) return Base64Error::kLength;
  std::size_t digits = text.size();
  while (digits > 0 && text.size() - digits < 2 && text[digits - 1] == '=') --digits;

  char* const begin = out;
  std::size_t i = 0;
  for (; i + 4 <= digits; i += 4) {
    const std::uint32_t a = DigitAt(text, i), b = DigitAt(text, i + 1);
    const std::uint32_t c = DigitAt(text, i + 2), d = DigitAt(text, i + 3);
    if ((a | b | c | d) > 63) return Base64Error::kCharacter;
    const std::uint32_t group = a << 18 | b << 12 | c << 6 | d;
    *out++ = static_cast<char>(group >> 16);
    *out++ = static_cast<char>(group >> 8);
    *out++ = static_cast<char>(group);
  }
  // Two or three digits are left before the padding; their last bits belong to no byte.
  if (const std::size_t rest = digits - i; rest != 0) {
    const std::uint32_t a = DigitAt(text, i), b = DigitAt(text, i + 1);
    const std::uint32_t c = rest == 3 ? DigitAt(text, i + 2) : 0;
    if ((a | b | c) > 63) return Base64Error::kCharacter;
    const std::uint32_t group = a << 18 | b << 12 | c << 6;
    if ((rest == 2 ? group & 0xffff : group & 0xff) != 0) return Base64Error::kNotCanonical;
    *out++ = static_cast<char>(group >> 16);
    if (rest == 3) *out++ = static_cast<char>(group >> 8);
  }
  *size_bytes = static_cast<std::size_t>(out - begin);
  return Base64Error::kNone;
}

std::string HexText(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text += kHex[ByteAt(bytes, i) >> 4];
    text += kHex[ByteAt(bytes, i) & 15];
  }
  return text;
}

std::string PercentEncoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (IsLetter(c) || IsDigit(c) || std::string_view("-._~").find(c) != kHex.npos) {
      encoded.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded.append({'%', kHex[byte >> 4], kHex[byte & 15]});
  }
  return encoded;
}

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
