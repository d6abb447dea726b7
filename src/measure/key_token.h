// Tokens of a key: the text of a key attribute is cut behind each separator, as designers of keys
// put the parts of a key together.
//
//   "USER#7#2026-01-31T12:00:00Z"  →  "USER#" (text) · "7#" (digits) · "2026-01-31T12:00:00Z"
//   (date)
//
// Pure functions; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
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

// The bytes behind which a key is cut.
class KeySeparators {
 public:
  explicit KeySeparators(std::string_view bytes) : bytes_(bytes) {
    for (const char c : bytes) words_[Byte(c) / 64] |= std::uint64_t{1} << (Byte(c) % 64);
  }

  bool Has(char c) const { return words_[Byte(c) / 64] >> (Byte(c) % 64) & 1; }
  const std::string& bytes() const { return bytes_; }

 private:
  static std::size_t Byte(char c) { return static_cast<unsigned char>(c); }

  std::string bytes_;
  std::array<std::uint64_t, 4> words_ = {};
};

// Returns the first token of `text`, which is not empty. A date with a time is one token, even when
// a separator is in it.
KeyToken FirstToken(std::string_view text, const KeySeparators& separators);

}  // namespace hashrange
