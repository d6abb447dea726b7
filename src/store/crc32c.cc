#include "store/crc32c.h"

#include <array>

namespace hashrange {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // 1EDC6F41, its bits reversed

constexpr std::array<std::uint32_t, 256> MakeTable() {
  std::array<std::uint32_t, 256> table = {};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? kPolynomial : 0);
    table[i] = value;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kTable = MakeTable();

}  // namespace

std::uint32_t Crc32c(std::string_view bytes) {
  std::uint32_t value = ~std::uint32_t{0};
  for (const char byte : bytes) {
    value = kTable[(value ^ static_cast<unsigned char>(byte)) & 0xff] ^ value >> 8;
  }
  return ~value;
}

}  // namespace hashrange
