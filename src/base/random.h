// Random: where every unpredictable byte in Hashrange comes from (request ids,
// table ids). Seeded from the system once a thread; a seeded one replays.
#pragma once

#include <cstdint>
#include <string>

namespace hashrange {

// xoshiro256**; not for secrets. Not thread-safe: one a thread.
class Random {
 public:
  explicit Random(std::uint64_t seed);
  std::uint64_t Next();

  // This thread's own, seeded from the system.
  static Random& ThisThread();

 private:
  std::uint64_t state_[4];
};

// A version 4 UUID, lower case with dashes.
std::string MakeUuid(Random& random);

// Writes the 52 characters [0-9A-Z] of a request id to `out`.
void WriteRequestId(Random& random, char* out);
inline constexpr int kRequestIdLength = 52;

}  // namespace hashrange
