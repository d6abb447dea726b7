// MD5 (RFC 1321): the hash that decides where an item is stored. Not for secrets.
// Pure functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hashrange {

std::array<std::uint8_t, 16> Md5(std::string_view bytes);

// Returns the first 8 bytes, big-endian, of the MD5 of `prefix` followed by `bytes`.
// Cost: one block of MD5 (about 100 ns) for up to 55 bytes in all.
std::uint64_t Md5High64(std::string_view prefix, std::string_view bytes);

}  // namespace hashrange
