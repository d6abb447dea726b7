// CRC-32/IEEE, the checksum in the header `x-amz-crc32`. A pure function; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace hashrange {

std::uint32_t Crc32(std::string_view bytes);

}  // namespace hashrange
