#include "base/checksums.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

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

std::uint32_t Crc32(std::string_view bytes) {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

namespace {

constexpr std::size_t kBlockBytes = 64;

// RFC 1321, section 3.4: the integer part of 2^32 · |sin(i + 1)|.
constexpr std::uint32_t kSine[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

std::uint32_t LoadLittle32(const std::uint8_t* at) {
  return static_cast<std::uint32_t>(at[0]) | static_cast<std::uint32_t>(at[1]) << 8 |
         static_cast<std::uint32_t>(at[2]) << 16 | static_cast<std::uint32_t>(at[3]) << 24;
}

void StoreLittle32(std::uint32_t value, std::uint8_t* at) {
  for (int i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

struct Words {
  std::uint32_t a, b, c, d;
};

// Does the sixteen steps of one round. `mix` is the round's function; step i uses the word
// number (first + stride · i) mod 16; the four rotations repeat.
template <int kFirst, int kStride, int kR0, int kR1, int kR2, int kR3, typename Mix>
inline void Round(Words& w, const std::uint32_t (&x)[16], const std::uint32_t* sine, Mix mix) {
  for (int i = 0; i < 16; i += 4) {
    const auto word = [&](int k) { return x[(kFirst + kStride * (i + k)) % 16] + sine[i + k]; };
    w.a = w.b + std::rotl(w.a + mix(w.b, w.c, w.d) + word(0), kR0);
    w.d = w.a + std::rotl(w.d + mix(w.a, w.b, w.c) + word(1), kR1);
    w.c = w.d + std::rotl(w.c + mix(w.d, w.a, w.b) + word(2), kR2);
    w.b = w.c + std::rotl(w.b + mix(w.c, w.d, w.a) + word(3), kR3);
  }
}

// Computes the MD5 of bytes that are given in pieces.
class Hasher {
 public:
  void Update(std::string_view bytes) {
    total_bytes_ += bytes.size();
    while (!bytes.empty()) {
      const std::size_t n = std::min(bytes.size(), kBlockBytes - used_);
      std::memcpy(block_ + used_, bytes.data(), n);
      used_ += n;
      bytes.remove_prefix(n);
      if (used_ == kBlockBytes) Compress();
    }
  }

  std::array<std::uint8_t, 16> Finish() {
    block_[used_++] = 0x80;
    if (used_ > kBlockBytes - 8) {
      std::memset(block_ + used_, 0, kBlockBytes - used_);
      Compress();
    }
    std::memset(block_ + used_, 0, kBlockBytes - 8 - used_);
    const std::uint64_t bits = total_bytes_ * 8;
    StoreLittle32(static_cast<std::uint32_t>(bits), block_ + kBlockBytes - 8);
    StoreLittle32(static_cast<std::uint32_t>(bits >> 32), block_ + kBlockBytes - 4);
    Compress();
    std::array<std::uint8_t, 16> digest;
    StoreLittle32(state_.a, digest.data());
    StoreLittle32(state_.b, digest.data() + 4);
    StoreLittle32(state_.c, digest.data() + 8);
    StoreLittle32(state_.d, digest.data() + 12);
    return digest;
  }

 private:
  void Compress() {
    using U = std::uint32_t;
    std::uint32_t x[16];
    for (int i = 0; i < 16; ++i) x[i] = LoadLittle32(block_ + 4 * i);
    Words w = state_;
    Round<0, 1, 7, 12, 17, 22>(w, x, kSine, [](U b, U c, U d) { return d ^ (b & (c ^ d)); });
    Round<1, 5, 5, 9, 14, 20>(w, x, kSine + 16, [](U b, U c, U d) { return c ^ (d & (b ^ c)); });
    Round<5, 3, 4, 11, 16, 23>(w, x, kSine + 32, [](U b, U c, U d) { return b ^ c ^ d; });
    Round<0, 7, 6, 10, 15, 21>(w, x, kSine + 48, [](U b, U c, U d) { return c ^ (b | ~d); });
    state_.a += w.a;
    state_.b += w.b;
    state_.c += w.c;
    state_.d += w.d;
    used_ = 0;
  }

  Words state_ = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::uint64_t total_bytes_ = 0;
  std::size_t used_ = 0;
  std::uint8_t block_[kBlockBytes];
};

}  // namespace

std::array<std::uint8_t, 16> Md5(std::string_view bytes) {
  Hasher hasher;
  hasher.Update(bytes);
  return hasher.Finish();
}

std::uint64_t Md5High64(std::string_view prefix, std::string_view bytes) {
  Hasher hasher;
  hasher.Update(prefix);
  hasher.Update(bytes);
  const std::array<std::uint8_t, 16> digest = hasher.Finish();
  std::uint64_t high = 0;
  for (int i = 0; i < 8; ++i) high = high << 8 | digest[i];
  return high;
}

}  // namespace hashrange
