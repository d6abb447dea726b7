// A Feistel network permutes the numbers of `bits` bits, the fewest that hold all of them. A number
// that is too great is permuted again until it is not, which keeps it a permutation.
#include <bit>

#include "lab/language/data/draws.h"

namespace hashrange {
namespace {

constexpr int kRounds = 6;  // an even number, so the halves have their widths again

std::uint64_t LowBits(std::uint64_t number, int bits) {
  return number & ((std::uint64_t{1} << bits) - 1);
}

std::uint64_t RoundHash(std::uint64_t half, std::uint64_t seed, int round) {
  std::uint64_t hash = (half + seed) * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(round);
  hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9;
  return hash ^ (hash >> 32);
}

}  // namespace

Permutation::Permutation(std::uint64_t count, std::uint64_t seed) : count_(count), seed_(seed) {
  const int bits = count < 2 ? 0 : static_cast<int>(std::bit_width(count - 1));
  low_bits_ = bits / 2;
  high_bits_ = bits - low_bits_;
}

std::uint64_t Permutation::AtInPowerOfTwo(std::uint64_t place) const {
  std::uint64_t low = LowBits(place, low_bits_);
  std::uint64_t high = place >> low_bits_;
  int width_of_high = high_bits_;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t mixed = high ^ LowBits(RoundHash(low, seed_, round), width_of_high);
    high = low;
    low = mixed;
    width_of_high = round % 2 == 0 ? low_bits_ : high_bits_;
  }
  return (high << low_bits_) | low;
}

std::uint64_t Permutation::At(std::uint64_t place) const {
  if (count_ < 2) return 0;
  do place = AtInPowerOfTwo(place);
  while (place >= count_);
  return place;
}

}  // namespace hashrange
