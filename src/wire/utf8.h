// UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace hashrange {

// Cost: eight bytes at a time through ASCII.
bool IsValidUtf8(std::string_view text);

// The length of valid UTF-8 as the service counts it: UTF-16 units.
std::size_t Utf16Length(std::string_view text);

}  // namespace hashrange
