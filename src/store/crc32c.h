// CRC-32C (Castagnoli), the checksum in LevelDB's logs. A pure function; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace hashrange {

// Returns the checksum of the bytes. Cost: some 2 ns a byte.
std::uint32_t Crc32c(std::string_view bytes);

}  // namespace hashrange
