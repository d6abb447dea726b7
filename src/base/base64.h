// Base 64 with the standard alphabet and padding (RFC 4648, section 4). Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace hashrange {

// Returns the encoded length of `bytes` bytes.
constexpr std::size_t Base64Length(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

// Writes Base64Length(bytes.size()) characters to `out`.
void EncodeBase64(std::string_view bytes, char* out);

enum class Base64Error {
  kNone,
  kLength,        // not a multiple of four
  kNotCanonical,  // bits are set behind the last byte
  kCharacter,     // a character is not in the alphabet, or padding is not at the end
};

// Decodes `text` to `out`, which has room for text.size() / 4 * 3 bytes, and sets
// `*size_bytes` when it succeeds. `out` may be text.data() itself; the text is then overwritten,
// even on an error. Of several errors, a wrong length is returned before a wrong character, and a
// wrong character before bits behind the last byte.
Base64Error DecodeBase64(std::string_view text, char* out, std::size_t* size_bytes);

}  // namespace hashrange
