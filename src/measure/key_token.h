// Tokens of a key: the text of a key attribute is cut behind each separator, as designers of keys
// put the parts of a key together.
//
//   "USER#7#2026-01-31T12:00:00Z"  →  "USER#" (text) · "7#" (digits) · "2026-01-31T12:00:00Z"
//   (date)
//
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hashrange {

// What a token looks like without its separator. A token of any kind but kText is taken as a value
// that differs from key to key. kNumber and kBinary are whole keys of the types N and B.
enum class KeyTokenKind : std::uint8_t { kText, kDigits, kDate, kUlid, kUuid, kNumber, kBinary };

// Returns "text", "digits", …
std::string_view KeyTokenKindName(KeyTokenKind kind);

struct KeyToken {
  std::string_view text;  // with its separator
  char separator = 0;     // 0: the key ends without a separator
  KeyTokenKind kind = KeyTokenKind::kText;

  std::string_view body() const { return text.substr(0, text.size() - (separator != 0)); }
};

inline constexpr std::size_t kMaxKeyTokens = 12;

// Returns the first token of `text`, which is not empty. A date with a time is one token, even when
// a separator is in it.
KeyToken FirstToken(std::string_view text, std::string_view separators);

}  // namespace hashrange
