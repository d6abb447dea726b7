// What many rows have in common with one query, in float, and their coarse copies in integers, by
// the widest instructions of the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hashrange {

enum class InstructionSet {
  kBaseline,  // what every machine of the architecture has: SSE2 or NEON
  kAvx2,      // with FMA
  kAvx512,    // with 16-bit integers (BW)
};

// The sets that this machine has, the narrowest first.
std::span<const InstructionSet> MachineInstructionSets();
inline InstructionSet WidestInstructionSet() { return MachineInstructionSets().back(); }

// A kernel writes a sum for each row. `sums` has room for a multiple of four sums; what stands
// after the first `count` of them is undefined.

// The rows and the query begin at multiples of 64 bytes.
struct RowKernelInput {
  const float* const* rows;
  std::size_t count;  // 1 or more
  std::size_t stride;
  const float* query;
};
using RowKernel = void (*)(const RowKernelInput& input, float* sums);

// The coarse copies lie one after another. The query begins at a multiple of 64 bytes, and zeros
// follow its elements up to a multiple of 64 bytes. While the kernel sums a row, it fetches as many
// bytes at `ahead`, row by row: the processor itself foresees only a part of a long run of memory,
// and nothing of the next one. `ahead` need not point to anything.
struct CoarseKernelInput {
  const std::int8_t* rows;
  std::size_t count;  // 1 or more
  std::size_t stride;
  const std::int16_t* query;
  const std::int8_t* ahead;
};
using CoarseKernel = void (*)(const CoarseKernelInput& input, std::int32_t* sums);

struct RowKernels {
  RowKernel dot_product;
  RowKernel minus_squared_distance;
  CoarseKernel coarse_dot_product;  // exact, unless a sum of some of the products exceeds 32 bits
};
RowKernels KernelsOf(InstructionSet set);

// The most roundings that one element of a row goes through in a kernel of any set: those of the
// difference, which is squared, and of the product (3); the additions to one of four sums, each of
// which is a vector of four floats or more (stride / 16, and 3 of vectors that are left); those
// that make one sum of the four, four floats of sixteen, and one of four (6).
constexpr double MostRoundings(std::size_t stride) {
  return 3 + (static_cast<double>(stride) / 16 + 3) + 6;
}

}  // namespace hashrange
