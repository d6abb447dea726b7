// KeyText: an encoded key as people read it, "PK=ORDERS, SK=ORDER#500". Binary parts are
// hexadecimal. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "value/schema.h"

namespace hashrange {

// Returns the text of each part that `encoded` has: of the HASH parts, then of the RANGE parts. The
// caller keeps at most `kept_bytes` of a key; when `encoded` has that many, its last part may have
// been cut off, and then its text ends with "…".
std::vector<std::string> KeyPartTexts(const KeySchema& key, std::string_view encoded,
                                      std::size_t kept_bytes);
// Returns the names and texts of these parts: "PK=ORDERS, SK=ORDER#500".
std::string KeyText(const KeySchema& key, std::string_view encoded, std::size_t kept_bytes);

}  // namespace hashrange
