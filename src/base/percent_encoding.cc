#include "base/percent_encoding.h"

namespace hashrange {

std::string PercentEncoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || std::string_view("-._~").find(c) != kHex.npos;
    if (is_plain) {
      encoded.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded.append({'%', kHex[byte >> 4], kHex[byte & 15]});
  }
  return encoded;
}

}  // namespace hashrange
