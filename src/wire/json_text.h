// JSON text, written piece by piece: JsonWriter and the writer of attribute values are made of
// these functions. Each Put… writes to `out`, which must have enough room, and returns the end
// of the written text. Text is escaped only where JSON requires it (quote, backslash, control
// characters); UTF-8 passes through. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace hashrange {

// Writes a string literal, such as punctuation, as it is.
template <std::size_t kSize>
char* PutLiteral(const char (&text)[kSize], char* out) {
  std::memcpy(out, text, kSize - 1);
  return out + kSize - 1;
}

// Returns a word with a mark, the high bit, in the place of each of the eight bytes that needs an
// escape: a quote, a backslash or a control character. The lowest mark is exact; marks above it may
// be false. Without a byte that needs an escape, the word is 0.
inline std::uint64_t EscapesIn(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  const auto zero_bytes = [](std::uint64_t w) { return (w - kOnes) & ~w; };
  return ((word - kOnes * 0x20) & ~word & kHighBits) |
         ((zero_bytes(word ^ (kOnes * '"')) | zero_bytes(word ^ (kOnes * '\\'))) & kHighBits);
}

namespace json_text_internal {

using Vector = std::uint8_t __attribute__((vector_size(16)));

inline auto EscapesIn(Vector bytes) { return (bytes < 0x20) | (bytes == '"') | (bytes == '\\'); }
// Marks four bytes; the other four bytes of the word are blanks, which need no escape.
inline std::uint64_t EscapesIn(std::uint32_t word) {
  return hashrange::EscapesIn(std::uint64_t{word} | 0x2020202000000000);
}
using hashrange::EscapesIn;

inline bool IsZero(std::uint64_t word) { return word == 0; }
template <typename Mask>
bool IsZero(Mask mask) {
  std::uint64_t halves[2];
  static_assert(sizeof(mask) == sizeof(halves));
  std::memcpy(halves, &mask, sizeof(halves));
  return (halves[0] | halves[1]) == 0;
}

template <typename Word>
Word CopyWord(const char* from, char* out) {
  Word word;
  std::memcpy(&word, from, sizeof(word));
  std::memcpy(out, &word, sizeof(word));
  return word;
}

// Copies `text`, which has at least one and at most two words of bytes: its first word and its
// last, which may overlap. False when a byte needs an escape.
template <typename Word>
bool CopyTwoWords(std::string_view text, char* out) {
  const std::size_t last = text.size() - sizeof(Word);
  const auto first = EscapesIn(CopyWord<Word>(text.data(), out));
  return IsZero(first | EscapesIn(CopyWord<Word>(text.data() + last, out + last)));
}

inline bool CopyVectors(std::string_view text, char* out) {
  const std::size_t last = text.size() - sizeof(Vector);
  auto escapes = EscapesIn(CopyWord<Vector>(text.data() + last, out + last));
  for (std::size_t at = 0; at < last; at += sizeof(Vector)) {
    escapes |= EscapesIn(CopyWord<Vector>(text.data() + at, out + at));
  }
  return IsZero(escapes);
}

// Copies `text` to `out` and returns true; returns false when a byte needs an escape, and the
// content of `out` is then undefined. Most texts are names and keys of a few bytes.
inline bool CopyPlain(std::string_view text, char* out) {
  if (text.size() >= sizeof(Vector)) return CopyVectors(text, out);
  if (text.size() >= 8) return CopyTwoWords<std::uint64_t>(text, out);
  if (text.size() >= 4) return CopyTwoWords<std::uint32_t>(text, out);
  std::uint64_t word = 0x2020202020202020;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out[i] = text[i];
    word = word << 8 | static_cast<unsigned char>(text[i]);
  }
  return IsZero(EscapesIn(word));
}

// Does what CopyPlain does, and also reads up to kTextPadding bytes behind the text and writes as
// many behind its copy. Most texts fit one vector, so that no branch depends on their length.
inline bool CopyPaddedPlain(std::string_view text, char* out) {
  constexpr Vector kPlaces = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  std::size_t at = 0;
  for (; at + sizeof(Vector) < text.size(); at += sizeof(Vector)) {
    if (!IsZero(EscapesIn(CopyWord<Vector>(text.data() + at, out + at)))) return false;
  }
  const auto left = static_cast<std::uint8_t>(text.size() - at);
  return IsZero(EscapesIn(CopyWord<Vector>(text.data() + at, out + at)) & (kPlaces < left));
}

char* PutEscaped(std::string_view text, char* out);
std::size_t CountQuotedRoom(std::string_view text);

}  // namespace json_text_internal

// Returns an upper bound of the bytes that PutQuoted writes.
inline std::size_t QuotedRoom(std::string_view text) {
  // A byte becomes six at most (\u0001); for a short text counting the escapes is not worth it.
  return text.size() <= 256 ? 6 * text.size() + 2 : json_text_internal::CountQuotedRoom(text);
}

// Writes the text as a JSON string. `out` must have room for QuotedRoom(text) bytes.
inline char* PutQuoted(std::string_view text, char* out) {
  *out++ = '"';
  out = json_text_internal::CopyPlain(text, out) ? out + text.size()
                                                 : json_text_internal::PutEscaped(text, out);
  *out++ = '"';
  return out;
}

// The number of bytes that PutPaddedQuoted reads and writes beyond a text.
inline constexpr std::size_t kTextPadding = 16;

// Writes the text as a JSON string, faster than PutQuoted. kTextPadding readable bytes of any
// content must follow the text, and `out` must have room for QuotedRoom(text) + kTextPadding bytes.
inline char* PutPaddedQuoted(std::string_view text, char* out) {
  *out++ = '"';
  out = json_text_internal::CopyPaddedPlain(text, out) ? out + text.size()
                                                       : json_text_internal::PutEscaped(text, out);
  *out++ = '"';
  return out;
}

}  // namespace hashrange
