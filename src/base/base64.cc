#include "base/base64.h"

#include <array>
#include <cstdint>

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

}  // namespace hashrange
