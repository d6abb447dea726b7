// Checksums and hashes of bytes, none of which keeps a secret. Pure functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hashrange {

// Returns the CRC-32C (Castagnoli) of the bytes, the checksum in LevelDB's logs. Cost: some 2 ns a
// byte.
std::uint32_t Crc32c(std::string_view bytes);

// Returns the CRC-32 (IEEE) of the bytes, the checksum in the header `x-amz-crc32`.
std::uint32_t Crc32(std::string_view bytes);

// MD5 (RFC 1321): the hash that decides where an item is stored.
std::array<std::uint8_t, 16> Md5(std::string_view bytes);

// Returns the first 8 bytes, big-endian, of the MD5 of `prefix` followed by `bytes`.
// Cost: one block of MD5 (about 100 ns) for up to 55 bytes in all.
std::uint64_t Md5High64(std::string_view prefix, std::string_view bytes);

}  // namespace hashrange
