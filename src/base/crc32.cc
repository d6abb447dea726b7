#include "base/crc32.h"

#include <libdeflate.h>

namespace hashrange {

std::uint32_t Crc32(std::string_view bytes) {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

}  // namespace hashrange
