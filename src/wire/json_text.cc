#include "wire/json_text.h"

#include <algorithm>

namespace hashrange::json_text_internal {
namespace {

bool NeedsEscape(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

char* PutEscape(char c, char* out) {
  constexpr char kHex[] = "0123456789abcdef";
  *out++ = '\\';
  switch (c) {
    case '\b':
      *out++ = 'b';
      return out;
    case '\f':
      *out++ = 'f';
      return out;
    case '\n':
      *out++ = 'n';
      return out;
    case '\r':
      *out++ = 'r';
      return out;
    case '\t':
      *out++ = 't';
      return out;
    case '"':
    case '\\':
      *out++ = c;
      return out;
    default:
      out = PutLiteral("u00", out);
      *out++ = kHex[(c >> 4) & 15];
      *out++ = kHex[c & 15];
      return out;
  }
}

}  // namespace

char* PutEscaped(std::string_view text, char* out) {
  for (const char c : text) {
    if (NeedsEscape(c)) {
      out = PutEscape(c, out);
    } else {
      *out++ = c;
    }
  }
  return out;
}

std::size_t CountQuotedRoom(std::string_view text) {
  const auto escapes = std::count_if(text.begin(), text.end(), NeedsEscape);
  return text.size() + 5 * static_cast<std::size_t>(escapes) + 2;
}

}  // namespace hashrange::json_text_internal
