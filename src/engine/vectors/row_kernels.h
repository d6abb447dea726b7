// The first pass of a search: what many rows have in common with one query, in float, by the widest
// instructions of the machine.
#pragma once

#include <cstddef>
#include <span>

#include "engine/vectors/distance.h"

namespace hashrange {

enum class InstructionSet {
  kBaseline,  // what every machine of the architecture has: SSE2 or NEON
  kAvx2,      // with FMA
  kAvx512,
};

// The sets that this machine has, the narrowest first.
std::span<const InstructionSet> MachineInstructionSets();
inline InstructionSet WidestInstructionSet() { return MachineInstructionSets().back(); }

// A kernel writes a sum for each row. `sums` has room for a multiple of four sums; what stands
// after the first `count` of them is undefined. Rows and query begin at multiples of 64 bytes.
struct RowKernelInput {
  const float* rows;
  std::size_t count;  // 1 or more
  std::size_t stride;
  const float* query;
};
using RowKernel = void (*)(const RowKernelInput& input, float* sums);

struct RowKernels {
  RowKernel dot_product;
  RowKernel minus_squared_distance;
};
RowKernels KernelsOf(InstructionSet set);

// The most roundings that one element of a row goes through in a kernel of any set: the difference,
// which is squared, and the product; an addition for each vector of four floats or more; and four
// additions of the elements of a vector of sixteen.
constexpr double MostRoundings(std::size_t stride) {
  return 3.0 + static_cast<double>(stride) / 4 + 4;
}

}  // namespace hashrange
