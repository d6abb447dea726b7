// SHA-256 and the HMAC that is made of it, by OpenSSL. Pure functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace hashrange {

using Sha256Digest = std::array<std::uint8_t, 32>;

Sha256Digest Sha256(std::string_view bytes);
Sha256Digest HmacSha256(std::string_view key, std::string_view bytes);

// Returns the digest as 64 digits from 0 to f.
std::string HexText(const Sha256Digest& digest);

// Returns the bytes of a digest, as a key for the next HmacSha256.
inline std::string_view BytesOf(const Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace hashrange
