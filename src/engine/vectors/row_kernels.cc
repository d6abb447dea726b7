#include "engine/vectors/row_kernels.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace hashrange {
namespace {

typedef float Quad __attribute__((vector_size(16)));

// Writes the sum of the elements of each argument.
inline __attribute__((always_inline)) void WriteFour(Quad a, Quad b, Quad c, Quad d, float* sums) {
  const Quad ab =
      __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Quad cd =
      __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const Quad four =
      __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
  std::memcpy(sums, &four, sizeof(four));
}

// After the last row, the last row again: its sum is one that nobody asked for.
inline __attribute__((always_inline)) const float* RowAt(const RowKernelInput& input,
                                                         std::size_t row) {
  return input.rows + std::min(row, input.count - 1) * input.stride;
}

#define HR_KERNEL_SET BaselineKernels
#define HR_KERNEL_TARGET
#define HR_KERNEL_BYTES 16
#include "engine/vectors/row_kernels.inc"

#ifdef __x86_64__
#define HR_KERNEL_SET Avx2Kernels
#define HR_KERNEL_TARGET __attribute__((target("avx2,fma")))
#define HR_KERNEL_BYTES 32
#include "engine/vectors/row_kernels.inc"

#define HR_KERNEL_SET Avx512Kernels
#define HR_KERNEL_TARGET __attribute__((target("avx512f")))
#define HR_KERNEL_BYTES 64
#include "engine/vectors/row_kernels.inc"
#endif

template <typename Set>
constexpr RowKernels KernelsIn() {
  return {&Set::DotProduct, &Set::MinusSquaredDistance};
}

// The sets that were found, the narrowest first.
struct FoundSets {
  FoundSets() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      sets[count++] = InstructionSet::kAvx2;
      if (__builtin_cpu_supports("avx512f")) sets[count++] = InstructionSet::kAvx512;
    }
#endif
  }

  std::array<InstructionSet, 3> sets{InstructionSet::kBaseline};
  std::size_t count = 1;
};

}  // namespace

std::span<const InstructionSet> MachineInstructionSets() {
  static const FoundSets found;
  return std::span(found.sets).first(found.count);
}

RowKernels KernelsOf(InstructionSet set) {
  switch (set) {
#ifdef __x86_64__
    case InstructionSet::kAvx512:
      return KernelsIn<Avx512Kernels>();
    case InstructionSet::kAvx2:
      return KernelsIn<Avx2Kernels>();
#endif
    default:
      return KernelsIn<BaselineKernels>();
  }
}

}  // namespace hashrange
