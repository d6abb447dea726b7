// UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. Pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace hashrange {

// Returns whether the text is valid UTF-8.
// Cost: linear; ASCII is checked eight bytes at a time.
bool IsValidUtf8(std::string_view text);

// Returns the number of bytes of the text's first character, 1 to 4; 0: the text is empty, or does
// not begin with valid UTF-8.
std::size_t FirstCharacterBytes(std::string_view text);

// Returns the length of valid UTF-8 as the service counts it: in UTF-16 units.
std::size_t Utf16Length(std::string_view text);

}  // namespace hashrange
