// Base 64 with the standard alphabet and padding (RFC 4648, section 4).
#pragma once

#include <cstddef>
#include <string_view>

namespace hashrange {

// The encoded length of `bytes` bytes.
constexpr std::size_t Base64Length(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

// Writes Base64Length(bytes.size()) characters to `out`.
void EncodeBase64(std::string_view bytes, char* out);

enum class Base64Error {
  kNone,
  kLength,        // not a multiple of four
  kNotCanonical,  // bits set behind the last byte
  kCharacter,     // a character outside the alphabet, or padding within
};

// Decodes `text` to `out`, which has room for text.size() / 4 * 3 bytes (it may be
// text.data() itself, whose bytes are then lost even on an error). Sets `*size_bytes`
// when it succeeds. A wrong length comes before a wrong character, and that before bits
// behind the last byte.
Base64Error DecodeBase64(std::string_view text, char* out, std::size_t* size_bytes);

}  // namespace hashrange
