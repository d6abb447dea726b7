#include "base/random.h"

#include <bit>
#include <random>

namespace hashrange {
namespace {

std::uint64_t SystemSeed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

}  // namespace

Random::Random(std::uint64_t seed) {
  // SplitMix64 spreads the seed over the state, as xoshiro's authors advise.
  for (std::uint64_t& word : state_) {
    seed += 0x9e3779b97f4a7c15;
    std::uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    word = z ^ (z >> 31);
  }
}

std::uint64_t Random::Next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

Random& Random::ThisThread() {
  thread_local Random random(SystemSeed());
  return random;
}

std::string MakeUuid(Random& random) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string uuid = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
  std::uint64_t bits = 0;
  int left = 0;
  for (char& c : uuid) {
    if (c != 'x' && c != 'y') continue;
    if (left == 0) {
      bits = random.Next();
      left = 16;
    }
    const unsigned nibble = bits & 15;
    c = c == 'x' ? kHex[nibble] : kHex[8 | (nibble & 3)];
    bits >>= 4;
    --left;
  }
  return uuid;
}

void WriteRequestId(Random& random, char* out) {
  // A character takes five bits, so one word of 64 bits gives twelve characters.
  static constexpr char kAlphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
  std::uint64_t bits = 0;
  for (int i = 0; i < kRequestIdLength; ++i) {
    if (i % 12 == 0) bits = random.Next();
    out[i] = kAlphabet[bits & 31];
    bits >>= 5;
  }
}

}  // namespace hashrange
