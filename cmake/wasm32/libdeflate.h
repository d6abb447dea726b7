// What the module has of libdeflate: its CRC-32, computed by zlib. zlib is slower, but makes its tables
// at the first use, where those of both libraries would be 13 KB of the module.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

static inline uint32_t libdeflate_crc32(uint32_t crc, const void* bytes, size_t size) {
  return (uint32_t)crc32_z(crc, (const unsigned char*)bytes, size);
}
