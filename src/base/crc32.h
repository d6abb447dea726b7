// CRC-32/IEEE, as `x-amz-crc32` carries it.
#pragma once

#include <cstdint>
#include <string_view>

namespace hashrange {

std::uint32_t Crc32(std::string_view bytes);

}  // namespace hashrange
