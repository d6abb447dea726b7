// Random: the source of every unpredictable byte in Hashrange (request ids, table ids).
// Each thread has a generator that is seeded from the system. A generator that is made with a given
// seed always gives the same numbers.
#pragma once

#include <cstdint>
#include <string>

namespace hashrange {

// Returns a number in [0, 1) that is made of the high 53 bits, which a double holds exactly.
constexpr double FractionOf(std::uint64_t word) {
  return static_cast<double>(word >> 11) * 0x1p-53;
}

// The generator xoshiro256**; not for secrets. Not thread-safe: each thread has its own.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  std::uint64_t Next();
  double Fraction() { return FractionOf(Next()); }  // in [0, 1)

  // Returns this thread's own generator, seeded from the system.
  static Random& ThisThread();

 private:
  std::uint64_t state_[4];
};

// Returns a version 4 UUID, lower case with dashes.
std::string MakeUuid(Random& random);

// Writes the 52 characters [0-9A-V] of a request id to `out`.
void WriteRequestId(Random& random, char* out);
inline constexpr int kRequestIdLength = 52;

}  // namespace hashrange
