// Encodings of bytes and characters as text: Base64, hexadecimal digits, percent signs, UTF-8. Pure
// functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hashrange {

// ---- Base64 with the standard alphabet and padding (RFC 4648, section 4) ----

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

// Returns two digits for each byte, in lower case.
std::string HexText(std::string_view bytes);

// Returns the text with every character encoded that may not appear in the path or the query of a
// URL.
std::string PercentEncoded(std::string_view text);

// ---- UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF ----

// Returns whether the text is valid UTF-8.
// Cost: linear; ASCII is checked eight bytes at a time.
bool IsValidUtf8(std::string_view text);

// Returns the number of bytes of the text's first character, 1 to 4; 0: the text is empty, or does
// not begin with valid UTF-8.
std::size_t FirstCharacterBytes(std::string_view text);

// Returns the length of valid UTF-8 as the service counts it: in UTF-16 units.
std::size_t Utf16Length(std::string_view text);

}  // namespace hashrange
